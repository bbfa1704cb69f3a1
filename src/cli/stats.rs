//! The line of figures that `--stats` ends with.

use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use wayfile_actors::CrawlStats;

/// Figures of a finished crawl. CPU is user and system time of the whole process, per page that counts;
/// memory is the peak.
///
/// # Errors
/// The operating system does not tell.
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
        // The kernel counts in KiB.
        Duration::from_micros(u64::try_from(usage.max_rss()).unwrap_or(0)).as_secs_f64() * 1e6 / 1024.0,
    ))
}
