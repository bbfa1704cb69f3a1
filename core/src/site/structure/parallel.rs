//! Lists of a page in the other languages or versions of its site: they choose what is shown, and group nothing.

use super::Structure;
use crate::page::Page;
use crate::site::addresses::Id;
use crate::site::locale::Tag;
use crate::site::rank::content_segments;
use crate::site::version::VersionLabel;
use crate::url::{SiteUrl, segments};

impl Structure {
    /// Of each list of a page whether it is such.
    pub(super) fn parallel_lists(&mut self, hub: Id, page: &Page, ids: &[Option<Id>]) -> Vec<bool> {
        let ends = self.addresses.url(hub).cloned().zip(self.addresses.url(self.home).cloned());
        let Some((own, home)) = ends else { return Vec::new() };
        let is_choice = |at: usize| ids.get(at).copied().flatten().is_some_and(|id| self.names_choice(id));
        parallel_lists(page, [&own, &home], is_choice)
    }

    /// Whether the address of a page names a language or a version.
    fn names_choice(&mut self, id: Id) -> bool {
        if let Some(known) = self.spot(id).and_then(|spot| spot.choice) {
            return known;
        }
        let choice = self.addresses.url(id).is_some_and(|url| has_choice(url.path()));
        self.spot_mut(id).choice = Some(choice);
        choice
    }
}

/// Links of one list.
#[derive(Clone, Copy, Default)]
struct ListLinks {
    all: usize,
    /// To the page itself.
    own: usize,
    /// To what it is elsewhere.
    parallel: usize,
}

/// Of each list of a page whether it is such: most links lead to the page, or to where the site begins, in another language
/// or version. Lists without a label group nothing anyway. `is_choice` tells it of the path of a link, by its place.
fn parallel_lists(page: &Page, ends: [&SiteUrl; 2], mut is_choice: impl FnMut(usize) -> bool) -> Vec<bool> {
    let mut lists = vec![ListLinks::default(); page.lists.len()];
    let ends = ends.map(|end| (end.path(), has_choice(end.path())));
    for (at, link) in page.links.iter().enumerate() {
        let list = link.list.map_or(usize::MAX, |list| list as usize);
        let is_labelled = page.lists.get(list).is_some_and(|list| list.label.is_some());
        let Some(list) = lists.get_mut(list).filter(|_| is_labelled) else { continue };
        let path = link.url.path();
        let may_be = is_choice(at);
        let is_parallel = |&(end, chosen): &(&str, bool)| (may_be || chosen) && is_parallel(path, end);
        list.all += 1;
        list.own += usize::from(path == ends[0].0);
        list.parallel += usize::from(ends.iter().any(is_parallel));
    }
    lists.iter().map(|list| list.parallel > 0 && (list.parallel + list.own) * 2 > list.all).collect()
}

/// Whether one of the segments of a path names a language or a version.
fn has_choice(path: &str) -> bool {
    segments(path).any(|segment| {
        Tag::parse(segment).is_some() || VersionLabel::of_segment(segment, None, false).is_some()
    })
}

/// Whether two paths differ in their language or version alone.
fn is_parallel(path: &str, other: &str) -> bool {
    path != other && content_segments(path).eq(content_segments(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_differ_in_language_or_version_alone() {
        for (path, other) in [
            ("/de/kilns/firing", "/en/kilns/firing"),
            ("/kilns/firing", "/pt-br/kilns/firing"),
            ("/docs/1.2/firing.html", "/docs/latest/firing.html"),
            ("/de/", "/"),
            ("/v2/index.html", "/index.html"),
            ("/de/kilns/", "/kilns/index.html"),
        ] {
            assert!(is_parallel(path, other) && is_parallel(other, path), "{path} {other}");
            assert!(has_choice(path) || has_choice(other), "{path} {other}");
        }
        for (path, other) in [
            ("/kilns/firing", "/kilns/firing"),
            ("/kilns/firing", "/kilns/glazing"),
            ("/de/kilns/firing", "/en/kilns"),
            ("/kilns/de/firing/x", "/kilns/firing"),
        ] {
            assert!(!is_parallel(path, other), "{path} {other}");
        }
    }
}
