//! The shared clock as seen from one node: how far it is from the node's own, and how wrong that may be.

use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

/// Clocks drift apart by no more than this part of the time.
const DRIFT: u32 = 5_000;

/// A moment of the shared clock that a node has computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// It is no earlier than this.
    pub earliest: Timestamp,
    /// And no later.
    pub latest: Timestamp,
}

impl Moment {
    /// How far apart both ends are.
    pub fn error(&self) -> Duration {
        self.latest.duration_since(self.earliest).unsigned_abs()
    }

    /// The time until it is certain to be `then`.
    pub fn until_surely(&self, then: Timestamp) -> Duration {
        ahead(self.earliest, then)
    }

    /// The time until it may be `then`.
    pub fn until_perhaps(&self, then: Timestamp) -> Duration {
        ahead(self.latest, then)
    }
}

/// The shared clock, as far as answers have told it.
#[derive(Debug, Clone, Copy, Default)]
pub struct SharedClock(Option<ClockSample>);

#[derive(Debug, Clone, Copy)]
struct ClockSample {
    /// When it was last told.
    told: Instant,
    /// What the shared clock showed then, at the least and at the most.
    then: Moment,
}

impl SharedClock {
    /// A clock that was asked at `sent`, with the answer at `received`, showed `shown` in between.
    pub fn hear(&mut self, sent: Instant, shown: Timestamp, received: Instant) {
        let fresh = Moment { earliest: shown, latest: shown + (received - sent) };
        // What is known already may be more exact; if both cannot be true, the clock was set.
        let both = self.at(received).map(|known| Moment {
            earliest: known.earliest.max(fresh.earliest),
            latest: known.latest.min(fresh.latest),
        });
        let then = both.filter(|both| both.earliest <= both.latest).unwrap_or(fresh);
        self.0 = Some(ClockSample { told: received, then });
    }

    /// What the shared clock shows at `now`; none before it was told.
    pub fn at(&self, now: Instant) -> Option<Moment> {
        let ClockSample { told, then } = self.0?;
        let passed = now.saturating_duration_since(told);
        let drift = passed / DRIFT;
        Some(Moment {
            earliest: then.earliest + passed.saturating_sub(drift),
            latest: then.latest + passed + drift,
        })
    }
}

fn ahead(from: Timestamp, to: Timestamp) -> Duration {
    to.duration_since(from).max(SignedDuration::ZERO).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    proptest! {
        #[test]
        fn clock_bounds_hold_the_true_time(
            skew in 0_u64..100_000,
            asks in proptest::collection::vec((0_u64..20_000, 0_u32..300, 0_u32..300), 1..40),
        ) {
            let start = Instant::now();
            let truth = |at: Instant| Timestamp::UNIX_EPOCH + Duration::from_millis(skew) + (at - start);
            let (mut clock, mut now) = (SharedClock::default(), start);
            for (wait, there, back) in asks {
                now += Duration::from_millis(wait);
                let (seen, received) = (now + MS * there, now + MS * (there + back));
                clock.hear(now, truth(seen), received);
                now = received;
                let later = now + Duration::from_secs(7);
                for at in [now, later] {
                    let moment = clock.at(at).unwrap();
                    prop_assert!(moment.earliest <= truth(at) && truth(at) <= moment.latest);
                }
            }
        }
    }

    #[test]
    fn an_exact_answer_is_remembered_and_a_clock_that_was_set_is_believed() {
        let (t, told) = (Instant::now(), Timestamp::UNIX_EPOCH + Duration::from_secs(1_000));
        let mut clock = SharedClock::default();
        assert_eq!(clock.at(t), None);
        clock.hear(t, told, t + MS);
        clock.hear(t + 10 * MS, told + 110 * MS, t + 210 * MS);
        assert!(clock.at(t + 210 * MS).unwrap().error() < 2 * MS);
        clock.hear(t + 300 * MS, told + 5_000 * MS, t + 301 * MS);
        let moment = clock.at(t + 301 * MS).unwrap();
        assert_eq!(moment.earliest, told + 5_000 * MS);
        assert_eq!(moment.until_perhaps(told + 5_010 * MS), 9 * MS);
        assert_eq!(moment.until_surely(told + 5_010 * MS), 10 * MS);
    }
}
