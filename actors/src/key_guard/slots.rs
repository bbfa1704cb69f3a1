//! One key's crawls at once: who crawls, and who waits for it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use actix::Addr;
use tokio::sync::oneshot;

use super::{KeyGuard, SlotChange};
use crate::coordination::CrawlPlace;

/// The right to crawl for one key; given back when dropped.
pub struct CrawlSlot {
    guard: Addr<KeyGuard>,
    since: Instant,
    /// The right of it among all nodes.
    pub(super) place: Option<CrawlPlace>,
}

impl Drop for CrawlSlot {
    fn drop(&mut self) {
        // The bound of the mailbox must not hold here: a slot that is not given back is lost.
        self.guard.do_send(SlotChange::Dropped(self.since));
    }
}

/// Slots given out, and those who wait, first come, first served.
#[derive(Default)]
pub(super) struct Slots {
    /// Since when each crawl is running, the oldest first.
    given: Vec<Instant>,
    waiting: VecDeque<oneshot::Sender<CrawlSlot>>,
}

impl Slots {
    pub(super) fn wait(&mut self, reply: oneshot::Sender<CrawlSlot>) {
        // Callers that left keep no place: the queue is no longer than its callers are many.
        self.waiting.retain(|reply| !reply.is_closed());
        self.waiting.push_back(reply);
    }

    pub(super) fn end(&mut self, since: Instant) {
        if let Some(at) = self.given.iter().position(|given| *given == since) {
            self.given.remove(at);
        }
    }

    pub(super) fn oldest(&self) -> Duration {
        self.given.first().map_or(Duration::ZERO, Instant::elapsed)
    }

    /// Gives what is free to those who wait. A slot whose receiver has left comes back like any other.
    pub(super) fn give(&mut self, at_once: usize, guard: &Addr<KeyGuard>) {
        while self.given.len() < at_once {
            let Some(reply) = self.waiting.pop_front() else { return };
            if reply.is_closed() {
                continue;
            }
            let since = Instant::now();
            self.given.push(since);
            drop(reply.send(CrawlSlot { guard: guard.clone(), since, place: None }));
        }
    }

    pub(super) fn are_unused(&self) -> bool {
        self.given.is_empty() && self.waiting.iter().all(oneshot::Sender::is_closed)
    }
}
