//! Lists of a page in the other languages or versions of its site: they choose what is shown, and group nothing.

use crate::page::Page;
use crate::site::locale::Tag;
use crate::site::rank::{content_segments, is_index};
use crate::site::version::VersionLabel;
use crate::url::{SiteUrl, segments};

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
/// or version. Lists without a label group nothing anyway.
pub(super) fn parallel_lists(page: &Page, own: &SiteUrl, home: &SiteUrl) -> Vec<bool> {
    let mut lists = vec![ListLinks::default(); page.lists.len()];
    for link in &page.links {
        let at = link.list.map_or(usize::MAX, |list| list as usize);
        let is_labelled = page.lists.get(at).is_some_and(|list| list.label.is_some());
        let Some(list) = lists.get_mut(at).filter(|_| is_labelled) else { continue };
        let path = link.url.path();
        list.all += 1;
        list.own += usize::from(path == own.path());
        list.parallel += usize::from([own, home].into_iter().any(|page| is_parallel(path, page.path())));
    }
    lists.iter().map(|list| list.parallel > 0 && (list.parallel + list.own) * 2 > list.all).collect()
}

/// Whether two paths differ in their language or version alone.
fn is_parallel(path: &str, other: &str) -> bool {
    // Most links lead elsewhere, and to take their addresses apart is dear.
    path != other
        && (last(path) == last(other) || [path, other].into_iter().any(|path| names_choice(last(path))))
        && content_segments(path).eq(content_segments(other))
}

/// The last segment that names a page or its folder.
fn last(path: &str) -> &str {
    let mut segments = segments(path).rev();
    segments.find(|segment| !is_index(segment)).unwrap_or_default()
}

fn names_choice(segment: &str) -> bool {
    Tag::parse(segment).is_some() || VersionLabel::of_segment(segment, None, false).is_some()
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
