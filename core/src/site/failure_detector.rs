//! Failure detector of one domain: it is unresponsive after many requests in a row without an answer, over a while.
//!
//! A pure state machine; the caller brings the time.

use std::time::{Duration, Instant};

/// An unresponsive domain is asked again after this time: by then it may be back.
const REST: Duration = Duration::from_secs(30);

/// The limits an operator sets for every domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureLimits {
    /// Requests in a row without an answer.
    pub tries: u32,
    /// Time from the start of the first of them: a server that restarts is back before.
    pub time: Duration,
}

/// Counts the requests in a row that one domain left without an answer.
#[derive(Debug, Default)]
pub struct FailureDetector {
    tries: u32,
    /// When the first request of the row started, and when the last one ended.
    span: Option<(Instant, Instant)>,
}

impl FailureDetector {
    /// It answered, with any status.
    pub fn answered(&mut self) {
        self.tries = 0;
        self.span = None;
    }

    /// The request that started at `started` has ended without an answer.
    pub fn failed(&mut self, started: Instant, now: Instant) {
        match self.span {
            Some((first, last)) if now < last + REST => self.span = Some((first.min(started), now)),
            _ => {
                self.tries = 0;
                self.span = Some((started, now));
            }
        }
        self.tries = self.tries.saturating_add(1);
    }

    /// Whether requests at `now` are refused without being sent.
    pub fn is_unresponsive(&self, limits: FailureLimits, now: Instant) -> bool {
        self.tries >= limits.tries
            && self.span.is_some_and(|(first, last)| last >= first + limits.time && now < last + REST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    const LIMITS: FailureLimits = FailureLimits { tries: 3, time: Duration::from_secs(5) };

    #[test]
    fn unresponsive_after_many_failures_over_a_while() {
        let (mut detector, start) = (FailureDetector::default(), Instant::now());
        for _ in 0..5 {
            detector.failed(start, start + SECOND);
        }
        assert!(!detector.is_unresponsive(LIMITS, start + SECOND), "a restart takes longer");
        detector.failed(start + 4 * SECOND, start + 6 * SECOND);
        assert!(detector.is_unresponsive(LIMITS, start + 6 * SECOND));
    }

    #[test]
    fn one_answer_resets_the_count() {
        let (mut detector, start) = (FailureDetector::default(), Instant::now());
        detector.failed(start, start + 6 * SECOND);
        detector.failed(start, start + 6 * SECOND);
        assert!(!detector.is_unresponsive(LIMITS, start + 6 * SECOND), "two are not many");
        detector.answered();
        detector.failed(start, start + 7 * SECOND);
        assert!(!detector.is_unresponsive(LIMITS, start + 7 * SECOND));
    }

    #[test]
    fn is_asked_again_after_a_rest() {
        let (mut detector, start) = (FailureDetector::default(), Instant::now());
        for _ in 0..3 {
            detector.failed(start, start + 6 * SECOND);
        }
        let later = start + 6 * SECOND + REST;
        assert!(
            detector.is_unresponsive(LIMITS, start + 7 * SECOND) && !detector.is_unresponsive(LIMITS, later)
        );
        detector.failed(later, later + SECOND);
        assert!(!detector.is_unresponsive(LIMITS, later + SECOND), "the count starts anew");
    }
}
