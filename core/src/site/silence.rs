//! When a domain counts as gone: it has not answered many times in a row, over a while.
//!
//! A pure state machine; the caller brings the time.

use std::time::{Duration, Instant};

/// A domain that is gone is asked again after this time: by then it may be back.
const REST: Duration = Duration::from_secs(30);

/// The limits an operator sets for every domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SilenceLimits {
    /// Requests in a row without an answer.
    pub tries: u32,
    /// Time from the start of the first of them: a server that restarts is back before.
    pub time: Duration,
}

/// The answers that one domain did not give.
#[derive(Debug)]
pub struct Silence {
    limits: SilenceLimits,
    tries: u32,
    /// When the first request of the row started, and when the last one ended.
    span: Option<(Instant, Instant)>,
}

impl Silence {
    /// A domain nobody has asked anything yet.
    #[must_use]
    pub fn new(limits: SilenceLimits) -> Self {
        Self { limits, tries: 0, span: None }
    }

    /// It answered, whatever it said.
    pub fn answered(&mut self) {
        self.tries = 0;
        self.span = None;
    }

    /// The request that started at `started` has ended without an answer.
    pub fn lost(&mut self, started: Instant, now: Instant) {
        match self.span {
            Some((first, last)) if now < last + REST => self.span = Some((first.min(started), now)),
            _ => {
                self.tries = 0;
                self.span = Some((started, now));
            }
        }
        self.tries = self.tries.saturating_add(1);
    }

    /// Whether it is no use to ask at `now`.
    #[must_use]
    pub fn is_gone(&self, now: Instant) -> bool {
        self.tries >= self.limits.tries
            && self.span.is_some_and(|(first, last)| last >= first + self.limits.time && now < last + REST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn silence() -> Silence {
        Silence::new(SilenceLimits { tries: 3, time: 5 * SECOND })
    }

    #[test]
    fn many_losses_over_a_while_mean_that_it_is_gone() {
        let (mut silence, start) = (silence(), Instant::now());
        for _ in 0..5 {
            silence.lost(start, start + SECOND);
        }
        assert!(!silence.is_gone(start + SECOND), "a restart takes longer");
        silence.lost(start + 4 * SECOND, start + 6 * SECOND);
        assert!(silence.is_gone(start + 6 * SECOND));
    }

    #[test]
    fn one_answer_makes_up_for_all() {
        let (mut silence, start) = (silence(), Instant::now());
        silence.lost(start, start + 6 * SECOND);
        silence.lost(start, start + 6 * SECOND);
        assert!(!silence.is_gone(start + 6 * SECOND), "two are not many");
        silence.answered();
        silence.lost(start, start + 7 * SECOND);
        assert!(!silence.is_gone(start + 7 * SECOND));
    }

    #[test]
    fn it_is_asked_again_after_a_rest() {
        let (mut silence, start) = (silence(), Instant::now());
        for _ in 0..3 {
            silence.lost(start, start + 6 * SECOND);
        }
        let later = start + 6 * SECOND + REST;
        assert!(silence.is_gone(start + 7 * SECOND) && !silence.is_gone(later));
        silence.lost(later, later + SECOND);
        assert!(!silence.is_gone(later + SECOND), "the count starts anew");
    }
}
