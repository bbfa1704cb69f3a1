//! What was asked for, in the order in which it was, as long as that costs little time.
//!
//! What is fetched next hangs on what was learned before. Taken in as they happen to arrive, the same answers of the same
//! site would lead two crawls to other pages, and other files.

use std::collections::{BTreeMap, BTreeSet};

/// Results that wait for those asked for before them.
#[derive(Debug)]
pub(super) struct InOrder<T> {
    /// Asked for, not there, and waited for.
    outstanding: BTreeSet<u64>,
    arrived: BTreeMap<u64, T>,
    asked: u64,
    /// So many outstanding requests keep the site busy.
    enough: usize,
    /// The last one that was found to hold up others.
    late: Option<u64>,
}

impl<T> InOrder<T> {
    pub(super) fn new(enough: usize) -> Self {
        Self { outstanding: BTreeSet::new(), arrived: BTreeMap::new(), asked: 0, enough, late: None }
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
        (!is_early).then(|| next.remove())
    }

    pub(super) fn waiting(&mut self) -> impl Iterator<Item = &mut T> {
        self.arrived.values_mut()
    }

    /// The result that others wait for, told once, when it holds up so many that the site is asked for less than it might be.
    pub(super) fn holds_up(&mut self) -> Option<u64> {
        let (&first, arrived) = self.outstanding.first().zip(self.arrived.keys().next())?;
        let holds = first < *arrived && self.outstanding.len() < self.enough;
        (holds && self.late.replace(first) != Some(first)).then_some(first)
    }

    /// If that result came and waits still, it waits no more for those asked for before it that have not come.
    pub(super) fn hurry(&mut self, number: u64) {
        if self.arrived.contains_key(&number) {
            self.outstanding = self.outstanding.split_off(&number);
        }
    }

    /// If others still wait for that one, they go on without it and without what is as late.
    pub(super) fn go_on_without(&mut self, number: u64) {
        if self.outstanding.first() == Some(&number)
            && let Some(arrived) = self.arrived.keys().next()
        {
            self.outstanding = self.outstanding.split_off(arrived);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_wait_for_those_asked_for_before_them() {
        let mut order = InOrder::new(2);
        let [one, two, three] = [(); 3].map(|()| order.ask());
        order.arrived(three, "three");
        order.arrived(two, "two");
        assert_eq!(order.pop(), None);
        order.arrived(one, "one");
        assert_eq!([(); 4].map(|()| order.pop()), [Some("one"), Some("two"), Some("three"), None]);
    }

    #[test]
    fn a_result_holds_others_up_when_the_site_idles() {
        let mut order = InOrder::new(2);
        let [slow, two, three] = [(); 3].map(|()| order.ask());
        assert_eq!(order.holds_up(), None, "nothing waits for it");
        order.arrived(two, "two");
        assert_eq!(order.holds_up(), None, "the site is busy");
        order.arrived(three, "three");
        assert_eq!(order.holds_up(), Some(slow));
        order.go_on_without(slow);
        assert_eq!((order.pop(), order.pop()), (Some("two"), Some("three")));
        order.arrived(slow, "slow");
        assert_eq!(order.pop(), Some("slow"));
    }

    #[test]
    fn a_result_in_a_hurry_waits_for_those_alone_that_came() {
        let mut order = InOrder::new(1);
        let [slow, two, three, four] = [(); 4].map(|()| order.ask());
        order.hurry(three);
        order.arrived(three, "three");
        order.arrived(two, "two");
        assert_eq!(order.pop(), None);
        order.hurry(three);
        assert_eq!([(); 3].map(|()| order.pop()), [Some("two"), Some("three"), None]);
        order.arrived(four, "four");
        order.arrived(slow, "slow");
        assert_eq!((order.pop(), order.pop()), (Some("slow"), Some("four")));
    }

    #[test]
    fn a_result_that_came_after_all_is_not_gone_on_without() {
        let mut order = InOrder::new(9);
        let [one, two, three] = [(); 3].map(|()| order.ask());
        order.arrived(three, "three");
        order.arrived(one, "one");
        order.go_on_without(one);
        assert_eq!((order.pop(), order.pop()), (Some("one"), None));
        order.arrived(two, "two");
        assert_eq!(order.pop(), Some("two"));
    }
}
