//! The menu across the top and the sidebars that its pages show: flat lists without labels stand behind the page of the menu
//! that opens them.

use super::Structure;
use super::climb::Step;
use super::learn::{LearnedPage, MIN_MENU};
use crate::maps::Set;
use crate::site::addresses::Id;
use crate::site::structure::groups::GroupId;
use crate::url::segments;

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
    /// What a sidebar lists, some of it without labels, stands behind the page of the menu across the top that shows the
    /// sidebar and is not in it. A copy of that menu is no part of the sidebar. One whose pages lie in several folders leads
    /// through the site, and they stand behind no page.
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
        let bare = beside.iter().filter(|(_, group, _)| group.is_none()).count();
        let is_in = shown > usize::from(copied.len() == bar.len());
        let folder =
            |&(.., id): &(bool, Option<GroupId>, Id)| segments(self.addresses.url(id)?.path()).next();
        let is_of_site = beside.iter().any(|link| folder(link) != beside.first().and_then(folder));
        if is_in || is_of_site || bare < MIN_MENU {
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

    /// The page of the menu across the top before all steps to a page, where those do not say where they begin.
    pub(super) fn front<'a>(&self, id: Id, steps: &[Step<'a>]) -> Option<Step<'a>> {
        let top = steps.last().map_or(Some(id), |step| step.entry)?;
        let spot = self.spot(top)?;
        let Front::One(page) = spot.front else { return None };
        let page = self.addresses.settled(page);
        (page != id).then_some(Step::of(page))
    }
}
