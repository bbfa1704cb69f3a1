//! The permit pools: the only places where anything waits for room, besides the [CPU pool](crate::cpu_pool).
//!
//! A waiter has a [`QueuePlace`] in the pool's queue. A permit that comes back is handed to one waiter at once, who
//! uses it, or leaves the queue, and then the next one has it.

mod shares;

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::time::timeout;

use crate::metrics::{self, Held};
use shares::FairShares;
pub(crate) use shares::Owner;

#[derive(Debug, Clone)]
pub(crate) struct Pool {
    name: &'static str,
    shares: Arc<Mutex<FairShares>>,
}

/// The right to do one thing; given back when dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    pool: Pool,
    /// In whose name it was granted.
    pub(crate) owner: Owner,
    _alive: Held,
}

/// A waiter's place in the queue for a permit; left when dropped.
#[derive(Debug)]
pub(crate) struct QueuePlace {
    pool: Pool,
    number: Option<u64>,
    wait: Option<(Instant, Held)>,
}

impl Pool {
    pub(crate) fn new(name: &'static str, size: usize) -> Self {
        Self { name, shares: Arc::new(Mutex::new(FairShares::new(size.max(1)))) }
    }

    /// Another number of permits. Of fewer, those in hand are not taken back: they come back first.
    pub(crate) fn resize(&self, size: usize) {
        self.change(|shares| shares.resize(size.max(1)));
    }

    /// A place for a caller that has not asked yet: it does not wait.
    pub(crate) fn place(&self) -> QueuePlace {
        QueuePlace { pool: self.clone(), number: None, wait: None }
    }

    /// Waits for a permit. `None` when `max_wait` is over.
    pub(crate) async fn take(&self, owner: Owner, max_wait: Duration) -> Option<Permit> {
        let mut place = self.place();
        let asking = poll_fn(|cx| match place.ask(vec![owner], cx.waker()) {
            Some(permit) => Poll::Ready(permit),
            None => Poll::Pending,
        });
        timeout(max_wait, asking).await.ok()
    }

    fn change<T>(&self, change: impl FnOnce(&mut FairShares) -> T) -> T {
        let mut shares = self.shares.lock();
        let changed = change(&mut shares);
        let woken = shares.woken();
        drop(shares);
        woken.into_iter().for_each(Waker::wake);
        changed
    }
}

impl QueuePlace {
    /// A permit for one of `owners`, the first to be served first. None: the place waits in the queue for all of them, and
    /// `waker` is woken when it is time to ask again. Without owners the place leaves the queue and keeps its number.
    pub(crate) fn ask(&mut self, owners: Vec<Owner>, waker: &Waker) -> Option<Permit> {
        let for_some = !owners.is_empty();
        let granted = self.pool.change(|shares| shares.ask(&mut self.number, owners, waker));
        if for_some && granted.is_none() {
            let pool = self.pool.name;
            self.wait.get_or_insert_with(|| (Instant::now(), metrics::WAITERS.hold(pool)));
        } else if let Some((since, _waiter)) = self.wait.take() {
            metrics::PERMIT_SECONDS.record([self.pool.name], since.elapsed());
        } else if granted.is_some() {
            metrics::PERMIT_SECONDS.record([self.pool.name], Duration::ZERO);
        }
        granted.map(|owner| Permit {
            _alive: metrics::PERMITS.hold(self.pool.name),
            pool: self.pool.clone(),
            owner,
        })
    }
}

impl Drop for QueuePlace {
    fn drop(&mut self) {
        self.ask(Vec::new(), Waker::noop());
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.pool.change(|shares| shares.give_back(self.owner));
    }
}
