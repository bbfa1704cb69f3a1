//! What has become of every address, and the numbers that follow from it.

use super::counts::Counts;
use super::meeting::says_more;
use super::queue::{Place, Queue};
use crate::maps::Map;
use crate::site::addresses::Id;
use crate::site::rank::{Found, LeftOut, Signals};

/// How many reasons of failure are told apart; further ones count as `other`.
const MAX_FAILURE_REASONS: usize = 64;

/// Entries that a queue may have, stale ones included, however few wait.
const QUEUE_MIN: usize = 1_024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Queued,
    InFlight,
    Kept,
    /// Left out as a part of a trap, until the site names it.
    Trapped,
    /// Settled in any other way.
    Done,
}

#[derive(Debug)]
struct Known {
    state: State,
    signals: Signals,
    /// Where it is queued; queue entries with another place are stale.
    place: Place,
    /// Pages that left themselves out because this one is their canonical address.
    claims: u8,
    /// The page whose link was counted last: however often a page links to another, it is one voice.
    counted: Option<Id>,
    /// Why it was left out, if it was.
    left_out: Option<LeftOut>,
}

impl Known {
    fn waits_at(&self, place: Place) -> bool {
        self.state == State::Queued && self.place == place
    }

    fn current_place(&self) -> Place {
        Place::new(self.signals.score(), self.signals.position, self.place.tie)
    }

    fn is_moved(&self) -> bool {
        self.current_place() != self.place
    }
}

/// Every address under its number, its place in the queue, and the counts.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    known: Vec<Known>,
    queue: Queue,
    counts: Counts,
    handed_out: usize,
}

impl Ledger {
    /// Enters a new address: numbers come without gaps. `tie` settles between equals.
    pub(super) fn insert(&mut self, id: Id, state: State, signals: Signals, tie: u64, from: Option<Id>) {
        debug_assert_eq!(id as usize, self.known.len(), "every address is inserted as it is numbered");
        let place = Place::new(signals.score(), signals.position, tie);
        self.known.push(Known { state, signals, place, claims: 0, counted: from, left_out: None });
        self.counts.discovered += 1;
        if state == State::Queued {
            self.counts.queued += 1;
            self.queue.push(place, id);
        }
    }

    /// The best address that waits. It stays in its state, but is queued no more.
    pub(super) fn pop(&mut self) -> Option<Id> {
        while let Some((place, id)) = self.queue.pop() {
            if self.known.get(id as usize).is_some_and(|k| k.waits_at(place)) {
                return Some(id);
            }
        }
        None
    }

    pub(super) fn state(&self, id: Id) -> Option<State> {
        self.known.get(id as usize).map(|k| k.state)
    }

    pub(super) fn signals(&self, id: Id) -> Option<Signals> {
        self.known.get(id as usize).map(|k| k.signals)
    }

    /// How many pages link to each page that counts.
    pub(super) fn voices(&self) -> Map<Id, u32> {
        let kept = |id: &Id| self.state(*id) == Some(State::Kept);
        self.ids().filter(kept).filter_map(|id| Some((id, self.signals(id)?.in_links))).collect()
    }

