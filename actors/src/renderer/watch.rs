//! The watcher: a process between us and the browser, which takes the browser along when we are gone.
//!
//! It is our own executable, started with a command of its own. Its standard input is a pipe that ends with us, however that
//! happens; its standard output is the socket that the browser speaks through. The browser is the first process of a PID
//! namespace, so that the kernel ends with it whatever it started, and of a network namespace without any interface: it
//! reaches us alone. The folder that holds its profile is locked as long as the watcher lives; one without a lock is
//! what a watcher left that was killed itself, and is cleared away at the next start.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Error, ErrorKind, Write};
use std::iter::successors;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, User, geteuid};
use serde::{Deserialize, Serialize};

use crate::settings::BrowserSettings;

/// How the command is called that makes a process the watcher.
pub const WATCH: &str = "watch-browser";
/// What the folders of profiles are called, in the folder for temporary files.
const FOLDER: &str = "wayfile-browser-";
/// How often the browser's memory and processes are counted.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How often it is tried to remove a profile, and how long after each other: a process that was killed ends when its turn comes.
const REMOVALS: usize = 40;
const REMOVE_EVERY: Duration = Duration::from_millis(50);
/// How often a folder for a profile is made at most, where it is cleared away before it is locked.
const MAKINGS: usize = 8;
/// Exit code of a watcher that found the browser over its limits.
const OVER_LIMITS: i32 = 3;

/// What the watcher is told, as JSON.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Watch {
    /// The browser's executable; without one the watcher only tries whether a sandbox can be made.
    pub(super) browser: Option<PathBuf>,
    /// The user and the group that watcher and browser run as, where those are not ours.
    pub(super) user: Option<(u32, u32)>,
    /// Memory of the browser's processes, in KiB.
    pub(super) memory: u64,
    pub(super) arguments: Vec<String>,
}

impl Watch {
    pub(super) fn new(user: Option<&User>) -> Self {
        Self { user: user.map(|user| (user.uid.as_raw(), user.gid.as_raw())), ..Self::default() }
    }

    /// The watcher's command: what runs now, wherever it lies by now.
    pub(super) fn command(&self) -> io::Result<Command> {
        let mut command = Command::new("/proc/self/exe");
        command.arg(WATCH).arg(serde_json::to_string(self)?);
        Ok(command)
    }
}

/// Why no browser can be started.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "what each one says is its meaning")]
pub enum BrowserFault {
    #[error("browser.path: {} cannot be run: {error}", path.display())]
    Path { path: PathBuf, error: String },
    #[error("browser.user: there is no user {0:?} on this machine")]
    User(String),
    /// A user that may do everything is none that a browser may run as.
    #[error("browser.user: {0:?} is root; name a user without rights, such as nobody")]
    Root(String),
    #[error(
        "the browser's sandbox cannot be made ({0}): allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, \
         user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0; in a container its seccomp profile; in a \
         systemd unit what config/wayfile-browser.conf has) or leave browser.path out"
    )]
    Sandbox(String),
    #[error("browser.path: pages are opened in a browser on Linux only; leave it out")]
    NotLinux,
    #[error("the browser's watcher cannot be started: {0}")]
    Watcher(#[from] io::Error),
}

/// Whom the browser runs as, when not as we do.
pub(super) fn browser_user(settings: &BrowserSettings) -> Result<Option<User>, BrowserFault> {
    if !geteuid().is_root() {
        return Ok(None);
    }
    let found = User::from_name(&settings.user).ok().flatten();
    let user = found.ok_or_else(|| BrowserFault::User(settings.user.clone()))?;
    if user.uid.is_root() { Err(BrowserFault::Root(user.name)) } else { Ok(Some(user)) }
}

/// Processes of the browser; with more it is killed.
const MAX_PROCESSES: usize = 60;

