//! What becomes of an address that is met: in a sitemap, in a link, by a redirect.

use super::Frontier;
use super::ledger::State;
use super::queue::tie;
use crate::page::{Link, Place};
use crate::site::addresses::Id;
use crate::site::navigation::turns_the_page;
use crate::site::rank::{Class, Found, LeftOut, Signals, classify, content_segments};
use crate::site::traps::Named;
use crate::site::url::SiteUrl;

/// One part in so many of the addresses that are remembered may be traps.
const TRAPS_SHARE: usize = 2;

impl Frontier {
    /// The number of the address, queued if it is new and can be a page, or was a trap until the site named it. `None`:
    /// outside, or no room. `from`: the page that links to it.
    pub(super) fn meet(
        &mut self,
        url: &SiteUrl,
        found: Found,
        named: Named,
        hops: u8,
        position: u32,
        from: Option<Id>,
    ) -> Option<Id> {
        if let Some(id) = self.navigation.addresses().find(url) {
            self.ledger.improve(id, found, hops, position, from);
            let is_freed = named != Named::InPassing
                && self.ledger.state(id) == Some(State::Trapped)
                && self.traps.check(url, named).is_none();
            if is_freed {
                self.versions.learn(url);
                self.ledger.free(id, self.refusal(id, url));
            }
            return Some(id);
        }
        if !self.scope.contains(url) {
            if self.scope.is_sibling(url) {
                self.ledger.leave_out(LeftOut::Sibling);
            }
            return None;
        }
        let judged = classify(url, found == Found::HomeNavigation);
        let has_room = !self.navigation.addresses().is_full();
        let is_trap = has_room && judged.is_ok() && self.traps.check(url, named).is_some();
        let tie = tie(url.as_str());
        let held = self.ledger.trapped().saturating_sub(self.bare_traps.len());
        if is_trap && held >= self.limits.max_known / TRAPS_SHARE {
            self.leave_out_bare(tie);
            return None;
        }
        let Some(id) = has_room.then(|| self.navigation.intern(url)).flatten() else {
            self.ledger.leave_out(LeftOut::Overflow);
            return None;
        };
        if self.bare_traps.remove(&tie) {
            self.ledger.take_back_trap();
        }
        let class = match judged {
            Ok(Class::Main) if self.docs_site => Class::Docs,
            Ok(class) => class,
            Err(_) => Class::Optional,
        };
        let depth = u8::try_from(content_segments(url.path()).take(255).count()).unwrap_or(u8::MAX);
        let in_links = u32::from(says_more(found));
        let signals = Signals { class, found, depth, hops, in_links, position };
        let refused = judged.err().or(is_trap.then_some(LeftOut::Trap));
        if refused.is_none() {
            self.versions.learn(url);
        }
        let refused = refused.or_else(|| self.refusal(id, url));
        let state = match refused {
            Some(LeftOut::Trap) => State::Trapped,
            Some(_) => State::Done,
            None => State::Queued,
        };
        self.ledger.insert(id, state, signals, tie, from);
        match refused {
            Some(LeftOut::Trap) => self.ledger.leave_out(LeftOut::Trap),
            Some(reason) => {
                self.ledger.refuse(id, reason);
                if reason == LeftOut::Unwanted && !self.limits.selection.excludes(url) {
                    self.aside.add(id);
                }
            }
            None => {}
        }
        Some(id)
    }

    /// Leaves out a trap beyond the share of the room that traps may take from what the site is going to name.
    fn leave_out_bare(&mut self, hash: u64) {
        if self.bare_traps.len() >= self.limits.max_known {
            self.ledger.leave_out(LeftOut::Overflow);
        } else if self.bare_traps.insert(hash) {
            self.ledger.leave_out(LeftOut::Trap);
        }
    }

    /// How many addresses of its folder a sitemap named before.
    pub(super) fn number_in_folder(&mut self, url: &SiteUrl) -> u32 {
        let folder = url.path().trim_end_matches('/').rsplit_once('/').map_or("", |(folder, _)| folder);
        let hash = tie(folder);
        if self.in_folder.len() >= self.limits.max_known && !self.in_folder.contains_key(&hash) {
            return 0;
        }
        let count = self.in_folder.entry(hash).or_insert(0);
        *count = count.saturating_add(1);
        *count - 1
    }

    /// Why a known address is not fetched, by what is known now.
    pub(super) fn refusal(&self, id: Id, url: &SiteUrl) -> Option<LeftOut> {
        if id == self.seed {
            None
        } else if self.locale.refuses(url) {
            Some(LeftOut::Language)
        } else if self.versions.refuses(url) {
            Some(LeftOut::Version)
        } else if self.gone.holds(url) {
            Some(LeftOut::Gone)
        } else if !self.limits.selection.lists(url) {
            Some(LeftOut::Unwanted)
        } else {
            None
        }
    }
}

/// Whether a link found there is a voice for its page. Menus, and links to the next page, repeat: they would draw the
/// crawl ever deeper into where it is.
pub(super) fn says_more(found: Found) -> bool {
    matches!(found, Found::HomeContent | Found::Content)
}

pub(super) fn found(link: &Link, home: bool) -> Found {
    match (link.place, home) {
        (Place::Navigation, true) => Found::HomeNavigation,
        (Place::Content, true) => Found::HomeContent,
        // A link to the next page draws the crawl ever deeper into where it is.
        (Place::Navigation, false) if turns_the_page(&link.text, link.group.as_deref()) => Found::Margin,
        (Place::Navigation, false) => Found::Navigation,
        (Place::Content, false) => Found::Content,
        (Place::Margin, _) => Found::Margin,
    }
}
