//! What a site's own navigation says: which page is named where, under which heading, below which page.
//!
//! Menus, tables of contents and lists of links are all lists; what tells them apart from links in running text
//! is that they stand in one, under a caption, and that the listed pages lie near the page that lists them.

mod lists;
mod mention;
mod nesting;
mod words;

use std::hash::{BuildHasher, Hash, Hasher};

pub(crate) use self::mention::{Mention, Strength};
pub(crate) use self::words::turns_the_page;

use self::lists::{list_of, runs, sizes};
use self::nesting::{Above, Nesting};
use self::words::{Word, Words, is_aside, is_prose, names_a_group, names_a_page};
use crate::maps::{Hashing, Map, Set};
use crate::page::{Link, Page, Place};
use crate::site::addresses::{Addresses, Id};
use crate::site::locale::Translation;
use crate::site::rank::{Class, classify, segments, stem};
use crate::site::url::SiteUrl;

/// How many mentions of a page are remembered: its best ones.
const MAX_MENTIONS: usize = 6;

/// How many different menus are told apart before all are read again.
const MAX_MENUS: usize = 10_000;

/// The fewest links that make a list of pages; fewer are asides.
const MIN_LIST: usize = 3;

/// The fewest links that make a list of pages which do not lie below the page that lists them.
const MIN_FOREIGN_LIST: usize = 5;

/// The site's own structure, as far as pages were read.
#[derive(Debug)]
pub struct Navigation {
    addresses: Addresses,
    home: Id,
    mentions: Map<Id, Vec<Mention>>,
    /// What the home page links to.
    on_home: Set<Id>,
    /// How many pages each page lists.
    listed: Map<Id, u32>,
    words: Words,
    /// The page that was first called so.
    named: Map<Word, Id>,
    /// The hash of each menu that was read.
    menus: Set<u64>,
    hashing: Hashing,
    sitemap: Map<Id, u32>,
    translations: Vec<Translation>,
}

impl Navigation {
    /// Nothing but the home page is known; room for `max_known` addresses.
    #[must_use]
    pub fn new(home: &SiteUrl, max_known: usize) -> Self {
        let mut addresses = Addresses::new(max_known.max(1));
        let home = addresses.intern(home).unwrap_or(0);
        Self {
            addresses,
            home,
            mentions: Map::default(),
            on_home: Set::default(),
            listed: Map::default(),
            words: Words::default(),
            named: Map::default(),
            menus: Set::default(),
            hashing: Hashing::default(),
            sitemap: Map::default(),
            translations: Vec::new(),
        }
    }

    /// Takes over where the site begins in its other languages.
    pub(crate) fn note_translations(&mut self, translations: Vec<Translation>) {
        self.translations = translations;
    }

    /// Where the site begins in its other languages.
    #[must_use]
    pub fn translations(&self) -> &[Translation] {
        &self.translations
    }

    /// The home page links to it.
    #[must_use]
    pub fn is_on_home(&self, url: &SiteUrl) -> bool {
        self.addresses.find(url).is_some_and(|id| self.on_home(id))
    }

    /// Reads the links of one page, all of them taken as pages of the site.
    pub fn read(&mut self, url: &SiteUrl, page: &Page) {
        let Some(hub) = self.addresses.intern(url) else { return };
        let ids: Vec<_> = page.links.iter().map(|link| self.addresses.intern(&link.url)).collect();
        self.learn(hub, page, &ids);
    }

    /// The page above one that a mention tells; `None` where that is the home page.
    pub(crate) fn parent_of(&self, mention: &Mention) -> Option<Id> {
        let parent = self.addresses.settled(mention.parent?);
        (parent != self.home).then_some(parent)
    }

    /// What the best mention of a page calls it.
    #[must_use]
    pub fn label(&self, url: &SiteUrl) -> Option<&str> {
        self.label_of(self.best(self.addresses.find(url)?)?)
    }

    /// The caption of the list that names the page best.
    #[must_use]
    pub fn group(&self, url: &SiteUrl) -> Option<&str> {
        self.group_of(self.best(self.addresses.find(url)?)?)
    }

    /// The page whose list names this page best, unless that is the home page or a menu.
    #[must_use]
    pub fn parent(&self, url: &SiteUrl) -> Option<&SiteUrl> {
        self.addresses.url(self.parent_of(self.best(self.addresses.find(url)?)?)?)
    }

    /// The numbers of addresses, shared with the frontier.
    pub(crate) fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    pub(crate) fn intern(&mut self, url: &SiteUrl) -> Option<Id> {
        self.addresses.intern(url)
    }

    /// Takes in a redirect.
    pub(crate) fn forward(&mut self, from: Id, to: Id) {
        self.addresses.forward(from, to);
        if let Some(mentions) = self.mentions.remove(&from) {
            for mention in mentions {
                self.mention(to, mention);
            }
        }
        if self.on_home.contains(&from) {
            self.on_home.insert(to);
        }
        if self.home == from {
            self.home = to;
        }
    }

