//! The times at which one node may ask a site, by its own clock.

use std::time::{Duration, Instant};

use jiff::Timestamp;

/// A stretch of the site's time that is one node's alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Nothing is asked before.
    pub from: Instant,
    /// Other nodes may ask from then on.
    pub until: Instant,
    /// Both by the shared clock, where one window's end can be another's beginning without an error.
    pub shared: (Timestamp, Timestamp),
}

/// All that a node has reserved of a site's time, the earliest first.
#[derive(Debug, Clone, Default)]
pub struct Windows(Vec<Window>);

impl Windows {
    /// Adds what was reserved now; what follows on the end of the last one continues it.
    pub fn add(&mut self, windows: &[Window], now: Instant) {
        self.0.retain(|window| window.until > now);
        for new in windows {
            match self.0.last_mut() {
                Some(last) if new.shared.0 == last.shared.1 => {
                    (last.until, last.shared.1) = (new.until, new.shared.1);
                }
                _ => self.0.push(*new),
            }
        }
    }

    /// The first moment from `at` on at which a request may be sent so that the next one, a `gap` later, may be another node's.
    #[must_use]
    pub fn first(&self, at: Instant, gap: Duration) -> Option<Instant> {
        self.0.iter().map(|window| (at.max(window.from), window)).find_map(|(at, window)| {
            let fits = at < window.until && at + gap <= window.until;
            fits.then_some(at)
        })
    }

    /// How many requests fit from `now` on; any number where there is no gap.
    #[must_use]
    pub fn room(&self, now: Instant, gap: Duration) -> usize {
        let left = self.0.iter().map(|window| window.until.saturating_duration_since(now.max(window.from)));
        left.map(|left| match left.as_nanos().checked_div(gap.as_nanos()) {
            Some(room) => usize::try_from(room).unwrap_or(usize::MAX),
            None if left.is_zero() => 0,
            None => usize::MAX,
        })
        .fold(0, usize::saturating_add)
    }

    /// When the last one ends.
    #[must_use]
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
        let window = |from, until| Window {
            from: t + MS * from,
            until: t + MS * (until - 1),
            shared: (Timestamp::UNIX_EPOCH + MS * from, Timestamp::UNIX_EPOCH + MS * until),
        };
        let mut windows = Windows::default();
        assert_eq!(windows.first(t, 50 * MS), None);
        windows.add(&[window(10, 71), window(200, 260)], t);
        assert_eq!(windows.first(t, 50 * MS), Some(t + 10 * MS));
        assert_eq!(windows.first(t + 20 * MS, 50 * MS), Some(t + 20 * MS));
        assert_eq!(windows.first(t + 21 * MS, 50 * MS), Some(t + 200 * MS), "it would not be over in time");
        assert_eq!(windows.first(t + 70 * MS, Duration::ZERO), Some(t + 200 * MS));
        assert_eq!(windows.first(t, 100 * MS), None);
        windows.add(&[window(260, 301)], t + 80 * MS);
        assert_eq!(windows.first(t, 100 * MS), Some(t + 200 * MS), "the one before goes on");
        assert_eq!(windows.end(), Some(t + 300 * MS));
        assert_eq!((windows.room(t, 50 * MS), windows.room(t + 240 * MS, 50 * MS)), (2, 1));
        assert_eq!(
            (windows.room(t, Duration::ZERO), windows.room(t + 300 * MS, Duration::ZERO)),
            (usize::MAX, 0)
        );
    }
}
