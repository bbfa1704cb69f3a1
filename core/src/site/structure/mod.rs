//! What a site's pages show of its structure: which pages stand together, under which labels, below which page, and in
//! which order.
//!
//! Every page is placed by whatever says it best: its own breadcrumbs, the sidebar that shows it on its own page, the
//! sidebars of other pages, a drop-down of the top menu, a heading over a list on the home page or on a page above it.
//! The labels are the site's own words; none is read for what it means. What says nothing is found by counting: a menu
//! that never shows the page one is on, a heading that stands over other links on every page.

mod by_address;
mod climb;
mod groups;
mod kinship;
mod labels;
mod learn;
mod order;
mod text;

pub(crate) use self::climb::Step;
pub(crate) use self::order::Item;

use self::by_address::{ByAddress, Leads};
use self::groups::{GroupId, Groups};
use self::kinship::Kinship;
use self::labels::{LabelId, Labels};
use self::order::{Order, Weight};
use crate::maps::{Hashing, Map, Set};
use crate::page::Page;
use crate::site::addresses::{Addresses, Id};
use crate::site::locale::Translation;
use crate::site::rank::{Class, classify};
use crate::url::SiteUrl;

/// The site's own structure, as far as pages were read.
#[derive(Debug)]
pub struct Structure {
    addresses: Addresses,
    home: Id,
    brand: Option<LabelId>,
    labels: Labels,
    groups: Groups,
    /// By the number of the address.
    spots: Vec<PageSpot>,
    order: Order,
    /// The first pages that links call by each label.
    called: Map<LabelId, [Option<Id>; SHARED]>,
    /// The hash of each menu that was read.
    menus: Set<u64>,
    hashing: Hashing,
    /// How many pages their own menus show in a group.
    placed: u32,
    /// How many pages have lists below a heading.
    headed: Map<LabelId, u32>,
    sitemap: Map<Id, u32>,
    translations: Vec<Translation>,
}

/// What is known of the place of one page.
#[derive(Debug, Clone, Default)]
struct PageSpot {
    /// By its own breadcrumbs.
    crumb: Option<GroupId>,
    /// The last of those leads nowhere.
    bare: bool,
    /// By the sidebar of its own page.
    own: Option<GroupId>,
    /// By the sidebars of other pages, and how many of those say so ([`SURE`]: the home page does).
    menu: Option<(GroupId, u8)>,
    /// By the menu across the top.
    bar: Option<GroupId>,
    /// By a heading over a list in the text of the home page.
    shown: Option<GroupId>,
    /// By a list in the text of another page.
    hub: Option<Hub>,
    /// The page above it, as its own page says.
    up: Option<Id>,
    label: Option<(LabelId, Weight)>,
    /// Where links to it stand.
    seen: u8,
    /// How many pages link to it in their text.
    cited: u32,
    /// How often a page that it lists was listed by another one, too, that is as near to it.
    listed_elsewhere: u32,
    /// What its address says; `None`: nobody asked.
    by_address: Option<ByAddress>,
    /// Where its text leads.
    leads: Leads,
    /// Its own links are known.
    is_read: bool,
}

/// Pages that have the same label before it is the name of none.
const SHARED: usize = 5;

/// What is shown of a list is an excerpt where that is so many times as long, or longer.
const EXCERPT: u32 = 2;

/// How often a menu names a page where the home page shows that menu.
const SURE: u8 = u8::MAX;

/// A list in the text of a page that names another page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hub {
    kinship: Kinship,
    page: Id,
    /// The headings above it.
    group: Option<GroupId>,
}

/// A link to the page stands in a menu.
const IN_MENU: u8 = 1;
/// In a text.
const IN_TEXT: u8 = 2;
/// In a footer or an aside.
const IN_MARGIN: u8 = 4;
/// On the home page.
const ON_HOME: u8 = 8;
/// In the menu across the top, under no label.
const IN_BAR: u8 = 16;
/// On another page.
const ELSEWHERE: u8 = 32;
/// In a menu of the home page.
const HOME_MENU: u8 = 64;

impl Structure {
    /// Nothing but the home page is known; room for `max_known` addresses.
    pub fn new(home: &SiteUrl, max_known: usize) -> Self {
        let mut addresses = Addresses::new(max_known.max(1));
        let home = addresses.intern(home).unwrap_or(0);
        Self {
            addresses,
            home,
            brand: None,
            labels: Labels::default(),
            groups: Groups::default(),
            spots: Vec::new(),
            order: Order::default(),
            called: Map::default(),
            menus: Set::default(),
            hashing: Hashing::default(),
            placed: 0,
            headed: Map::default(),
            sitemap: Map::default(),
            translations: Vec::new(),
        }
    }

    /// Takes over where the site begins in its other languages.
    pub(crate) fn note_translations(&mut self, translations: Vec<Translation>) {
        self.translations = translations;
    }

