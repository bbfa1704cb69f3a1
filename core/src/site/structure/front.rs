//! The menu across the top and the sidebars that its pages show: flat lists without labels stand behind the page of the menu
//! that opens them.

use super::climb::Step;
use super::groups::GroupId;
use super::learn::{LearnedPage, MIN_MENU};
use super::{SURE, Structure};
use crate::maps::{Map, Set};
use crate::site::addresses::Id;

/// The page of the menu across the top behind which another stands: the one that shows the sidebar of the other without being
/// in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Front {
    #[default]
    None,
    One(Id),
    Several,
}

impl Structure {
    /// A label over a copy of the menu across the top is the title of that menu.
    pub(super) fn learn_titles(&mut self, reading: &LearnedPage<'_>) {
        let in_bar = reading.in_menus().filter(|(bar, group, _)| *bar && group.is_none());
        let in_bar: Set<Id> = in_bar.map(|(.., id)| id).collect();
        let mut lists: Map<GroupId, (usize, bool)> = Map::default();
        for (group, id) in
            reading.in_menus().filter(|(bar, ..)| !bar).filter_map(|(_, group, id)| Some((group?, id)))
        {
            let (links, is_copy) = lists.entry(group).or_insert((0, true));
            *links += 1;
            *is_copy &= in_bar.contains(&id);
        }
        let copies = lists.into_iter().filter(|&(_, (links, is_copy))| is_copy && links >= MIN_MENU);
        let outer =
            copies.filter_map(|(group, _)| self.groups.get(group)).filter(|group| group.outer.is_none());
        self.titles.extend(outer.map(|group| group.label));
    }

    /// What a sidebar lists, for the most part without labels, stands behind the page of the menu across the top that shows
    /// the sidebar and is not in it. A copy of that menu is no part of the sidebar.
    pub(super) fn learn_front(&mut self, reading: &LearnedPage<'_>) {
        let in_bar = reading.in_menus().filter(|&(bar, _, id)| bar && id != self.home);
        let bar: Set<Id> = in_bar.map(|(.., id)| id).collect();
        if !bar.contains(&reading.hub) {
            return;
        }
        let (copy, beside): (Vec<_>, Vec<_>) =
            reading.in_menus().filter(|(bar, ..)| !bar).partition(|(.., id)| bar.contains(id));
        let copied: Set<Id> = copy.iter().map(|&(.., id)| id).collect();
        let shown = copy.iter().filter(|&&(.., id)| id == reading.hub).count();
        let labels: Set<GroupId> = beside.iter().filter_map(|&(_, group, _)| group).collect();
        let bare = beside.iter().filter(|(_, group, _)| group.is_none()).count();
        let is_in = shown > usize::from(copied.len() == bar.len());
        if is_in || bare < MIN_MENU || bare <= 2 * labels.len() {
            return;
        }
        for (.., id) in beside {
            let front = &mut self.spot_mut(id).front;
            *front = match *front {
                Front::None => Front::One(reading.hub),
                Front::One(known) if known == reading.hub => continue,
                _ => Front::Several,
            };
        }
    }

    /// The page of the menu across the top before all steps to a page, where neither those nor the home page's menus say where
    /// they begin.
    pub(super) fn front<'a>(&self, id: Id, steps: &[Step<'a>]) -> Option<Step<'a>> {
        let top = steps.last().map_or(Some(id), |step| step.entry)?;
        let spot = self.spot(top)?;
        let is_placed = spot.crumb.is_some() || spot.menu.is_some_and(|(_, menus)| menus == SURE);
        let Front::One(page) = spot.front else { return None };
        let page = self.addresses.settled(page);
        (!is_placed && page != id).then_some(Step::of(page))
    }
}
