//! A PostgreSQL of the tests' own, where its binaries are found. It listens on a socket in a temporary folder
//! and ends with the process of the tests, however that ends.

use std::io::Write;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

const START_PATIENCE: Duration = Duration::from_mins(1);
/// A folder in the system's temporary one, with the number of the tests' process at its end.
const FOLDER: &str = "wayfile-postgres-";
/// Debian's package makes this user.
const UNPRIVILEGED: &str = "postgres";
/// Where Debian's package puts `PgBouncer`, and the port that names its socket.
const POOLER: &str = "/usr/sbin/pgbouncer";
const POOLER_PORT: u16 = 6432;
/// Set where everything that tests need must be there.
const REQUIRE: &str = "WAYFILE_TESTS_REQUIRE";

static SERVER: OnceLock<Option<Server>> = OnceLock::new();

/// A running server.
pub(crate) struct Server {
    binaries: PathBuf,
    folder: PathBuf,
    user: String,
}

/// The address of an empty database; none where there is no PostgreSQL, and a line says so.
pub(crate) fn database() -> Option<String> {
    Some(there(SERVER.get_or_init(|| start("shared")).as_ref())?.database())
}

/// A server of one test's own, which may stop it; `name` is no other test's.
pub(crate) fn of_its_own(name: &str) -> Option<Server> {
    there(start(name))
}

fn there<T>(server: Option<T>) -> Option<T> {
    if server.is_none() {
        assert!(std::env::var_os(REQUIRE).is_none(), "no PostgreSQL in /usr/lib/postgresql/*/bin");
        eprintln!("skipped: no PostgreSQL in /usr/lib/postgresql/*/bin");
    }
    server
}

/// The address of a new database that a backup of `url`'s was read into.
pub(crate) fn copy_by_backup(url: &str) -> String {
    let server = SERVER.get().unwrap().as_ref().unwrap();
    let name = url.split(['/', '?']).nth(3).unwrap();
    let dump = server.tool("pg_dump").arg("-h").arg(&server.folder).arg(name).output().unwrap();
    assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
    let copy = server.empty();
    let mut psql = server.tool("psql");
    psql.args(["--quiet", "--set=ON_ERROR_STOP=1", "-h"]).arg(&server.folder).arg(&copy);
    let mut psql = psql.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    psql.stdin.take().unwrap().write_all(&dump.stdout).unwrap();
    assert!(psql.wait().unwrap().success(), "psql failed");
    server.url(&copy)
}

/// Major and minor version of the `PgBouncer` that is installed.
pub(crate) fn pooler_version() -> (u32, u32) {
    let said = Command::new(POOLER).arg("--version").output().unwrap().stdout;
    let said = String::from_utf8(said).unwrap();
    let mut numbers = said.trim_start_matches(|c: char| !c.is_ascii_digit()).split('.');
    let mut next = || numbers.next().unwrap().parse().unwrap();
    (next(), next())
}

fn binaries() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut found: Vec<PathBuf> = versions.flatten().map(|entry| entry.path().join("bin")).collect();
    found.retain(|bin| bin.join("initdb").is_file());
    found.sort();
    found.pop()
}

