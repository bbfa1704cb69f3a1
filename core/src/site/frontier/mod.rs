//! What to fetch next: a pure state machine over the addresses of one site.
//!
//! The caller offers what it learns ([`Frontier::offer_sitemap`], [`Frontier::offer_page`]), asks for the best
//! address ([`Frontier::next`]) and settles every one it was given ([`Frontier::settle`]). No address is handed
//! out twice; kept pages and pages in flight together never exceed the budget, so a crawl of any site ends.

mod counts;
mod outcome;
mod queue;

pub use counts::Counts;
pub use outcome::{FrontierLimits, Outcome};

use std::collections::HashMap;

use self::queue::Queue;
use crate::page::{Link, Page, Place};
use crate::site::addresses::Id;
use crate::site::locale::{self, Locale};
use crate::site::navigation::Navigation;
use crate::site::rank::{
    Class, Found, LeftOut, Signals, classify, content_segments, is_documentation, names_documentation,
};
use crate::site::scope::Scope;
use crate::site::sitemap;
use crate::site::traps::Traps;
use crate::site::url::SiteUrl;
use crate::site::version::Versions;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Queued,
    InFlight,
    Kept,
    /// Settled in any other way.
    Done,
}

#[derive(Debug)]
struct Known {
    state: State,
    signals: Signals,
    /// The score it is queued with; queue entries with another one are stale.
    score: i32,
    /// Pages that left themselves out because this one is their canonical address.
    claims: u8,
}

/// How many pages may name the same canonical address before the claim is disbelieved: broken templates let
/// every page name one.
const MAX_CANONICAL_CLAIMS: u8 = 3;

/// How many reasons of failure are told apart; further ones count as `other`.
const MAX_FAILURE_REASONS: usize = 64;

/// How many translations are remembered until the home page tells the language of the crawl.
const MAX_UNDECIDED: usize = 20_000;

/// The frontier of one crawl.
#[derive(Debug)]
pub struct Frontier {
    scope: Scope,
    limits: FrontierLimits,
    traps: Traps,
    locale: Locale,
    versions: Versions,
    navigation: Navigation,
    known: Vec<Known>,
    queue: Queue,
    seed: Id,
    docs_site: bool,
    counts: Counts,
    /// Translations declared before the language of the crawl was known.
    undecided: Vec<(String, SiteUrl)>,
    /// Pages that left themselves out for a canonical address, by that address: they return when it fails.
    replaced: HashMap<Id, Id>,
}

impl Frontier {
    /// A frontier that knows the seed only.
    #[must_use]
    pub fn new(seed: &SiteUrl, scope: Scope, limits: FrontierLimits) -> Self {
        let mut frontier = Self {
            scope,
            traps: Traps::new(limits.traps.clone()),
            locale: Locale::new(seed),
            versions: Versions::new(seed),
            navigation: Navigation::new(seed, limits.max_known),
            known: Vec::new(),
            queue: Queue::default(),
            seed: 0,
            docs_site: is_documentation(seed),
            counts: Counts::default(),
            undecided: Vec::new(),
            replaced: HashMap::new(),
            limits,
        };
        let signals = Signals {
            class: Class::Home,
            found: Found::HomeNavigation,
            depth: 0,
            hops: 0,
            in_links: 0,
            position: 0,
        };
        frontier.insert(0, State::Queued, signals);
        frontier
    }

    /// Takes in the entries of a sitemap, in its order.
    pub fn offer_sitemap(&mut self, entries: &[sitemap::Entry]) {
        for (position, entry) in entries.iter().enumerate() {
            for (tag, url) in &entry.alternates {
                self.declare_translation(tag, url);
            }
            let Some(id) = self.meet(&entry.url, Found::Sitemap, 1, position) else { continue };
            self.navigation.note_sitemap(id, position);
        }
    }

    /// Takes in the links and translations of a fetched page; `url` is its final address.
    pub fn offer_page(&mut self, url: &SiteUrl, page: &Page) {
        let hub = self.navigation.addresses().find(url);
        let hops =
            hub.and_then(|id| self.known.get(id as usize)).map_or(1, |k| k.signals.hops.saturating_add(1));
        let home = hub == Some(self.seed);
        if home {
            self.docs_site |= page.title.as_deref().is_some_and(names_documentation)
                || page.site_name.as_deref().is_some_and(names_documentation);
            self.locale.refuses_page(url, page.language.as_deref());
            for (tag, translation) in std::mem::take(&mut self.undecided) {
                self.declare_translation(&tag, &translation);
            }
        }
        for (tag, translation) in &page.translations {
            self.declare_translation(tag, translation);
        }
        if page.nofollow {
            return;
        }
        let mut ids = Vec::with_capacity(page.links.len());
        for (position, link) in page.links.iter().enumerate() {
            let found = found(link, home);
            ids.push(if link.nofollow { None } else { self.meet(&link.url, found, hops, position) });
        }
        if let Some(hub) = hub {
            self.navigation.learn(hub, page, &ids);
        }
    }

