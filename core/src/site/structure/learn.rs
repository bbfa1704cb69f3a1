//! What one page adds to what is known of the site.

use std::cell::LazyCell;
use std::hash::{BuildHasher, Hash, Hasher};

use super::groups::GroupId;
use super::labels::{are_letters, is_count, is_date, is_letter, is_menu, is_sentence, is_version};
use super::order::{Item, Weight};
use super::{HOME_MENU, IN_BAR, IN_MARGIN, IN_MENU, IN_TEXT, ON_HOME, SURE, Structure};
use crate::maps::{Counts, Map, Set};
use crate::page::{LinkPlace, Page, PageLink};
use crate::site::addresses::Id;

/// The longest label that names a group, in characters; a longer one is a sentence before its list.
const MAX_LABEL: usize = 60;
/// How many different menus are told apart before all are read again.
const MAX_MENUS: usize = 10_000;
/// The fewest pages that a menu moves to where it shows them.
const MIN_MOVED: usize = 3;

/// A page as its links are learned.
pub(super) struct LearnedPage<'p> {
    pub(super) hub: Id,
    page: &'p Page,
    /// The number of each link, `None` for those that are not ours.
    ids: &'p [Option<Id>],
    /// The group of each list.
    groups: Vec<Option<GroupId>>,
}

impl<'p> LearnedPage<'p> {
    pub(super) fn links(&self) -> impl Iterator<Item = (usize, &'p PageLink, Id)> + '_ {
        let all = self.page.links.iter().zip(self.ids).enumerate();
        all.filter_map(|(at, (link, id))| Some((at, link, (*id)?)))
    }

    pub(super) fn group(&self, link: &PageLink) -> Option<GroupId> {
        self.groups.get(link.list? as usize).copied().flatten()
    }

    /// Whether a link stands in no list of the menu that holds others: it may be a logo, which names the site or a part of it
    /// at length.
    fn is_alone(&self, link: &PageLink, sizes: &Counts<u32>) -> bool {
        let Some(list) = link.list else { return true };
        let is_inner = self.page.lists.get(list as usize).is_some_and(|list| list.outer.is_some());
        !is_inner && sizes.of(&list) == 1
    }

    fn in_bar(&self, link: &PageLink) -> bool {
        link.list.and_then(|list| self.page.lists.get(list as usize)).is_some_and(|list| list.bar)
    }
}

impl Structure {
    /// Reads the links of one page; `ids` holds the number of each link, `None` for those that are not ours.
    pub(crate) fn learn(&mut self, hub: Id, page: &Page, ids: &[Option<Id>]) {
        // The same page under its other addresses may place itself elsewhere.
        if self.spot(hub).is_none_or(|spot| !spot.is_read) {
            self.learn_crumbs(hub, page);
        }
        let reading = LearnedPage { hub, page, ids, groups: self.groups_of(hub, page, ids) };
        self.learn_own_place(&reading);
        self.spot_mut(hub).is_read = true;
        let home = hub == self.home;
        if home || self.menu_is_new(page) {
            self.learn_menus(&reading);
        }
        self.learn_text(&reading);
        if home {
            let is_own = |link: &PageLink, id| id == hub && link.place != LinkPlace::Content;
            let own =
                reading.links().filter(|&(_, link, id)| is_own(link, id)).map(|(_, link, _)| &*link.text);
            self.brand = own.filter(|text| !text.is_empty()).find_map(|text| self.labels.intern(text));
        }
        for (_, link, id) in reading.links() {
            let place = match link.place {
                // What stands there for the page alone, as a choice of its language does, is no entry of the site's menu.
                LinkPlace::Navigation if id == hub && !home => IN_MENU,
                LinkPlace::Navigation if reading.in_bar(link) && reading.group(link).is_none() => {
                    IN_MENU | IN_BAR
                }
                LinkPlace::Navigation if link.turns => 0,
                LinkPlace::Navigation => IN_MENU,
                LinkPlace::Content => IN_TEXT,
                LinkPlace::Margin => IN_MARGIN,
            };
            let on_home = match home {
                false => 0,
                true if place & IN_MENU != 0 => ON_HOME | HOME_MENU,
                true => ON_HOME,
            };
            self.spot_mut(id).seen |= place | on_home;
        }
        self.note_linked(hub, ids);
        let in_text = reading.links().filter(|(_, link, id)| link.place == LinkPlace::Content && *id != hub);
        let in_text: Set<Id> = in_text.map(|(.., id)| id).collect();
        for &id in &in_text {
            self.spot_mut(id).cited += 1;
        }
        if !home {
            self.learn_leads(hub, &in_text);
        }
    }

