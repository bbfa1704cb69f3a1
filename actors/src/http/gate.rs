//! The gap between two requests to one domain, kept where they are written.
//!
//! A request is stamped when its domain's turn comes, and leaves when its task and its connection's task have run: on a busy
//! machine that is later, and the next one would come sooner after it than it may.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

use wayfile_core::nodes::windows::Windows;

/// How often it is looked whether there is a window again.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// What all connections to one domain pass with each request.
#[derive(Debug, Default)]
pub(crate) struct Gate(Mutex<Spacing>);

#[derive(Debug, Default)]
struct Spacing {
    gap: Duration,
    last: Option<Instant>,
    /// When anything may be written, and who is to be woken when something should be that may not.
    open: Option<(Windows, Waker)>,
    starved: bool,
}

impl Gate {
    /// Two requests are at least `gap` apart from now on.
    pub(crate) fn keep(&self, gap: Duration) {
        self.spacing().gap = gap;
    }

    /// Requests are written inside of `windows`. Whoever is kept waiting for one wakes `waker`.
    pub(crate) fn open(&self, windows: Windows, waker: Waker) {
        self.spacing().open = Some((windows, waker));
    }

    /// Whether a request waits for a window that nobody has reserved.
    pub(crate) fn is_starved(&self) -> bool {
        self.spacing().starved
    }

    /// When the last request was written.
    pub(crate) fn last(&self) -> Option<Instant> {
        self.spacing().last
    }

    /// Lets a request be written at `now`, or says when it may try again.
    pub(super) fn pass(&self, now: Instant) -> Result<(), Instant> {
        let mut spacing = self.spacing();
        // Threads see their times in any order: without a gap the last one may have passed later than now.
        let spaced =
            spacing.last.filter(|_| !spacing.gap.is_zero()).map_or(now, |last| now.max(last + spacing.gap));
        let first = match &spacing.open {
            Some((windows, _)) => windows.first(spaced, spacing.gap),
            None => Some(spaced),
        };
        let was_starved = std::mem::replace(&mut spacing.starved, first.is_none());
        match first {
            Some(first) if first <= now => {
                spacing.last = spacing.last.max(Some(now));
                Ok(())
            }
            Some(first) => Err(first),
            None => {
                if let Some((_, waker)) = spacing.open.as_ref().filter(|_| !was_starved) {
                    waker.wake_by_ref();
                }
                Err(now + LOOK_AGAIN)
            }
        }
    }

    /// A request that was let through was written at `now`.
    pub(super) fn passed(&self, now: Instant) {
        let mut spacing = self.spacing();
        spacing.last = spacing.last.max(Some(now));
    }

    fn spacing(&self) -> MutexGuard<'_, Spacing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAP: Duration = Duration::from_millis(50);

    #[test]
    fn what_comes_too_soon_is_told_when_to_come_again() {
        let (gate, t) = (Gate::default(), Instant::now());
        gate.keep(GAP);
        assert_eq!(gate.pass(t), Ok(()));
        assert_eq!(gate.pass(t + GAP / 2), Err(t + GAP));
        gate.passed(t + GAP / 5);
        assert_eq!(gate.pass(t + GAP), Err(t + GAP + GAP / 5), "it was written later");
        assert_eq!(gate.last(), Some(t + GAP / 5));
        assert_eq!(gate.pass(t + 2 * GAP), Ok(()));
    }

    #[test]
    fn without_a_gap_nothing_waits() {
        let (gate, t) = (Gate::default(), Instant::now());
        assert_eq!(gate.pass(t + GAP), Ok(()));
        assert_eq!(gate.pass(t), Ok(()), "another thread looked at the clock before");
        assert_eq!(gate.last(), Some(t + GAP));
    }
}