    /// The address most worth a fetch, which the caller must settle. `None`: nothing to do now, either because
    /// nothing waits, or because the kept pages and those in flight fill the budget, or because the home page,
    /// which decides on the order of all others, is still on its way.
    #[expect(clippy::should_implement_trait, reason = "it is no iterator: it may go on after a None")]
    pub fn next(&mut self) -> Option<SiteUrl> {
        let seed_on_its_way = self.counts.in_flight > 0
            && self.known.get(self.seed as usize).is_some_and(|k| k.state == State::InFlight);
        if seed_on_its_way || self.counts.kept + self.counts.in_flight >= self.limits.max_pages {
            return None;
        }
        while let Some((score, id)) = self.queue.pop() {
            let Some(known) = self.known.get(id as usize) else { continue };
            if known.state != State::Queued || known.score != score {
                continue;
            }
            let Some(url) = self.navigation.addresses().url(id).cloned() else { continue };
            if let Some(reason) = self.refusal(id, &url) {
                self.change(id, State::Done);
                self.leave_out(reason);
                continue;
            }
            self.change(id, State::InFlight);
            return Some(url);
        }
        None
    }

    /// The fetch of `from` was redirected to `to`: from now on both are one. `false`: `to` is none of ours or had
    /// its own fetch; `from` is settled then, and its body needs no look.
    pub fn redirected(&mut self, from: &SiteUrl, to: &SiteUrl) -> bool {
        let Some(from_id) = self.navigation.addresses().find(from) else { return false };
        if self.navigation.addresses().find(to) == Some(from_id) {
            return true;
        }
        let is_seed = from_id == self.seed;
        if is_seed {
            // The seed's redirect moves the crawl.
            self.scope = Scope::new(to);
            self.locale = Locale::new(to);
            self.versions = Versions::new(to);
        }
        let position = self.known.get(from_id as usize).map_or(0, |k| k.signals.position as usize);
        let hops = self.known.get(from_id as usize).map_or(1, |k| k.signals.hops);
        let free = self.meet(to, Found::Content, hops, position).filter(|&id| {
            self.state(id) == Some(State::Queued) || (is_seed && self.state(id) == Some(State::Done))
        });
        self.change(from_id, State::Done);
        self.counts.duplicates += 1;
        let Some(to_id) = free else { return false };
        if let Some(signals) = self.known.get(from_id as usize).map(|k| k.signals)
            && let Some(target) = self.known.get_mut(to_id as usize)
        {
            target.signals.class = target.signals.class.min(signals.class);
            target.signals.found = target.signals.found.min(signals.found);
            target.signals.hops = target.signals.hops.min(signals.hops);
        }
        self.navigation.forward(from_id, to_id);
        if is_seed {
            self.seed = to_id;
        }
        self.change(to_id, State::InFlight);
        true
    }

    /// Whether a fetched page counts, by what it says of itself; `None`: it does. Content is not compared here
    /// (see [`crate::site::duplicate`]).
    ///
    /// A canonical address is believed when it can be fetched itself, is not the home page, and is named by few:
    /// broken templates let every page name the same one.
    pub fn judge(&mut self, url: &SiteUrl, page: &Page) -> Option<Outcome> {
        let id = self.navigation.addresses().find(url)?;
        if page.shell {
            return Some(Outcome::LeftOut(LeftOut::Shell));
        }
        if page.noindex {
            return Some(Outcome::LeftOut(LeftOut::NoIndex));
        }
        if id != self.seed && self.locale.refuses_page(url, page.language.as_deref()) {
            return Some(Outcome::LeftOut(LeftOut::Language));
        }
        let canonical = page.canonical.as_ref()?;
        self.prefers(id, canonical).then(|| Outcome::Duplicate(canonical.clone()))
    }

