//! The line of figures that `--stats` ends with.

use std::time::Duration;

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use wayfile_actors::CrawlStats;

const STATUS: &str = "/proc/self/status";

/// Figures of a finished crawl. CPU is user and system time of the whole process, per page that counts;
/// memory is the peak.
pub(crate) fn line(stats: &CrawlStats, wall: Duration) -> nix::Result<String> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let cpu = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    let pages = i64::try_from(stats.pages.max(1)).unwrap_or(i64::MAX);
    Ok(format!(
        "pages={} ok200={} failed={} bytes={} wall_s={:.3} cpu_us_per_page={} rss_mb={:.1}",
        stats.pages,
        stats.ok200,
        stats.failed,
        stats.bytes,
        wall.as_secs_f64(),
        cpu / pages,
        f64::from(peak_kib(&usage)) / 1024.0,
    ))
}

/// The most memory that was resident, in KiB. What `getrusage` says begins with the peak of the parent process,
/// up to the moment of `exec`, so it is used only where there is nothing better.
fn peak_kib(usage: &Usage) -> u32 {
    let status = std::fs::read_to_string(STATUS).unwrap_or_default();
    let own = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB"));
    own.and_then(|kib| kib.trim().parse().ok()).unwrap_or(u32::try_from(usage.max_rss()).unwrap_or(0))
}
