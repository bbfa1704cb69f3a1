//! A rate and a quota as values: what is left, when it comes back, and how both are told to a client.
//!
//! The rate is GCRA, the leaky bucket without a bucket: one moment in time says everything. The minute's
//! quota is also its burst.

use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_mins(1);

/// Requests a minute, evenly spread after a burst of as many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Their number, and that of the burst.
    pub per_minute: u32,
}

impl Rate {
    /// The gap that one request fills; rounded up, so that rounding never lets one more through.
    pub fn gap(self) -> Duration {
        let nanos = MINUTE.as_nanos().div_ceil(u128::from(self.per_minute.max(1)));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// What may come at once fills so much.
    pub fn burst(self) -> Duration {
        self.gap() * self.per_minute
    }
}

/// How much of a rate is used: the moment at which it will be unused again.
#[derive(Debug, Clone, Copy, Default)]
pub struct Gcra {
    unused_at: Option<Instant>,
}

impl Gcra {
    /// One that will be unused again after `filled`.
    pub fn filled_for(filled: Duration, now: Instant) -> Self {
        Self { unused_at: Some(now + filled) }
    }

    /// Takes one request at `now`.
    ///
    /// # Errors
    /// The time until the same question is answered with yes; nothing was taken.
    pub fn take(&mut self, rate: Rate, now: Instant) -> Result<(), Duration> {
        if rate.per_minute == 0 {
            return Err(MINUTE);
        }
        let filled = self.filled(now) + rate.gap();
        if let Some(wait) = filled.checked_sub(rate.burst()).filter(|wait| !wait.is_zero()) {
            return Err(wait);
        }
        self.unused_at = Some(now + filled);
        Ok(())
    }

    /// How the rate stands at `now`.
    pub fn allowance(&self, rate: Rate, now: Instant) -> Allowance {
        let filled = self.filled(now);
        let free = rate.burst().saturating_sub(filled).as_nanos() / rate.gap().as_nanos().max(1);
        Allowance {
            name: "minute",
            quota: u64::from(rate.per_minute),
            window: MINUTE,
            remaining: u64::try_from(free).unwrap_or(u64::MAX),
            resets_in: filled,
        }
    }

    fn filled(&self, now: Instant) -> Duration {
        self.unused_at.map_or(Duration::ZERO, |t| t.saturating_duration_since(now))
    }
}

/// One limit as a client sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// What the limit is called.
    pub name: &'static str,
    /// Requests per window.
    pub quota: u64,
    /// The time the quota is for.
    pub window: Duration,
    /// Requests that may still be made now.
    pub remaining: u64,
    /// When all of the quota is back.
    pub resets_in: Duration,
}

impl Allowance {
    /// A month's quota, of which `used` is gone.
    pub fn month(quota: u64, used: u64, length: Duration, left: Duration) -> Self {
        Self { name: "month", quota, window: length, remaining: quota.saturating_sub(used), resets_in: left }
    }
}

/// Both limits of a key, in the words of the IETF's draft on `RateLimit` header fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// The rate.
    pub minute: Allowance,
    /// The quota of the endpoint that was asked.
    pub month: Allowance,
}

impl Figures {
    /// The value of `RateLimit-Policy`.
    pub fn policy(&self) -> String {
        let one = |a: &Allowance| format!("\"{}\";q={};w={}", a.name, a.quota, whole_seconds(a.window));
        format!("{}, {}", one(&self.minute), one(&self.month))
    }

    /// The value of `RateLimit`.
    pub fn state(&self) -> String {
        let one =
            |a: &Allowance| format!("\"{}\";r={};t={}", a.name, a.remaining, whole_seconds(a.resets_in));
        format!("{}, {}", one(&self.minute), one(&self.month))
    }
}

/// Seconds for a header: never earlier than the time itself.
pub fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_burst_is_the_quota_and_then_one_comes_per_gap() {
        let (rate, t) = (Rate { per_minute: 30 }, Instant::now());
        let mut gcra = Gcra::default();
        for _ in 0..30 {
            assert_eq!(gcra.take(rate, t), Ok(()));
        }
        assert_eq!(gcra.take(rate, t), Err(Duration::from_secs(2)));
        assert_eq!(gcra.allowance(rate, t).remaining, 0);
        assert_eq!(gcra.take(rate, t + Duration::from_secs(2)), Ok(()));
        assert!(gcra.take(rate, t + Duration::from_secs(3)).is_err());
        let later = gcra.allowance(rate, t + Duration::from_secs(62));
        assert_eq!((later.remaining, later.resets_in), (30, Duration::ZERO));
    }

    #[test]
    fn a_smaller_plan_counts_at_once() {
        let t = Instant::now();
        let mut gcra = Gcra::default();
        for _ in 0..60 {
            gcra.take(Rate { per_minute: 120 }, t).unwrap();
        }
        assert_eq!(gcra.allowance(Rate { per_minute: 10 }, t).remaining, 5);
        assert_eq!(gcra.take(Rate { per_minute: 0 }, t), Err(MINUTE));
    }

    #[test]
    fn headers_read_as_the_draft_writes_them() {
        let (rate, t) = (Rate { per_minute: 30 }, Instant::now());
        let mut gcra = Gcra::default();
        gcra.take(rate, t).unwrap();
        let month =
            Allowance::month(100, 1, Duration::from_hours(31 * 24), Duration::from_millis(86_399_001));
        let figures = Figures { minute: gcra.allowance(rate, t), month };
        assert_eq!(figures.policy(), "\"minute\";q=30;w=60, \"month\";q=100;w=2678400");
        assert_eq!(figures.state(), "\"minute\";r=29;t=2, \"month\";r=99;t=86400");
        assert_eq!(Allowance::month(10, 12, MINUTE, MINUTE).remaining, 0);
    }

    proptest! {
        #[test]
        fn gcra_never_exceeds_burst_and_rate(
            per_minute in 1_u32..200,
            gaps in proptest::collection::vec(0_u64..3_000, 1..400),
        ) {
            let (rate, start) = (Rate { per_minute }, Instant::now());
            let (mut gcra, mut now, mut passed) = (Gcra::default(), start, 0_u32);
            for gap in gaps {
                now += Duration::from_millis(gap);
                let before = gcra.allowance(rate, now).remaining;
                match gcra.take(rate, now) {
                    Ok(()) => {
                        passed += 1;
                        prop_assert_eq!(gcra.allowance(rate, now).remaining, before - 1);
                    }
                    Err(wait) => {
                        prop_assert_eq!(before, 0);
                        // The wait is honest: neither a nanosecond early nor more than needed.
                        let (mut then, mut sooner) = (gcra, gcra);
                        prop_assert!(then.take(rate, now + wait).is_ok());
                        prop_assert!(sooner.take(rate, now + wait.saturating_sub(Duration::from_nanos(1))).is_err());
                    }
                }
                let minutes = (now - start).as_secs_f64() / 60.0;
                prop_assert!(f64::from(passed) <= f64::from(per_minute) * (1.0 + minutes) + 1e-6);
            }
        }
    }
}
