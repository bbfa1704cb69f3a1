//! What to fetch next: a pure state machine over the addresses of one site.
//!
//! The caller offers what it learns ([`Frontier::offer_sitemap`], [`Frontier::offer_page`]), asks for the best
//! address ([`Frontier::next`]) and settles every one it was given ([`Frontier::settle`]). No address is handed
//! out twice; kept pages and pages in flight together never exceed the budget, so a crawl of any site ends.

mod claims;
mod counts;
mod discovery;
mod judging;
mod link_only;
mod missing_folders;
mod outcome;
mod page_table;
mod priority;
mod shares;
mod translations;

pub use counts::Counts;
pub use outcome::{FrontierLimits, NOT_FOUND, Outcome};

use std::borrow::Cow;

use self::link_only::LinkOnlyPages;
use self::missing_folders::MissingFolders;
use self::page_table::{PageState, PageTable};
use self::priority::{Found, Priority, tie};
use self::translations::first_choice;
use crate::maps::{Map, Set};
use crate::page::{LinkPlace, Page, PageLink};
use crate::site::addresses::Id;
use crate::site::locale::Locale;
use crate::site::rank::{LeftOut, is_site_map};
use crate::site::scope::Scope;
use crate::site::sitemap;
use crate::site::structure::Structure;
use crate::site::traps::{NamedBy, Traps};
use crate::site::version::Versions;
use crate::url::SiteUrl;

/// One part in so many of the pages may be of one folder while others have pages left.
const FOLDER_SHARE: usize = 3;

/// Lists that enclose a link are counted up to so many.
const MAX_NESTED: u8 = 16;

/// The frontier of one crawl.
#[derive(Debug)]
pub struct Frontier {
    scope: Scope,
    limits: FrontierLimits,
    traps: Traps,
    locale: Locale,
    versions: Versions,
    structure: Structure,
    table: PageTable,
    missing_folders: MissingFolders,
    seed: Id,
    /// Translations declared before the language of the crawl was known.
    undecided: Vec<(String, SiteUrl)>,
    /// Pages that left themselves out for a canonical address, by that address: they return when it fails.
    replaced: Map<Id, Id>,
    /// Pages in another language, from when they are met until they are judged.
    foreign: Set<Id>,
    /// Duplicates of pages that had still to prove themselves, each with that page.
    unproven: Vec<(Id, Id)>,
    /// How many addresses of each folder the sitemaps named, by its hash.
    in_folder: Map<u64, u32>,
    /// Traps of which no more than a hash is remembered.
    bare_traps: Set<u64>,
    link_only: LinkOnlyPages,
    /// Titles with their descriptions, as hashes.
    heads: Map<u64, Id>,
    /// Pages that others show in frames, by those.
    frames: Map<Id, Id>,
    /// What the home page links to and calls its translations: the tag of a language, the text of a link, the address.
    at_home: Vec<(Option<String>, String, SiteUrl)>,
}

impl Frontier {
    /// A frontier that knows the seed only, which is where the redirects of the site's first address end.
    pub fn new(seed: &SiteUrl, scope: Scope, limits: FrontierLimits) -> Self {
        let mut frontier = Self {
            scope,
            traps: Traps::new(limits.pages_per_template),
            locale: Locale::new(seed),
            versions: Versions::new(seed),
            structure: Structure::new(seed, limits.max_known),
            table: PageTable::default(),
            missing_folders: MissingFolders::default(),
            seed: 0,
            undecided: Vec::new(),
            replaced: Map::default(),
            foreign: Set::default(),
            unproven: Vec::new(),
            in_folder: Map::default(),
            bare_traps: Set::default(),
            link_only: LinkOnlyPages::default(),
            heads: Map::default(),
            frames: Map::default(),
            at_home: Vec::new(),
            limits,
        };
        let priority = Priority::new(Found::HomeNavigation, 0, 0);
        frontier.table.insert(0, seed, PageState::Queued, priority, tie(seed.as_str()));
        frontier
    }

