//! Tasks that run as long as the service. One that panics is started anew after a while, and the metrics show meanwhile
//! that it is down.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;
use wayfile_actors::metrics;
use wayfile_core::back_off::BackOff;

/// The waits between a panic and the next start: what panics at once must not keep a core busy.
const BACK_OFF: BackOff = BackOff { free: 1, first: Duration::from_secs(1), longest: Duration::from_mins(1) };
/// A task that ran this long before it panicked starts with the first wait again.
const SOUND: Duration = Duration::from_mins(5);

/// Supervises tasks, and knows which are down and since when. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Tasks(Arc<Mutex<BTreeMap<&'static str, Timestamp>>>);

/// A supervised task; it ends when this is dropped.
#[must_use = "the task ends when this is dropped"]
pub(crate) struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Tasks {
    /// Starts a task on the runtime's threads. `name` is one of the metric catalogue's.
    pub(crate) fn spawn<F: Future<Output = ()> + Send + 'static>(
        &self,
        name: &'static str,
        start: impl FnMut() -> F + Send + 'static,
    ) -> Task {
        Task(tokio::spawn(self.clone().supervise(name, start)))
    }

    /// Starts a task that does its work `every` so often, and earlier where the work says so.
    pub(crate) fn spawn_every<F: Future<Output = Option<Duration>> + Send + 'static>(
        &self,
        name: &'static str,
        every: Duration,
        work: impl Fn() -> F + Clone + Send + Sync + 'static,
    ) -> Task {
        self.spawn(name, move || {
            let work = work.clone();
            async move {
                let mut turns = tokio::time::interval(every);
                turns.set_missed_tick_behavior(MissedTickBehavior::Skip);
                loop {
                    turns.tick().await;
                    if let Some(soon) = work().await {
                        turns.reset_after(soon);
                    }
                }
            }
        })
    }

    pub(crate) fn spawn_here<F: Future<Output = ()> + 'static>(
        &self,
        name: &'static str,
        start: impl FnMut() -> F + 'static,
    ) -> Task {
        Task(actix::spawn(self.clone().supervise(name, start)))
    }

    pub(crate) fn down(&self) -> Vec<(&'static str, Timestamp)> {
        self.0.lock().iter().map(|(name, since)| (*name, *since)).collect()
    }

    /// `start` begins the task anew, with nothing of what the last one was changing when it panicked.
    async fn supervise<F: Future<Output = ()>>(self, name: &'static str, mut start: impl FnMut() -> F) {
        let mut panics = 0;
        loop {
            let started = Instant::now();
            if AssertUnwindSafe(async { start().await }).catch_unwind().await.is_ok() {
                return;
            }
            panics = if started.elapsed() < SOUND { panics + 1 } else { 1 };
            let wait = BACK_OFF.wait_after(panics);
            tracing::error!(task = name, ?wait, "a background task panicked and is started anew");
            metrics::TASK_RESTARTS.count([name]);
            self.0.lock().insert(name, Timestamp::now());
            tokio::time::sleep(wait).await;
            self.0.lock().remove(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn panicked_task_is_down_until_restarted() {
        let (tasks, (tell, mut told)) = (Tasks::default(), mpsc::unbounded_channel());
        let mut starts = 0;
        let _task = tasks.spawn("mail", move || {
            starts += 1;
            let (tell, nth) = (tell.clone(), starts);
            async move {
                tell.send(nth).unwrap();
                assert!(nth > 2, "on purpose");
                std::future::pending::<()>().await;
            }
        });
        for nth in 1..=2 {
            assert_eq!(told.recv().await, Some(nth));
            while tasks.down().is_empty() {
                tokio::task::yield_now().await;
            }
            assert!(matches!(tasks.down().as_slice(), [("mail", _)]));
        }
        assert_eq!(told.recv().await, Some(3));
        assert!(tasks.down().is_empty());
    }

    #[tokio::test]
    async fn task_ends_when_dropped_or_done() {
        let (tasks, (tell, mut told)) = (Tasks::default(), mpsc::unbounded_channel::<()>());
        let kept = tell.clone();
        let endless = tasks.spawn("mail", move || {
            let _kept = kept.clone();
            std::future::pending()
        });
        let _done = tasks.spawn("upkeep", move || {
            let tell = tell.clone();
            async move { tell.send(()).unwrap() }
        });
        assert_eq!(told.recv().await, Some(()));
        drop(endless);
        // The sender is gone.
        assert_eq!(told.recv().await, None);
    }
}
