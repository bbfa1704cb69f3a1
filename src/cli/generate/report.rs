//! `--report FILE`: what became of every address. `--stats`: the line of figures at the end.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde::Serialize;
use wayfile_actors::{CrawlStats, Generated, PageOutcome, Settled};
use wayfile_core::llms_txt::lint::lint;

use crate::cli::output;

const STATUS: &str = "/proc/self/status";
const NOT_LISTED: &str = "read, but llms.txt has no room for it, or it says nothing of its own";

#[derive(Serialize)]
struct ReportFile<'a> {
    url: &'a str,
    note: Option<&'a str>,
    pages: Vec<Settled>,
}

pub(super) fn write(path: &Path, generated: &Generated) -> anyhow::Result<()> {
    let (url, note) = (generated.url.as_str(), generated.note.as_deref());
    let report = ReportFile { url, note, pages: pages(generated) };
    let written = || {
        let mut file = BufWriter::new(File::create(path)?);
        output::json(&mut file, &report)?;
        file.flush()
    };
    written().with_context(|| format!("{} cannot be written", path.display()))
}

/// Every address; of a page that counts and is not listed it is said why.
fn pages(generated: &Generated) -> Vec<Settled> {
    let mut pages = generated.report.to_vec();
    let Some(index) = &generated.llms_txt else { return pages };
    let file = lint(&index.as_str().into(), None);
    let listed: HashSet<_> = file.links(None).into_iter().map(|link| link.url.key()).collect();
    for page in pages.iter_mut().filter(|page| page.outcome == PageOutcome::Kept) {
        // The site's own front page gives the file its title.
        let is_home = page.url == generated.url;
        let link = page.link.as_ref().unwrap_or(&page.url);
        if !is_home && !listed.contains(&link.key()) {
            page.reason = Some(NOT_LISTED.into());
        }
    }
    pages
}

/// Figures of a finished crawl. CPU is user and system time of the whole process, per page that counts;
/// memory is the peak.
pub(super) fn stats(stats: &CrawlStats, wall: Duration) -> nix::Result<String> {
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
