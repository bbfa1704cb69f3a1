//! How fast one domain may be asked: requests at once, the gap between two starts, back-off.
//!
//! A pure state machine; the caller brings the time. The gap is a promise: between two starts of requests
//! there is never less than the largest of the configured delay, the site's `Crawl-delay` and what the
//! site's refusals taught. What a page loads that is open in a browser is no page: `Crawl-delay` does not hold for it.

use std::time::{Duration, Instant};

use crate::nodes::share::Ask;
use crate::refusals::{FIRST_REFUSED_GAP, FORGIVEN_AFTER, REFUSAL_FACTOR, forgiven};

/// Answers slower than this multiple of the calm latency, and by [`SLOW_AT_LEAST`], count as slow.
const SLOW_FACTOR: u32 = 3;
/// Differences below this are noise, not load.
const SLOW_AT_LEAST: Duration = Duration::from_millis(200);
/// A request that was later than this waited for something else than a timer.
const MOST_LATE: Duration = Duration::from_millis(10);
/// How late requests usually are is a mean over about so many.
const USUAL_REQUESTS: u32 = 8;
/// The usual latency is a mean over about so many answers.
const USUAL_ANSWERS: u32 = 8;
/// What stays slow when it is asked for one by one becomes calm over about so many answers.
const CALMING_ANSWERS: u32 = 24;

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

/// What a domain is asked for: each kind keeps a gap of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// A page, or whatever else is no [`RequestKind::Resource`].
    Page,
    /// What a page loads that is open in a browser.
    Resource,
}

/// How a request ended, as far as the pace is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestEnd {
    /// The site answered after this long.
    Came(Duration),
    /// The site asked for less (429, 503), perhaps naming a wait.
    Refused(Option<Duration>),
    /// No answer: time-out, reset, refused connection.
    Lost,
    /// It was not sent, or ended by us before the answer was read: that says nothing of the site's pace.
    Unsent,
}

/// The pace of one domain.
#[derive(Debug)]
pub struct Pace {
    limits: PaceLimits,
    crawl_delay: Duration,
    learned_gap: Duration,
    others_gap: Duration,
    running: usize,
    window: f32,
    latency: Latency,
    last_start: Option<Instant>,
    last_page: Option<Instant>,
    last_kind: RequestKind,
    /// When the page that started last could have been sent.
    due: Option<Instant>,
    late: Duration,
    closed_until: Option<Instant>,
    last_refusal: Option<Instant>,
    /// When the gap was last changed by a refusal, or by there being none.
    learned_at: Option<Instant>,
}

impl Pace {
    /// A domain without requests so far.
    pub fn new(limits: PaceLimits) -> Self {
        let window = window_cap(limits.concurrency);
        Self {
            limits,
            crawl_delay: Duration::ZERO,
            learned_gap: Duration::ZERO,
            others_gap: Duration::ZERO,
            running: 0,
            window,
            latency: Latency::default(),
            last_start: None,
            last_page: None,
            last_kind: RequestKind::Page,
            due: None,
            late: Duration::ZERO,
            closed_until: None,
            last_refusal: None,
            learned_at: None,
        }
    }

    /// Keeps other limits from now on.
    pub fn limit(&mut self, limits: PaceLimits) {
        let was_free = self.window >= window_cap(self.limits.concurrency);
        let cap = window_cap(limits.concurrency);
        self.window = if was_free { cap } else { self.window.min(cap) };
        self.limits = limits;
    }

    /// Obeys a `Crawl-delay`, which the caller has capped.
    pub fn obey_crawl_delay(&mut self, delay: Duration) {
        self.crawl_delay = delay;
    }

    /// Obeys what others know who ask the same site.
    pub fn obey_others(&mut self, gap: Duration, closed_until: Option<Instant>) {
        self.others_gap = gap;
        self.closed_until = self.closed_until.max(closed_until);
    }

    /// The gap between two pages that holds now, or the one before and after what a page loads.
    pub fn gap(&self, kind: RequestKind) -> Duration {
        let own = self.own_gap();
        match kind {
            // What others know counts as far as it is more than is known here.
            RequestKind::Resource if self.others_gap <= own => self.limits.delay.max(self.learned_gap),
            _ => own.max(self.others_gap),
        }
    }

