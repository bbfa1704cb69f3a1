//! What the texts of pages lead to, by the kind of page: those that lead to posts and to little besides are archives.

use super::Structure;
use crate::maps::Set;
use crate::site::addresses::Id;
use crate::site::rank::{Class, classify, is_index, refuse};
use crate::url::SiteUrl;

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

/// What a page is by its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageKind {
    /// What was new once.
    Post,
    Other,
    /// No page, such as a list of what carries a tag.
    None,
}

impl Structure {
    /// What the text of a page links to.
    pub(crate) fn leads(&self, url: &SiteUrl) -> Leads {
        self.addresses.find(url).and_then(|id| self.spot(id)).map_or(Leads::default(), |spot| spot.leads)
    }

    /// Counts the posts among what the text of a page links to.
    pub(super) fn learn_leads(&mut self, hub: Id, in_text: &Set<Id>) {
        if self.kind(hub) == PageKind::Post {
            return;
        }
        let Some(url) = self.addresses.url(hub).cloned() else { return };
        let front = url.path().trim_end_matches('/').rsplit_once('/').unwrap_or_default();
        let folder = if is_index(front.1) { front.0.rsplit_once('/').unwrap_or_default().0 } else { front.0 };
        let mut leads = Leads::default();
        for &id in in_text {
            let path = self.addresses.url(id).map_or("", |url| url.path());
            let is_beside =
                !folder.is_empty() && path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
            match self.kind(id) {
                PageKind::Post => {
                    leads.posts += 1;
                    leads.which = leads.which.wrapping_add(id);
                }
                PageKind::Other if !is_beside && id != self.home => leads.others += 1,
                PageKind::Other | PageKind::None => {}
            }
        }
        self.spot_mut(hub).leads = leads;
    }

    fn kind(&mut self, id: Id) -> PageKind {
        if let Some(known) = self.spot(id).and_then(|spot| spot.kind) {
            return known;
        }
        let url = self.addresses.url(id).filter(|url| refuse(url, "/", false).is_none());
        let kind = match url.map(classify) {
            Some(Class::News) => PageKind::Post,
            Some(_) => PageKind::Other,
            None => PageKind::None,
        };
        self.spot_mut(id).kind = Some(kind);
        kind
    }
}
