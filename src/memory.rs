//! Memory that is given back. glibc's allocator has eight heaps a core, and learns from the large bodies that it is given to keep
//! such in them: what a load took stays with the process, in pieces between what lives on. It takes its settings from the
//! environment of a process that begins, or by a call that has no safe form.

use std::env;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread::available_parallelism;

/// Where glibc looks for settings; an operator's own stay.
const SETTINGS: &str = "GLIBC_TUNABLES";
/// Bytes from which on an allocation is of its own and given back when it is freed, and above which the free end of a heap
/// is. The tree of most pages is smaller: with glibc's own 128 KiB each was given back and asked for again, a tenth of the
/// time of a crawl.
const LARGE: usize = 512 << 10;

/// Begins the process anew with the settings, once: the same arguments, the same process id. Where that cannot be done it
/// goes on as it is.
pub(crate) fn is_given_back() {
    let is_set = env::var_os(SETTINGS).is_some();
    let (Ok(own), mut arguments) = (env::current_exe(), env::args_os()) else { return };
    if is_set || cfg!(not(all(target_os = "linux", target_env = "gnu"))) {
        return;
    }
    let heaps = available_parallelism().map_or(2, |cores| cores.get().max(2));
    let settings = format!(
        "glibc.malloc.arena_max={heaps}:glibc.malloc.mmap_threshold={LARGE}:glibc.malloc.trim_threshold={LARGE}"
    );
    let mut again = Command::new(&own);
    again.arg0(arguments.next().unwrap_or(own.into())).args(arguments).env(SETTINGS, settings);
    let error = again.exec();
    let _ = writeln!(std::io::stderr(), "wayfile: memory may be kept for longer than it is used: {error}");
}
