//! What one domain is asked next, and when: its pace, its queue and its places in line for permits, without a clock.
//!
//! The domain stands in line while its turn has come and something is due, and for those alone who wait for that.

use std::task::Waker;
use std::time::{Duration, Instant};

use wayfile_core::nodes::membership::Membership;
use wayfile_core::site::pace::{Pace, PaceLimits, Turn};

use super::queue::{Queue, Request};
use crate::permits::{Permit, Place, Pool};

/// What is due so soon is asked for with what is due now.
const SOON: Duration = Duration::from_secs(1);

pub(super) struct Turns {
    pub(super) pace: Pace,
    /// What this process may have of the domain.
    pub(super) membership: Membership,
    pub(super) queue: Queue,
    /// Validations go first.
    places: [(bool, Place); 2],
}

/// What is to be done now.
pub(super) enum Next {
    Start(Request, Permit),
    /// Nothing until the waker is woken, a request ends or comes, or it is this time.
    Wait(Option<Instant>),
}

impl Turns {
    pub(super) fn new(limits: PaceLimits, looks: &Pool, fetches: &Pool) -> Self {
        Self {
            pace: Pace::new(limits),
            membership: Membership::default(),
            queue: Queue::default(),
            places: [(true, looks.place()), (false, fetches.place())],
        }
    }

    /// The request that may start at `now`, which the caller then starts; `waker` is woken when a permit has come.
    pub(super) fn next(&mut self, now: Instant, waker: &Waker) -> Next {
        self.queue.forget();
        let turn = match self.pace.turn(now) {
            Turn::Go => Some(now),
            Turn::At(turn) => Some(turn),
            Turn::Full => None,
        };
        let has_place = self.membership.has_place(self.pace.running(), now);
        let turn = turn.filter(|_| has_place).and_then(|turn| self.membership.first(turn, self.pace.gap()));
        for (looks, place) in &mut self.places {
            let has_come = turn == Some(now);
            let owners = if has_come { self.queue.owners(*looks, now) } else { Vec::new() };
            if let Some(permit) = place.ask(owners, waker)
                && let Some(request) = self.queue.pop(permit.owner(), *looks, now)
            {
                self.pace.start(now);
                return Next::Start(request, permit);
            }
        }
        let later = |turn| self.queue.dues().map(|due| due.max(turn)).filter(|at| *at > now).min();
        Next::Wait(turn.and_then(later))
    }

    /// Requests that could start within a second, as far as the queue is concerned.
    pub(super) fn wanted(&self, now: Instant) -> usize {
        self.queue.dues().filter(|due| *due <= now + SOON).count()
    }
}