    fn learn_crumbs(&mut self, hub: Id, page: &Page) {
        let mut group = None;
        for crumb in &page.crumbs {
            let entry = crumb.url.as_ref().and_then(|url| self.addresses.find(url));
            if entry == Some(self.home) {
                group = None;
            } else if let Some(label) = self.labels.intern(&crumb.text).filter(|_| !is_date(&crumb.text)) {
                group = self.groups.intern_step(group, label, entry);
            }
        }
        if let Some(group) = group {
            self.groups.count(group, |group| group.crumbs += 1);
            let spot = self.spot_mut(hub);
            (spot.crumb, spot.bare) =
                (Some(group), page.crumbs.last().is_some_and(|last| last.url.is_none()));
        }
        let up = page.up.as_ref().and_then(|up| self.addresses.find(up));
        self.spot_mut(hub).up = up.filter(|&up| up != hub && up != self.home);
    }

    /// The groups of a page's lists. A label that leads to the home page, or is the name of the site or of the page whose text
    /// holds the list, tells nothing, nor does one of the page's languages or versions.
    fn groups_of(&mut self, hub: Id, page: &Page, ids: &[Option<Id>]) -> Vec<Option<GroupId>> {
        let mut groups: Vec<Option<GroupId>> = Vec::with_capacity(page.lists.len());
        let is = |name: &Option<String>, label: &str| {
            name.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(label))
        };
        // The first heading of a page without a title is that of its first list.
        let named = page.lists.iter().filter(|list| list.place == LinkPlace::Content && list.label.is_some());
        let is_single = named.count() == 1;
        let parallel = self.parallel_lists(hub, page, ids);
        // Few pages have a label that makes it worth the count.
        let beside: LazyCell<Counts<_>, _> = LazyCell::new(|| {
            let labelled = page.lists.iter().filter(|list| list.label.is_some());
            labelled.map(|list| (list.outer, list.place)).collect()
        });
        let texts: LazyCell<Map<u32, Vec<&str>>, _> = LazyCell::new(|| {
            let mut texts: Map<u32, Vec<&str>> = Map::default();
            for link in &page.links {
                if let Some(list) = link.list {
                    texts.entry(list).or_default().push(&link.text);
                }
            }
            texts
        });
        // A choice of versions is called as the one that is shown, and holds little else.
        let are_versions = |at: usize, label: &str| {
            let own = u32::try_from(at).ok().and_then(|at| texts.get(&at));
            own.is_some_and(|own| {
                let versions = own.iter().filter(|text| is_version(text)).count();
                versions > 1 && versions * 2 >= own.len() && own.contains(&label)
            })
        };
        let by_letters =
            LazyCell::new(|| are_letters(page.lists.iter().filter_map(|list| list.label.as_deref())));
        for (at, list) in page.lists.iter().enumerate() {
            let outer = list.outer.and_then(|outer| groups.get(outer as usize).copied().flatten());
            let entry = list.entry.as_ref().and_then(|url| self.addresses.find(url));
            let label = list.label.as_deref().filter(|label| {
                let is_title = list.place == LinkPlace::Content
                    && (is(&page.title, label) || is_single && is(&page.heading, label));
                let says_nothing = is_sentence(label)
                    || is_date(label)
                    || is_count(label)
                    || is_letter(label) && *by_letters
                    || is_menu(label) && beside.of(&(list.outer, list.place)) == 1
                    || is_version(label) && are_versions(at, label);
                list.place != LinkPlace::Margin
                    && !says_nothing
                    && parallel.get(at) != Some(&true)
                    && label.chars().nth(MAX_LABEL).is_none()
                    && entry != Some(self.home)
                    && !is_title
            });
            let group = match label.and_then(|label| self.labels.intern(label)) {
                Some(label) => self.groups.intern(outer, label, entry),
                None => outer,
            };
            groups.push(group);
        }
        groups
    }

    /// Where the menus of a page show the page itself. Of several the last one tells most: sidebars come behind the top.
    fn learn_own_place(&mut self, reading: &LearnedPage<'_>) {
        let own =
            reading.links().filter(|(_, link, id)| *id == reading.hub && link.place == LinkPlace::Navigation);
        let mut is_loose = false;
        let shown = own.filter_map(|(_, link, _)| {
            is_loose |= link.list.is_some() && !reading.in_bar(link);
            let group = reading.group(link).filter(|&group| !self.is_choice(group, link))?;
            Some((!reading.in_bar(link), group))
        });
        let shown = shown.max_by_key(|(beside, _)| *beside);
        let Some((beside, group)) = shown else {
            // It stands beside the groups of the menu.
            self.placed += u32::from(is_loose && reading.hub != self.home);
            return;
        };
        if beside {
            self.groups.count(group, |group| group.own += 1);
            self.placed += 1;
        }
        let spot = self.spot_mut(reading.hub);
        if beside {
            spot.own = Some(group);
        } else {
            spot.bar = Some(group);
        }
    }

