//! The way from the site as a whole down to one page.

use super::groups::{GroupId, PageGroup};
use super::{Hub, IN_BAR, Kinship, PageSpot, Structure};
use crate::site::addresses::Id;
use crate::site::structure::Item;

/// Pages above a page that are climbed.
const MAX_PAGES: usize = 12;
/// So many menus that name a page are right about it.
const MIN_MENUS: u8 = 3;
/// So many percent of the pages that menus place have the label of the site above them, or of the menu,
const MOST: u32 = 90;
/// where there are so many of them.
const MIN_PLACED: u32 = 8;
/// Pages that may have the same heading over their lists before it says of none what it lists.
const MAX_HEADED: u32 = 3;

/// A step of that way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step<'a> {
    pub(crate) item: Item,
    /// The label of a group.
    pub(crate) label: Option<&'a str>,
    /// The page that it leads to.
    pub(crate) entry: Option<Id>,
}

impl Step<'_> {
    /// A page above others.
    pub(super) fn of(page: Id) -> Self {
        Self { item: Item::Page(page), label: None, entry: Some(page) }
    }
}

impl Structure {
    /// The groups and pages above a page, from the general to the special; empty where no list places it.
    pub(crate) fn trail(&self, id: Id) -> Vec<Step<'_>> {
        let mut steps = Vec::new();
        let mut visited = vec![id];
        let mut at = id;
        while let Some(spot) = self.spot(at) {
            let known = steps.len();
            self.add_groups(spot, &mut steps);
            // The menu across the top has nothing above its pages, whatever elsewhere speaks of them.
            let is_far = |hub: Hub| matches!(hub.kinship, Kinship::Linked | Kinship::Far);
            let is_spoken_of = || spot.up.is_none() && spot.shown.is_none() && spot.hub.is_some_and(is_far);
            let is_top = spot.seen & IN_BAR != 0 && (visited.len() > 1 || is_spoken_of());
            if steps.len() > known || is_top || visited.len() > MAX_PAGES {
                break;
            }
            let Some((page, group)) = self.above(spot) else { break };
            let telling = self.groups.chain(group).filter(|(_, group)| self.is_telling(group));
            steps.extend(telling.map(|(id, group)| self.step(id, group)));
            if page == self.home || visited.contains(&page) {
                break;
            }
            steps.push(Step::of(page));
            visited.push(page);
            at = page;
        }
        steps.retain(|step| step.entry != Some(id));
        steps.reverse();
        steps
    }

    /// The page above another one, and the headings under which it lists that one.
    fn above(&self, spot: &PageSpot) -> Option<(Id, Option<GroupId>)> {
        let up = spot.up.map(|up| self.addresses.settled(up));
        let listed =
            spot.hub.map(|hub| (self.addresses.settled(hub.page), hub.group, hub.kinship >= Kinship::Linked));
        let shown = spot.shown.map(|group| (self.home, Some(group), true));
        let Some((page, group, is_sure)) = shown.or(listed) else { return Some((up?, None)) };
        if up.is_some_and(|up| up != page) {
            return Some((up?, None));
        }
        let tells = || self.groups.chain(group).all(|(_, group)| self.is_telling(group));
        (up.is_some() || is_sure || tells()).then_some((page, group))
    }

    /// Adds what menus and breadcrumbs say, from the special to the general. Where both do, the menu says more of where
    /// in its part of the site a page stands.
    fn add_groups<'a>(&'a self, spot: &PageSpot, steps: &mut Vec<Step<'a>>) {
        let sure = |&(_, menus): &(GroupId, u8)| menus >= MIN_MENUS || !spot.is_read;
        let menu = spot.own.or(spot.menu.filter(sure).map(|(group, _)| group));
        let crumb = spot.crumb.and_then(|group| if spot.bare { self.shared(group) } else { Some(group) });
        let side = menu.or(spot.bar.filter(|_| crumb.is_none()));
        let is_known =
            |group: &PageGroup| self.groups.chain(crumb).any(|(_, known)| known.label == group.label);
        let finer = self.groups.chain(side).take_while(|(_, group)| !is_known(group) && !self.is_site(group));
        steps.extend(finer.map(|(id, group)| self.step(id, group)));
        steps.extend(self.groups.chain(crumb).map(|(id, group)| self.step(id, group)));
    }

    /// A label that stands above nearly all pages in their own menus is that of the site, or of the menu.
    fn is_site(&self, group: &PageGroup) -> bool {
        group.outer.is_none()
            && self.placed >= MIN_PLACED
            && group.own.saturating_mul(100) >= self.placed.saturating_mul(MOST)
    }

    fn step(&self, id: GroupId, group: &PageGroup) -> Step<'_> {
        let entry = group.entry.map(|entry| self.addresses.settled(entry));
        Step { item: Item::Group(id), label: Some(self.labels.text(group.label)), entry }
    }

    /// A step of breadcrumbs that leads nowhere and that no other page has is the page itself under another name.
    fn shared(&self, group: GroupId) -> Option<GroupId> {
        let known = self.groups.get(group)?;
        if known.crumbs < 2 { known.outer } else { Some(group) }
    }

    /// Headings tell what their lists hold, unless other pages have the same, or links call pages so.
    fn is_telling(&self, group: &PageGroup) -> bool {
        !self.is_shared(group.label) && self.headed.get(&group.label).is_none_or(|&pages| pages <= MAX_HEADED)
    }
}