    /// The gap between two pages, as far as it is known here.
    fn own_gap(&self) -> Duration {
        self.limits.delay.max(self.crawl_delay).max(self.learned_gap)
    }

    /// What to ask others for who ask the same site, while so many requests are wanted.
    pub fn ask(&self, wanted: usize, now: Instant) -> Ask {
        Ask {
            wanted,
            untimed: wanted,
            running: self.running,
            at_once: self.limits.concurrency,
            gap: self.own_gap(),
            learned_gap: self.learned_gap,
            closed_for: self
                .closed_until
                .map_or(Duration::ZERO, |until| until.saturating_duration_since(now)),
            latency: Duration::from_secs_f64(self.latency.usual),
            late: self.late,
            answer_takes: Duration::ZERO,
            keeps: Duration::ZERO,
        }
    }

    /// Requests that have started and not ended.
    pub fn running(&self) -> usize {
        self.running
    }

    /// When a request may start, `now` at the earliest; none as long as no further one may run.
    pub fn turn(&self, kind: RequestKind, now: Instant) -> Option<Instant> {
        let spaced = self.last_start.map(|t| t + self.gap(RequestKind::Resource));
        let first = spaced.max(self.after_page(kind)).max(self.closed_until).max(Some(now));
        first.filter(|_| self.running < self.allowed_at_once())
    }

    /// When the gap after the last page is over, which holds for pages alone.
    fn after_page(&self, kind: RequestKind) -> Option<Instant> {
        let last = self.last_page.filter(|_| kind == RequestKind::Page)?;
        Some(last + self.gap(kind))
    }

    /// A request starts.
    pub fn start(&mut self, kind: RequestKind, now: Instant) {
        self.due = self.after_page(kind);
        self.running += 1;
        self.last_kind = kind;
        self.spaced_from(now);
    }

    /// The gap to the next request counts from `at`.
    fn spaced_from(&mut self, at: Instant) {
        self.last_start = self.last_start.max(Some(at));
        if self.last_kind == RequestKind::Page {
            self.last_page = self.last_page.max(Some(at));
        }
    }

    /// The request that started last was written at `at`: the gap counts from there.
    pub fn sent(&mut self, at: Instant) {
        let late = self.due.take().map(|due| at.saturating_duration_since(due));
        if let Some(late) = late.filter(|late| *late < MOST_LATE) {
            self.late = (self.late * (USUAL_REQUESTS - 1) + late) / USUAL_REQUESTS;
        }
        self.spaced_from(at);
    }

    /// The request that started at `started` has ended.
    pub fn end(&mut self, started: Instant, now: Instant, answer: RequestEnd) {
        self.running = self.running.saturating_sub(1);
        match answer {
            RequestEnd::Came(latency) => {
                self.forgive(now);
                self.adapt(latency);
            }
            RequestEnd::Lost => self.window = (self.window / 2.0).max(1.0),
            RequestEnd::Refused(wait) => self.back_off(started, now, wait),
            RequestEnd::Unsent => {}
        }
    }

    /// Closes the domain until a wait is over; refusals of requests that were already under way when the
    /// pace was last lowered say nothing new about it.
    fn back_off(&mut self, started: Instant, now: Instant, wait: Option<Duration>) {
        let news = self.last_refusal.is_none_or(|t| started > t);
        if news {
            self.last_refusal = Some(now);
            self.learned_at = Some(now);
            let slower = self.gap(RequestKind::Page).max(FIRST_REFUSED_GAP) * REFUSAL_FACTOR;
            self.learned_gap = slower.min(self.limits.max_backoff);
        }
        let wait = wait.unwrap_or(self.learned_gap * REFUSAL_FACTOR).min(self.limits.max_backoff);
        self.closed_until = self.closed_until.max(Some(now + wait));
    }

    /// A site that answers for long without a refusal may be asked faster again.
    fn forgive(&mut self, now: Instant) {
        if self.learned_at.is_some_and(|at| now.saturating_duration_since(at) >= FORGIVEN_AFTER) {
            self.learned_gap = forgiven(self.learned_gap);
            self.learned_at = Some(now).filter(|_| !self.learned_gap.is_zero());
        }
    }

