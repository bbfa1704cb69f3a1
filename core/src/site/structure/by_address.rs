//! What addresses say of their pages, each asked once: which lists of a page show it in another language or version, and
//! which pages lead to posts.

use super::Structure;
use crate::maps::Set;
use crate::page::Page;
use crate::site::addresses::Id;
use crate::site::locale::Tag;
use crate::site::rank::{Class, classify, content_segments, holder, refuse};
use crate::site::version::VersionLabel;
use crate::url::{SiteUrl, below, segments};
use crate::wording::Wording;

/// What an address says of its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ByAddress {
    /// `None`: it is no page, such as a list of what carries a tag.
    class: Option<Class>,
    /// It names a language or a version.
    choice: bool,
}

/// Links of one list.
#[derive(Clone, Copy, Default)]
struct ListLinks {
    all: usize,
    /// To the page itself.
    own: usize,
    /// To what it is elsewhere.
    parallel: usize,
    /// Called as languages, as far as those before them are.
    languages: usize,
}

/// What the text of a page links to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Leads {
    /// How many posts.
    pub(crate) posts: u32,
    /// How many other pages that lie outside of the folder that holds it.
    pub(crate) others: u32,
    /// The same for pages that link to the same posts.
    pub(crate) which: u32,
}

impl Structure {
    /// Asks the addresses that were not asked before.
    fn ask(&mut self, ids: impl Iterator<Item = Id>) {
        for id in ids {
            if self.by_address(id).is_some() {
                continue;
            }
            let Some(url) = self.addresses.url(id) else { continue };
            let class = refuse(url, "/", false).is_none().then(|| classify(url));
            let choice = has_choice(url.path());
            self.spot_mut(id).by_address = Some(ByAddress { class, choice });
        }
    }

    /// What an address that was asked says.
    fn by_address(&self, id: Id) -> Option<ByAddress> {
        self.spot(id)?.by_address
    }

    /// Of each list of a page whether it is such: most links lead to the page, or to where the site begins, in another
    /// language or version, or all are called as languages. Lists without a label group nothing anyway.
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
            list.languages += usize::from(list.languages == list.all && Wording::is_language(&link.text));
            list.all += 1;
            list.own += usize::from(path == own);
            list.parallel += usize::from([(own, own_choice), home].into_iter().any(is_parallel));
        }
        let is_choice = |list: &ListLinks| {
            list.parallel > 0 && (list.parallel + list.own) * 2 > list.all
                || list.languages > 1 && list.languages == list.all
        };
        lists.iter().map(is_choice).collect()
    }

    /// What the text of a page links to.
    pub(crate) fn leads(&self, url: &SiteUrl) -> Leads {
        self.addresses.find(url).and_then(|id| self.spot(id)).map_or(Leads::default(), |spot| spot.leads)
    }

    /// Counts the posts among what the text of a page links to.
    pub(super) fn learn_leads(&mut self, hub: Id, in_text: &Set<Id>) {
        self.ask(in_text.iter().copied().chain([hub]));
        let class = |id| self.by_address(id)?.class;
        let Some(url) = self.addresses.url(hub).filter(|_| class(hub) != Some(Class::News)) else { return };
        let folder = holder(url.path());
        let is_beside = |id| {
            let path = self.addresses.url(id).map_or("", |url| url.path());
            !folder.is_empty() && below(path, folder).is_some()
        };
        let mut leads = Leads::default();
        for &id in in_text {
            match class(id) {
                Some(Class::News) => {
                    leads.posts += 1;
                    leads.which = leads.which.wrapping_add(id);
                }
                Some(_) if id != self.home && !is_beside(id) => leads.others += 1,
                _ => {}
            }
        }
        self.spot_mut(hub).leads = leads;
    }
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
