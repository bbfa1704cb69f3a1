//! Attempts that become slower: a few are free, then each waits twice as long as the one before.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The rule that tries of one kind obey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackOff {
    /// Attempts without a wait between them.
    pub free: u32,
    /// The first wait.
    pub first: Duration,
    /// No wait is longer; after as long a silence all tries are forgotten.
    pub longest: Duration,
}

/// How often something was tried, and when it may be tried again.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Attempts {
    count: u32,
    next: Option<Timestamp>,
}

impl Attempts {
    /// Takes one try at `now`. It counts before its outcome is known, so that many at once count, too.
    ///
    /// # Errors
    /// The time until the next try is allowed; nothing was taken.
    pub fn take(&mut self, rule: BackOff, now: Timestamp) -> Result<(), Duration> {
        if let Some(next) = self.next {
            let wait = next.duration_since(now);
            if wait.is_positive() {
                return Err(wait.unsigned_abs());
            }
            if wait.unsigned_abs() >= rule.longest {
                self.count = 0;
            }
        }
        self.count = self.count.saturating_add(1);
        self.next = Some(now + rule.wait_after(self.count));
        Ok(())
    }
}

impl BackOff {
    /// The wait between so many tries and the next one.
    pub fn wait_after(self, tries: u32) -> Duration {
        let Some(doublings) = tries.checked_sub(self.free.max(1)) else { return Duration::ZERO };
        let factor = 2_u32.checked_pow(doublings).unwrap_or(u32::MAX);
        self.first.saturating_mul(factor).min(self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: BackOff = BackOff { free: 3, first: Duration::from_secs(1), longest: Duration::from_mins(1) };

    #[test]
    fn a_few_tries_are_free_and_then_each_waits_twice_as_long_up_to_a_bound() {
        let (mut tries, mut now, mut waits) = (Attempts::default(), Timestamp::now(), Vec::new());
        for _ in 0..12 {
            let wait = tries.take(RULE, now).err().unwrap_or_default();
            waits.push(wait.as_secs());
            now += wait;
            if !wait.is_zero() {
                tries.take(RULE, now).unwrap();
            }
        }
        assert_eq!(waits, [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
    }

    #[test]
    fn a_refused_try_makes_nothing_longer() {
        let (mut tries, now) = (Attempts::default(), Timestamp::now());
        (0..3).for_each(|_| tries.take(RULE, now).unwrap());
        for _ in 0..50 {
            assert_eq!(tries.take(RULE, now), Err(Duration::from_secs(1)));
        }
        assert!(tries.take(RULE, now + Duration::from_secs(1)).is_ok());
    }

    #[test]
    fn after_a_long_silence_all_is_forgotten() {
        let (mut tries, now) = (Attempts::default(), Timestamp::now());
        (0..3).for_each(|_| tries.take(RULE, now).unwrap());
        let later = now + Duration::from_secs(61);
        (0..3).for_each(|_| tries.take(RULE, later).unwrap());
        assert!(tries.take(RULE, later).is_err());
    }

    #[test]
    fn however_many_there_are_nothing_overflows() {
        let (mut tries, mut now) = (Attempts { count: u32::MAX - 1, next: None }, Timestamp::now());
        for _ in 0..3 {
            tries.take(RULE, now).unwrap();
            now += RULE.longest;
        }
    }
}