    /// Asks for less at once while the site is slower than when it was calm.
    fn adapt(&mut self, latency: Duration) {
        self.latency.take(latency);
        if self.latency.is_strained_by(latency) {
            if self.allowed_at_once() == 1 {
                self.latency.calm_down();
            }
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

/// How fast a site answers, in seconds. Its pages differ: one slow answer tells of no load, many do.
#[derive(Debug, Default)]
struct Latency {
    answers: u32,
    usual: f64,
    /// The least it was usual to wait.
    calm: f64,
}

impl Latency {
    fn take(&mut self, latency: Duration) {
        self.answers = self.answers.saturating_add(1);
        self.usual += (latency.as_secs_f64() - self.usual) / f64::from(self.answers.min(USUAL_ANSWERS));
        self.calm = if self.answers == 1 { self.usual } else { self.calm.min(self.usual) };
    }

    /// Slow answers have become usual, and this is one of them.
    fn is_strained_by(&self, latency: Duration) -> bool {
        let limit = (self.calm * f64::from(SLOW_FACTOR)).max(self.calm + SLOW_AT_LEAST.as_secs_f64());
        latency.as_secs_f64() > limit && self.usual > limit
    }

    /// Nothing is left that could be asked for less: this may be how the site is.
    fn calm_down(&mut self) {
        self.calm += (self.usual - self.calm) / f64::from(CALMING_ANSWERS);
    }
}

fn window_cap(concurrency: usize) -> f32 {
    f32::from(u16::try_from(concurrency.max(1)).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::RequestKind::{Page, Resource};
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn pace(concurrency: usize, delay: Duration) -> (Pace, Instant) {
        (Pace::new(PaceLimits { concurrency, delay, max_backoff: 30_000 * MS }), Instant::now())
    }

    #[test]
    fn a_crawl_delay_spaces_pages_and_the_operators_delay_what_they_load() {
        let (mut pace, t) = pace(4, 50 * MS);
        pace.obey_crawl_delay(1_000 * MS);
        pace.start(Page, t);
        assert_eq!(pace.turn(Page, t), Some(t + 1_000 * MS));
        assert_eq!(pace.turn(Resource, t), Some(t + 50 * MS));
        pace.start(Resource, t + 980 * MS);
        assert_eq!(
            pace.turn(Page, t + 1_000 * MS),
            Some(t + 1_030 * MS),
            "a page keeps away from what was loaded, too"
        );
        pace.sent(t + 990 * MS);
        assert_eq!(
            pace.turn(Page, t + 1_040 * MS),
            Some(t + 1_040 * MS),
            "what was written last was no page"
        );
        pace.start(Page, t + 1_040 * MS);
        // What a refusal taught holds for all, and so does what others know beyond that.
        pace.end(t, t + 1_040 * MS, RequestEnd::Refused(None));
        assert_eq!(pace.gap(Resource), pace.gap(Page));
        pace.obey_others(9_000 * MS, None);
        assert_eq!(pace.gap(Resource), 9_000 * MS);
    }

    #[test]
    fn what_refusals_taught_is_forgotten_in_the_end() {
        let (mut pace, mut t) = pace(4, 50 * MS);
        for _ in 0..10 {
            pace.start(Page, t);
            pace.end(t, t + MS, RequestEnd::Refused(None));
            t += 60_000 * MS;
        }
        assert_eq!(pace.gap(Page), 30_000 * MS);
        let refused = t;
        while pace.gap(Page) > 50 * MS {
            pace.start(Page, t);
            pace.end(t, t + 50 * MS, RequestEnd::Came(50 * MS));
            t += pace.gap(Page);
            assert!(t < refused + 7_200_000 * MS, "it is {:?} still", pace.gap(Page));
        }
        assert!(t > refused + 2_400_000 * MS, "a few calm minutes are no proof");
    }

    /// How many may be asked at once after an answer that took so long.
    fn answer(pace: &mut Pace, t: Instant, latency: Duration) -> usize {
        pace.start(Page, t);
        pace.end(t, t, RequestEnd::Came(latency));
        pace.allowed_at_once()
    }

    #[test]
    fn keeps_the_gap_and_the_concurrency() {
        let (mut pace, t) = pace(2, 50 * MS);
        assert_eq!(pace.turn(Page, t), Some(t));
        pace.start(Page, t);
        assert_eq!(pace.turn(Page, t), Some(t + 50 * MS));
        pace.start(Page, t + 50 * MS);
        pace.sent(t + 58 * MS);
        assert_eq!(pace.ask(1, t + 58 * MS).late, MS);
        assert_eq!(pace.turn(Page, t + 200 * MS), None);
        pace.end(t, t + 210 * MS, RequestEnd::Came(210 * MS));
        assert_eq!(pace.turn(Page, t + 210 * MS), Some(t + 210 * MS));
    }

    #[test]
    fn the_gap_counts_from_when_a_request_was_sent() {
        let (mut pace, t) = pace(3, 50 * MS);
        pace.start(Page, t);
        pace.sent(t + 7 * MS);
        assert_eq!(pace.turn(Page, t + 50 * MS), Some(t + 57 * MS));
        pace.start(Page, t + 57 * MS);
        pace.sent(t + 7 * MS);
        assert_eq!(pace.turn(Page, t + 60 * MS), Some(t + 107 * MS), "it was another's");
    }

    #[test]
    fn the_longest_gap_wins() {
        let (mut pace, t) = pace(4, 50 * MS);
        pace.obey_crawl_delay(200 * MS);
        pace.start(Page, t);
        assert_eq!(pace.turn(Page, t + 60 * MS), Some(t + 200 * MS));
    }

    #[test]
    fn a_refusal_closes_the_domain_and_slows_it_once() {
        let (mut pace, t) = pace(4, 50 * MS);
        pace.start(Page, t);
        pace.start(Page, t + 50 * MS);
        pace.end(t, t + 60 * MS, RequestEnd::Refused(Some(1_000 * MS)));
        pace.end(t + 50 * MS, t + 70 * MS, RequestEnd::Refused(Some(1_000 * MS)));
        assert_eq!(pace.gap(Page), 100 * MS);
        assert_eq!(pace.turn(Page, t + 200 * MS), Some(t + 1_070 * MS));
        pace.start(Page, t + 1_100 * MS);
        pace.end(t + 1_100 * MS, t + 1_110 * MS, RequestEnd::Refused(None));
        assert_eq!(pace.gap(Page), 200 * MS);
    }

    #[test]
    fn a_huge_retry_after_is_capped() {
        let (mut pace, t) = pace(4, 50 * MS);
        pace.start(Page, t);
        pace.end(t, t, RequestEnd::Refused(Some(Duration::from_hours(24))));
        assert_eq!(pace.turn(Page, t), Some(t + 30_000 * MS));
    }

    #[test]
    fn slow_answers_narrow_the_window_and_fast_ones_widen_it() {
        let (mut pace, t) = pace(4, Duration::ZERO);
        let mut answer = |latency| answer(&mut pace, t, latency);
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

    #[test]
    fn pages_that_differ_are_no_load() {
        let (mut pace, t) = pace(4, Duration::ZERO);
        let mut answer = |latency| answer(&mut pace, t, latency);
        // The first ones are quick by chance; what follows takes up to 1.2 s, as each page needs.
        for latency in [10, 40, 20] {
            answer(latency * MS);
        }
        let at_once: Vec<usize> = (1..=100).map(|n| answer((n * 370 % 1_200) * MS)).collect();
        assert!(at_once[60..].iter().sum::<usize>() >= 3 * 40, "{at_once:?}");
    }

    #[test]
    fn a_site_that_is_slow_by_itself_is_asked_at_once_again_and_its_strain_is_noticed() {
        let (mut pace, t) = pace(4, Duration::ZERO);
        let mut answer = |latency| answer(&mut pace, t, latency);
        answer(5 * MS);
        let at_once: Vec<usize> = (0..40).map(|_| answer(900 * MS)).collect();
        assert!(at_once.contains(&1), "{at_once:?}");
        assert_eq!(at_once.last(), Some(&4));
        let strained: Vec<usize> = (0..12).map(|_| answer(9_000 * MS)).collect();
        assert_eq!(strained.last(), Some(&1), "{strained:?}");
    }
}