/// Says whether a browser could be started, without starting one.
/// Errors: [`BrowserFault`], with what to do.
pub fn check(settings: &BrowserSettings) -> Result<(), BrowserFault> {
    let Some(path) = &settings.path else { return Ok(()) };
    let wrong = |error: &str| BrowserFault::Path { path: path.clone(), error: error.to_owned() };
    let meta = path.metadata().map_err(|error| wrong(&error.to_string()))?;
    if !meta.is_file() || meta.mode() & 0o111 == 0 {
        return Err(wrong("it is no executable file"));
    }
    if cfg!(not(target_os = "linux")) {
        return Err(BrowserFault::NotLinux);
    }
    let user = browser_user(settings)?;
    let tried = Watch::new(user.as_ref()).command()?.stdin(Stdio::null()).output()?;
    if tried.status.success() {
        return Ok(());
    }
    Err(BrowserFault::Sandbox(String::from_utf8_lossy(&tried.stderr).trim().to_owned()))
}

/// Runs as the watcher that was `told` so, until the browser or the process that started it ends.
/// Errors: The kernel allows no sandbox, or the browser cannot be started.
pub fn watch(told: &str) -> io::Result<i32> {
    let watch: Watch = serde_json::from_str(told)?;
    isolate(watch.user)?;
    let Some(browser) = &watch.browser else { return Ok(0) };
    let folder = ProfileFolder::make()?;
    let mut child = start(&watch, browser, &folder.profile)?;
    let pid = Pid::from_raw(i32::try_from(child.id()).map_err(Error::other)?);
    let ended = stand_by(&watch, &mut child, pid);
    // As the first of its namespace it takes all others along.
    let _ = kill(pid, Signal::SIGKILL);
    child.wait()?;
    ended
}

/// Becomes the browser's user, and has what is started from now on live apart: no network, and no process that outlives the
/// first. This is also what the browser's own sandbox begins with: where the kernel allows the one, it allows the other.
#[cfg(target_os = "linux")]
fn isolate(user: Option<(u32, u32)>) -> io::Result<()> {
    use nix::sched::{CloneFlags, unshare};
    use nix::sys::prctl::set_dumpable;
    use nix::unistd::{Gid, Uid, getegid, geteuid, setgid, setgroups, setuid};

    if let Some((user, group)) = user {
        setgroups(&[])?;
        setgid(Gid::from_raw(group))?;
        setuid(Uid::from_raw(user))?;
        // Or what describes us in /proc would still be another's.
        set_dumpable(true)?;
    }
    let (user, group) = (geteuid(), getegid());
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWPID)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// There is no browser elsewhere: [`check`] says so first.
#[cfg(not(target_os = "linux"))]
fn isolate(_: Option<(u32, u32)>) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

fn start(watch: &Watch, browser: &Path, profile: &Path) -> io::Result<Child> {
    let mut command = Command::new("/bin/sh");
    // The browser reads from descriptor 3 and writes to 4.
    command.arg("-c").arg(r#"exec "$@" 3<&1 4>&1 </dev/null >/dev/null"#).arg("sh").arg(browser);
    command.args(&watch.arguments).arg(format!("--user-data-dir={}", profile.display()));
    command.env_clear().env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8");
    command.env("HOME", profile).env("TMPDIR", profile).current_dir(profile);
    command.stdin(Stdio::null()).process_group(0).spawn()
}

/// Waits until the browser ends, is over its limits, or the other end of our standard input is closed.
fn stand_by(watch: &Watch, child: &mut Child, pid: Pid) -> io::Result<i32> {
    let timeout = PollTimeout::try_from(LOOK_EVERY).map_err(Error::other)?;
    let input = io::stdin();
    loop {
        // Nothing is ever written there: whatever happens, it is the end.
        let mut ends = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
        match poll(&mut ends, timeout) {
            Ok(0) | Err(nix::Error::EINTR) => {}
            Ok(_) => return Ok(0),
            Err(error) => return Err(error.into()),
        }
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().unwrap_or(1));
        }
        let (processes, memory) = size(pid.as_raw());
        if processes > MAX_PROCESSES || memory > watch.memory {
            tell(format_args!("the browser was killed: {processes} processes with {} MiB", memory >> 10));
            return Ok(OVER_LIMITS);
        }
    }
}

/// Every process by its number, and where Linux tells of it.
fn processes() -> impl Iterator<Item = (i32, PathBuf)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
}

