//! The times at which one node may ask a site, by its own clock.

use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::clock::Moment;

/// What is handed out takes so long until it is written, usually at most: a window that ends before is over.
const HANDING: Duration = Duration::from_millis(2);
/// And what is written takes so long until it has left.
pub(super) const WRITING: Duration = Duration::from_millis(1);

/// A stretch of the site's time that is one node's alone.
#[derive(Debug, Clone, Copy)]
struct Window {
    /// Nothing is asked before.
    from: Instant,
    /// Other nodes may ask from then on.
    until: Instant,
}

impl Window {
    /// The last moment for a request that the next one follows a `gap` later.
    fn latest(&self, gap: Duration) -> Instant {
        self.until.checked_sub(gap + WRITING).unwrap_or(self.from)
    }
}

/// All that a node has reserved of a site's time, the earliest first.
#[derive(Debug, Clone, Default)]
pub struct Windows(Vec<Window>);

impl Windows {
    /// What is reserved, the earliest first, by the shared clock that shows `shown` now.
    pub fn new(windows: &[(Timestamp, Timestamp)], shown: &Moment, now: Instant) -> Self {
        let own = |&(from, until)| Window {
            from: now + shown.until_surely(from),
            until: now + shown.until_perhaps(until),
        };
        Self(windows.iter().map(own).collect())
    }

    /// What ends later than `end` ends then.
    pub fn cut(&mut self, end: Instant) {
        self.0.retain(|window| window.from < end);
        self.0.iter_mut().for_each(|window| window.until = window.until.min(end));
    }

    /// The first moment from `at` on at which a request may be handed out so that the next one, a `gap` later, may be another
    /// node's.
    pub fn first(&self, at: Instant, gap: Duration) -> Option<Instant> {
        let starts = self.0.iter().map(|window| at.max(window.from));
        starts.zip(&self.0).find(|(at, window)| *at + HANDING <= window.latest(gap)).map(|(at, _)| at)
    }

    /// Until when a request may be written that is handed out at `at`.
    pub fn latest(&self, at: Instant, gap: Duration) -> Option<Instant> {
        self.0.iter().map(|window| window.latest(gap)).find(|latest| at <= *latest)
    }

    /// How many requests fit from `now` on; any number where there is no gap.
    pub fn room(&self, now: Instant, gap: Duration) -> usize {
        let left = self.0.iter().map(|window| {
            window.until.saturating_duration_since(now.max(window.from)).saturating_sub(HANDING + WRITING)
        });
        left.map(|left| match left.as_nanos().checked_div(gap.as_nanos()) {
            Some(room) => usize::try_from(room).unwrap_or(usize::MAX),
            None if left.is_zero() => 0,
            None => usize::MAX,
        })
        .fold(0, usize::saturating_add)
    }

    /// When the last one ends.
    pub fn end(&self) -> Option<Instant> {
        self.0.last().map(|window| window.until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_request_is_sent_inside_of_a_window_with_its_gap() {
        let t = Instant::now();
        let told = Timestamp::UNIX_EPOCH + 1_000 * MS;
        let window = |from, until| (told + MS * from, told + MS * until);
        // The clock may show a millisecond more.
        let shown = |passed| Moment { earliest: told + passed * MS, latest: told + (passed + 1) * MS };
        assert_eq!(Windows::default().first(t, 50 * MS), None);
        let mut windows = Windows::new(&[window(10, 71), window(200, 304)], &shown(0), t);
        assert_eq!(windows.first(t, 50 * MS), Some(t + 10 * MS));
        assert_eq!(windows.first(t + 17 * MS, 50 * MS), Some(t + 17 * MS));
        assert_eq!(windows.latest(t + 17 * MS, 50 * MS), Some(t + 19 * MS), "it is written, and then a gap");
        assert_eq!(windows.first(t + 18 * MS, 50 * MS), Some(t + 200 * MS), "it would not be over in time");
        assert_eq!(windows.first(t + 70 * MS, Duration::ZERO), Some(t + 200 * MS));
        assert_eq!(windows.first(t, 100 * MS), Some(t + 200 * MS));
        assert_eq!(windows.end(), Some(t + 303 * MS));
        assert_eq!((windows.room(t, 50 * MS), windows.room(t + 240 * MS, 50 * MS)), (3, 1));
        assert_eq!(
            (windows.room(t, Duration::ZERO), windows.room(t + 300 * MS, Duration::ZERO)),
            (usize::MAX, 0)
        );
        windows.cut(t + 260 * MS);
        assert_eq!(windows.end(), Some(t + 260 * MS));
        assert_eq!(windows.first(t + 20 * MS, 100 * MS), None, "what was cut has no room for it");
        windows.cut(t + 100 * MS);
        assert_eq!(windows.end(), Some(t + 70 * MS));
    }
}
