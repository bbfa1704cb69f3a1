//! Where the links lead.

use super::super::rule::Verdict;
use super::super::subject::{FoundLink, LintSubject};
use super::super::target::Target;
use crate::maps::Counts;

/// How many links a file should have.
const COUNT: std::ops::RangeInclusive<usize> = 3..=500;
/// More links than this need sections.
const UNGROUPED: usize = 10;
/// What a Markdown address ends in.
const MARKDOWN: [&str; 3] = ["md", "mdx", "txt"];
/// What addresses for machines end in.
const MACHINES: [&str; 8] = ["json", "yaml", "yml", "xml", "rss", "atom", "csv", "graphql"];

/// Segments of paths that belong to pages which only a signed-in person can use.
const PRIVATE: [&str; 7] = ["login", "logout", "signin", "cart", "checkout", "admin", "wp-admin"];

pub(super) fn absolute(file: &LintSubject<'_>) -> Verdict {
    let relative = |found: &&FoundLink<'_>| found.target.is_relative();
    file.no_link_is(relative, url, "a relative link")
}

pub(super) fn https(file: &LintSubject<'_>) -> Verdict {
    let plain = |found: &&FoundLink<'_>| found.target.absolute().is_some_and(|to| to.scheme() != "https");
    file.no_link_is(plain, url, "a link over http")
}

pub(super) fn no_private(file: &LintSubject<'_>) -> Verdict {
    let private =
        |found: &&FoundLink<'_>| found.target.path().split('/').any(|segment| PRIVATE.contains(&segment));
    file.no_link_is(private, url, "a private page")
}

pub(super) fn markdown(file: &LintSubject<'_>) -> Verdict {
    let (mut pages, mut markdown, mut first) = (0, 0, None);
    let leads_away = |target: &Target| match target {
        Target::Absolute(_) => true,
        Target::Relative(place) => !place.starts_with('#'),
        Target::Bad => false,
    };
    for found in file.links.iter().filter(|found| leads_away(&found.target)) {
        let extension = found.target.path().rsplit_once('.').map_or("", |(_, extension)| extension);
        let is = |list: &[&str]| list.iter().any(|known| known.eq_ignore_ascii_case(extension));
        if is(&MARKDOWN) {
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
    let relative = file.links.iter().filter(|found| found.target.is_relative()).count();
    let hosts = file.links.iter().filter_map(|found| found.target.absolute()?.host_str());
    let domains: Counts<&str> = hosts.map(domain).collect();
    let all = relative + domains.0.values().sum::<usize>();
    if all == 0 {
        return Verdict::LeftOut;
    }
    let own = match file.site {
        Some(site) => domains.of(site.domain_or_host()),
        None => domains.0.values().copied().max().unwrap_or(0),
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

fn url<'a>(found: &FoundLink<'a>) -> &'a str {
    found.link.url
}
