//! When the endpoint may be asked: not while it asks to be left alone, nor for a while after failures in a row.

use std::time::{Duration, Instant};

use super::error::{ModelResult, NoAnswer};

/// Failures in a row after which the endpoint is left alone, and for how long.
const MAX_FAILURES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
pub(super) struct Breaker {
    failures: u32,
    /// Failed too often: nothing is asked before.
    closed_until: Option<Instant>,
    /// The endpoint asked not to be asked before (`Retry-After`).
    not_before: Option<Instant>,
}

impl Breaker {
    /// How long to wait until the endpoint may be asked.
    /// Errors: [`NoAnswer::Resting`]: it failed too often.
    pub(super) fn turn(&self, now: Instant) -> ModelResult<Duration> {
        if self.closed_until.is_some_and(|until| now < until) {
            return Err(NoAnswer::Resting);
        }
        Ok(self.not_before.map_or(Duration::ZERO, |at| at.saturating_duration_since(now)))
    }

    pub(super) fn succeeded(&mut self) {
        self.failures = 0;
        self.closed_until = None;
    }

    /// After the pause a single failure closes it again, until something succeeds.
    pub(super) fn failed(&mut self, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= MAX_FAILURES {
            self.closed_until = Some(now + PAUSE);
        }
    }

    pub(super) fn wait(&mut self, now: Instant, wait: Duration) {
        self.not_before = self.not_before.max(Some(now + wait));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fail(breaker: &mut Breaker, times: u32, now: Instant) {
        (0..times).for_each(|_| breaker.failed(now));
    }

    #[test]
    fn failures_in_a_row_close_it_for_a_while() {
        let (start, open) = (Instant::now(), Ok(Duration::ZERO));
        let mut breaker = Breaker::default();
        fail(&mut breaker, MAX_FAILURES - 1, start);
        breaker.succeeded();
        fail(&mut breaker, MAX_FAILURES - 1, start);
        assert_eq!(breaker.turn(start), open);
        breaker.failed(start);
        assert_eq!(breaker.turn(start), Err(NoAnswer::Resting));
        let later = start + PAUSE;
        assert_eq!(breaker.turn(later), open);
        breaker.failed(later);
        assert_eq!(breaker.turn(later), Err(NoAnswer::Resting));
        breaker.succeeded();
        assert_eq!(breaker.turn(later), open);
    }

    #[test]
    fn the_longest_wait_asked_for_holds() {
        let start = Instant::now();
        let mut breaker = Breaker::default();
        breaker.wait(start, Duration::from_secs(3));
        breaker.wait(start, Duration::from_secs(1));
        assert_eq!(breaker.turn(start), Ok(Duration::from_secs(3)));
        assert_eq!(breaker.turn(start + Duration::from_secs(3)), Ok(Duration::ZERO));
    }
}
