//! What has become of every address, and the numbers that follow from it.

use super::counts::Counts;
use super::priority::{Priority, Rank};
use super::shares::{FolderId, FolderShares, Folders};
use crate::site::addresses::Id;
use crate::site::rank::LeftOut;
use crate::url::SiteUrl;

/// How many reasons of failure are told apart; further ones count as `other`.
const MAX_FAILURE_REASONS: usize = 64;

/// Entries that a queue may have, stale ones included, however few wait.
const QUEUE_MIN: usize = 1_024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageState {
    Queued,
    InFlight,
    Kept,
    /// Left out as a part of a trap, until the site names it.
    Trapped,
    /// Settled in any other way.
    Done,
}

#[derive(Debug)]
struct PageRecord {
    state: PageState,
    priority: Priority,
    tie: u64,
    folder: FolderId,
    /// Pages that left themselves out because this one is their canonical address.
    claims: u8,
    /// It left itself out for another one in vain.
    returned: bool,
    /// Why it was left out, if it was.
    left_out: Option<LeftOut>,
}

impl PageRecord {
    fn rank(&self) -> Rank {
        (self.priority, self.tie)
    }
}

/// Every address under its number, its place in the queue, and the counts.
#[derive(Debug, Default)]
pub(super) struct PageTable {
    known: Vec<PageRecord>,
    folders: Folders,
    /// What the home page links to, which comes first, and the rest.
    home: FolderShares,
    rest: FolderShares,
    counts: Counts,
    handed_out: usize,
}

/// Whether an address waits, at this rank if one is given: queue entries of another rank are stale.
fn waits(known: &[PageRecord], id: Id, rank: Option<Rank>) -> bool {
    let known = known.get(id as usize).filter(|known| known.state == PageState::Queued);
    known.is_some_and(|known| rank.is_none_or(|rank| rank == known.rank()))
}

impl PageTable {
    /// Enters a new address: numbers come without gaps. `tie` settles between equals.
    pub(super) fn insert(&mut self, id: Id, url: &SiteUrl, state: PageState, priority: Priority, tie: u64) {
        debug_assert_eq!(id as usize, self.known.len(), "every address is inserted as it is numbered");
        let folder = self.folders.enter(url, id);
        self.known.push(PageRecord {
            state,
            priority,
            tie,
            folder,
            claims: 0,
            returned: false,
            left_out: None,
        });
        self.counts.discovered += 1;
        if state == PageState::Queued {
            self.counts.queued += 1;
            self.enqueue(id);
        }
    }

    /// The address whose turn it is. It stays in its state, but is queued no more. Of one folder no more than `bound` pages
    /// come before those of others.
    pub(super) fn pop(&mut self, bound: usize) -> Option<Id> {
        let waits = |id, rank| waits(&self.known, id, rank);
        self.home.pop(&self.folders, bound, waits).or_else(|| self.rest.pop(&self.folders, bound, waits))
    }

    pub(super) fn state(&self, id: Id) -> Option<PageState> {
        self.known.get(id as usize).map(|k| k.state)
    }

    pub(super) fn priority(&self, id: Id) -> Option<Priority> {
        self.known.get(id as usize).map(|k| k.priority)
    }

