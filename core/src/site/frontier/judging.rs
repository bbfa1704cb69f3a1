//! Whether a page that was fetched counts; whether an address is fetched at all is decided by `discovery`.

use std::hash::BuildHasher;

use super::{Frontier, Outcome};
use crate::page::Page;
use crate::site::addresses::Id;
use crate::site::rank::LeftOut;
use crate::url::SiteUrl;
use crate::wording::Wording;

impl Frontier {
    /// Why a page is none of those that are listed, whatever its language.
    pub(super) fn stands_apart(&self, id: Id, url: &SiteUrl, page: &Page) -> Option<LeftOut> {
        if page.shell {
            Some(LeftOut::Shell)
        } else if page.noindex {
            Some(LeftOut::NoIndex)
        } else if !self.limits.selection.lists(url) {
            Some(LeftOut::Unwanted)
        } else if self.frames.contains_key(&id) && page.is_menu() {
            Some(LeftOut::Index)
        } else if id != self.seed && self.continues_a_list(url, page) {
            Some(LeftOut::Pagination)
        } else {
            None
        }
    }

    /// Whether a page has a title and a description that no page before it had: an index can name it, though only scripts show its
    /// text.
    fn has_own_head(&mut self, id: Id, page: &Page) -> bool {
        let (Some(title), Some(description)) = (&page.title, &page.description) else { return false };
        let head = self.heads.hasher().hash_one((title, description));
        let first = *self.heads.entry(head).or_insert(id);
        // What gave way to this page by itself has no other head.
        id != self.seed && (first == id || self.replaced.get(&id) == Some(&first))
    }

    /// Whether a page is in another language than the site. What the site's own menus and lists show and has no twin is the site's,
    /// whatever it is written in, unless they call it as a language.
    pub(super) fn is_foreign(&mut self, id: Id, url: &SiteUrl, page: &Page) -> bool {
        let addresses = self.structure.addresses();
        let is_known = |path: &str| url.join(path).is_ok_and(|twin| addresses.find(&twin).is_some());
        let language = page.language.as_deref();
        if id == self.seed || !self.locale.refuses_page(url, language, &page.markdown, is_known) {
            return false;
        }
        let names_language = || self.structure.label_of(id).is_some_and(Wording::names_language);
        !self.structure.is_listed(id) || names_language() || !self.locale.stands_alone(url, is_known)
    }

    /// Whether a fetched page counts, by what it says of itself; `None`: it does. Content is not compared here
    /// (see [`crate::site::duplicate`]).
    ///
    /// To be asked once, behind [`Frontier::offer_page`]. A canonical address is believed when it can be fetched itself, is not the home page, and is named by few:
    /// broken templates let every page name the same one.
    pub fn judge(&mut self, url: &SiteUrl, page: &Page) -> Option<Outcome> {
        let id = self.structure.addresses().find(url)?;
        let has_own_head = self.has_own_head(id, page);
        let apart = self.stands_apart(id, url, page).filter(|why| *why != LeftOut::Shell || !has_own_head);
        let foreign = || self.foreign.remove(&id).then_some(LeftOut::Language);
        if let Some(reason) = apart.or_else(foreign) {
            return Some(Outcome::LeftOut(reason));
        }
        let canonical = page.canonical.as_ref()?;
        if self.prefers(id, canonical) {
            return Some(Outcome::Duplicate(canonical.clone()));
        }
        if self.structure.addresses().find(canonical) != Some(id) {
            self.return_replacement(id);
        }
        None
    }
}