    /// The numbers of all addresses.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        0..Id::try_from(self.known.len()).unwrap_or(Id::MAX)
    }

    pub(super) fn change(&mut self, id: Id, to: State) {
        let Some(known) = self.known.get_mut(id as usize) else { return };
        let from = std::mem::replace(&mut known.state, to);
        self.handed_out += usize::from(to == State::InFlight);
        for (state, step) in [(from, false), (to, true)] {
            let count = match state {
                State::Queued => &mut self.counts.queued,
                State::InFlight => &mut self.counts.in_flight,
                State::Kept => &mut self.counts.kept,
                State::Trapped | State::Done => continue,
            };
            *count = if step { *count + 1 } else { count.saturating_sub(1) };
        }
    }

    /// A further link to a known address, with `position` links before it: it may be worth an earlier fetch.
    pub(super) fn improve(&mut self, id: Id, found: Found, hops: u8, position: u32, from: Option<Id>) {
        let Some(known) = self.known.get_mut(id as usize) else { return };
        let signals = &mut known.signals;
        let says_more = says_more(found) && known.counted != from;
        if says_more {
            known.counted = from;
        }
        signals.in_links = signals.in_links.saturating_add(u32::from(says_more));
        // Its place on a page counts where its best link stands, whichever link was met first.
        if found < signals.found || (found == signals.found && position < signals.position) {
            signals.position = position;
        }
        signals.found = signals.found.min(found);
        signals.hops = signals.hops.min(hops);
        if known.state == State::Queued && known.is_moved() {
            self.enqueue(id);
        }
    }

    /// Puts an address that waits where it belongs by now.
    fn enqueue(&mut self, id: Id) {
        let Some(known) = self.known.get_mut(id as usize) else { return };
        known.place = known.current_place();
        self.queue.push(known.place, id);
        // What is stale is less than what waits: however often addresses move, their number bounds the queue.
        if self.queue.len() > 2 * self.counts.queued + QUEUE_MIN {
            self.queue.retain(|place, id| self.known.get(id as usize).is_some_and(|k| k.waits_at(place)));
        }
    }

    /// The address that `from` redirects to is worth as much as `from`.
    pub(super) fn inherit(&mut self, from: Id, to: Id) {
        let Some(signals) = self.signals(from) else { return };
        if let Some(target) = self.known.get_mut(to as usize) {
            target.signals.class = target.signals.class.min(signals.class);
            target.signals.found = target.signals.found.min(signals.found);
            target.signals.hops = target.signals.hops.min(signals.hops);
        }
    }

    /// Takes back that an address showed what another one shows: it waits again.
    pub(super) fn restore(&mut self, id: Id) {
        if self.state(id) != Some(State::Done) {
            return;
        }
        self.counts.duplicates = self.counts.duplicates.saturating_sub(1);
        self.change(id, State::Queued);
        self.enqueue(id);
    }

    /// Takes back that an address is a part of a trap: it waits, unless there is another reason against it.
    pub(super) fn free(&mut self, id: Id, refused: Option<LeftOut>) {
        self.take_back_trap();
        if let Some(reason) = refused {
            return self.refuse(id, reason);
        }
        self.change(id, State::Queued);
        self.enqueue(id);
    }

    /// One address less is left out as a part of a trap.
    pub(super) fn take_back_trap(&mut self) {
        if let Some(count) = self.counts.left_out.get_mut(&LeftOut::Trap) {
            *count = count.saturating_sub(1);
        }
        self.counts.left_out.retain(|_, count| *count > 0);
    }

    /// How many addresses are left out as parts of traps.
    pub(super) fn trapped(&self) -> usize {
        self.counts.left_out.get(&LeftOut::Trap).copied().unwrap_or(0)
    }

    /// Pages that named the address as their canonical one.
    pub(super) fn claims(&self, id: Id) -> u8 {
        self.known.get(id as usize).map_or(0, |k| k.claims)
    }

    pub(super) fn claim(&mut self, id: Id) {
        if let Some(known) = self.known.get_mut(id as usize) {
            known.claims = known.claims.saturating_add(1);
        }
    }

    /// Settles an address that shows what another one shows.
    pub(super) fn repeat(&mut self, id: Id) {
        self.counts.duplicates += 1;
        self.change(id, State::Done);
    }

    /// Counts an address that has no number.
    pub(super) fn leave_out(&mut self, reason: LeftOut) {
        *self.counts.left_out.entry(reason).or_default() += 1;
    }

    /// Leaves out an address for good.
    pub(super) fn refuse(&mut self, id: Id, reason: LeftOut) {
        self.change(id, State::Done);
        self.leave_out(reason);
        if let Some(known) = self.known.get_mut(id as usize) {
            known.left_out = Some(reason);
        }
    }

    /// Takes back that an address was left out.
    pub(super) fn reconsider(&mut self, id: Id) {
        let Some(reason) = self.known.get_mut(id as usize).and_then(|known| known.left_out.take()) else {
            return;
        };
        if let Some(count) = self.counts.left_out.get_mut(&reason) {
            *count = count.saturating_sub(1);
        }
        self.counts.left_out.retain(|_, count| *count > 0);
    }

    /// Why an address was left out, if it was.
    pub(super) fn left_out(&self, id: Id) -> Option<LeftOut> {
        let known = self.known.get(id as usize)?;
        if known.state == State::Trapped { Some(LeftOut::Trap) } else { known.left_out }
    }

    /// An address was never settled.
    pub(super) fn waits(&self, id: Id) -> bool {
        matches!(self.state(id), Some(State::Queued | State::InFlight))
    }

    /// Settles an address that could not be had.
    pub(super) fn fail(&mut self, id: Id, reason: String) {
        let told_apart = self.counts.failed.len() < MAX_FAILURE_REASONS;
        let name =
            if told_apart || self.counts.failed.contains_key(&reason) { reason } else { "other".to_owned() };
        *self.counts.failed.entry(name).or_default() += 1;
        self.change(id, State::Done);
    }

    /// What counted as a repeat of another page could not be had, like that one.
    pub(super) fn fail_after_all(&mut self, id: Id, reason: String) {
        self.counts.duplicates = self.counts.duplicates.saturating_sub(1);
        self.fail(id, reason);
    }

    /// How often an address was handed out for its fetch.
    pub(super) fn handed_out(&self) -> usize {
        self.handed_out
    }

    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::rank::Class;

    #[test]
    fn the_queue_is_bounded_by_what_waits_however_often_it_moves() {
        let mut ledger = Ledger::default();
        let signals = Signals {
            class: Class::Docs,
            found: Found::Content,
            depth: 1,
            hops: 1,
            in_links: 1,
            position: 100_000,
        };
        for id in 0..100 {
            ledger.insert(id, State::Queued, signals, u64::from(id), None);
        }
        for position in (0..1_000).rev() {
            (0..100).for_each(|id| ledger.improve(id, Found::Content, 1, position, None));
            assert!(ledger.queue.len() <= 2 * 100 + QUEUE_MIN);
        }
        let popped: Vec<Id> = std::iter::from_fn(|| {
            let id = ledger.pop()?;
            ledger.change(id, State::Kept);
            Some(id)
        })
        .collect();
        assert_eq!(popped, (0..100).rev().collect::<Vec<_>>());
    }
}
