//! Whether a connection is of use: a client that sends a request a byte at a time would hold it for ever. actix bounds the
//! head of a connection's first request and the silence between two, and neither the head of the second nor what is
//! left of a body that is not read.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Between the end of an answer and the end of the next request's head; well over the silence that actix allows (5 s).
const NEXT_REQUEST: Duration = Duration::from_secs(10);

struct BusyState {
    /// Requests that are being answered, and whether a client still has to take something.
    answering: Cell<usize>,
    /// Since when that number is what it is.
    since: Cell<Instant>,
}

/// What one connection is busy with. Cheap to clone.
#[derive(Clone)]
pub(super) struct Busy(Rc<BusyState>);

/// One request, or what a client has not taken; over when dropped.
pub(super) struct Answering(Busy);

impl Busy {
    pub(super) fn new() -> Self {
        Self(Rc::new(BusyState { answering: Cell::new(0), since: Cell::new(Instant::now()) }))
    }

    /// Waits until nothing has been answered for too long.
    pub(super) async fn is_no_more(&self) {
        loop {
            let now = Instant::now();
            let since = if self.0.answering.get() > 0 { now } else { self.0.since.get() };
            if now >= since + NEXT_REQUEST {
                return;
            }
            sleep_until(since + NEXT_REQUEST).await;
        }
    }

    fn change(&self, by: isize) {
        self.0.answering.set(self.0.answering.get().saturating_add_signed(by));
        self.0.since.set(Instant::now());
    }

    pub(super) fn answer(self) -> Answering {
        self.change(1);
        Answering(self)
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.change(-1);
    }
}
