//! The threads that pages are read on, at most one a core. Each goes on to the next page by itself: to wake a thread for
//! every page costs as much as to read a short one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::oneshot;

use crate::error::FetchError;
use crate::guard::guard;
use crate::metrics::{self, Alive};

/// What they are called where permits are counted.
const POOL: &str = "cpu";

/// The process's readers.
#[derive(Clone)]
pub(crate) struct Readers(Arc<Mutex<Desk>>);

struct Desk {
    waiting: VecDeque<Box<dyn FnOnce() + Send>>,
    /// Cores that may be read on, and how many of them nobody reads on.
    cores: usize,
    free: usize,
}

impl Readers {
    /// As many as the machine has cores.
    pub(crate) fn new() -> Self {
        Self::on(std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn on(cores: usize) -> Self {
        Self(Arc::new(Mutex::new(Desk { waiting: VecDeque::new(), cores, free: cores })))
    }

    /// Does `work` when a core is free, first come, first served, and not at all when nobody waits for it any more.
    pub(crate) async fn read<T, F>(&self, actor: &'static str, work: F) -> Result<T, FetchError>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T, FetchError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let (waiter, since) = (Alive::waiter(POOL), Instant::now());
        self.lay_down(Box::new(move || {
            drop(waiter);
            metrics::permit_wait(POOL, since.elapsed());
            if !reply.is_closed() {
                let _core = Alive::permit(POOL);
                // Whoever asked may have left in the meantime.
                let _ = reply.send(guard(actor, work).flatten());
            }
        }));
        answer.await.unwrap_or(Err(FetchError::Cancelled))
    }

    fn lay_down(&self, work: Box<dyn FnOnce() + Send>) {
        let mut desk = self.desk();
        desk.waiting.push_back(work);
        // One page alone waits for the reader that is ready first: that is sooner than a thread is awake.
        if desk.waiting.len() == 1 && desk.free < desk.cores {
            return;
        }
        let Some(free) = desk.free.checked_sub(1) else { return };
        desk.free = free;
        drop(desk);
        let readers = self.clone();
        tokio::task::spawn_blocking(move || std::iter::from_fn(|| readers.next()).for_each(|work| work()));
    }

    /// What waits longest; the reader that finds nothing leaves its core.
    fn next(&self) -> Option<Box<dyn FnOnce() + Send>> {
        let mut desk = self.desk();
        let next = desk.waiting.pop_front();
        desk.free += usize::from(next.is_none());
        next
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn work_is_done_in_its_order_unless_nobody_waits_for_it() {
        let readers = Readers::on(1);
        let (done, order) = mpsc::channel();
        let (go, gate) = mpsc::channel();
        let work = |name: &'static str| {
            let done = done.clone();
            move || {
                done.send(name).unwrap();
                Ok(name)
            }
        };
        let first = tokio::spawn({
            let readers = readers.clone();
            let work = work("first");
            async move {
                let hold = move || {
                    gate.recv().unwrap();
                    work()
                };
                readers.read("test", hold).await
            }
        });
        tokio::task::yield_now().await;
        let second = readers.read("test", work("second"));
        let (left, third) = (readers.read("test", work("left")), readers.read("test", work("third")));
        let leaving = async {
            assert!(timeout(Duration::ZERO, left).await.is_err());
            go.send(()).unwrap();
        };
        let (second, third, ()) = tokio::join!(second, third, leaving);
        assert_eq!((first.await.unwrap(), second, third), (Ok("first"), Ok("second"), Ok("third")));
        assert_eq!(order.try_iter().collect::<Vec<_>>(), ["first", "second", "third"]);
    }

    #[tokio::test]
    async fn a_panic_loses_what_it_was_reading_and_nothing_else() {
        let readers = Readers::on(1);
        let panics = readers.read("test", || -> Result<(), _> { panic!("on purpose") });
        assert_eq!(panics.await, Err(FetchError::Internal));
        assert_eq!(readers.read("test", || Ok(1)).await, Ok(1));
    }
}