/// Processes below `root`, itself included, and their memory in KiB without what they share.
fn size(root: i32) -> (usize, u64) {
    let parent_and_memory = |folder: PathBuf| {
        let status = fs::read_to_string(folder.join("status")).ok()?;
        let field = |name: &str| -> Option<u64> {
            let value = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            value.split_whitespace().next()?.parse().ok()
        };
        let memory = field("RssAnon").unwrap_or(0) + field("RssShmem").unwrap_or(0);
        Some((i32::try_from(field("PPid")?).ok()?, memory))
    };
    let parents = processes().filter_map(|(pid, folder)| Some((pid, parent_and_memory(folder)?)));
    let all: &HashMap<i32, (i32, u64)> = &parents.collect();
    // They were not read in one moment: nothing says that the way up ends.
    let ancestry =
        |pid: i32| successors(Some(pid), move |pid| all.get(pid).map(|(parent, _)| *parent)).take(all.len());
    let below = all.iter().filter(|(pid, _)| ancestry(**pid).any(|above| above == root));
    below.fold((0, 0), |(count, total), (_, (_, memory))| (count + 1, total + memory))
}

/// Where the browser keeps what it writes. Gone when dropped.
struct ProfileFolder {
    profile: PathBuf,
    outer: PathBuf,
    _lock: File,
}

impl ProfileFolder {
    fn make() -> io::Result<Self> {
        for _ in 0..MAKINGS {
            let outer = tempfile::Builder::new().prefix(FOLDER).tempdir()?.keep();
            if let Some(lock) = lock(&outer)? {
                let profile = outer.join("profile");
                fs::create_dir(&profile)?;
                return Ok(Self { profile, outer, _lock: lock });
            }
        }
        Err(Error::other("whatever folder is made for the browser's profile is cleared away at once"))
    }
}

impl Drop for ProfileFolder {
    fn drop(&mut self) {
        remove(&self.outer);
    }
}

/// The lock of a folder, unless it is another's or the folder is gone.
fn lock(folder: &Path) -> io::Result<Option<File>> {
    match File::open(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        opened => lock_opened(opened?, folder),
    }
}

/// Who clears leftovers away may have taken the folder for one after it was opened.
fn lock_opened(lock: File, folder: &Path) -> io::Result<Option<File>> {
    match lock.try_lock() {
        Ok(()) => Ok(folder.exists().then_some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Removes a folder that a process just killed may still be writing to.
fn remove(folder: &Path) {
    for _ in 0..REMOVALS {
        if fs::remove_dir_all(folder).is_ok() || !folder.exists() {
            return;
        }
        sleep(REMOVE_EVERY);
    }
    tell(format_args!("{} could not be removed", folder.display()));
}

/// Says something on the service's stderr, which may be closed: nothing is left undone for that.
fn tell(said: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{said}");
}

/// Clears away what watchers left that were killed: browsers that still run, and folders.
pub(super) fn clear_leftovers(user: Option<&User>) {
    let owner = user.map_or_else(geteuid, |user| user.uid).as_raw();
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let is_ours = entry.metadata().is_ok_and(|meta| meta.is_dir() && meta.uid() == owner);
        if !is_ours || !entry.file_name().to_string_lossy().starts_with(FOLDER) {
            continue;
        }
        let path = entry.path();
        if let Ok(Some(_lock)) = lock(&path) {
            kill_browser(&path);
            remove(&path);
            tracing::info!(folder = %path.display(), "a browser that was left over was cleared away");
        }
    }
}

/// Kills the processes that use a profile in this folder.
fn kill_browser(folder: &Path) {
    let profile = format!("--user-data-dir={}/", folder.display());
    for (pid, folder) in processes() {
        let Ok(line) = fs::read(folder.join("cmdline")) else { continue };
        if line.split(|byte| *byte == 0).any(|argument| argument.starts_with(profile.as_bytes())) {
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_being_cleared_away_is_no_profile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let first = lock(folder.path()).unwrap();
        assert!(first.is_some() && lock(folder.path()).unwrap().is_none(), "it is another's");
        drop(first);
        // Opened before it was removed, locked after.
        let opened = File::open(folder.path()).unwrap();
        folder.close().unwrap();
        assert!(lock_opened(opened, &path).unwrap().is_none() && lock(&path).unwrap().is_none());
    }
}
