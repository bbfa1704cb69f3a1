//! Where the links lead.

use std::collections::HashMap;

use memchr::memrchr;

use super::super::mentions::Mention;
use super::super::rule::Verdict;
use super::super::subject::{FoundLink, LintSubject};
use super::super::target::{Absolute, Target};
use crate::url::SiteUrl;

/// How many links a file should have.
const COUNT: std::ops::RangeInclusive<usize> = 3..=500;
/// More links than this need sections.
const UNGROUPED: usize = 10;
/// What a Markdown address ends in.
const MARKDOWN: [&str; 3] = ["md", "mdx", "txt"];
/// What addresses for machines end in.
const MACHINES: [&str; 8] = ["json", "yaml", "yml", "xml", "rss", "atom", "csv", "graphql"];

pub(super) fn absolute(file: &LintSubject<'_>) -> Verdict {
    let relative = |found: &&FoundLink<'_>| found.target == Target::Relative;
    of_links(file, relative, "a relative link")
}

pub(super) fn https(file: &LintSubject<'_>) -> Verdict {
    let plain = |found: &&FoundLink<'_>| absolute_of(found).is_some_and(|to| !to.is_https());
    of_links(file, plain, "a link over http")
}

pub(super) fn no_private(file: &LintSubject<'_>) -> Verdict {
    // Most files hold no such word at all; parsing an address makes none.
    let private = |found: &&FoundLink<'_>| {
        file.mentions.has(Mention::Private)
            && path(found).as_bytes().split(|&byte| byte == b'/').any(is_private)
    };
    of_links(file, private, "a private page")
}

/// Whether a segment of a path belongs to pages that only a signed-in person can use.
fn is_private(segment: &[u8]) -> bool {
    matches!(segment, b"login" | b"logout" | b"signin" | b"cart" | b"checkout" | b"admin" | b"wp-admin")
}

pub(super) fn markdown(file: &LintSubject<'_>) -> Verdict {
    let (mut pages, mut markdown, mut first) = (0, 0, None);
    for found in file.links.iter().filter(|found| !matches!(found.target, Target::Bad(_))) {
        let path = path(found).as_bytes();
        let extension = memrchr(b'.', path).and_then(|dot| path.get(dot + 1..)).unwrap_or_default();
        let is = |list: &[&str]| list.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(extension));
        if extension == b"md" || is(&MARKDOWN) {
            markdown += 1;
        } else if is(&MACHINES) {
            continue;
        } else {
            first.get_or_insert(found.line);
        }
        pages += 1;
    }
    if pages == 0 {
        return Verdict::LeftOut;
    }
    if markdown * 2 >= pages {
        return Verdict::Pass;
    }
    // Where pages lie is no fault of their lines, so none but the first is named.
    let detail = format!("{markdown} of {pages} pages are Markdown");
    first.map_or_else(|| Verdict::fail(&detail), |line| Verdict::fail_at(line, &detail))
}

/// Without a site of its own, a text belongs to the domain that most of its links lead to.
pub(super) fn same_site(file: &LintSubject<'_>) -> Verdict {
    let relative = file.links.iter().filter(|found| found.target == Target::Relative).count();
    let named: Vec<&str> = file.links.iter().filter_map(absolute_of).map(Absolute::host).collect();
    let all = relative + named.len();
    // Most links lead where the one before led.
    let mut hosts: HashMap<&str, usize> = HashMap::new();
    for run in named.chunk_by(|one, next| one == next) {
        *hosts.entry(run.first().copied().unwrap_or_default()).or_default() += run.len();
    }
    if all == 0 {
        return Verdict::LeftOut;
    }
    let mut domains: HashMap<&str, usize> = HashMap::new();
    for (host, count) in hosts {
        *domains.entry(domain(host)).or_default() += count;
    }
    let own = match file.site {
        Some(site) => domains.get(own_domain(site)).copied().unwrap_or(0),
        None => domains.values().copied().max().unwrap_or(0),
    };
    Verdict::of((own + relative) * 2 >= all, || {
        format!("{} of {all} links lead to this site", own + relative)
    })
}

pub(super) fn count(file: &LintSubject<'_>) -> Verdict {
    if file.links.is_empty() {
        return Verdict::LeftOut;
    }
    Verdict::of(COUNT.contains(&file.links.len()), || format!("{} links", file.links.len()))
}

pub(super) fn grouped(file: &LintSubject<'_>) -> Verdict {
    if file.links.len() <= UNGROUPED {
        return Verdict::LeftOut;
    }
    let groups = file.sections.iter().filter(|listed| listed.links > 0).count();
    Verdict::of(groups >= 2, || format!("{} links in {groups} section", file.links.len()))
}

fn domain(host: &str) -> &str {
    let named = host.bytes().next_back().is_some_and(|b| b.is_ascii_alphabetic());
    named.then(|| psl::domain_str(host)).flatten().unwrap_or(host)
}

fn own_domain(site: &SiteUrl) -> &str {
    site.registrable_domain().unwrap_or(site.as_url().host_str().unwrap_or_default())
}

fn absolute_of<'f>(found: &'f FoundLink<'_>) -> Option<&'f Absolute<'f>> {
    match &found.target {
        Target::Absolute(to) => Some(to),
        _ => None,
    }
}

fn path<'f>(found: &'f FoundLink<'_>) -> &'f str {
    match &found.target {
        Target::Absolute(to) => to.path(),
        Target::Relative => found.link.url.split(['?', '#']).next().unwrap_or_default(),
        Target::Bad(_) => "",
    }
}

fn of_links(file: &LintSubject<'_>, wrong: impl Fn(&&FoundLink<'_>) -> bool, what: &str) -> Verdict {
    if file.links.is_empty() {
        return Verdict::LeftOut;
    }
    Verdict::none(file.links.iter().filter(wrong).map(|found| (found.line, found.link.url)), what)
}
