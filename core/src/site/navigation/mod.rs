//! What a site's own navigation says: which page is named where, under which heading, below which page.
//!
//! Menus, tables of contents and lists of links are all lists; what tells them apart from links in running text
//! is that they stand in one, under a caption, and that the listed pages lie near the page that lists them.

mod words;

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use self::words::{Word, Words, names_a_group, names_a_page};
use crate::page::{Link, Page, Place};
use crate::site::addresses::{Addresses, Id};
use crate::site::rank::{segments, stem};
use crate::site::url::SiteUrl;

/// How many mentions of a page are remembered: its best ones.
const MAX_MENTIONS: usize = 4;

/// How many different menus are told apart before all are read again.
const MAX_MENUS: usize = 10_000;

/// The fewest links that make a list of pages; fewer are asides.
const MIN_LIST: usize = 3;

/// The fewest links that make a list of pages which do not lie below the page that lists them.
const MIN_FOREIGN_LIST: usize = 5;

/// How deep lists may nest before their nesting is ignored.
const MAX_NESTING: usize = 16;

/// How trustworthy a mention is, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// A footer list of the home page.
    Footer,
    /// A list on a page that lists the whole site.
    Contents,
    /// The home page links to it without putting it into a group.
    HomeLink,
    /// A list on some page.
    List,
    /// A list on a page that lies above it or whose name begins as its own.
    ListOfKin,
    /// Under a heading of the home page.
    HomeHeading,
    /// A captioned group of a menu of inner pages.
    Menu,
    /// A captioned or nested list of the home page.
    HomeList,
}

/// One place where a page is named.
#[derive(Debug, Clone)]
pub(crate) struct Mention {
    pub(crate) strength: Strength,
    /// The page that names it.
    pub(crate) hub: Id,
    /// The page whose list item holds the list that names it, or, for lists of inner pages, the hub.
    parent: Option<Id>,
    group: Option<Word>,
    label: Option<Word>,
    /// Its position among the links of the hub.
    pub(crate) order: u32,
}

/// The site's own structure, as far as pages were read.
#[derive(Debug)]
pub struct Navigation {
    addresses: Addresses,
    home: Id,
    mentions: HashMap<Id, Vec<Mention>>,
    words: Words,
    /// The page that was first called so.
    named: HashMap<Word, Id>,
    menus: HashSet<u64>,
    sitemap: HashMap<Id, u32>,
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
            mentions: HashMap::new(),
            words: Words::default(),
            named: HashMap::new(),
            menus: HashSet::new(),
            sitemap: HashMap::new(),
        }
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

    /// The mention that places a page. What the home page links to stands on the top level, unless a page above it
    /// puts it under a caption.
    pub(crate) fn best(&self, id: Id) -> Option<&Mention> {
        let all = self.mentions.get(&id)?;
        let first = all.first()?;
        let loose = match first.strength {
            Strength::List => true,
            Strength::ListOfKin => first.group.is_none(),
            _ => false,
        };
        let top = || all.iter().find(|m| m.strength == Strength::HomeLink);
        if loose { top().or(Some(first)) } else { Some(first) }
    }

    /// The home page itself links to it.
    pub(crate) fn on_home(&self, id: Id) -> bool {
        self.mentions.get(&id).is_some_and(|all| all.iter().any(|m| m.hub == self.home))
    }

    pub(crate) fn label_of(&self, mention: &Mention) -> Option<&str> {
        self.words.text(mention.label?)
    }

    pub(crate) fn group_of(&self, mention: &Mention) -> Option<&str> {
        self.words.text(mention.group?)
    }

    /// Reads the links of one page; `ids` holds the number of each link, `None` for those that are not ours.
    pub(crate) fn learn(&mut self, hub: Id, page: &Page, ids: &[Option<Id>]) {
        let home = hub == self.home;
        let menu_is_known = !home && !self.menu_is_new(page);
        let contents = self.addresses.url(hub).is_some_and(is_contents);
        let mut nesting: Vec<Nested> = Vec::new();
        for (at, run) in runs(&page.links) {
            let Some(first) = run.first() else { continue };
            if first.place == Place::Navigation && menu_is_known {
                continue;
            }
            let group =
                first.group.as_deref().filter(|g| names_a_group(g) && Some(*g) != page.title.as_deref());
            // A group of few links on an inner page is an aside, the top level of a small menu no less a menu.
            let many = run.len() >= MIN_LIST;
            let listed = many || first.place == Place::Navigation || home;
            // A heading over running text with a link or two names no group.
            let group = group.filter(|_| many || first.depth > 0);
            let word = group.and_then(|g| self.words.intern(g));
            for (offset, link) in run.iter().enumerate() {
                let Some(Some(id)) = ids.get(at + offset).copied() else { continue };
                // An item may be missing because its page was linked before, by a "next" link say: then the
                // caption of the nested list still names a page met elsewhere.
                let named = || {
                    let id = *self.named.get(&word.filter(|_| link.depth > 1)?)?;
                    (Some(id) != ids.get(at + offset).copied().flatten()).then_some(Above { id, group: None })
                };
                let above = nested_in(&mut nesting, link).or_else(named);
                if id == hub || id == self.home {
                    continue;
                }
                if let Some(strength) = strength(link, home, listed, word.is_some() || above.is_some()) {
                    let strength = match strength {
                        Strength::List if contents => Strength::Contents,
                        Strength::List if self.kin(hub, id) => Strength::ListOfKin,
                        Strength::List if run.len() < MIN_FOREIGN_LIST => continue,
                        other => other,
                    };
                    let inner = matches!(strength, Strength::List | Strength::ListOfKin);
                    let label = names_a_page(&link.text).then(|| self.words.intern(&link.text)).flatten();
                    let below = above.as_ref().map(|a| a.id).or_else(|| inner.then_some(hub));
                    let parent = below.filter(|&p| p != id);
                    // Under a caption that is no item of its own, a nested list cannot be placed.
                    let lost = contents && link.depth > 1;
                    let top = above.map_or(if lost { None } else { word }, |a| a.group);
                    if let Some(label) = label {
                        self.named.entry(label).or_insert(id);
                    }
                    let order = u32::try_from(at + offset).unwrap_or(u32::MAX);
                    self.mention(id, Mention { strength, hub, parent, group: top, label, order });
                    if nesting.len() < MAX_NESTING {
                        nesting.push(Nested { depth: link.depth, text: fold(&link.text), id, group: top });
                    }
                }
            }
        }
    }

    /// Keeps the best mentions of a page, the best first; of equal ones the first that was met.
    fn mention(&mut self, id: Id, mention: Mention) {
        let all = self.mentions.entry(id).or_default();
        let weight = |m: &Mention| (m.strength, m.group.is_some());
        if all.iter().any(|m| m.hub == mention.hub && weight(m) >= weight(&mention)) {
            return;
        }
        let at = all.iter().position(|m| weight(m) < weight(&mention)).unwrap_or(all.len());
        if at < MAX_MENTIONS {
            all.insert(at, mention);
            all.truncate(MAX_MENTIONS);
        }
    }

    /// Most pages carry the same menu; it is read once.
    fn menu_is_new(&mut self, page: &Page) -> bool {
        if self.menus.len() >= MAX_MENUS {
            self.menus.clear();
        }
        let mut hasher = DefaultHasher::new();
        for link in page.links.iter().filter(|l| l.place == Place::Navigation) {
            link.url.as_str().hash(&mut hasher);
            link.depth.hash(&mut hasher);
        }
        self.menus.insert(hasher.finish())
    }

    /// Whether a page lies below the page that lists it: in its folder, or named after it (`ddl`, `ddl-basics`).
    fn kin(&self, hub: Id, id: Id) -> bool {
        let (Some(hub), Some(page)) = (self.addresses.url(hub), self.addresses.url(id)) else { return false };
        let (folder, file) = hub.path().rsplit_once('/').unwrap_or_default();
        let name = stem(file);
        let Some(rest) = page.path().strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) else {
            return false;
        };
        if matches!(name, "" | "index" | "default") {
            return segments(folder).next().is_some() || rest.contains('/');
        }
        rest.strip_prefix(name).is_some_and(|tail| tail.starts_with(['/', '-', '_', '.']))
    }
}

