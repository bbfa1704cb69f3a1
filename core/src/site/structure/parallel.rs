//! Lists of a page in the other languages or versions of its site: they choose what is shown, and group nothing.

use super::Structure;
use crate::page::Page;
use crate::site::addresses::Id;
use crate::site::rank::content_segments;

/// Links of one list.
#[derive(Clone, Copy, Default)]
struct ListLinks {
    all: usize,
    /// To the page itself.
    own: usize,
    /// To what it is elsewhere.
    parallel: usize,
}

impl Structure {
    /// Of each list of a page whether it is such: most links lead to the page, or to where the site begins, in another
    /// language or version. Lists without a label group nothing anyway.
    pub(super) fn parallel_lists(&mut self, hub: Id, page: &Page, ids: &[Option<Id>]) -> Vec<bool> {
        self.ask(ids.iter().copied().flatten().chain([hub, self.home]));
        let has_choice = |id| self.by_address(id).is_some_and(|said| said.choice);
        let end = |id| Some((self.addresses.url(id)?.path(), has_choice(id)));
        let Some(((own, own_choice), home)) = end(hub).zip(end(self.home)) else { return Vec::new() };
        let mut lists = vec![ListLinks::default(); page.lists.len()];
        for (link, id) in page.links.iter().zip(ids) {
            let list = link.list.map_or(usize::MAX, |list| list as usize);
            let is_labelled = page.lists.get(list).is_some_and(|list| list.label.is_some());
            let Some(list) = lists.get_mut(list).filter(|_| is_labelled) else { continue };
            let path = link.url.path();
            let may_be = id.is_some_and(has_choice);
            let is_parallel = |(end, choice)| (may_be || choice) && is_parallel(path, end);
            list.all += 1;
            list.own += usize::from(path == own);
            list.parallel += usize::from([(own, own_choice), home].into_iter().any(is_parallel));
        }
        lists.iter().map(|list| list.parallel > 0 && (list.parallel + list.own) * 2 > list.all).collect()
    }
}

/// Whether two paths differ in their language or version alone.
fn is_parallel(path: &str, other: &str) -> bool {
    path != other && content_segments(path).eq(content_segments(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::structure::by_address::has_choice;

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
