//! Who gets the next permit: the owner with the fewest in hand, among equals the one that has waited longest.
//!
//! A pure state machine. When all work takes as long, permits go round; slower owners get no more of them
//! for that. While a permit is free none waits, and one that comes back is handed over in the same step.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Waker;

/// On whose behalf something is asked for: one crawl, one validation, one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Owner(u64);

impl Owner {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

#[derive(Debug)]
pub(super) struct FairShares {
    permits: usize,
    /// Permits in use, those handed to waiters that have not come for them included.
    given: usize,
    /// Permits in hand by owner, none of them 0.
    held: HashMap<Owner, usize>,
    /// Waiters by their numbers, in the order of arrival.
    queue: BTreeMap<u64, PermitWaiter>,
    next_place: u64,
    woken: Vec<Waker>,
}

#[derive(Debug)]
struct PermitWaiter {
    owners: Vec<Owner>,
    waker: Waker,
    /// The owner whose permit was handed over.
    handed: Option<Owner>,
}

impl FairShares {
    pub(super) fn new(permits: usize) -> Self {
        Self {
            permits,
            given: 0,
            held: HashMap::new(),
            queue: BTreeMap::new(),
            next_place: 0,
            woken: Vec::new(),
        }
    }

    /// The owner that has a permit now. None: `place` waits in the queue for `owners` from now on. Without owners it leaves
    /// the queue and keeps its number; a permit that was handed to it goes to the next waiter.
    pub(super) fn ask(
        &mut self,
        place: &mut Option<u64>,
        owners: Vec<Owner>,
        waker: &Waker,
    ) -> Option<Owner> {
        let handed = place.and_then(|at| self.queue.remove(&at)?.handed);
        if let Some(owner) = handed {
            if owners.contains(&owner) {
                *place = None;
                return Some(owner);
            }
            self.give_back(owner);
        }
        let first = *owners.first()?;
        if self.given < self.permits {
            *place = None;
            return Some(self.hold(first));
        }
        let at = *place.get_or_insert_with(|| {
            self.next_place += 1;
            self.next_place
        });
        self.queue.insert(at, PermitWaiter { owners, waker: waker.clone(), handed: None });
        None
    }