    /// The numbers of all addresses.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        0..Id::try_from(self.known.len()).unwrap_or(Id::MAX)
    }

    pub(super) fn change(&mut self, id: Id, to: PageState) {
        let Some(known) = self.known.get_mut(id as usize) else { return };
        let from = std::mem::replace(&mut known.state, to);
        self.handed_out += usize::from(to == PageState::InFlight);
        for (state, step) in [(from, false), (to, true)] {
            let count = match state {
                PageState::Queued => &mut self.counts.queued,
                PageState::InFlight => &mut self.counts.in_flight,
                PageState::Kept => &mut self.counts.kept,
                PageState::Trapped | PageState::Done => continue,
            };
            *count = if step { *count + 1 } else { count.saturating_sub(1) };
        }
    }

    /// A further link to a known address: it may be worth an earlier fetch.
    pub(super) fn improve(&mut self, id: Id, priority: Priority) {
        let Some(known) = self.known.get_mut(id as usize).filter(|known| priority < known.priority) else {
            return;
        };
        known.priority = priority;
        if known.state == PageState::Queued {
            self.enqueue(id);
        }
    }

    /// Puts an address that waits where it belongs by now.
    fn enqueue(&mut self, id: Id) {
        let Some(known) = self.known.get(id as usize) else { return };
        let queue = if known.priority.found.on_home() { &mut self.home } else { &mut self.rest };
        queue.push(&self.folders, known.folder, known.rank(), id);
        // What is stale is less than what waits: however often addresses move, their number bounds the queue.
        if queue.len() > 2 * self.counts.queued + QUEUE_MIN {
            queue.retain(|id, rank| waits(&self.known, id, rank));
        }
    }

    /// The address that `from` redirects to is worth as much as `from`.
    pub(super) fn inherit(&mut self, from: Id, to: Id) {
        if let Some(priority) = self.priority(from) {
            self.improve(to, priority);
        }
    }

    /// Takes back that an address showed what another one shows: it waits again.
    pub(super) fn restore(&mut self, id: Id) {
        if self.state(id) != Some(PageState::Done) {
            return;
        }
        self.counts.duplicates = self.counts.duplicates.saturating_sub(1);
        if let Some(known) = self.known.get_mut(id as usize) {
            known.returned = true;
        }
        self.change(id, PageState::Queued);
        self.enqueue(id);
    }

    /// Takes back that an address is a part of a trap: it waits, unless there is another reason against it.
    pub(super) fn free(&mut self, id: Id, refused: Option<LeftOut>) {
        self.take_back(LeftOut::Trap);
        if let Some(reason) = refused {
            return self.refuse(id, reason);
        }
        self.change(id, PageState::Queued);
        self.enqueue(id);
    }

    /// One address less is left out for this reason.
    pub(super) fn take_back(&mut self, reason: LeftOut) {
        if let Some(count) = self.counts.left_out.get_mut(&reason) {
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

    /// The page left itself out for its canonical address in vain: it counts by itself.
    pub(super) fn has_returned(&self, id: Id) -> bool {
        self.known.get(id as usize).is_some_and(|known| known.returned)
    }

    pub(super) fn claim(&mut self, id: Id) {
        if let Some(known) = self.known.get_mut(id as usize) {
            known.claims = known.claims.saturating_add(1);
        }
    }

    /// Settles an address that shows what another one shows.
    pub(super) fn repeat(&mut self, id: Id) {
        self.counts.duplicates += 1;
        self.change(id, PageState::Done);
    }

    /// Counts an address that has no number.
    pub(super) fn leave_out(&mut self, reason: LeftOut) {
        *self.counts.left_out.entry(reason).or_default() += 1;
    }

    /// Leaves out an address for good.
    pub(super) fn refuse(&mut self, id: Id, reason: LeftOut) {
        self.change(id, PageState::Done);
        self.leave_out(reason);
        if let Some(known) = self.known.get_mut(id as usize) {
            known.left_out = Some(reason);
        }
    }

    /// Takes back that an address was left out.
    pub(super) fn reconsider(&mut self, id: Id) {
        if let Some(reason) = self.known.get_mut(id as usize).and_then(|known| known.left_out.take()) {
            self.take_back(reason);
        }
    }

    /// Why an address was left out, if it was.
    pub(super) fn left_out(&self, id: Id) -> Option<LeftOut> {
        let known = self.known.get(id as usize)?;
        if known.state == PageState::Trapped { Some(LeftOut::Trap) } else { known.left_out }
    }

    /// An address was never settled.
    pub(super) fn waits(&self, id: Id) -> bool {
        matches!(self.state(id), Some(PageState::Queued | PageState::InFlight))
    }

    /// Settles an address that could not be had.
    pub(super) fn fail(&mut self, id: Id, reason: String) {
        let told_apart = self.counts.failed.len() < MAX_FAILURE_REASONS;
        let name =
            if told_apart || self.counts.failed.contains_key(&reason) { reason } else { "other".to_owned() };
        *self.counts.failed.entry(name).or_default() += 1;
        self.change(id, PageState::Done);
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
    use crate::site::frontier::priority::Found;

    #[test]
    fn the_queue_is_bounded_by_what_waits_however_often_it_moves() {
        let mut table = PageTable::default();
        let at = |position| Priority::new(Found::Content, 1, position);
        for id in 0..100 {
            let url = SiteUrl::parse(&format!("https://example.com/{id}")).unwrap();
            table.insert(id, &url, PageState::Queued, at(100_000), u64::from(id));
        }
        for position in (0..1_000).rev() {
            (0..100).for_each(|id| table.improve(id, at(position)));
            assert!(table.rest.len() <= 2 * 100 + QUEUE_MIN);
        }
        let popped: Vec<Id> = std::iter::from_fn(|| {
            let id = table.pop(1_000)?;
            table.change(id, PageState::Kept);
            Some(id)
        })
        .collect();
        assert_eq!(popped, (0..100).collect::<Vec<_>>());
    }
}
