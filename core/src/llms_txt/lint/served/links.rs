//! What the links lead to.

use super::super::rule::Verdict;
use super::file::same_host;
use super::observed::{DeadLink, Fate, LinkSeen, LinkStats, Observed, PageSeen};

pub(super) fn resolve(stats: &LinkStats) -> Verdict {
    if stats.checked == 0 {
        return Verdict::LeftOut;
    }
    Verdict::of(stats.mostly_ok(), || format!("{} of {} links are dead", stats.dead, stats.checked))
}

pub(super) fn none_dead(stats: &LinkStats) -> Verdict {
    if stats.checked == 0 {
        return Verdict::LeftOut;
    }
    let shown: Vec<_> = stats.dead_links.iter().map(|link| (link.line, shown(link))).collect();
    Verdict::none(shown.iter().map(|(line, text)| (*line, text.as_str())), "a dead link")
}

fn shown(link: &DeadLink) -> String {
    format!("{} {}", link.reason.as_str(), link.url)
}

pub(super) fn stay(site: &Observed) -> Verdict {
    of_ok(
        site,
        |link| link.landed.as_ref().is_some_and(|to| !same_host(to, &link.url)),
        "a link that hops to another host",
    )
}

pub(super) fn not_empty(site: &Observed) -> Verdict {
    of_ok(site, |link| link.empty, "a link to nothing")
}

pub(super) fn markdown(site: &Observed) -> Verdict {
    let is_markdown = |link: &LinkSeen| {
        let name = link.url.path().rsplit('.').next().unwrap_or_default();
        name.eq_ignore_ascii_case("md") || name.eq_ignore_ascii_case("mdx")
    };
    if !links(site).iter().any(|link| link.fate == Fate::Ok && is_markdown(link)) {
        return Verdict::LeftOut;
    }
    let html = |link: &LinkSeen| link.media_type.as_deref().is_some_and(|kind| kind.contains("html"));
    of_ok(site, |link| is_markdown(link) && html(link), "HTML at a Markdown address")
}

pub(super) fn readable(site: &Observed) -> Verdict {
    if site.pages.is_empty() {
        return Verdict::LeftOut;
    }
    let shells = site.pages.iter().filter(|page| !page.readable);
    Verdict::none(shells.map(|page| (page.line, page.url.as_str())), "a page that only JavaScript fills")
}

pub(super) fn alternates(site: &Observed) -> Verdict {
    half(site, |page| Some(page.alternate), "advertise Markdown")
}

pub(super) fn twins(site: &Observed) -> Verdict {
    half(site, |page| page.twin, "have a Markdown twin")
}

pub(super) fn negotiation(site: &Observed) -> Verdict {
    half(site, |page| page.negotiates, "answer with Markdown")
}

fn links(site: &Observed) -> &[LinkSeen] {
    site.links.as_deref().unwrap_or_default()
}

fn of_ok(site: &Observed, wrong: impl Fn(&LinkSeen) -> bool, what: &str) -> Verdict {
    let mut ok = links(site).iter().filter(|link| link.fate == Fate::Ok).peekable();
    if ok.peek().is_none() {
        return Verdict::LeftOut;
    }
    Verdict::none(ok.filter(|link| wrong(link)).map(|link| (link.line(), link.url.as_str())), what)
}

/// Passes when at least half of the pages that are known about do what is asked.
fn half(site: &Observed, does: impl Fn(&PageSeen) -> Option<bool>, what: &str) -> Verdict {
    let known: Vec<bool> = site.pages.iter().filter_map(does).collect();
    let count = known.iter().filter(|does| **does).count();
    if known.is_empty() {
        return Verdict::LeftOut;
    }
    Verdict::of(count * 2 >= known.len(), || format!("{count} of {} sampled pages {what}", known.len()))
}