    /// A menu of languages or versions is called as the one of its entries that stands for this page.
    fn is_choice(&self, group: GroupId, link: &PageLink) -> bool {
        self.groups
            .get(group)
            .is_some_and(|group| self.labels.text(group.label).eq_ignore_ascii_case(&link.text))
    }

    fn learn_menus(&mut self, reading: &LearnedPage<'_>) {
        let home = reading.hub == self.home;
        let sizes: Counts<u32> = reading.page.links.iter().filter_map(|link| link.list).collect();
        let mut rows: [Vec<Item>; 2] = [Vec::new(), Vec::new()];
        let mut lists = reading.page.lists.iter().zip(&reading.groups).peekable();
        let mut has_logo = false;
        for (at, link, id) in reading.links() {
            // A label stands before its links, and in a folded menu without them.
            while let Some((list, group)) = lists.next_if(|(list, _)| list.first as usize <= at) {
                if list.place == LinkPlace::Navigation
                    && let Some(group) = group
                {
                    rows[usize::from(list.bar)].push(Item::Group(*group));
                }
            }
            if link.place != LinkPlace::Navigation || link.turns {
                continue;
            }
            let bar = reading.in_bar(link);
            if id == self.home {
                has_logo = true;
                // A logo leads there as well, and names the site.
                if !bar && link.list.is_some() {
                    self.call(id, &link.text, Weight::Menu);
                }
                continue;
            }
            if link.list.is_some() {
                rows[usize::from(bar)].push(Item::Page(id));
            }
            // A site has one logo.
            let is_logo = reading.is_alone(link, &sizes) && !(has_logo && link.list.is_some());
            self.call(id, &link.text, if is_logo { Weight::Text } else { Weight::Menu });
            // A sidebar may call a group as the first of its other pages.
            let may_choose = bar || id == reading.hub;
            let group = reading.group(link).filter(|&group| !(may_choose && self.is_choice(group, link)));
            let Some(group) = group else { continue };
            if bar {
                self.groups.count(group, |group| group.named += 1);
                let spot = self.spot_mut(id);
                spot.bar = spot.bar.or(Some(group));
                continue;
            }
            let menu = match self.spot(id).and_then(|spot| spot.menu) {
                _ if home => {
                    self.groups.count(group, |group| group.named += 1);
                    Some((group, SURE))
                }
                Some((known, SURE)) => Some((known, SURE)),
                Some((known, menus)) if known == group => {
                    Some((known, menus.saturating_add(1).min(SURE - 1)))
                }
                Some((known, menus)) if menus > 1 => Some((known, menus - 1)),
                _ => {
                    self.groups.count(group, |group| group.named += 1);
                    Some((group, 1))
                }
            };
            self.spot_mut(id).menu = menu;
        }
        for row in rows.into_iter().rev() {
            self.put_in_order(reading.hub, row);
        }
    }

    /// Takes in the order of a menu. One that would move few pages, such as links to those above, shows no order, and where
    /// the page stands that shows it others know: those stay where they are.
    fn put_in_order(&mut self, own: Id, mut row: Vec<Item>) {
        let moved = row.iter().filter(|&&item| self.order.weight(item) < Some(Weight::Menu)).count();
        let stays = |item: Item| moved < MIN_MOVED || item == Item::Page(own);
        row.retain(|&item| match self.order.weight(item) {
            Some(Weight::Text) => !stays(item),
            known => known.is_some() || item != Item::Page(own),
        });
        for &item in row.iter().filter(|&&item| stays(item)) {
            self.order.confirm(item, Weight::Menu);
        }
        self.order.merge(None, &row, Weight::Menu);
    }

    /// Names a page as a link does, unless a better one has.
    pub(super) fn call(&mut self, id: Id, text: &str, weight: Weight) {
        let known = self.spot(id).and_then(|spot| spot.label);
        if known.is_some_and(|(label, known)| known >= weight && !self.is_shared(label)) {
            return;
        }
        let Some(label) = self.labels.intern(text).filter(|_| !is_count(text)) else { return };
        let pages = self.called.entry(label).or_default();
        if let Some(free) = pages.iter_mut().find(|page| page.is_none_or(|page| page == id)) {
            *free = Some(id);
        }
        if known.is_none() || !self.is_shared(label) {
            self.spot_mut(id).label = Some((label, weight));
        }
    }

    fn menu_is_new(&mut self, page: &Page) -> bool {
        if self.menus.len() >= MAX_MENUS {
            return true;
        }
        let mut hasher = self.hashing.build_hasher();
        for link in page.links.iter().filter(|link| link.place == LinkPlace::Navigation) {
            link.url.as_str().hash(&mut hasher);
            link.list.hash(&mut hasher);
        }
        for list in page.lists.iter().filter(|list| list.place == LinkPlace::Navigation) {
            list.label.hash(&mut hasher);
        }
        self.menus.insert(hasher.finish())
    }
}