fn start(name: &str) -> Option<Server> {
    let binaries = binaries()?;
    remove_folders_of_dead_tests();
    let folder = std::env::temp_dir().join(format!("{FOLDER}{}", std::process::id())).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let user = hand_over(&folder);
    let server = Server { binaries, folder, user };
    let mut initdb = server.tool("initdb");
    let made = initdb.args(["--auth=trust", "--no-sync", "-D"]).arg(server.data()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    server.start();
    Some(server)
}

fn remove_folders_of_dead_tests() {
    for entry in std::fs::read_dir(std::env::temp_dir()).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let dead = name.strip_prefix(FOLDER).is_some_and(|pid| !Path::new("/proc").join(pid).exists());
        if dead {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The server refuses to run as root; then the folder is handed to a user that may.
fn hand_over(folder: &Path) -> String {
    let id = |arguments: &[&str]| {
        let id = Command::new("id").args(arguments).output().unwrap();
        String::from_utf8(id.stdout).unwrap().trim().to_owned()
    };
    if id(&["-u"]) != "0" {
        return id(&["-un"]);
    }
    let number = |flag| Some(id(&[flag, UNPRIVILEGED]).parse().unwrap());
    chown(folder, number("-u"), number("-g")).unwrap();
    UNPRIVILEGED.to_owned()
}

impl Server {
    /// The address of an empty database.
    pub(crate) fn database(&self) -> String {
        self.url(&self.empty())
    }

    /// Starts it, and waits until it answers.
    pub(crate) fn start(&self) {
        self.run(&self.data());
        let deadline = Instant::now() + START_PATIENCE;
        let is_ready = || {
            let ready = self.tool("pg_isready").arg("-h").arg(&self.folder).stdout(Stdio::null()).status();
            ready.unwrap().success()
        };
        while !is_ready() {
            assert!(Instant::now() < deadline, "PostgreSQL did not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends it as a crash would: connections break, and what was not committed is lost.
    pub(crate) fn crash(&self) {
        let mut stop = self.tool("pg_ctl");
        let stop = stop.args(["stop", "--mode=immediate", "-D"]).arg(self.data()).output().unwrap();
        assert!(stop.status.success(), "{}", String::from_utf8_lossy(&stop.stderr));
    }

    /// Puts a `PgBouncer` before an empty database, which lends connections as `mode` says: the address of the database
    /// through it, and without it. None where it is not installed, and a line says so.
    pub(crate) fn pooled(&self, mode: &str) -> Option<(String, String)> {
        if !Path::new(POOLER).is_file() {
            assert!(std::env::var_os(REQUIRE).is_none(), "no {POOLER}");
            eprintln!("skipped: no {POOLER}");
            return None;
        }
        let (name, folder) = (self.empty(), self.folder.display());
        let settings = self.folder.join("pooler.ini");
        let text = format!(
            "[databases]
{name} = host={folder} user={}
[pgbouncer]
unix_socket_dir = {folder}
             listen_port = {POOLER_PORT}
auth_type = any
pool_mode = {mode}
             ignore_startup_parameters = extra_float_digits
",
            self.user
        );
        std::fs::write(&settings, text).unwrap();
        // A shell in the background hands on that SIGQUIT is ignored.
        let mut pooler = self.tool_ending_by("TERM", POOLER);
        pooler.arg("--quiet").arg(&settings).stderr(Stdio::null());
        run(pooler);
        let deadline = Instant::now() + START_PATIENCE;
        while !self.folder.join(format!(".s.PGSQL.{POOLER_PORT}")).exists() {
            assert!(Instant::now() < deadline, "PgBouncer did not start");
            std::thread::sleep(Duration::from_millis(50));
        }
        let direct = self.url(&name);
        Some((direct.replace("@localhost", &format!("@localhost:{POOLER_PORT}")), direct))
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// The name of a new database.
    fn empty(&self) -> String {
        static NAMES: AtomicU32 = AtomicU32::new(0);
        let name = format!("test{}", NAMES.fetch_add(1, Ordering::Relaxed));
        let made = self.tool("createdb").arg("-h").arg(&self.folder).arg(&name).status().unwrap();
        assert!(made.success(), "createdb failed");
        name
    }

    fn url(&self, name: &str) -> String {
        format!("postgres://{}@localhost/{name}?host={}", self.user, self.folder.display())
    }

    fn tool(&self, name: &str) -> Command {
        self.tool_ending_by("QUIT", name)
    }

    /// Whatever is started ends when the thread that started it does, by a signal that it does not ignore.
    fn tool_ending_by(&self, signal: &str, name: &str) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", signal]);
        if self.user == UNPRIVILEGED {
            command.args(["--reuid", UNPRIVILEGED, "--regid", UNPRIVILEGED, "--init-groups"]);
        }
        command.arg("--").arg(self.binaries.join(name)).current_dir("/").stdin(Stdio::null());
        command
    }

    fn run(&self, data: &Path) {
        let mut command = self.tool("postgres");
        command.arg("-D").arg(data).arg("-k").arg(&self.folder);
        command.args(["-c", "listen_addresses=", "-c", "max_connections=200"]);
        command.args(["-c", "fsync=off"]).process_group(0).stdout(Stdio::null()).stderr(Stdio::null());
        run(command);
    }
}

/// Starts a server. The thread that starts it lives as long as the process.
fn run(mut server: Command) {
    let (started, is_started) = mpsc::channel();
    std::thread::spawn(move || {
        let mut server = server.spawn().unwrap();
        started.send(()).unwrap();
        server.wait().unwrap();
    });
    is_started.recv().unwrap();
}
