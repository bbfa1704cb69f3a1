//! The file beside the site's own list of pages.

use std::collections::HashSet;

use super::super::rule::Verdict;
use super::observed::{Coverage, Observed};
use crate::site::locale::Locale;
use crate::site::rank::{Class, classify, refuse};
use crate::site::scope::Scope;
use crate::site::sitemap::Entry;
use crate::site::version::Versions;
use crate::url::SiteUrl;

/// Compares the links of the file at `file` with the entries of the site's sitemaps. `None` when the sitemaps
/// hold no page that the file could cover.
pub fn coverage(file: &SiteUrl, entries: &[Entry], links: &[SiteUrl], complete: bool) -> Option<Coverage> {
    let scope = Scope::new(file);
    let (mut locale, mut versions) = (Locale::new(file), Versions::new(file));
    let mut all: Vec<&Entry> = entries.iter().filter(|entry| scope.contains(&entry.url)).collect();
    for entry in &all {
        versions.learn(&entry.url, false);
    }
    let mut foreign: HashSet<String> = HashSet::new();
    for entry in &all {
        for (tag, url) in &entry.alternates {
            if locale.declared(tag, url) {
                foreign.insert(place(url));
            }
        }
    }
    all.retain(|entry| {
        let own = !locale.refuses(&entry.url) && !foreign.contains(&place(&entry.url));
        own && !versions.refuses(&entry.url)
    });
    let classes: Vec<_> = all
        .iter()
        .map(|entry| refuse(&entry.url, scope.folder(), false).is_none().then(|| classify(&entry.url)))
        .collect();
    let documented = classes.contains(&Some(Class::Docs));
    let counts = |class: &Option<Class>| match class {
        Some(Class::Docs) => true,
        // A site that does not call its documentation so is covered by its main pages.
        Some(Class::Main | Class::Home) => !documented,
        _ => false,
    };
    let listed: HashSet<String> = links.iter().map(place).collect();
    let pages: HashSet<String> = all
        .iter()
        .zip(&classes)
        .filter(|(_, class)| counts(class))
        .map(|(entry, _)| place(&entry.url))
        .collect();
    let mapped: HashSet<String> = entries.iter().map(|entry| place(&entry.url)).collect();
    let is_page = |url: &&SiteUrl| {
        scope.contains(url)
            && url.path().rsplit('.').next() != Some("txt")
            && refuse(url, scope.folder(), true).is_none()
    };
    let own: HashSet<String> = links.iter().filter(is_page).map(place).collect();
    if pages.is_empty() && mapped.is_empty() {
        return None;
    }
    Some(Coverage {
        covered: pages.intersection(&listed).count(),
        pages: pages.len(),
        known: own.intersection(&mapped).count(),
        own: own.len(),
        complete,
    })
}

/// What a page and its Markdown twin have in common: the address without ending.
fn place(url: &SiteUrl) -> String {
    let key = url.key();
    let address = key.place();
    let address = address.strip_suffix(".mdx").or_else(|| address.strip_suffix(".md")).unwrap_or(address);
    let address = address.strip_suffix(".html").or_else(|| address.strip_suffix(".htm")).unwrap_or(address);
    let address = address.strip_suffix("/index").unwrap_or(address);
    address.trim_end_matches('/').to_owned()
}

pub(super) fn covers(site: &Observed) -> Verdict {
    let Some(coverage) = site.coverage.filter(|coverage| coverage.pages > 0) else { return Verdict::LeftOut };
    let Coverage { covered, pages, .. } = coverage;
    Verdict::of(covered * 10 >= pages * 8, || format!("{covered} of {pages} pages of the sitemap are listed"))
}

pub(super) fn lists(site: &Observed) -> Verdict {
    let Some(coverage) = site.coverage.filter(|coverage| coverage.complete && coverage.own > 0) else {
        return Verdict::LeftOut;
    };
    let Coverage { known, own, .. } = coverage;
    Verdict::of(known * 100 >= own * 95, || {
        format!("{} of {own} own pages are not in the sitemap", own - known)
    })
}
