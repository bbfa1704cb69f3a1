//! Where watcher and browser live: as a user of their own, in namespaces of their own, which Linux alone has.

use std::io;

/// Becomes the browser's user, and has what is started from now on live apart: no network, and no process that outlives the
/// first. This is also what the browser's own sandbox begins with: where the kernel allows the one, it allows the other.
#[cfg(target_os = "linux")]
pub(super) fn isolate(user: Option<(u32, u32)>) -> io::Result<()> {
    use std::fs::write;

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
    write("/proc/self/setgroups", "deny")?;
    write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// There is no browser elsewhere: [`check`](super::check) says so first.
#[cfg(not(target_os = "linux"))]
pub(super) fn isolate(_: Option<(u32, u32)>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