    /// Ends what [`Frontier::next`] began. Settling an address that is not in flight changes nothing.
    pub fn settle(&mut self, url: &SiteUrl, outcome: Outcome) {
        let Some(id) = self.navigation.addresses().find(url) else { return };
        if self.state(id) != Some(State::InFlight) {
            return;
        }
        let lost = matches!(outcome, Outcome::Failed(_) | Outcome::LeftOut(_));
        match outcome {
            Outcome::Kept => {
                self.change(id, State::Kept);
                return;
            }
            Outcome::Duplicate(of) => {
                self.counts.duplicates += 1;
                self.change(id, State::Done);
                // Both are one page to the navigation, unless the other one has still to prove itself.
                if let Some(kept) =
                    self.navigation.addresses().find(&of).filter(|&k| self.state(k) == Some(State::Kept))
                    && id != self.seed
                {
                    self.navigation.forward(id, kept);
                }
                return;
            }
            Outcome::Failed(reason) => {
                let room = self.counts.failed.len() < MAX_FAILURE_REASONS;
                let name = if room || self.counts.failed.contains_key(&reason) {
                    reason
                } else {
                    "other".to_owned()
                };
                *self.counts.failed.entry(name).or_default() += 1;
            }
            Outcome::LeftOut(reason) => self.leave_out(reason),
        }
        self.change(id, State::Done);
        if lost && let Some(stand_in) = self.replaced.remove(&id) {
            self.restore(stand_in);
        }
    }

