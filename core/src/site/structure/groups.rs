//! The groups that a site shows: labels below labels, each once however many pages show it.

use std::num::NonZeroU32;

use super::labels::LabelId;
use crate::maps::Map;
use crate::site::addresses::Id;

/// The number of a group, counted from 1.
pub(crate) type GroupId = NonZeroU32;

/// How many groups are told apart; what stands in further ones stands in the group around.
const MAX_GROUPS: usize = 100_000;
/// How deep groups nest; what is deeper stands in the deepest.
const MAX_DEPTH: u8 = 8;

/// Pages below one label.
#[derive(Debug)]
pub(super) struct PageGroup {
    pub(super) outer: Option<GroupId>,
    pub(super) label: LabelId,
    /// The page that the label leads to.
    pub(super) entry: Option<Id>,
    /// How many pages place themselves in it by their breadcrumbs,
    pub(super) crumbs: u32,
    /// by a menu that shows them where they are,
    pub(super) own: u32,
    /// and how many others their menus place in it.
    pub(super) named: u32,
    depth: u8,
}

/// All groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    numbers: Map<(Option<GroupId>, LabelId), GroupId>,
    /// Those of breadcrumbs, by the page that the label leads to.
    led: Map<(Option<GroupId>, Id), GroupId>,
    all: Vec<PageGroup>,
}

impl Groups {
    /// The group of a label below another one.
    pub(super) fn intern(
        &mut self,
        outer: Option<GroupId>,
        label: LabelId,
        entry: Option<Id>,
    ) -> Option<GroupId> {
        if let Some(&known) = self.numbers.get(&(outer, label)) {
            if let Some(group) = self.all.get_mut(known.get() as usize - 1) {
                group.entry = group.entry.or(entry);
            }
            return Some(known);
        }
        let depth = outer.and_then(|outer| self.get(outer)).map_or(0, |group| group.depth + 1);
        if self.all.len() >= MAX_GROUPS || depth >= MAX_DEPTH {
            return outer;
        }
        self.all.push(PageGroup { outer, label, entry, crumbs: 0, own: 0, named: 0, depth });
        let number = u32::try_from(self.all.len()).ok().and_then(GroupId::new)?;
        self.numbers.insert((outer, label), number);
        Some(number)
    }

    /// The group of a step of breadcrumbs: what those of other pages called that led to the same page is the same, whatever it is.
    pub(super) fn intern_step(
        &mut self,
        outer: Option<GroupId>,
        label: LabelId,
        entry: Option<Id>,
    ) -> Option<GroupId> {
        if let Some(&known) = entry.and_then(|entry| self.led.get(&(outer, entry))) {
            return Some(known);
        }
        let group = self.intern(outer, label, entry)?;
        if let Some(entry) = entry {
            self.led.insert((outer, entry), group);
        }
        Some(group)
    }

    pub(super) fn get(&self, group: GroupId) -> Option<&PageGroup> {
        self.all.get(group.get() as usize - 1)
    }

    /// Changes a group and those around it.
    pub(super) fn count(&mut self, group: GroupId, change: impl Fn(&mut PageGroup)) {
        let mut at = Some(group);
        while let Some(group) = at.and_then(|at| self.all.get_mut(at.get() as usize - 1)) {
            change(group);
            at = group.outer;
        }
    }

    /// A group and those around it, from the special to the general.
    pub(super) fn chain(&self, group: Option<GroupId>) -> impl Iterator<Item = (GroupId, &PageGroup)> {
        let with = |id: GroupId| self.get(id).map(|group| (id, group));
        std::iter::successors(group.and_then(with), move |(_, group)| group.outer.and_then(with))
    }
}
