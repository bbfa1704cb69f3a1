//! How fast one domain may be asked: requests at once, the gap between two starts, back-off.
//!
//! A pure state machine; the caller brings the time. The gap is a promise: between two starts of requests
//! there is never less than the largest of the configured delay, the site's `Crawl-delay` and what the
//! site's refusals taught.

use std::time::{Duration, Instant};

/// A refusal makes the gap at least this long, however fast the site was asked before.
const FIRST_REFUSED_GAP: Duration = Duration::from_millis(50);
/// How much longer the gap becomes with each refusal.
const REFUSAL_FACTOR: u32 = 2;
/// Requests slower than this multiple of the fastest seen, and by [`SLOW_AT_LEAST`], count as slow.
const SLOW_FACTOR: u32 = 3;
/// Differences below this are noise, not load.
const SLOW_AT_LEAST: Duration = Duration::from_millis(200);

/// The limits an operator sets for every domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaceLimits {
    /// Requests at once, at least 1.
    pub concurrency: usize,
    /// Gap between two starts.
    pub delay: Duration,
    /// Cap for a refusal's wait and for the gap that refusals teach.
    pub max_backoff: Duration,
}

/// Whether the next request may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Now.
    Go,
    /// Not before this moment.
    At(Instant),
    /// When a running request has ended.
    Full,
}

/// How a request ended, as far as the pace is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The site answered after this long.
    Came(Duration),
    /// The site asked for less (429, 503), perhaps naming a wait.
    Refused(Option<Duration>),
    /// No answer: time-out, reset, refused connection.
    Lost,
}

/// The pace of one domain.
#[derive(Debug)]
pub struct Pace {
    limits: PaceLimits,
    crawl_delay: Duration,
    learned_gap: Duration,
    running: usize,
    window: f32,
    fastest: Option<Duration>,
    last_start: Option<Instant>,
    closed_until: Option<Instant>,
    last_refusal: Option<Instant>,
}

impl Pace {
    /// A domain nobody has asked anything yet.
    #[must_use]
    pub fn new(limits: PaceLimits) -> Self {
        let window = window_cap(limits.concurrency);
        Self {
            limits,
            crawl_delay: Duration::ZERO,
            learned_gap: Duration::ZERO,
            running: 0,
            window,
            fastest: None,
            last_start: None,
            closed_until: None,
            last_refusal: None,
        }
    }

    /// Obeys a `Crawl-delay`, which the caller has capped.
    pub fn obey_crawl_delay(&mut self, delay: Duration) {
        self.crawl_delay = delay;
    }

    /// The gap between two starts that holds now.
    #[must_use]
    pub fn gap(&self) -> Duration {
        self.limits.delay.max(self.crawl_delay).max(self.learned_gap)
    }

    /// Requests that have started and not ended.
    #[must_use]
    pub fn running(&self) -> usize {
        self.running
    }

    /// Whether a request may start at `now`.
    #[must_use]
    pub fn turn(&self, now: Instant) -> Turn {
        if self.running >= self.allowed_at_once() {
            return Turn::Full;
        }
        let spaced = self.last_start.map(|t| t + self.gap());
        match spaced.max(self.closed_until) {
            Some(t) if t > now => Turn::At(t),
            _ => Turn::Go,
        }
    }

    /// A request starts.
    pub fn start(&mut self, now: Instant) {
        self.running += 1;
        self.last_start = Some(now);
    }

    /// The request that started last was written at `at`: the gap counts from there.
    pub fn sent(&mut self, at: Instant) {
        self.last_start = self.last_start.max(Some(at));
    }

    /// The request that started at `started` has ended.
    pub fn end(&mut self, started: Instant, now: Instant, answer: Answer) {
        self.running = self.running.saturating_sub(1);
        match answer {
            Answer::Came(latency) => self.adapt(latency),
            Answer::Lost => self.window = (self.window / 2.0).max(1.0),
            Answer::Refused(wait) => self.back_off(started, now, wait),
        }
    }

    /// Closes the domain until a wait is over; refusals of requests that were already under way when the
    /// pace was last lowered say nothing new about it.
    fn back_off(&mut self, started: Instant, now: Instant, wait: Option<Duration>) {
        let news = self.last_refusal.is_none_or(|t| started > t);
        if news {
            self.last_refusal = Some(now);
            self.learned_gap =
                (self.gap().max(FIRST_REFUSED_GAP) * REFUSAL_FACTOR).min(self.limits.max_backoff);
        }
        let wait = wait.unwrap_or(self.learned_gap * REFUSAL_FACTOR).min(self.limits.max_backoff);
        self.closed_until = self.closed_until.max(Some(now + wait));
    }

