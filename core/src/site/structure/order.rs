//! The order in which a site shows its pages and groups, put together from what its pages show of it.

use std::collections::BTreeMap;

use super::groups::GroupId;
use crate::maps::Map;
use crate::site::addresses::Id;

/// The room between two neighbours at the end of the order.
const ROOM: u64 = 1 << 40;
/// Powers of two that a stretch of the order has at least, when it is numbered anew,
const MIN_STRETCH: u32 = 4;
/// and at most.
const MAX_STRETCH: u32 = 62;

/// What has a place in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    /// An address.
    Page(Id),
    /// A label.
    Group(GroupId),
}

/// How much a list of a page counts for the order of what it shows, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// A list of some page.
    Text,
    /// A list of the page that what it names lies below.
    Hub,
    /// The text of the home page.
    Home,
    /// A menu.
    Menu,
}

/// A list into which items are put anywhere: each has a number between those of its neighbours. Where no number is left, a
/// stretch around is numbered anew, as long as the square of the items in it: over many steps, each takes time
/// logarithmic in the length of the list.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Where each stands, and how much the page counts that says so.
    places: Map<Item, (u64, Weight)>,
    items: BTreeMap<u64, Item>,
}

impl Order {
    /// Where an item stands: the less, the earlier. Changes when others are put in.
    pub(super) fn rank(&self, item: Item) -> Option<u64> {
        self.places.get(&item).map(|&(key, _)| key)
    }

    /// How much the list counts that placed an item.
    pub(super) fn weight(&self, item: Item) -> Option<Weight> {
        self.places.get(&item).map(|&(_, weight)| weight)
    }

    /// Leaves an item where it is, from now on by the word of a page of this weight.
    pub(super) fn confirm(&mut self, item: Item, weight: Weight) {
        if let Some(place) = self.places.get_mut(&item) {
            place.1 = place.1.max(weight);
        }
    }

    /// Takes in a part of a page that shows items in a row: those without a place get one beside their neighbours, or
    /// behind `before`, and so do those that only pages of less weight have placed.
    pub(super) fn merge(&mut self, before: Option<Item>, row: &[Item], weight: Weight) {
        let holds = |order: &Self, item| order.places.get(&item).is_some_and(|&(_, known)| known >= weight);
        let mut before = before.filter(|&item| self.rank(item).is_some());
        if before.is_none()
            && let Some(known) = row.iter().position(|&item| holds(self, item))
        {
            let next = row.get(known).and_then(|&item| self.rank(item)).unwrap_or(0);
            for &item in row.iter().take(known) {
                self.remove(item);
                let after = self.items.range(..next).next_back().map(|(_, &item)| item);
                self.insert(after, item, weight);
            }
        }
        for &item in row {
            if !holds(self, item) {
                self.remove(item);
                let after = before.or_else(|| self.items.last_key_value().map(|(_, &item)| item));
                self.insert(after, item, weight);
            }
            before = Some(item);
        }
    }

    /// Gives an item's place to another one that has none.
    pub(super) fn replace(&mut self, from: Item, to: Item) {
        if let Some((key, weight)) = self.places.remove(&from) {
            self.items.remove(&key);
            if self.rank(to).is_none() {
                self.items.insert(key, to);
                self.places.insert(to, (key, weight));
            }
        }
    }

    fn remove(&mut self, item: Item) {
        if let Some((key, _)) = self.places.remove(&item) {
            self.items.remove(&key);
        }
    }

    fn insert(&mut self, after: Option<Item>, item: Item, weight: Weight) {
        let mut key = self.key_behind(after);
        if key.is_none() {
            self.make_room(after);
            key = self.key_behind(after);
        }
        let Some(key) = key else { return };
        self.items.insert(key, item);
        self.places.insert(item, (key, weight));
    }

    /// A number between that of an item and the next; `None` where there is none.
    fn key_behind(&self, after: Option<Item>) -> Option<u64> {
        let from = after.and_then(|item| self.rank(item)).unwrap_or(0);
        let Some((&to, _)) = self.items.range(from + 1..).next() else { return from.checked_add(ROOM) };
        let gap = to - from;
        (gap > 1).then_some(from + gap / 2)
    }

    /// Numbers the stretch around an item anew.
    fn make_room(&mut self, around: Option<Item>) {
        let key = around.and_then(|item| self.rank(item)).unwrap_or(0);
        for bits in (MIN_STRETCH..=MAX_STRETCH).step_by(2) {
            let first = key >> bits << bits;
            let stretch = first..first.saturating_add(1 << bits);
            let count = u64::try_from(self.items.range(stretch.clone()).count()).unwrap_or(u64::MAX);
            if count.saturating_mul(count) > 1 << (bits - 2) && bits < MAX_STRETCH {
                continue;
            }
            let items: Vec<(u64, Item)> =
                self.items.range(stretch).map(|(&key, &item)| (key, item)).collect();
            for (key, _) in &items {
                self.items.remove(key);
            }
            let step = (1 << bits) / (count + 1);
            for (number, (_, item)) in (1..).zip(items) {
                let key = first + number * step;
                self.items.insert(key, item);
                if let Some(place) = self.places.get_mut(&item) {
                    place.0 = key;
                }
            }
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(order: &Order) -> Vec<u32> {
        let pages =
            order.items.values().filter_map(|item| if let Item::Page(id) = item { Some(*id) } else { None });
        pages.collect()
    }

    fn row(ids: &[u32]) -> Vec<Item> {
        ids.iter().map(|&id| Item::Page(id)).collect()
    }

    #[test]
    fn parts_of_a_folded_menu_are_put_where_they_belong() {
        let mut order = Order::default();
        order.merge(None, &row(&[1, 5, 9]), Weight::Menu);
        order.merge(None, &row(&[1, 5, 6, 7, 9]), Weight::Menu);
        order.merge(None, &row(&[1, 2, 3, 5, 9]), Weight::Menu);
        order.merge(None, &row(&[0, 1, 5, 9, 10]), Weight::Menu);
        assert_eq!(shown(&order), [0, 1, 2, 3, 5, 6, 7, 9, 10]);
        order.merge(None, &row(&[20, 21]), Weight::Menu);
        assert_eq!(shown(&order).last(), Some(&21));
    }

    #[test]
    fn a_page_of_more_weight_moves_what_others_have_placed() {
        let mut order = Order::default();
        order.merge(None, &row(&[1, 4]), Weight::Menu);
        order.merge(Some(Item::Page(4)), &row(&[3, 2]), Weight::Text);
        assert_eq!(shown(&order), [1, 4, 3, 2]);
        order.merge(None, &row(&[1, 2, 3, 4]), Weight::Menu);
        order.merge(Some(Item::Page(4)), &row(&[3, 2]), Weight::Text);
        assert_eq!(shown(&order), [1, 2, 3, 4]);
    }

    #[test]
    fn room_never_runs_out() {
        let mut order = Order::default();
        order.merge(None, &row(&[0, 1]), Weight::Menu);
        for id in (2..60_000).rev() {
            order.merge(Some(Item::Page(0)), &row(&[id]), Weight::Menu);
        }
        let expected: Vec<u32> = std::iter::once(0).chain(2..60_000).chain([1]).collect();
        assert_eq!(shown(&order), expected);
    }
}
