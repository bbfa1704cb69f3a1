//! Shutting down: no new request is taken, those in flight end, then the process may. The order and the times of all that ends
//! are those of [`crate::app::Application::run`].

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

/// Counts the requests in flight. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct ShutdownGate {
    /// Each request in flight is a receiver.
    requests: watch::Sender<()>,
    closed: CancellationToken,
    over: CancellationToken,
}

/// One request in flight; over when dropped.
pub(crate) struct InFlight {
    _counted: watch::Receiver<()>,
}

impl ShutdownGate {
    /// None: the server is shutting down.
    pub(crate) fn enter(&self) -> Option<InFlight> {
        // Counted first: the closing side either sees the request, or the request sees that the gate is closed.
        let request = InFlight { _counted: self.requests.subscribe() };
        (!self.is_closed()).then_some(request)
    }

    pub(crate) fn close(&self) {
        self.closed.cancel();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.is_cancelled()
    }

    /// Says that the time for running work is over, too.
    pub(crate) fn end(&self) {
        self.over.cancel();
    }

    pub(crate) async fn over(&self) {
        self.over.cancelled().await;
    }

    /// Waits until no request is in flight. False: at `deadline` some still were.
    pub(crate) async fn is_empty_by(&self, deadline: Instant) -> bool {
        timeout_at(deadline, self.requests.closed()).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn waits_for_requests_in_flight_and_takes_no_others() {
        let gate = ShutdownGate::default();
        let request = gate.enter().unwrap();
        gate.close();
        assert!(gate.enter().is_none());
        assert!(!gate.is_empty_by(Instant::now() + Duration::from_millis(20)).await);
        let waiting = gate.clone();
        let empty =
            tokio::spawn(async move { waiting.is_empty_by(Instant::now() + Duration::from_secs(20)).await });
        drop(request);
        assert!(empty.await.unwrap());
    }
}