    /// Takes in entries of a sitemap, in its order; `from` is the place of the first of them.
    pub fn offer_sitemap<'a>(&mut self, from: usize, entries: impl IntoIterator<Item = &'a sitemap::Entry>) {
        for (position, entry) in (from..).zip(entries) {
            for (tag, url) in &entry.alternates {
                self.declare_translation(tag, url);
            }
            // A sitemap is in no order that matters: the first pages of every folder come before the rest of one.
            let in_folder = self.number_in_folder(&entry.url);
            let priority = Priority::new(Found::Sitemap, 1, in_folder);
            let met = self.discover(&entry.url, priority, NamedBy::InList, None);
            let Some(id) = met else { continue };
            self.structure.note_sitemap(id, position);
        }
    }

    /// Takes in the links and translations of a fetched page; `url` is its final address.
    pub fn offer_page(&mut self, url: &SiteUrl, page: &Page) {
        let hub = self.structure.addresses().find(url);
        if let Some(&shown_by) = hub.and_then(|hub| self.frames.get(&hub)) {
            let part = if page.is_menu() { Cow::Owned(page.as_menu()) } else { Cow::Borrowed(page) };
            let ids = self.offer_links(url, Some(shown_by), &part);
            return self.structure.learn(shown_by, &part, &ids);
        }
        let home = hub == Some(self.seed);
        if home {
            match first_choice(page) {
                Some(language) => self.locale.learn_home(Some(language), ""),
                None => self.locale.learn_home(page.language.as_deref(), &page.markdown),
            }
            self.note_home(page);
            for (tag, translation) in std::mem::take(&mut self.undecided) {
                self.declare_translation(&tag, &translation);
            }
        }
        for (tag, translation) in &page.translations {
            self.declare_translation(tag, translation);
        }
        let ids = if page.nofollow { Vec::new() } else { self.offer_leads(url, hub, page) };
        let Some(hub) = hub else { return };
        let foreign = self.stands_apart(hub, url, page).is_none() && self.is_foreign(hub, url, page);
        if foreign {
            self.foreign.insert(hub);
        }
        // What a page in another language calls its neighbours is not what they are called, and a list of all pages does not
        // say where they stand.
        if foreign || !home && is_site_map(url) {
            self.structure.note_linked(hub, &ids);
        } else if !page.nofollow {
            // What a list goes on with stands below the page that it begins on.
            let begins = self.first_of_list(url, page).filter(|_| hub != self.seed);
            self.structure.learn(begins.unwrap_or(hub), page, &ids);
        }
    }

    /// Takes in where a page leads: what it shows in frames, what it links to.
    fn offer_leads(&mut self, url: &SiteUrl, hub: Option<Id>, page: &Page) -> Vec<Option<Id>> {
        for frame in &page.frames {
            let priority = Priority::new(Found::HomeNavigation, 1, 0);
            let met = self.discover(frame, priority, NamedBy::InMenu, hub);
            if let Some((frame, hub)) = met.zip(hub).filter(|(frame, _)| *frame != self.seed) {
                self.frames.entry(frame).or_insert(hub);
            }
        }
        self.offer_links(url, hub, page)
    }

    /// Takes in the links that stand at an address, as those of the page `hub`. Answers the number of each.
    fn offer_links(&mut self, url: &SiteUrl, hub: Option<Id>, page: &Page) -> Vec<Option<Id>> {
        let home = hub == Some(self.seed);
        let hops = hub.and_then(|id| self.table.priority(id)).map_or(1, |s| s.hops.saturating_add(1));
        let has_menu = page.links.iter().any(|link| link.place == LinkPlace::Navigation);
        let believed = has_menu && !home && self.traps.believes_menus_of(url);
        let mut ids = Vec::with_capacity(page.links.len());
        for (position, link) in (0..).zip(&page.links) {
            let found = Found::of(link, home);
            let priority = Priority { nested: nested(page, link), ..Priority::new(found, hops, position) };
            let named = match found {
                _ if home => NamedBy::InList,
                Found::Navigation if believed => NamedBy::InMenu,
                _ => NamedBy::InPassing,
            };
            ids.push(if link.nofollow { None } else { self.discover(&link.url, priority, named, hub) });
        }
        ids
    }

    /// The address most worth a fetch, which the caller must settle. `None`: nothing to do now, either because
    /// nothing waits, or because the kept pages and those in flight fill the budget, or because the home page,
    /// which decides on the order of all others, is still on its way.
    #[expect(clippy::should_implement_trait, reason = "it is no iterator: it may go on after a None")]
    pub fn next(&mut self) -> Option<SiteUrl> {
        if self.table.state(self.seed) == Some(PageState::InFlight) || self.budget_is_taken() {
            return None;
        }
        let bound = self.limits.max_pages / FOLDER_SHARE;
        while let Some(id) = self.table.pop(bound) {
            let Some(url) = self.structure.addresses().url(id).cloned() else { continue };
            if let Some(reason) = self.refusal(id, &url) {
                self.table.refuse(id, reason);
                self.return_replacement(id);
                continue;
            }
            self.table.change(id, PageState::InFlight);
            return Some(url);
        }
        self.next_link_only()
    }

    /// Kept pages and those in flight fill the budget, or as many fetches were made as may be.
    fn budget_is_taken(&self) -> bool {
        let counts = self.table.counts();
        counts.kept + counts.in_flight >= self.limits.max_pages
            || self.table.handed_out() >= self.limits.max_fetches()
    }

    /// The fetch of `from` was redirected to `to`: from now on both are one. `false`: `to` is none of ours or had
    /// its own fetch; `from` is to be settled as its duplicate then, and its body needs no look.
    pub fn redirected(&mut self, from: &SiteUrl, to: &SiteUrl) -> bool {
        let Some(from_id) = self.structure.addresses().find(from) else { return false };
        if self.structure.addresses().find(to) == Some(from_id) {
            return true;
        }
        self.give_back(from_id, to);
        let priority = self.table.priority(from_id).unwrap_or(Priority::new(Found::Content, 1, 0));
        let met = self.discover(to, priority, NamedBy::InPassing, None);
        let free = met.filter(|&id| self.table.state(id) == Some(PageState::Queued));
        let Some(to_id) = free else { return false };
        self.table.repeat(from_id);
        self.table.inherit(from_id, to_id);
        self.structure.forward(from_id, to_id);
        self.table.change(to_id, PageState::InFlight);
        true
    }

    /// Ends what [`Frontier::next`] began. Settling an address that is not in flight changes nothing.
    pub fn settle(&mut self, url: &SiteUrl, outcome: Outcome) {
        let Some(id) = self.structure.addresses().find(url) else { return };
        if self.table.state(id) != Some(PageState::InFlight) {
            return;
        }
        match outcome {
            Outcome::Kept => {
                self.missing_folders.found(url);
                self.table.change(id, PageState::Kept);
                return;
            }
            Outcome::Duplicate(of) => {
                self.table.repeat(id);
                // What gives way to another is nobody's canonical address.
                self.return_replacement(id);
                // Both are one page to the structure, once the other one has proved itself.
                if let Some(of) = self.structure.addresses().find(&of).filter(|_| id != self.seed) {
                    if self.table.state(of) == Some(PageState::Kept) {
                        self.structure.forward(id, of);
                    } else {
                        self.unproven.push((id, of));
                    }
                }
                return;
            }
            Outcome::Failed(reason) => {
                if reason == NOT_FOUND {
                    self.missing_folders.missed(url);
                }
                self.table.fail(id, reason);
            }
            Outcome::LeftOut(reason) => self.table.refuse(id, reason),
        }
        self.return_replacement(id);
    }

    /// A page that was kept, and what was settled as its duplicates, turn out to be what the site shows for any address.
    pub fn take_back(&mut self, kept: &SiteUrl, duplicates: &[SiteUrl]) {
        let addresses = self.structure.addresses();
        let Some(id) = addresses.find(kept).filter(|&id| self.table.state(id) == Some(PageState::Kept))
        else {
            return;
        };
        let duplicates: Vec<Id> = duplicates.iter().filter_map(|url| addresses.find(url)).collect();
        self.table.fail(id, NOT_FOUND.to_owned());
        for id in duplicates {
            self.table.fail_after_all(id, NOT_FOUND.to_owned());
        }
    }

    /// Nothing is on its way, and no page waits or the budget of pages or fetches is used up.
    pub fn is_finished(&self) -> bool {
        let counts = self.table.counts();
        let none_waits = counts.queued == 0 && !self.link_only.is_waiting();
        counts.in_flight == 0 && (none_waits || self.budget_is_taken())
    }

    /// Why a kept page no longer belongs: the version it is of has been outdone by a newer one met later, or its folder has
    /// turned out to be in another language.
    pub fn refused_since(&self, url: &SiteUrl) -> Option<LeftOut> {
        let is_seed = || self.structure.addresses().find(url) == Some(self.seed);
        if self.versions.refuses(url) {
            Some(LeftOut::Version)
        } else {
            (self.locale.refuses(url) && !is_seed()).then_some(LeftOut::Language)
        }
    }

    /// The numbers so far, cheap enough for every progress event to read.
    pub fn counts(&self) -> &Counts {
        self.table.counts()
    }

    /// Moves what waits but would never be fetched (other languages, other versions) to its reason. For the end
    /// of a crawl: what is then still queued was cut by the budget or the deadline.
    pub fn sweep(&mut self) {
        for id in self.table.ids() {
            if self.table.state(id) != Some(PageState::Queued) {
                continue;
            }
            let Some(url) = self.structure.addresses().url(id).cloned() else { continue };
            if let Some(reason) = self.refusal(id, &url) {
                self.table.refuse(id, reason);
            }
        }
    }

    /// Addresses that were left out, with the reason, and those that still wait, without one.
    pub fn unfetched(&self) -> impl Iterator<Item = (&SiteUrl, Option<LeftOut>)> {
        self.table.ids().filter_map(move |id| {
            let why = self.table.left_out(id);
            let url = self.structure.addresses().url(id)?;
            (why.is_some() || self.table.waits(id)).then_some((url, why))
        })
    }

    /// Ends the crawl and leaves what was learned of the structure, for the outline.
    pub fn into_structure(self) -> Structure {
        let translations = self.translations();
        let mut structure = self.structure;
        for (id, of) in self.unproven {
            if self.table.state(of) == Some(PageState::Kept) {
                structure.forward(id, of);
            }
        }
        structure.note_translations(translations);
        structure.drop_excerpts();
        structure
    }
}

/// How many lists enclose a link, as far as that is counted.
fn nested(page: &Page, link: &PageLink) -> u8 {
    let outer = |&at: &u32| page.lists.get(at as usize)?.outer;
    (1..=MAX_NESTED).zip(std::iter::successors(link.list, outer)).last().map_or(0, |(depth, _)| depth)
}

#[cfg(test)]
mod tests;
