//! What one domain is asked next, and when: its pace, its queue and its places in line for permits, without a clock.
//!
//! The domain stands in line while its turn has come and something is due, and for those alone who wait for that.

use std::task::Waker;
use std::time::{Duration, Instant};

use wayfile_core::nodes::membership::Membership;
use wayfile_core::site::pace::{Pace, PaceLimits, RequestKind};

use super::queue::{FetchQueue, FetchRequest};
use crate::http::Want;
use crate::permits::{Permit, Pool, QueuePlace};

/// What is due so soon is asked for with what is due now.
const SOON: Duration = Duration::from_secs(1);

pub(super) struct Turns {
    pub(super) pace: Pace,
    /// What this process may have of the domain.
    pub(super) membership: Membership,
    pub(super) queue: FetchQueue,
    /// Validations go first, and what pages load comes last.
    places: [(RequestClass, QueuePlace); 3],
}

/// What takes turns of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestClass {
    Probe,
    /// All that crawls ask for.
    Page,
    /// What pages load, where a gap of its own holds for it.
    Resource,
}

impl RequestClass {
    fn of(want: Want, pace: &Pace) -> Self {
        match want {
            _ if want.is_probe() => Self::Probe,
            Want::Resource if pace.gap(RequestKind::Resource) < pace.gap(RequestKind::Page) => Self::Resource,
            _ => Self::Page,
        }
    }

    fn kind(self) -> RequestKind {
        if self == Self::Resource { RequestKind::Resource } else { RequestKind::Page }
    }
}

pub(super) enum Next {
    /// It may be begun until then.
    Start(FetchRequest, Permit, Instant),
    /// Nothing until the waker is woken, a request ends or comes, or it is this time.
    Wait(Option<Instant>),
}

impl Turns {
    pub(super) fn new(limits: PaceLimits, probes: &Pool, fetches: &Pool) -> Self {
        Self {
            pace: Pace::new(limits),
            membership: Membership::default(),
            queue: FetchQueue::default(),
            places: [
                (RequestClass::Probe, probes.place()),
                (RequestClass::Page, fetches.place()),
                (RequestClass::Resource, fetches.place()),
            ],
        }
    }

    /// The request that may start at `now`, which the caller then starts; `waker` is woken when a permit has come.
    pub(super) fn next(&mut self, now: Instant, waker: &Waker) -> Next {
        let has_place = self.membership.has_place(self.pace.running(), now);
        let mut later = None;
        for (class, place) in &mut self.places {
            let kind = class.kind();
            let gap = self.pace.gap(kind);
            let turn = self.pace.turn(kind, now).filter(|_| has_place);
            let turn = turn.and_then(|turn| self.membership.first(turn, gap));
            let wanted = |want| RequestClass::of(want, &self.pace) == *class;
            let owners = if turn == Some(now) { self.queue.owners(wanted, now) } else { Vec::new() };
            if let Some(permit) = place.ask(owners, waker)
                && let Some(request) = self.queue.pop(permit.owner, wanted, now)
            {
                self.pace.start(kind, now);
                let latest = self.membership.latest(now, gap).unwrap_or(now);
                return Next::Start(request, permit, latest);
            }
            let dues = turn.and_then(|turn| {
                self.queue.dues(wanted).map(|due| due.max(turn)).filter(|at| *at > now).min()
            });
            later = later.into_iter().chain(dues).min();
        }
        Next::Wait(later)
    }

    /// Requests that could start soon, as far as the queue is concerned, and what will be asked for after them.
    pub(super) fn wanted(&self, now: Instant) -> usize {
        let queued = self.queue.dues(|_| true).filter(|due| *due <= now + SOON).count();
        if queued == 0 { 0 } else { queued + self.queue.in_hand() }
    }
}
