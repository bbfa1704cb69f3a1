//! The gap between two requests to one domain, kept where they are written.
//!
//! A request is stamped when its domain's turn comes, and leaves when its task and its connection's task have run: on a busy
//! machine that is later, and the next one would come sooner after it than it may.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What all connections to one domain pass with each request.
#[derive(Debug, Default)]
pub(crate) struct Gate(Mutex<Spacing>);

#[derive(Debug, Default)]
struct Spacing {
    gap: Duration,
    last: Option<Instant>,
}

impl Gate {
    /// Two requests are at least `gap` apart from now on.
    pub(crate) fn keep(&self, gap: Duration) {
        self.spacing().gap = gap;
    }

    /// When the last request was written.
    pub(crate) fn last(&self) -> Option<Instant> {
        self.spacing().last
    }

    /// Lets a request be written at `now`, or says when it may try again.
    pub(super) fn pass(&self, now: Instant) -> Result<(), Instant> {
        let mut spacing = self.spacing();
        match spacing.last.map(|last| last + spacing.gap) {
            // Threads see their times in any order: without a gap the last one may have passed later than now.
            Some(next) if next > now && !spacing.gap.is_zero() => Err(next),
            _ => {
                spacing.last = spacing.last.max(Some(now));
                Ok(())
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
