//! What becomes of an address that is met: in a sitemap, in a link, by a redirect.

use super::Frontier;
use super::page_table::PageState;
use super::priority::{Found, Priority, tie};
use crate::site::addresses::Id;
use crate::site::rank::{LeftOut, refuse};
use crate::site::traps::NamedBy;
use crate::url::{SiteUrl, above};

/// One part in so many of the addresses that are remembered may be traps.
const TRAPS_SHARE: usize = 2;

impl Frontier {
    /// The number of the address, queued if it is new and can be a page, or was a trap until the site named it. `None`:
    /// outside, or no room. `from`: the page that links to it.
    pub(super) fn discover(
        &mut self,
        url: &SiteUrl,
        priority: Priority,
        named: NamedBy,
        from: Option<Id>,
    ) -> Option<Id> {
        if let Some(id) = self.structure.addresses().find(url) {
            self.meet_again(id, url, priority, named, from);
            return Some(id);
        }
        if !self.scope.contains(url) {
            if self.scope.is_sibling(url) {
                self.table.leave_out(LeftOut::Sibling);
            }
            return None;
        }
        let refused = refuse(url, self.scope.folder(), priority.found == Found::HomeNavigation);
        let has_room = !self.structure.addresses().is_full();
        let by = from.and_then(|id| self.structure.addresses().url(id));
        let is_trap = has_room && refused.is_none() && self.traps.check(url, named, by);
        let tie = tie(url.as_str());
        let held = self.table.trapped().saturating_sub(self.bare_traps.len());
        if is_trap && held >= self.limits.max_known / TRAPS_SHARE {
            self.leave_out_bare(tie);
            return None;
        }
        let Some(id) = has_room.then(|| self.structure.intern(url)).flatten() else {
            self.table.leave_out(LeftOut::Overflow);
            return None;
        };
        if self.bare_traps.remove(&tie) {
            self.table.take_back(LeftOut::Trap);
        }
        let refused = refused.or(is_trap.then_some(LeftOut::Trap));
        if refused.is_none() {
            self.versions.learn(url, self.is_on_home(priority, from));
        }
        let refused = refused.or_else(|| self.refusal(id, url));
        let state = match refused {
            Some(LeftOut::Trap) => PageState::Trapped,
            Some(_) => PageState::Done,
            None => PageState::Queued,
        };
        self.table.insert(id, url, state, priority, tie);
        match refused {
            Some(LeftOut::Trap) => self.table.leave_out(LeftOut::Trap),
            Some(reason) => self.refuse(id, url, reason),
            None => {}
        }
        Some(id)
    }

    /// An address that is known may matter more by now, or be no trap any more.
    fn meet_again(&mut self, id: Id, url: &SiteUrl, priority: Priority, named: NamedBy, from: Option<Id>) {
        let on_home = self.is_on_home(priority, from);
        self.table.improve(id, priority);
        if self.table.state(id) != Some(PageState::Trapped) {
            if on_home {
                self.versions.learn(url, true);
            }
            return;
        }
        let by = from.and_then(|id| self.structure.addresses().url(id));
        if named != NamedBy::InPassing && !self.traps.check(url, named, by) {
            self.versions.learn(url, on_home);
            self.table.free(id, self.refusal(id, url));
        }
    }

    /// Whether the home page leads there, but for its text: that speaks of old versions, too.
    fn is_on_home(&self, priority: Priority, from: Option<Id>) -> bool {
        from == Some(self.seed) && priority.found != Found::HomeContent
    }

    /// Leaves out what is no page for the index, though it may lead on to some.
    fn refuse(&mut self, id: Id, url: &SiteUrl, reason: LeftOut) {
        self.table.refuse(id, reason);
        let leads_on = match reason {
            LeftOut::Unwanted => !self.limits.selection.excludes(url),
            // A sitemap names what lists go on with.
            LeftOut::Pagination => !self.structure.has_sitemap(),
            _ => false,
        };
        if leads_on {
            self.link_only.add(id);
        }
    }

    /// Leaves out a trap beyond the share of the room that traps may take from what the site is going to name.
    fn leave_out_bare(&mut self, hash: u64) {
        if self.bare_traps.len() >= self.limits.max_known {
            self.table.leave_out(LeftOut::Overflow);
        } else if self.bare_traps.insert(hash) {
            self.table.leave_out(LeftOut::Trap);
        }
    }

    /// How many addresses of its folder a sitemap named before.
    pub(super) fn number_in_folder(&mut self, url: &SiteUrl) -> u32 {
        let folder = above(url.path().trim_end_matches('/'));
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
        } else if self.missing_folders.holds(url) {
            Some(LeftOut::MissingFolder)
        } else if !self.limits.selection.lists(url) {
            Some(LeftOut::Unwanted)
        } else {
            None
        }
    }
}