    pub(crate) fn note_sitemap(&mut self, id: Id, position: usize) {
        self.sitemap.entry(id).or_insert_with(|| u32::try_from(position).unwrap_or(u32::MAX));
    }

    pub(crate) fn sitemap_order(&self, id: Id) -> Option<u32> {
        self.sitemap.get(&id).copied()
    }

    pub(crate) fn is_home(&self, id: Id) -> bool {
        id == self.home
    }

    /// The mention that places a page: of the strongest ones that of the page that lists most.
    pub(crate) fn best(&self, id: Id) -> Option<&Mention> {
        let all = self.mentions.get(&id)?;
        let top = all.first()?.weight();
        let listed = |m: &Mention| self.listed.get(&m.hub).copied().unwrap_or(0);
        all.iter().take_while(|m| m.weight() == top).min_by_key(|m| (std::cmp::Reverse(listed(m)), m.hub))
    }

    /// The home page itself links to it.
    pub(crate) fn on_home(&self, id: Id) -> bool {
        self.on_home.contains(&id)
    }

    pub(crate) fn label_of(&self, mention: &Mention) -> Option<&str> {
        self.words.text(mention.label?)
    }

    pub(crate) fn group_of(&self, mention: &Mention) -> Option<&str> {
        self.words.text(mention.group?)
    }

    pub(crate) fn outer_of(&self, mention: &Mention) -> Option<&str> {
        self.words.text(mention.outer?)
    }

    /// Reads the links of one page; `ids` holds the number of each link, `None` for those that are not ours.
    pub(crate) fn learn(&mut self, hub: Id, page: &Page, ids: &[Option<Id>]) {
        let home = hub == self.home;
        let menu_is_known = !home && !self.menu_is_new(page);
        let contents = self.addresses.url(hub).is_some_and(is_contents);
        let mut chronicle = None;
        if home {
            self.on_home.extend(ids.iter().flatten());
        }
        let names_itself =
            page.links.iter().zip(ids).any(|(l, id)| l.place == Place::Navigation && *id == Some(hub));
        let mut nesting = Nesting::default();
        let runs = runs(&page.links);
        let sizes = sizes(&runs);
        for run in runs {
            let Some(&(_, first)) = run.first() else { continue };
            if first.place == Place::Navigation && menu_is_known {
                continue;
            }
            if !home && first.group.as_deref().is_some_and(is_aside) {
                continue;
            }
            let size = sizes.get(&list_of(first)).copied().unwrap_or(0);
            let many = size >= MIN_LIST;
            // A group of few links on an inner page is an aside, the top level of a small menu no less a menu.
            let listed = many || first.place == Place::Navigation || home;
            // A heading over running text with a link or two names no group.
            let group = first
                .group
                .as_deref()
                .filter(|g| (many || first.depth > 0) && tells_its_list(page, first, g));
            let word = group.and_then(|g| self.words.intern(g));
            for &(at, link) in &run {
                let outer = nesting.enter(link, word);
                let Some(Some(id)) = ids.get(at).copied() else { continue };
                // An item may be missing because its page was linked before, by a "next" link say: then the
                // caption of the nested list still names a page met elsewhere.
                let named = || {
                    let above = *self.named.get(&word.filter(|_| link.depth > 1)?)?;
                    (above != id).then_some(Above { id: above, group: None })
                };
                let above = nesting.above(link).or_else(named);
                if id == hub || id == self.home {
                    continue;
                }
                // A menu that leaves its own page out is that page's table of contents.
                let local = link.place == Place::Navigation && word.is_none() && many && !names_itself;
                let Some(strength) = strength(
                    link,
                    home,
                    ListKind { listed, grouped: word.is_some() || above.is_some(), local },
                ) else {
                    continue;
                };
                let strength = match strength {
                    Strength::List if contents => Strength::Contents,
                    Strength::List => match self.kinship(hub, id) {
                        Strength::ListOfKin if word.is_none() => Strength::LooseListOfKin,
                        // What a change log or a blog lists belongs elsewhere.
                        Strength::FarList
                            if !home && *chronicle.get_or_insert_with(|| self.is_chronicle(hub)) =>
                        {
                            continue;
                        }
                        Strength::FarList if size < MIN_FOREIGN_LIST && !local => continue,
                        Strength::FarList if self.on_home(hub) => Strength::List,
                        kinship => kinship,
                    },
                    other => other,
                };
                let inner = strength.is_list();
                if inner {
                    *self.listed.entry(hub).or_default() += 1;
                }
                let label = names_a_page(&link.text).then(|| self.words.intern(&link.text)).flatten();
                let below = above.as_ref().map(|a| a.id).or_else(|| inner.then_some(hub));
                let parent = below.filter(|&p| p != id);
                // Under a caption that is no item of its own, a nested list cannot be placed.
                let lost = contents && link.depth > 1;
                let top = above.map_or(if lost { None } else { word }, |a| a.group);
                if let Some(label) = label {
                    self.named.entry(label).or_insert(id);
                }
                let order = u32::try_from(at).unwrap_or(u32::MAX);
                let outer = outer.filter(|_| top == word);
                self.mention(id, Mention { strength, hub, parent, group: top, outer, label, order });
                nesting.hold(link, id, top);
            }
        }
    }

