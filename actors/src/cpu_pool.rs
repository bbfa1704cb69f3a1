//! Threads for what takes a core, at most one a core. A thread takes the next job by itself: waking one for every page costs
//! as much as parsing a short one.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::error::{FetchError, FetchResult};
use crate::metrics;
use crate::panics::guard;

/// The pool's name in the metrics of permits.
const POOL: &str = "cpu";

#[derive(Clone)]
pub(crate) struct CpuPool(Arc<Mutex<JobQueue>>);

struct JobQueue {
    waiting: VecDeque<Box<dyn FnOnce() + Send>>,
    /// Cores that no thread works on.
    free: usize,
}

impl CpuPool {
    pub(crate) fn new() -> Self {
        Self::on(std::thread::available_parallelism().map_or(1, usize::from))
    }

    pub(crate) fn on(cores: usize) -> Self {
        Self(Arc::new(Mutex::new(JobQueue { waiting: VecDeque::new(), free: cores })))
    }

    /// Does `work` when a core is free, first come, first served. It is given up once `cancel` says so:
    /// then it is not begun, and what is under way finds out by asking what it is given.
    pub(crate) async fn run<T, F>(
        &self,
        actor: &'static str,
        cancel: CancellationToken,
        work: F,
    ) -> FetchResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&dyn Fn() -> bool) -> FetchResult<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let (waiter, since) = (metrics::WAITERS.hold(POOL), Instant::now());
        let waiting = Arc::new(Mutex::new(Some((waiter, work))));
        self.push(Box::new({
            let (cancel, waiting) = (cancel.clone(), waiting.clone());
            move || {
                let Some((waiter, work)) = waiting.lock().take() else { return };
                drop(waiter);
                metrics::PERMIT_SECONDS.record([POOL], since.elapsed());
                let left = || cancel.is_cancelled() || reply.is_closed();
                if !left() {
                    let _core = metrics::PERMITS.hold(POOL);
                    let done = guard(actor, || work(&left)).flatten();
                    // The caller may have left in the meantime.
                    let _ = reply.send(done);
                }
            }
        }));
        let answer = cancel.run_until_cancelled(answer).await;
        // What was cancelled before its turn holds a page, or a whole crawl, that nobody wants any more.
        drop(waiting.lock().take());
        answer.and_then(Result::ok).unwrap_or(Err(FetchError::Cancelled))
    }

    fn push(&self, work: Box<dyn FnOnce() + Send>) {
        let mut queue = self.0.lock();
        queue.waiting.push_back(work);
        let Some(free) = queue.free.checked_sub(1) else { return };
        queue.free = free;
        drop(queue);
        let pool = self.clone();
        tokio::task::spawn_blocking(move || std::iter::from_fn(|| pool.next()).for_each(|work| work()));
    }

    /// The job that waits longest; a thread that finds none gives its core back.
    fn next(&self) -> Option<Box<dyn FnOnce() + Send>> {
        let mut queue = self.0.lock();
        let next = queue.waiting.pop_front();
        queue.free += usize::from(next.is_none());
        next
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    /// What does not come within this time never comes.
    const NEVER: Duration = Duration::from_secs(10);

    async fn run<T: Send + 'static>(
        pool: &CpuPool,
        work: impl FnOnce(&dyn Fn() -> bool) -> FetchResult<T> + Send + 'static,
    ) -> FetchResult<T> {
        pool.run("test", CancellationToken::new(), work).await
    }

    /// Work that goes on until it is told to stop: says that it has `begun`, and whether it was told so when it `ended`.
    fn until_stopped(
        begun: oneshot::Sender<()>,
        ended: oneshot::Sender<bool>,
    ) -> impl FnOnce(&dyn Fn() -> bool) -> FetchResult<()> + Send + 'static {
        move |stop| {
            begun.send(()).unwrap();
            let since = Instant::now();
            while !stop() && since.elapsed() < NEVER {
                std::hint::spin_loop();
            }
            ended.send(stop()).unwrap();
            Err(FetchError::Cancelled)
        }
    }

    #[tokio::test]
    async fn work_runs_in_order_and_skips_cancelled() {
        let pool = CpuPool::on(1);
        let (done, order) = mpsc::channel();
        let (go, gate) = mpsc::channel();
        let work = |name: &'static str| {
            let done = done.clone();
            move |_: &dyn Fn() -> bool| {
                done.send(name).unwrap();
                Ok(name)
            }
        };
        let first = tokio::spawn({
            let pool = pool.clone();
            let work = work("first");
            async move {
                let hold = move |stop: &dyn Fn() -> bool| {
                    gate.recv().unwrap();
                    work(stop)
                };
                run(&pool, hold).await
            }
        });
        tokio::task::yield_now().await;
        let second = run(&pool, work("second"));
        let (left, third) = (run(&pool, work("left")), run(&pool, work("third")));
        let leaving = async {
            assert!(timeout(Duration::ZERO, left).await.is_err());
            go.send(()).unwrap();
        };
        let (second, third, ()) = tokio::join!(second, third, leaving);
        assert_eq!((first.await.unwrap(), second, third), (Ok("first"), Ok("second"), Ok("third")));
        assert_eq!(order.try_iter().collect::<Vec<_>>(), ["first", "second", "third"]);
    }

    #[tokio::test]
    async fn cancelled_work_that_waits_lets_go_of_what_it_holds() {
        let pool = CpuPool::on(1);
        let (go, gate) = mpsc::channel();
        let busy = run(&pool, move |_| gate.recv_timeout(NEVER).map_err(|_| FetchError::Internal));
        let cancel = CancellationToken::new();
        let held = Arc::new(());
        let waits = pool.run("test", cancel.clone(), {
            let held = held.clone();
            move |_| {
                drop(held);
                Ok(())
            }
        });
        let leaving = async {
            cancel.cancel();
            tokio::task::yield_now().await;
        };
        let cancelled = async {
            let (ended, ()) = tokio::join!(waits, leaving);
            let holders = Arc::strong_count(&held);
            go.send(()).unwrap();
            (ended, holders)
        };
        assert_eq!(tokio::join!(busy, cancelled), (Ok(()), (Err(FetchError::Cancelled), 1)));
    }

    #[tokio::test]
    async fn waiting_work_gets_a_free_core() {
        let pool = CpuPool::on(2);
        let (begun, begins) = oneshot::channel();
        let (go, gate) = mpsc::channel();
        let slow = run(&pool, move |_| {
            begun.send(()).unwrap();
            gate.recv_timeout(NEVER).map_err(|_| FetchError::Internal)
        });
        let quick = async {
            begins.await.unwrap();
            run(&pool, move |_| go.send(()).map_err(|_| FetchError::Internal)).await
        };
        assert_eq!(tokio::join!(slow, quick), (Ok(()), Ok(())));
    }

    #[tokio::test]
    async fn running_work_sees_the_cancellation() {
        let pool = CpuPool::on(1);
        let cancel = CancellationToken::new();
        let (begun, begins) = oneshot::channel();
        let (ended, end) = oneshot::channel();
        let endless = pool.run("test", cancel.clone(), until_stopped(begun, ended));
        let leaving = async {
            begins.await.unwrap();
            cancel.cancel();
        };
        assert_eq!(tokio::join!(endless, leaving).0, Err(FetchError::Cancelled));
        assert_eq!(end.await, Ok(true));
        assert_eq!(run(&pool, |_| Ok(1)).await, Ok(1));
    }

    #[tokio::test]
    async fn running_work_sees_that_its_caller_left() {
        let pool = CpuPool::on(1);
        let (begun, begins) = oneshot::channel();
        let (ended, end) = oneshot::channel();
        let endless = run(&pool, until_stopped(begun, ended));
        tokio::select! {
            _ = endless => panic!("it ended by itself"),
            begun = begins => begun.unwrap(),
        }
        assert_eq!(end.await, Ok(true));
    }

    #[tokio::test]
    async fn panic_loses_one_page() {
        let pool = CpuPool::on(1);
        let panics = run(&pool, |_| -> Result<(), _> { panic!("on purpose") });
        assert_eq!(panics.await, Err(FetchError::Internal));
        assert_eq!(run(&pool, |_| Ok(1)).await, Ok(1));
    }
}
