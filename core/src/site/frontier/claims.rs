//! What pages say of other addresses: that they are translations, that they are the canonical address. Neither is
//! always true.

use super::Frontier;
use super::page_table::PageState;
use super::priority::{Found, Priority};
use crate::site::addresses::Id;
use crate::site::locale;
use crate::site::rank::LeftOut;
use crate::site::traps::NamedBy;
use crate::url::SiteUrl;

/// How many pages may name the same canonical address before the claim is disbelieved: broken templates let
/// every page name one.
const MAX_CANONICAL_CLAIMS: u8 = 3;

/// How many translations are remembered until the home page tells the language of the crawl.
const MAX_UNDECIDED: usize = 20_000;

/// The other way to write the path of an address without a query.
fn with_or_without_slash(url: &SiteUrl) -> Option<SiteUrl> {
    let path = url.path();
    let twin = path.strip_suffix('/').map_or_else(|| format!("{path}/"), str::to_owned);
    url.join(&twin).ok().filter(|_| url.as_url().query().is_none())
}

impl Frontier {
    /// Takes in that an address holds a translation.
    pub(super) fn declare_translation(&mut self, tag: &str, url: &SiteUrl) {
        if self.locale.wanted().is_none() {
            if self.undecided.len() < MAX_UNDECIDED {
                self.undecided.push((tag.to_owned(), url.clone()));
            }
            return;
        }
        if !self.locale.declared(tag, url) || !self.scope.contains(url) {
            return;
        }
        // A bare `/de/` is met through the language menu anyway; other translations are known from here only.
        let id = match self.structure.addresses().find(url) {
            Some(id) => id,
            None if locale::is_bare(url) => return,
            None => {
                match self.discover(url, Priority::new(Found::Margin, u8::MAX, 0), NamedBy::InPassing, None) {
                    Some(id) => id,
                    None => return,
                }
            }
        };
        if id != self.seed && self.table.state(id) == Some(PageState::Queued) {
            self.table.refuse(id, LeftOut::Language);
        }
    }

    /// Whether the page `id` gives way to the canonical address that it names.
    pub(super) fn prefers(&mut self, id: Id, canonical: &SiteUrl) -> bool {
        let seed = self.seed;
        let may_give_way = id != seed && !self.table.has_returned(id);
        if !may_give_way || canonical.path() == "/" || !self.scope.contains(canonical) {
            return false;
        }
        let priority = self.table.priority(id).unwrap_or(Priority::new(Found::Content, 1, 0));
        let met = self.discover(canonical, priority, NamedBy::InPassing, Some(id));
        let Some(target) = met else { return false };
        // What the home page names apart is two pages, a slash at their end or not.
        let is_shown = |shown: Id| self.structure.is_shown_by_home(shown);
        let twin = self.structure.addresses().url(target).and_then(with_or_without_slash);
        let twin = twin.and_then(|twin| self.structure.addresses().find(&twin)).filter(|&twin| twin != id);
        let is_apart =
            is_shown(id) && (is_shown(target) || twin.is_some_and(is_shown)) && !self.is_view(id, canonical);
        // What names another one itself is nobody's canonical address.
        let is_believed = target != seed && !self.table.has_returned(target);
        if is_apart || target == id || !is_believed || self.table.claims(target) >= MAX_CANONICAL_CLAIMS {
            return false;
        }
        match self.table.state(target) {
            Some(PageState::Queued | PageState::InFlight) if !self.replaced.contains_key(&target) => {
                // It gets a second fetch, and counts by itself, should the canonical address fail.
                self.replaced.insert(target, id);
            }
            Some(PageState::Kept | PageState::Queued | PageState::InFlight) => {}
            Some(PageState::Trapped | PageState::Done) | None => return false,
        }
        self.table.claim(target);
        true
    }

    /// Whether an address adds only a query to that of another page: it shows the same, sorted or opened in another way.
    fn is_view(&self, id: Id, of: &SiteUrl) -> bool {
        let is_plain = of.as_url().query().is_none();
        is_plain && self.structure.addresses().url(id).is_some_and(|url| url.path() == of.path())
    }

    /// The page that left itself out for the address `id` returns, since that one could not be had or gives way itself.
    pub(super) fn return_replacement(&mut self, id: Id) {
        if let Some(replacement) = self.replaced.remove(&id) {
            self.table.restore(replacement);
        }
    }

    /// A page that left itself out for the address `id` returns when that one only leads back to it: such as `/a`, which names
    /// `/a/`, which is redirected to `/a`.
    pub(super) fn give_back(&mut self, id: Id, to: &SiteUrl) {
        if let Some(back) = self.structure.addresses().find(to)
            && self.replaced.get(&id) == Some(&back)
        {
            self.replaced.remove(&id);
            self.table.restore(back);
        }
    }
}