    /// `owner` gives a permit back: it is free, or the next waiter's.
    pub(super) fn give_back(&mut self, owner: Owner) {
        if let Some(held) = self.held.get_mut(&owner) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&owner);
            }
        }
        self.given -= 1;
        self.hand_over();
    }

    /// Another number of permits; those beyond it that are given come back as they are used.
    pub(super) fn resize(&mut self, permits: usize) {
        self.permits = permits;
        self.hand_over();
    }

    fn hand_over(&mut self) {
        while self.given < self.permits
            && let Some((at, next)) = self.next()
        {
            let next = self.hold(next);
            if let Some(waiter) = self.queue.get_mut(&at) {
                waiter.handed = Some(next);
                self.woken.push(waiter.waker.clone());
            }
        }
    }

    /// The wakers of waiters that were handed a permit, each once.
    pub(super) fn woken(&mut self) -> Vec<Waker> {
        std::mem::take(&mut self.woken)
    }

    fn next(&self) -> Option<(u64, Owner)> {
        let waiting = self.queue.iter().filter(|(_, waiter)| waiter.handed.is_none());
        let bids = waiting.flat_map(|(at, waiter)| waiter.owners.iter().map(|owner| (*at, *owner)));
        bids.min_by_key(|(_, owner)| self.held.get(owner).copied().unwrap_or(0))
    }

    fn hold(&mut self, owner: Owner) -> Owner {
        self.given += 1;
        *self.held.entry(owner).or_default() += 1;
        owner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A waiter.
    struct One {
        place: Option<u64>,
        owner: Owner,
    }

    impl One {
        fn asks(shares: &mut FairShares, owner: Owner) -> Self {
            let mut one = Self { place: None, owner };
            assert!(!one.has_it(shares), "permits are left");
            one
        }

        fn has_it(&mut self, shares: &mut FairShares) -> bool {
            shares.ask(&mut self.place, vec![self.owner], Waker::noop()) == Some(self.owner)
        }
    }

    fn all_taken(permits: usize, owner: Owner) -> FairShares {
        let mut shares = FairShares::new(permits);
        for _ in 0..permits {
            assert_eq!(shares.ask(&mut None, vec![owner], Waker::noop()), Some(owner));
        }
        shares
    }

    #[test]
    fn another_number_of_permits_holds_at_once_and_takes_none_back() {
        let mut shares = FairShares::new(1);
        let owners: Vec<Owner> = (0..4).map(|_| Owner::new()).collect();
        let mut places = [None; 4];
        let ask = |shares: &mut FairShares, places: &mut [Option<u64>; 4], nth: usize| {
            shares.ask(&mut places[nth], vec![owners[nth]], Waker::noop())
        };
        let got: Vec<bool> = (0..4).map(|nth| ask(&mut shares, &mut places, nth).is_some()).collect();
        assert_eq!(got, [true, false, false, false]);
        shares.resize(3);
        assert_eq!(shares.woken().len(), 2);
        let got: Vec<bool> = (1..4).map(|nth| ask(&mut shares, &mut places, nth).is_some()).collect();
        assert_eq!(got, [true, true, false]);
        shares.resize(1);
        shares.give_back(owners[0]);
        shares.give_back(owners[1]);
        assert!(ask(&mut shares, &mut places, 3).is_none(), "one is still in hand, and there is one");
        shares.give_back(owners[2]);
        assert!(ask(&mut shares, &mut places, 3).is_some());
    }

    #[test]
    fn returned_permit_goes_to_the_next_waiter() {
        let (holder, first, second, late) = (Owner::new(), Owner::new(), Owner::new(), Owner::new());
        let mut shares = all_taken(1, holder);
        let (mut one, mut two) = (One::asks(&mut shares, first), One::asks(&mut shares, second));
        shares.give_back(holder);
        assert_eq!(shares.woken().len(), 1);
        let mut late = One::asks(&mut shares, late);
        assert!(!two.has_it(&mut shares) && !late.has_it(&mut shares));
        assert!(one.has_it(&mut shares));
        shares.give_back(first);
        assert!(!late.has_it(&mut shares) && two.has_it(&mut shares));
    }

    #[test]
    fn left_waiter_passes_its_permit_on() {
        let (holder, first, second) = (Owner::new(), Owner::new(), Owner::new());
        let mut shares = all_taken(1, holder);
        let (mut one, mut two) = (One::asks(&mut shares, first), One::asks(&mut shares, second));
        shares.give_back(holder);
        assert_eq!(shares.ask(&mut one.place, vec![], Waker::noop()), None);
        assert_eq!(shares.woken().len(), 2);
        assert!(two.has_it(&mut shares));
        shares.give_back(second);
        assert_eq!((shares.permits - shares.given, shares.held.len(), shares.queue.len()), (1, 0, 0));
    }

    #[test]
    fn yielding_keeps_the_place_in_the_queue() {
        let (holder, first, second) = (Owner::new(), Owner::new(), Owner::new());
        let mut shares = all_taken(1, holder);
        let (mut one, mut two) = (One::asks(&mut shares, first), One::asks(&mut shares, second));
        assert_eq!(shares.ask(&mut one.place, vec![], Waker::noop()), None);
        shares.give_back(holder);
        assert!(two.has_it(&mut shares) && !one.has_it(&mut shares));
        let mut two = One::asks(&mut shares, second);
        assert_eq!(shares.ask(&mut one.place, vec![], Waker::noop()), None);
        assert!(!one.has_it(&mut shares));
        shares.give_back(second);
        assert!(one.has_it(&mut shares) && !two.has_it(&mut shares));
    }

    #[test]
    fn permit_of_a_left_waiter_goes_to_the_next() {
        let (holder, gone, stays) = (Owner::new(), Owner::new(), Owner::new());
        let (mut shares, mut place) = (all_taken(1, holder), None);
        assert_eq!(shares.ask(&mut place, vec![gone, stays], Waker::noop()), None);
        shares.give_back(holder);
        assert_eq!(shares.ask(&mut place, vec![stays], Waker::noop()), Some(stays));
        assert_eq!(shares.held, HashMap::from([(stays, 1)]));
    }

    #[test]
    fn the_one_with_the_fewest_goes_first_however_long_others_wait() {
        let (large, small) = (Owner::new(), Owner::new());
        let mut shares = all_taken(2, large);
        let (mut more, mut one) = (One::asks(&mut shares, large), One::asks(&mut shares, small));
        shares.give_back(large);
        assert!(!more.has_it(&mut shares) && one.has_it(&mut shares));
        let mut second = One::asks(&mut shares, small);
        shares.give_back(large);
        assert!(more.has_it(&mut shares) && !second.has_it(&mut shares));
    }
}