    /// No page waits or is on its way, or the budget is used up by kept pages.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.counts.in_flight == 0 && (self.counts.queued == 0 || self.counts.kept >= self.limits.max_pages)
    }

    /// A kept page still belongs: the version it is of has not been outdone by a newer one met later.
    #[must_use]
    pub fn still_belongs(&self, url: &SiteUrl) -> bool {
        !self.versions.refuses(url)
    }

    /// The numbers so far, cheap enough for every progress event to read.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Moves what waits but would never be fetched (other languages, other versions) to its reason. For the end
    /// of a crawl: what is then still queued was cut by the budget or the deadline.
    pub fn sweep(&mut self) {
        for index in 0..self.known.len() {
            let Ok(id) = Id::try_from(index) else { break };
            if self.state(id) != Some(State::Queued) {
                continue;
            }
            let Some(url) = self.navigation.addresses().url(id).cloned() else { continue };
            if let Some(reason) = self.refusal(id, &url) {
                self.change(id, State::Done);
                self.leave_out(reason);
            }
        }
    }

    /// What the pages offered so far say of the site's structure.
    #[must_use]
    pub fn navigation(&self) -> &Navigation {
        &self.navigation
    }

    /// Ends the crawl and leaves what the navigation said, for the outline.
    #[must_use]
    pub fn into_navigation(self) -> Navigation {
        self.navigation
    }

    /// The language the crawl keeps to, once known: a lower-case primary subtag.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        self.locale.wanted()
    }

    /// The number of the address, queued if it is new and can be a page. `None`: outside, or no room.
    fn meet(&mut self, url: &SiteUrl, found: Found, hops: u8, position: usize) -> Option<Id> {
        if let Some(id) = self.navigation.addresses().find(url) {
            self.improve(id, found, hops);
            return Some(id);
        }
        if !self.scope.contains(url) {
            if self.scope.is_sibling(url) {
                self.leave_out(LeftOut::Sibling);
            }
            return None;
        }
        let Some(id) = self.navigation.intern(url) else {
            self.leave_out(LeftOut::Overflow);
            return None;
        };
        let named = matches!(found, Found::HomeNavigation | Found::Navigation | Found::Sitemap);
        let judged = classify(url, found == Found::HomeNavigation);
        let class = match judged {
            Ok(Class::Main) if self.docs_site => Class::Docs,
            Ok(class) => class,
            Err(_) => Class::Optional,
        };
        let depth = u8::try_from(content_segments(url.path()).take(255).count()).unwrap_or(u8::MAX);
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        let signals = Signals { class, found, depth, hops, in_links: 1, position };
        let refused = judged.err().or_else(|| self.traps.check(url, named).map(|_| LeftOut::Trap));
        if refused.is_none() {
            self.versions.learn(url);
        }
        match refused.or_else(|| self.refusal(id, url)) {
            Some(reason) => {
                self.insert(id, State::Done, signals);
                self.leave_out(reason);
            }
            None => self.insert(id, State::Queued, signals),
        }
        Some(id)
    }

    /// A further link to a known address: it may be worth an earlier fetch.
    fn improve(&mut self, id: Id, found: Found, hops: u8) {
        let Some(known) = self.known.get_mut(id as usize) else { return };
        let signals = &mut known.signals;
        signals.in_links = signals.in_links.saturating_add(1);
        let better = found < signals.found || hops < signals.hops;
        signals.found = signals.found.min(found);
        signals.hops = signals.hops.min(hops);
        // Popularity counts by its logarithm, so only doublings change the score.
        if known.state == State::Queued && (better || signals.in_links.is_power_of_two()) {
            let score = signals.score();
            if score != known.score {
                known.score = score;
                self.queue.push(score, id);
            }
        }
    }

    /// Why a known address is not fetched, by what is known now.
    fn refusal(&self, id: Id, url: &SiteUrl) -> Option<LeftOut> {
        if id == self.seed {
            None
        } else if self.locale.refuses(url) {
            Some(LeftOut::Language)
        } else if self.versions.refuses(url) {
            Some(LeftOut::Version)
        } else {
            None
        }
    }

    fn declare_translation(&mut self, tag: &str, url: &SiteUrl) {
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
        let id = match self.navigation.addresses().find(url) {
            Some(id) => id,
            None if locale::is_bare(url) => return,
            None => match self.meet(url, Found::Margin, 9, 0) {
                Some(id) => id,
                None => return,
            },
        };
        if id != self.seed && self.state(id) == Some(State::Queued) {
            self.change(id, State::Done);
            self.leave_out(LeftOut::Language);
        }
    }

    /// Whether the page `id` gives way to the canonical address that it names.
    fn prefers(&mut self, id: Id, canonical: &SiteUrl) -> bool {
        let seed = self.seed;
        if id == seed || canonical.path() == "/" || !self.scope.contains(canonical) {
            return false;
        }
        let hops = self.known.get(id as usize).map_or(1, |k| k.signals.hops);
        let Some(target) = self.meet(canonical, Found::Content, hops, 0) else { return false };
        if target == id || target == seed {
            return false;
        }
        let Some(known) = self.known.get_mut(target as usize) else { return false };
        if known.claims >= MAX_CANONICAL_CLAIMS {
            return false;
        }
        match known.state {
            State::Queued | State::InFlight if !self.replaced.contains_key(&target) => {
                self.replaced.insert(target, id);
            }
            State::Kept | State::Queued | State::InFlight => {}
            State::Done => return false,
        }
        known.claims += 1;
        true
    }

    /// A page that gave way to a canonical address which failed gets a second fetch, and counts by itself then.
    fn restore(&mut self, id: Id) {
        if self.state(id) != Some(State::Done) {
            return;
        }
        self.counts.duplicates = self.counts.duplicates.saturating_sub(1);
        self.change(id, State::Queued);
        if let Some(known) = self.known.get(id as usize) {
            self.queue.push(known.score, id);
        }
    }

    fn insert(&mut self, id: Id, state: State, signals: Signals) {
        debug_assert_eq!(id as usize, self.known.len(), "every address is inserted as it is numbered");
        let score = signals.score();
        self.known.push(Known { state, signals, score, claims: 0 });
        self.counts.discovered += 1;
        if state == State::Queued {
            self.counts.queued += 1;
            self.queue.push(score, id);
        }
    }

    fn change(&mut self, id: Id, to: State) {
        let Some(known) = self.known.get_mut(id as usize) else { return };
        let from = std::mem::replace(&mut known.state, to);
        for (state, step) in [(from, false), (to, true)] {
            let count = match state {
                State::Queued => &mut self.counts.queued,
                State::InFlight => &mut self.counts.in_flight,
                State::Kept => &mut self.counts.kept,
                State::Done => continue,
            };
            *count = if step { *count + 1 } else { count.saturating_sub(1) };
        }
    }

    fn leave_out(&mut self, reason: LeftOut) {
        *self.counts.left_out.entry(reason).or_default() += 1;
    }

    fn state(&self, id: Id) -> Option<State> {
        self.known.get(id as usize).map(|k| k.state)
    }
}

fn found(link: &Link, home: bool) -> Found {
    match (link.place, home) {
        (Place::Navigation, true) => Found::HomeNavigation,
        (Place::Content, true) => Found::HomeContent,
        (Place::Navigation, false) => Found::Navigation,
        (Place::Content, false) => Found::Content,
        (Place::Margin, _) => Found::Margin,
    }
}

#[cfg(test)]
mod tests;
