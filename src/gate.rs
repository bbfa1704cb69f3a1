//! The way out: no new work is taken, running work ends, then the process may.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

#[derive(Default)]
struct State {
    closed: AtomicBool,
    inside: AtomicUsize,
    left: Notify,
    over: CancellationToken,
}

/// Counts the work that is going on. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<State>);

/// One piece of work; over when dropped.
pub(crate) struct Pass(Gate);

impl Gate {
    /// `None`: the gate is closed.
    pub(crate) fn enter(&self) -> Option<Pass> {
        // Counted first: whoever closes the gate then either sees the pass or is seen by it.
        self.0.inside.fetch_add(1, Ordering::SeqCst);
        let pass = Pass(self.clone());
        (!self.is_closed()).then_some(pass)
    }

    pub(crate) fn close(&self) {
        self.0.closed.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.0.closed.load(Ordering::SeqCst)
    }

    /// Says that the time for running work is over, too.
    pub(crate) fn end(&self) {
        self.0.over.cancel();
    }

    /// Waits until the time for running work is over.
    pub(crate) async fn over(&self) {
        self.0.over.cancelled().await;
    }

    /// Waits until nobody is inside. `false`: at `deadline` somebody still was.
    pub(crate) async fn is_empty_by(&self, deadline: Instant) -> bool {
        let empty = async {
            loop {
                let left = self.0.left.notified();
                if self.0.inside.load(Ordering::SeqCst) == 0 {
                    break;
                }
                left.await;
            }
        };
        timeout_at(deadline, empty).await.is_ok()
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let state = &self.0.0;
        if state.inside.fetch_sub(1, Ordering::SeqCst) == 1 {
            state.left.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn who_is_inside_is_waited_for_and_nobody_else_comes_in() {
        let gate = Gate::default();
        let pass = gate.enter().unwrap();
        gate.close();
        assert!(gate.enter().is_none());
        assert!(!gate.is_empty_by(Instant::now() + Duration::from_millis(20)).await);
        let waiting = gate.clone();
        let empty =
            tokio::spawn(async move { waiting.is_empty_by(Instant::now() + Duration::from_secs(20)).await });
        drop(pass);
        assert!(empty.await.unwrap());
    }
}