    /// Where the site begins in its other languages.
    pub fn translations(&self) -> &[Translation] {
        &self.translations
    }

    /// What menus of the home page call it first: where that is a logo, the site.
    pub(crate) fn brand(&self) -> Option<&str> {
        Some(self.labels.text(self.brand?))
    }

    /// The home page links to it.
    pub fn is_on_home(&self, url: &SiteUrl) -> bool {
        self.addresses.find(url).is_some_and(|id| self.is_shown_by_home(id))
    }

    /// The same by the number of its address.
    pub(crate) fn is_shown_by_home(&self, id: Id) -> bool {
        self.spot(id).is_some_and(|spot| spot.seen & ON_HOME != 0)
    }

    /// Reads the links of one page, all of them taken as pages of the site.
    pub fn read(&mut self, url: &SiteUrl, page: &Page) {
        let Some(hub) = self.addresses.intern(url) else { return };
        let ids: Vec<_> = page.links.iter().map(|link| self.addresses.intern(&link.url)).collect();
        self.learn(hub, page, &ids);
    }

    /// What the site's own links call a page: its menus, else its lists.
    pub fn label(&self, url: &SiteUrl) -> Option<&str> {
        self.label_of(self.addresses.find(url)?)
    }

    /// The same by the number of its address.
    pub(crate) fn label_of(&self, id: Id) -> Option<&str> {
        let (label, _) = self.spot(id)?.label.filter(|&(label, _)| !self.is_shared(label))?;
        Some(self.labels.text(label))
    }

    /// What menus or the home page call it.
    pub(crate) fn shown_label(&self, id: Id) -> Option<&str> {
        let (_, weight) = self.spot(id)?.label?;
        self.label_of(id).filter(|_| weight >= Weight::Home)
    }

    /// How many other pages are called as links call this one, up to [`SHARED`].
    pub(crate) fn namesakes(&self, id: Id) -> usize {
        let label = self.spot(id).and_then(|spot| spot.label);
        let called = label.and_then(|(label, _)| self.called.get(&label)).into_iter().flatten().flatten();
        called.filter(|&&page| self.addresses.settled(page) != id).count()
    }

    /// Links call many pages by the label, as "next" and "Edit" do: it names none.
    fn is_shared(&self, label: LabelId) -> bool {
        self.called.get(&label).is_some_and(|pages| pages.last().is_some_and(Option::is_some))
    }

    /// Menus show the group, and no breadcrumbs do.
    pub(crate) fn is_of_menus(&self, item: Item) -> bool {
        let Item::Group(group) = item else { return false };
        self.groups.get(group).is_some_and(|group| group.crumbs == 0 && group.own + group.named > 0)
    }

    /// Neither menus nor breadcrumbs show the group, or it is a page: a list in a text holds what is below it.
    pub(crate) fn is_only_listed(&self, item: Item) -> bool {
        let Item::Group(group) = item else { return true };
        self.groups.get(group).is_some_and(|group| group.crumbs + group.own + group.named == 0)
    }

    /// Where a page stands in the site's own order: the less, the earlier; where no more than some list shows it, behind
    /// the page `above` it. `None`: no list shows it. Changes as pages are read.
    pub(crate) fn rank(&self, id: Id, above: Option<Id>) -> Option<(u64, u64)> {
        let own = self.order.rank(Item::Page(id))?;
        let is_sure = self.order.weight(Item::Page(id)) > Some(Weight::Text);
        let above = above.filter(|_| !is_sure).and_then(|above| self.order.rank(Item::Page(above)));
        Some(above.map_or((own, 0), |above| (above, own)))
    }

    /// A footer links to the page, and neither a menu nor a text does.
    pub(crate) fn is_in_margins_only(&self, id: Id) -> bool {
        self.spot(id).is_some_and(|spot| spot.seen & !(ON_HOME | ELSEWHERE) == IN_MARGIN)
    }

    /// Another page that was read links to it.
    pub(crate) fn is_linked(&self, id: Id) -> bool {
        self.spot(id).is_some_and(|spot| spot.seen & ELSEWHERE != 0)
    }

    /// Notes that a page leads to others of which it does not say where they stand.
    pub(crate) fn note_linked(&mut self, hub: Id, ids: &[Option<Id>]) {
        for id in ids.iter().flatten().copied().filter(|&id| id != hub) {
            self.spot_mut(id).seen |= ELSEWHERE;
        }
    }

    /// A list in the text of a page has the page among others, or a menu shows it.
    pub(crate) fn is_listed(&self, id: Id) -> bool {
        self.is_in_menu(id) || self.spot(id).is_some_and(|spot| spot.hub.is_some() || spot.shown.is_some())
    }