    fn adapt(&mut self, latency: Duration) {
        let fastest = self.fastest.map_or(latency, |f| f.min(latency));
        self.fastest = Some(fastest);
        if latency > fastest * SLOW_FACTOR && latency > fastest + SLOW_AT_LEAST {
            self.window = (self.window * 0.75).max(1.0);
        } else {
            self.window = (self.window + 1.0 / self.window).min(window_cap(self.limits.concurrency));
        }
    }

    fn allowed_at_once(&self) -> usize {
        let cap = self.limits.concurrency.max(1);
        (1..=cap).rev().find(|&n| window_cap(n) <= self.window).unwrap_or(1)
    }
}

fn window_cap(concurrency: usize) -> f32 {
    f32::from(u16::try_from(concurrency.max(1)).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn pace(concurrency: usize, delay: Duration) -> (Pace, Instant) {
        (Pace::new(PaceLimits { concurrency, delay, max_backoff: 30_000 * MS }), Instant::now())
    }

    #[test]
    fn keeps_the_gap_and_the_concurrency() {
        let (mut pace, t) = pace(2, 50 * MS);
        assert_eq!(pace.turn(t), Turn::Go);
        pace.start(t);
        assert_eq!(pace.turn(t), Turn::At(t + 50 * MS));
        pace.start(t + 50 * MS);
        assert_eq!(pace.turn(t + 200 * MS), Turn::Full);
        pace.end(t, t + 210 * MS, Answer::Came(210 * MS));
        assert_eq!(pace.turn(t + 210 * MS), Turn::Go);
    }

    #[test]
    fn the_gap_counts_from_when_a_request_was_sent() {
        let (mut pace, t) = pace(3, 50 * MS);
        pace.start(t);
        pace.sent(t + 7 * MS);
        assert_eq!(pace.turn(t + 50 * MS), Turn::At(t + 57 * MS));
        pace.start(t + 57 * MS);
        pace.sent(t + 7 * MS);
        assert_eq!(pace.turn(t + 60 * MS), Turn::At(t + 107 * MS), "it was another's");
    }

    #[test]
    fn the_longest_gap_wins() {
        let (mut pace, t) = pace(4, 50 * MS);
        pace.obey_crawl_delay(200 * MS);
        pace.start(t);
        assert_eq!(pace.turn(t + 60 * MS), Turn::At(t + 200 * MS));
    }

    #[test]
    fn a_refusal_closes_the_domain_and_slows_it_once() {
        let (mut pace, t) = pace(4, 50 * MS);
        pace.start(t);
        pace.start(t + 50 * MS);
        pace.end(t, t + 60 * MS, Answer::Refused(Some(1_000 * MS)));
        pace.end(t + 50 * MS, t + 70 * MS, Answer::Refused(Some(1_000 * MS)));
        assert_eq!(pace.gap(), 100 * MS);
        assert_eq!(pace.turn(t + 200 * MS), Turn::At(t + 1_070 * MS));
        pace.start(t + 1_100 * MS);
        pace.end(t + 1_100 * MS, t + 1_110 * MS, Answer::Refused(None));
        assert_eq!(pace.gap(), 200 * MS);
    }

    #[test]
    fn a_huge_retry_after_is_capped() {
        let (mut pace, t) = pace(4, 50 * MS);
        pace.start(t);
        pace.end(t, t, Answer::Refused(Some(Duration::from_hours(24))));
        assert_eq!(pace.turn(t), Turn::At(t + 30_000 * MS));
    }

    #[test]
    fn slow_answers_narrow_the_window_and_fast_ones_widen_it() {
        let (mut pace, t) = pace(4, Duration::ZERO);
        let mut answer = |latency| {
            pace.start(t);
            pace.end(t, t, Answer::Came(latency));
            pace.allowed_at_once()
        };
        assert_eq!(answer(50 * MS), 4);
        for _ in 0..10 {
            answer(2_000 * MS);
        }
        assert_eq!(answer(2_000 * MS), 1);
        for _ in 0..20 {
            answer(60 * MS);
        }
        assert_eq!(answer(60 * MS), 4);
    }
}
