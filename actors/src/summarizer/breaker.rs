//! When the endpoint may be asked: not while it asks to be left alone, nor for a while after failures in a row.

use std::time::{Duration, Instant};

#[derive(Debug)]
pub(super) struct Breaker {
    limit: u32,
    pause: Duration,
    failures: u32,
    /// Failed too often: nothing is asked before.
    closed_until: Option<Instant>,
    /// The endpoint asked not to be asked before (`Retry-After`).
    not_before: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BreakerAnswer {
    Now,
    After(Duration),
    Resting,
}

impl Breaker {
    pub(super) fn new(limit: u32, pause: Duration) -> Self {
        Self { limit: limit.max(1), pause, failures: 0, closed_until: None, not_before: None }
    }

    pub(super) fn turn(&self, now: Instant) -> BreakerAnswer {
        if self.closed_until.is_some_and(|until| now < until) {
            return BreakerAnswer::Resting;
        }
        match self.not_before.and_then(|at| at.checked_duration_since(now)).filter(|wait| !wait.is_zero()) {
            Some(wait) => BreakerAnswer::After(wait),
            None => BreakerAnswer::Now,
        }
    }

    pub(super) fn succeeded(&mut self) {
        self.failures = 0;
        self.closed_until = None;
    }

    /// After the pause a single failure closes it again, until something succeeds.
    pub(super) fn failed(&mut self, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= self.limit {
            self.closed_until = Some(now + self.pause);
        }
    }

    pub(super) fn wait(&mut self, now: Instant, wait: Duration) {
        let at = now + wait;
        self.not_before = Some(self.not_before.map_or(at, |known| known.max(at)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_secs(10);

    #[test]
    fn failures_in_a_row_close_it_for_a_while() {
        let start = Instant::now();
        let mut breaker = Breaker::new(2, PAUSE);
        breaker.failed(start);
        breaker.succeeded();
        breaker.failed(start);
        assert_eq!(breaker.turn(start), BreakerAnswer::Now);
        breaker.failed(start);
        assert_eq!(breaker.turn(start), BreakerAnswer::Resting);
        let later = start + PAUSE;
        assert_eq!(breaker.turn(later), BreakerAnswer::Now);
        breaker.failed(later);
        assert_eq!(breaker.turn(later), BreakerAnswer::Resting);
        breaker.succeeded();
        assert_eq!(breaker.turn(later), BreakerAnswer::Now);
    }

    #[test]
    fn the_longest_wait_asked_for_holds() {
        let start = Instant::now();
        let mut breaker = Breaker::new(2, PAUSE);
        breaker.wait(start, Duration::from_secs(3));
        breaker.wait(start, Duration::from_secs(1));
        assert_eq!(breaker.turn(start), BreakerAnswer::After(Duration::from_secs(3)));
        assert_eq!(breaker.turn(start + Duration::from_secs(3)), BreakerAnswer::Now);
    }
}