    /// A menu shows the page.
    pub(crate) fn is_in_menu(&self, id: Id) -> bool {
        self.spot(id).is_some_and(|spot| spot.seen & IN_MENU != 0)
    }

    /// A menu of the home page shows the page.
    pub(crate) fn is_in_home_menu(&self, id: Id) -> bool {
        self.spot(id).is_some_and(|spot| spot.seen & HOME_MENU != 0)
    }

    /// How often a page that `hub` lists was listed by another one, too, that is as near to it.
    pub(crate) fn listed_elsewhere(&self, hub: Id) -> u32 {
        self.spot(hub).map_or(0, |spot| spot.listed_elsewhere)
    }

    /// The home page's menu across the top shows the page under no label.
    pub(crate) fn is_in_top_menu(&self, id: Id) -> bool {
        self.spot(id).is_some_and(|spot| spot.seen & (IN_BAR | ON_HOME) == IN_BAR | ON_HOME)
    }

    /// How many pages link to a page in their text.
    pub(crate) fn cited(&self, url: &SiteUrl) -> u32 {
        self.addresses.find(url).and_then(|id| self.spot(id)).map_or(0, |spot| spot.cited)
    }

    /// The numbers of addresses, shared with the frontier.
    pub(crate) fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    pub(crate) fn intern(&mut self, url: &SiteUrl) -> Option<Id> {
        self.addresses.intern(url)
    }

    /// Takes from the home page's headings what they show of a longer list: "Latest posts" over a few of those that a page
    /// above them lists is an excerpt of that, and no group.
    pub(crate) fn drop_excerpts(&mut self) {
        let is_news = |page| self.addresses.url(page).is_some_and(|url| classify(url) == Class::News);
        // Posts may lie elsewhere than the page that lists them.
        let is_near =
            |hub: &Hub| hub.kinship >= Kinship::Loose || hub.kinship == Kinship::Linked && is_news(hub.page);
        let above = |spot: &PageSpot| spot.hub.filter(is_near).map(|hub| hub.page);
        let mut listed: Map<Id, (u32, u32)> = Map::default();
        for (page, spot) in self.spots.iter().filter_map(|spot| Some((above(spot)?, spot))) {
            let (all, shown) = listed.entry(page).or_default();
            *all += 1;
            *shown += u32::from(spot.shown.is_some());
        }
        for spot in &mut self.spots {
            let counts = above(spot).and_then(|page| listed.get(&page));
            spot.shown.take_if(|_| counts.is_some_and(|&(all, shown)| shown * EXCERPT <= all));
        }
    }

    /// Takes in a redirect.
    pub(crate) fn forward(&mut self, from: Id, to: Id) {
        self.addresses.forward(from, to);
        let to = self.addresses.settled(to);
        if let Some(old) = self.spots.get_mut(from as usize).map(std::mem::take) {
            let spot = self.spot_mut(to);
            (spot.bare, spot.crumb) =
                if spot.crumb.is_some() { (spot.bare, spot.crumb) } else { (old.bare, old.crumb) };
            spot.own = spot.own.or(old.own);
            spot.menu = spot.menu.or(old.menu);
            spot.bar = spot.bar.or(old.bar);
            spot.shown = spot.shown.or(old.shown);
            spot.hub = spot.hub.or(old.hub);
            spot.up = spot.up.or(old.up);
            // Of equals the address counts that was met first.
            let is_better = |(_, weight): (LabelId, Weight)| {
                old.label.is_some_and(|(_, other)| other > weight || other == weight && from < to)
            };
            spot.label = spot.label.filter(|&label| !is_better(label)).or(old.label);
            spot.seen |= old.seen;
            spot.cited += old.cited;
            spot.leads = spot.leads.max(old.leads);
            spot.is_read |= old.is_read;
        }
        self.order.replace(Item::Page(from), Item::Page(to));
        if self.home == from {
            self.home = to;
        }
    }

    pub(crate) fn note_sitemap(&mut self, id: Id, position: usize) {
        self.sitemap.entry(id).or_insert_with(|| u32::try_from(position).unwrap_or(u32::MAX));
    }

    /// A sitemap has told pages.
    pub(crate) fn has_sitemap(&self) -> bool {
        !self.sitemap.is_empty()
    }

    pub(crate) fn sitemap_order(&self, id: Id) -> Option<u32> {
        self.sitemap.get(&id).copied()
    }

    pub(crate) fn is_home(&self, id: Id) -> bool {
        id == self.home
    }

    fn spot(&self, id: Id) -> Option<&PageSpot> {
        self.spots.get(id as usize)
    }

    fn spot_mut(&mut self, id: Id) -> &mut PageSpot {
        let at = id as usize;
        if at >= self.spots.len() {
            self.spots.resize(at + 1, PageSpot::default());
        }
        &mut self.spots[at]
    }
}

#[cfg(test)]
mod tests;
