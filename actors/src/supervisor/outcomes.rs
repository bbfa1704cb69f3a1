//! What became of every address of a crawl.

use std::collections::HashSet;

use wayfile_core::site::frontier::{Frontier, Outcome};
use wayfile_core::site::rank::LeftOut;
use wayfile_core::url::SiteUrl;

use super::sitemap_queue::SitemapQueue;
use crate::progress::{InBrowser, PageOutcome, Settled};
use crate::renderer::{Opened, RenderResult};

/// Every address once, with what became of it in the end: first those asked for, in the order in which they were `settled`,
/// then those that were not.
pub(super) fn close(
    settled: Vec<Settled>,
    frontier: &Frontier,
    sitemaps: &SitemapQueue,
    out_of_time: bool,
) -> Vec<Settled> {
    let mut seen = HashSet::new();
    // An address that was asked for again is told by what came last.
    let mut all: Vec<Settled> =
        settled.into_iter().rev().filter(|settled| seen.insert(settled.url.clone())).collect();
    all.reverse();
    for settled in &mut all {
        if settled.outcome == PageOutcome::Kept
            && let Some(reason) = frontier.refused_since(&settled.url)
        {
            (settled.outcome, settled.reason) = (PageOutcome::LeftOut, Some(reason.reason().into()));
        }
    }
    let unread = if out_of_time { "not reached in time" } else { "beyond the page limit" };
    for (url, why) in frontier.unfetched().filter(|(url, _)| !seen.contains(*url)) {
        let (outcome, reason) = match why {
            Some(reason) => (PageOutcome::LeftOut, reason.reason()),
            None => (PageOutcome::NotFetched, unread),
        };
        all.push(Settled::new(url.clone(), outcome, reason));
    }
    let unread = |url: &SiteUrl| Settled::new(url.clone(), PageOutcome::NotFetched, "sitemap: not read");
    all.extend(sitemaps.waiting().map(unread));
    all
}

pub(super) fn sitemap(url: SiteUrl, what: impl std::fmt::Display) -> Settled {
    Settled::new(url, PageOutcome::Lost, format!("sitemap: {what}"))
}

pub(super) fn in_browser(opened: RenderResult<Opened>) -> InBrowser {
    InBrowser {
        why: LeftOut::Shell.reason(),
        milliseconds: opened.ok().map(|opened| opened.took.as_millis()),
        failed: opened.err().map(|error| error.to_string()),
    }
}

pub(super) fn settled(url: &SiteUrl, outcome: &Outcome) -> Settled {
    let (outcome, reason) = match outcome {
        Outcome::Kept => (PageOutcome::Kept, None),
        Outcome::Duplicate(of) => (PageOutcome::Duplicate, Some(format!("the same page as {of}").into())),
        Outcome::Failed(kind) => (PageOutcome::Lost, Some(kind.clone().into())),
        Outcome::LeftOut(reason) => (PageOutcome::LeftOut, Some(reason.reason().into())),
    };
    Settled { url: url.clone(), outcome, link: None, reason, browser: None }
}
