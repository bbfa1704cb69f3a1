//! Names, addresses and notes of links.

use std::net::Ipv4Addr;

use url::Url;

use super::super::rule::Verdict;
use super::super::subject::{FoundLink, LintSubject};
use super::super::target::Target;
use crate::llms_txt::link::Separator;
use crate::maps::Set;
use crate::url::SiteUrl;

/// Hosts of examples (RFC 2606 section 3).
const EXAMPLES: [&str; 3] = ["example.com", "example.org", "example.net"];

/// Names that lead somewhere on one's own network alone (RFC 6761 section 6, RFC 6762 section 3).
const LOCAL: [&str; 4] = ["localhost", "local", "test", "invalid"];
/// Where a file lies that was read from nowhere.
const NOWHERE: &str = "http://file.invalid/";

pub(super) fn present(file: &LintSubject<'_>) -> Verdict {
    Verdict::of(!file.links.is_empty(), || "there is no link".to_owned())
}

pub(super) fn text_present(file: &LintSubject<'_>) -> Verdict {
    let nameless = |found: &&FoundLink<'_>| found.link.name.trim().is_empty();
    file.no_link_is(nameless, |found| found.link.url, "a link without a name")
}

pub(super) fn urls_valid(file: &LintSubject<'_>) -> Verdict {
    let bad = |found: &&FoundLink<'_>| found.target == Target::Bad;
    file.no_link_is(bad, |found| found.link.url, "a URL that leads to no page")
}

pub(super) fn no_duplicates<'f>(file: &'f LintSubject<'_>) -> Verdict {
    let mut seen = Set::default();
    // Relative ones lead below the file, wherever that lies.
    let nowhere = SiteUrl::parse(NOWHERE).ok();
    let base = file.site.or(nowhere.as_ref());
    let mut twice =
        |found: &&'f FoundLink<'_>| found.target.page(base).is_some_and(|page| !seen.insert(page.key()));
    if file.links.is_empty() {
        return Verdict::LeftOut;
    }
    let twice = file.entries().map(|(found, ..)| found).filter(|found| twice(found));
    Verdict::none(twice.map(|found| (found.line, found.link.url)), "a URL that was listed")
}

pub(super) fn separator(file: &LintSubject<'_>) -> Verdict {
    if file.links.is_empty() {
        return Verdict::LeftOut;
    }
    let dashed = file.entries().filter(|(_, separator, _)| *separator == Separator::Dash);
    Verdict::none(dashed.map(|(found, ..)| (found.line, found.link.name)), "notes after a dash")
}

pub(super) fn no_placeholders(file: &LintSubject<'_>) -> Verdict {
    let own = |host: &str| file.site.is_some_and(|site| site.host() == host.trim_matches(['[', ']']));
    let placeholder = |found: &&FoundLink<'_>| {
        let host = found.target.absolute().and_then(Url::host_str);
        found.link.url.contains("{{") || host.is_some_and(|host| is_placeholder(host) && !own(host))
    };
    file.no_link_is(placeholder, |found| found.link.url, "a placeholder or local URL")
}

fn is_placeholder(host: &str) -> bool {
    let below =
        |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    let is_private = host.parse().is_ok_and(|ip: Ipv4Addr| {
        ip.is_private() || ip.is_loopback() || ip.is_link_local() || ip.is_unspecified()
    });
    EXAMPLES.into_iter().chain(LOCAL).any(below) || is_private || host == "[::1]"
}
