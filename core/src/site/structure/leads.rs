//! What the texts of pages lead to, by the kind of page: those that lead to posts and to little besides are archives.

use super::Structure;
use super::by_address::PageKind;
use crate::maps::Set;
use crate::site::addresses::Id;
use crate::site::rank::holder;
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

impl Structure {
    /// What the text of a page links to.
    pub(crate) fn leads(&self, url: &SiteUrl) -> Leads {
        self.addresses.find(url).and_then(|id| self.spot(id)).map_or(Leads::default(), |spot| spot.leads)
    }

    /// Counts the posts among what the text of a page links to.
    pub(super) fn learn_leads(&mut self, hub: Id, in_text: &Set<Id>) {
        self.ask(in_text.iter().copied().chain([hub]));
        let kind = |id| self.by_address(id).map(|said| said.kind);
        let Some(url) = self.addresses.url(hub).filter(|_| kind(hub) != Some(PageKind::Post)) else { return };
        let folder = holder(url.path());
        let is_beside = |id| {
            let path = self.addresses.url(id).map_or("", |url| url.path());
            !folder.is_empty() && path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        };
        let mut leads = Leads::default();
        for &id in in_text {
            match kind(id) {
                Some(PageKind::Post) => {
                    leads.posts += 1;
                    leads.which = leads.which.wrapping_add(id);
                }
                Some(PageKind::Other) if id != self.home && !is_beside(id) => leads.others += 1,
                _ => {}
            }
        }
        self.spot_mut(hub).leads = leads;
    }
}