    /// Keeps the best mentions of a page, the best first; of equal ones the first that was met.
    fn mention(&mut self, id: Id, mention: Mention) {
        let all = self.mentions.entry(id).or_default();
        let weight = mention.weight();
        if all.iter().any(|m| m.hub == mention.hub && m.weight() >= weight) {
            return;
        }
        let at = all.iter().position(|m| m.weight() < weight).unwrap_or(all.len());
        if at < MAX_MENTIONS {
            if all.is_empty() {
                // Most pages are named once.
                all.reserve_exact(1);
            }
            all.insert(at, mention);
            all.truncate(MAX_MENTIONS);
        }
    }

    /// Most pages carry the same menu; it is read once.
    fn menu_is_new(&mut self, page: &Page) -> bool {
        if self.menus.len() >= MAX_MENUS {
            self.menus.clear();
        }
        let mut hasher = self.hashing.build_hasher();
        for link in page.links.iter().filter(|l| l.place == Place::Navigation) {
            link.url.as_str().hash(&mut hasher);
            link.depth.hash(&mut hasher);
        }
        self.menus.insert(hasher.finish())
    }

    /// Whether a page lists what was new once.
    fn is_chronicle(&self, hub: Id) -> bool {
        let url = self.addresses.url(hub);
        url.is_some_and(|url| matches!(classify(url, true), Ok(Class::News | Class::Optional)))
    }

    /// How near a page is to the page that lists it: in a folder of that page or named after it (`ddl`,
    /// `ddl-basics`), beside it, or elsewhere.
    fn kinship(&self, hub: Id, id: Id) -> Strength {
        let (Some(hub), Some(page)) = (self.addresses.url(hub), self.addresses.url(id)) else {
            return Strength::FarList;
        };
        let (folder, file) = hub.path().rsplit_once('/').unwrap_or_default();
        let name = stem(file);
        let Some(rest) = page.path().strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) else {
            return Strength::FarList;
        };
        let inner = segments(folder).next().is_some();
        let is_kin = if matches!(name, "" | "index" | "default") {
            inner || rest.contains('/')
        } else {
            rest.strip_prefix(name).is_some_and(|tail| tail.starts_with(['/', '-', '_', '.']))
        };
        match is_kin {
            true => Strength::ListOfKin,
            false if inner && !rest.contains('/') => Strength::ListOfNeighbour,
            false => Strength::FarList,
        }
    }
}

/// A page that lists the whole site, chapter by chapter: its lists stand on the top level.
fn is_contents(url: &SiteUrl) -> bool {
    let name = segments(url.path()).last().map_or("", stem);
    matches!(name, "contents" | "toc" | "sitemap" | "site-map" | "site_map" | "table-of-contents")
}

/// Whether a caption tells what is in its list, and not just where the list stands or what all of it is.
fn tells_its_list(page: &Page, link: &Link, caption: &str) -> bool {
    names_a_group(caption)
        && (link.place == Place::Navigation || !is_prose(caption))
        && [&page.title, &page.heading, &page.site_name]
            .into_iter()
            .flatten()
            .all(|title| !title.eq_ignore_ascii_case(caption))
}

/// What is known of the list that a link stands in.
#[derive(Debug, Clone, Copy)]
struct ListKind {
    /// It is long enough, or stands where short lists count.
    listed: bool,
    /// A caption or an entry above it names it.
    grouped: bool,
    /// A menu of this page's own neighbours.
    local: bool,
}

/// How much a link says about where its page belongs.
fn strength(link: &Link, home: bool, list: ListKind) -> Option<Strength> {
    let ListKind { listed, grouped, local } = list;
    match (link.place, home) {
        (Place::Margin, true) if link.depth > 0 && grouped => Some(Strength::Footer),
        (Place::Navigation, true) if grouped && link.depth > 0 => Some(Strength::HomeMenu),
        (Place::Content, true) if grouped && link.depth > 0 => Some(Strength::HomeList),
        (Place::Content, true) if grouped => Some(Strength::HomeHeading),
        (Place::Content, true) if link.depth == 0 => Some(Strength::HomeText),
        (Place::Navigation | Place::Content, true) => Some(Strength::HomeLink),
        (Place::Navigation, false) if grouped && link.depth > 0 => Some(Strength::Menu),
        (Place::Navigation, false) if local && link.depth > 0 => Some(Strength::List),
        (Place::Content, false) if listed && link.depth > 0 => Some(Strength::List),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
