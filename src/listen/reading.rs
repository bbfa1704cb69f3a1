//! How fast a client takes what is sent to it. Only the time counts in which there is something that it does not take:
//! a client that waits for a stream without events counts as fast.

use std::time::Duration;

use tokio::time::Instant;

/// Bytes over which the speed is measured. The system says that there is room in a client's buffer only when a third of it
/// is free, so that less would be measured in leaps.
const STRETCH: u32 = 2 * super::SEND_BUFFER;
/// The shortest time for a stretch: lines are silent for a moment.
const GRACE: Duration = Duration::from_secs(5);

pub(super) struct ReadRate {
    /// The time for one stretch.
    longest: Duration,
    /// Of the stretch that is running.
    taken: usize,
    waited: Duration,
    waits_since: Option<Instant>,
}

impl ReadRate {
    /// `min_rate`: bytes a second.
    pub(super) fn new(min_rate: usize) -> Self {
        let rate = u32::try_from(min_rate).unwrap_or(u32::MAX).max(1);
        let longest = (Duration::from_secs(STRETCH.into()) / rate).max(GRACE);
        Self { longest, taken: 0, waited: Duration::ZERO, waits_since: None }
    }

    /// The client takes nothing at the moment; when it is too slow, if that stays so.
    pub(super) fn waits(&mut self, now: Instant) -> Instant {
        *self.waits_since.get_or_insert(now) + self.longest.saturating_sub(self.waited)
    }

    pub(super) fn takes(&mut self, bytes: usize, now: Instant) {
        self.waited += self.waits_since.take().map_or(Duration::ZERO, |since| now - since);
        self.taken += bytes;
        if self.taken >= STRETCH as usize {
            (self.taken, self.waited) = (0, Duration::ZERO);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: usize = 4 << 10;
    const LONGEST: Duration = Duration::from_secs(64);
    const SECOND: Duration = Duration::from_secs(1);

    /// When a client is cut off that takes so many bytes every second, within ten minutes.
    fn cut_off(bytes: usize) -> Option<Duration> {
        let (start, mut reading) = (Instant::now(), ReadRate::new(RATE));
        (0..600).map(|second| second * SECOND).find(|passed| {
            let until = reading.waits(start + *passed);
            reading.takes(bytes, start + *passed + SECOND);
            until <= start + *passed + SECOND
        })
    }

    #[test]
    fn slow_readers_are_cut_off() {
        assert_eq!(ReadRate::new(RATE).longest, LONGEST);
        for slow in [0, 1, RATE / 2] {
            assert!(cut_off(slow).is_some_and(|after| after <= LONGEST), "{slow}");
        }
        for fine in [RATE + RATE / 16, 10 * RATE] {
            assert_eq!(cut_off(fine), None, "{fine}");
        }
        assert_eq!(ReadRate::new(1 << 20).longest, GRACE);
    }

    #[test]
    fn time_in_which_there_is_nothing_to_send_does_not_count() {
        let (mut now, mut reading) = (Instant::now(), ReadRate::new(RATE));
        for _ in 0..1_000 {
            now += SECOND;
            reading.takes(1, now);
        }
        assert_eq!(reading.waits(now), now + LONGEST);
    }
}
