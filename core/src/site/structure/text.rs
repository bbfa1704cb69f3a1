//! What the text of a page adds to what is known of the site: the pages that its lists place below it.

use super::groups::GroupId;
use super::labels::LabelId;
use super::learn::LearnedPage;
use super::order::{Item, Weight};
use super::{Hub, Kinship, Structure};
use crate::maps::{Counts, Set};
use crate::page::{LinkPlace, PageLink};
use crate::site::addresses::Id;
use crate::site::rank::is_post;
use crate::url::segments;

/// The fewest links that make a text a menu of the home page.
const MIN_MENU: usize = 3;

impl Structure {
    /// Learns from the lists in the text of a page which pages stand below it.
    pub(super) fn learn_text(&mut self, reading: &LearnedPage<'_>) {
        let (hub, home) = (reading.hub, reading.hub == self.home);
        let listed = self.listed(reading);
        // What a post lists stands elsewhere.
        let places_none =
            || self.addresses.url(hub).is_some_and(is_post) || self.is_menu_of_home(hub, &listed);
        if !home && places_none() {
            // It may still say better than a menu what a page is.
            for (id, _, text) in listed {
                self.call(id, text, Weight::Text);
            }
            return;
        }
        let groups = || listed.iter().map(|&(_, group, _)| group);
        let sizes: Counts<Option<GroupId>> = groups().collect();
        let above = groups().flat_map(|group| self.groups.chain(group));
        let headings: Set<LabelId> = above.map(|(_, group)| group.label).collect();
        for label in headings {
            *self.headed.entry(label).or_default() += 1;
        }
        let (mut below, mut beside) = (Vec::new(), Vec::new());
        for (id, group, text) in listed {
            let size = sizes.of(&group);
            let group =
                group.filter(|&group| self.groups.get(group).is_some_and(|group| group.entry != Some(id)));
            if home {
                self.call(id, text, Weight::Home);
                let spot = self.spot_mut(id);
                spot.shown = spot.shown.or(group);
                continue;
            }
            let Some(kinship) = self.kinship(hub, id, group, size) else { continue };
            self.call(id, text, Weight::Text);
            match kinship {
                Kinship::Loose | Kinship::Kin => below.push(Item::Page(id)),
                Kinship::Neighbour | Kinship::Linked => beside.push(Item::Page(id)),
                Kinship::Far => {}
            }
            match self.spot(id).and_then(|spot| spot.hub) {
                Some(known) if known.kinship > kinship || known.page == hub => {}
                Some(known) if known.kinship == kinship => {
                    self.spot_mut(known.page).listed_elsewhere += 1;
                    self.spot_mut(hub).listed_elsewhere += 1;
                }
                _ => self.spot_mut(id).hub = Some(Hub { kinship, page: hub, group }),
            }
        }
        self.order.merge(Some(Item::Page(hub)), &below, Weight::Hub);
        self.order.merge(Some(Item::Page(hub)), &beside, Weight::Text);
        if home {
            let shown = reading.links().filter(|(_, link, _)| link.place == LinkPlace::Content);
            let shown = shown.filter(|(_, link, id)| !link.turns && *id != hub);
            let (listed, all): (Vec<_>, Vec<_>) =
                shown.map(|(_, link, id)| (link.list.map(|_| Item::Page(id)), Item::Page(id))).unzip();
            let listed: Vec<Item> = listed.into_iter().flatten().collect();
            self.order.merge(None, &listed, Weight::Home);
            self.order.merge(None, &all, Weight::Home);
        }
    }

    /// Whether most links of a text are those of the home page's menus, or of its text and lead up: on a page of little text the
    /// menus are taken for it.
    fn is_menu_of_home(&self, hub: Id, listed: &[(Id, Option<GroupId>, &str)]) -> bool {
        let depth = |id: Id| self.addresses.url(id).map_or(0, |url| segments(url.path()).count());
        let own = depth(hub);
        let leads_up = |id| self.is_in_home_menu(id) || self.is_shown_by_home(id) && depth(id) < own;
        let shown = listed.iter().filter(|&&(id, ..)| leads_up(id)).count();
        shown >= MIN_MENU && shown * 2 > listed.len()
    }

    /// The links of the lists in a text with the group of each. A heading over a single link names that link and no group.
    fn listed<'p>(&self, reading: &LearnedPage<'p>) -> Vec<(Id, Option<GroupId>, &'p str)> {
        let (hub, home) = (reading.hub, self.home);
        let in_list =
            |link: &PageLink| link.place == LinkPlace::Content && link.list.is_some() && !link.turns;
        let links = reading.links().filter(|(_, link, id)| in_list(link) && *id != hub && *id != home);
        let links: Vec<_> =
            links.map(|(_, link, id)| (id, reading.group(link), link.text.as_str())).collect();
        let above = links.iter().flat_map(|&(_, group, _)| self.groups.chain(group));
        let sizes: Counts<GroupId> = above.map(|(group, _)| group).collect();
        let is_group = |group: &GroupId| sizes.of(group) > 1;
        let holder = |group| self.groups.chain(group).map(|(group, _)| group).find(is_group);
        links.into_iter().map(|(id, group, text)| (id, holder(group), text)).collect()
    }
}
