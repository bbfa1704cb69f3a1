//! Results in the order in which they were asked for, as long as that costs no time.
//!
//! What is fetched next hangs on what was learned before. Taken in as they happen to arrive, the same answers of the same
//! site would lead two crawls to other pages.

use std::collections::{BTreeMap, BTreeSet};

/// Results that wait for those asked for before them.
#[derive(Debug)]
pub(super) struct InOrder<T> {
    /// Asked for and not there.
    outstanding: BTreeSet<u64>,
    arrived: BTreeMap<u64, T>,
    asked: u64,
    /// So many outstanding requests keep the site busy.
    enough: usize,
}

impl<T> InOrder<T> {
    /// Fewer than `enough` outstanding ones are not waited for: a slow one must not hold up what others lead to.
    pub(super) fn new(enough: usize) -> Self {
        Self { outstanding: BTreeSet::new(), arrived: BTreeMap::new(), asked: 0, enough }
    }

    /// The number of a result that is asked for now.
    pub(super) fn ask(&mut self) -> u64 {
        self.asked += 1;
        self.outstanding.insert(self.asked);
        self.asked
    }

    pub(super) fn arrived(&mut self, number: u64, result: T) {
        self.outstanding.remove(&number);
        self.arrived.insert(number, result);
    }

    /// The next result, unless it has to wait.
    pub(super) fn pop(&mut self) -> Option<T> {
        let next = self.arrived.first_entry()?;
        let is_early = self.outstanding.first().is_some_and(|earlier| earlier < next.key());
        if is_early && self.outstanding.len() >= self.enough {
            return None;
        }
        Some(next.remove())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_wait_for_those_asked_for_before_them() {
        let mut order = InOrder::new(2);
        let [one, two, three, four] = [(); 4].map(|()| order.ask());
        order.arrived(two, "two");
        assert_eq!(order.pop(), None);
        order.arrived(one, "one");
        assert_eq!((order.pop(), order.pop(), order.pop()), (Some("one"), Some("two"), None));
        order.ask();
        order.arrived(four, "four");
        assert_eq!(order.pop(), None);
        order.arrived(three, "three");
        assert_eq!((order.pop(), order.pop()), (Some("three"), Some("four")));
    }

    #[test]
    fn answers_are_taken_out_of_order_when_the_site_would_idle() {
        let mut order = InOrder::new(2);
        let [slow, two, three] = [(); 3].map(|()| order.ask());
        order.arrived(two, "two");
        assert_eq!(order.pop(), None);
        order.arrived(three, "three");
        assert_eq!((order.pop(), order.pop()), (Some("two"), Some("three")));
        order.arrived(slow, "slow");
        assert_eq!(order.pop(), Some("slow"));
    }
}