/// A list item that may hold further lists.
struct Nested {
    depth: u8,
    text: String,
    id: Id,
    group: Option<Word>,
}

/// What a nested list inherits from the item that holds it.
struct Above {
    id: Id,
    group: Option<Word>,
}

/// The item whose text is the caption of the list that the link stands in; forgets the items that have ended.
fn nested_in(nesting: &mut Vec<Nested>, link: &Link) -> Option<Above> {
    while nesting.last().is_some_and(|item| item.depth >= link.depth) {
        nesting.pop();
    }
    if link.depth < 2 {
        return None;
    }
    let group = fold(link.group.as_deref()?);
    nesting.iter().rev().find(|item| item.text == group).map(|item| Above { id: item.id, group: item.group })
}

/// A page that lists the whole site, chapter by chapter: its lists stand on the top level.
fn is_contents(url: &SiteUrl) -> bool {
    let name = segments(url.path()).last().map_or("", stem);
    matches!(name, "contents" | "toc" | "sitemap" | "site-map" | "site_map" | "table-of-contents")
}

fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}

/// Links in a row that stand in the same list, with the position of the first.
fn runs(links: &[Link]) -> impl Iterator<Item = (usize, &[Link])> {
    let same =
        |a: &Link, b: &Link| a.place == b.place && a.group == b.group && (a.depth > 0) == (b.depth > 0);
    let mut at = 0;
    links.chunk_by(same).map(move |run| {
        let start = at;
        at += run.len();
        (start, run)
    })
}

fn strength(link: &Link, home: bool, listed: bool, grouped: bool) -> Option<Strength> {
    match (link.place, home) {
        (Place::Margin, true) if link.depth > 0 && grouped => Some(Strength::Footer),
        (Place::Navigation | Place::Content, true) if grouped && link.depth > 0 => Some(Strength::HomeList),
        (Place::Content, true) if grouped => Some(Strength::HomeHeading),
        (Place::Navigation | Place::Content, true) => Some(Strength::HomeLink),
        (Place::Navigation, false) if grouped && link.depth > 0 => Some(Strength::Menu),
        (Place::Content, false) if listed && link.depth > 0 => Some(Strength::List),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
