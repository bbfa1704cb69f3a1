//! One node's part of a site: what it was granted, and when it has to ask again.

use std::time::{Duration, Instant};

use super::clock::SharedClock;
use super::share::{Ask, BLOCK, Granted};
use super::windows::{WRITING, Windows};

/// More time is reserved this long before what there is runs out, so that nothing waits for the answer.
const AHEAD: Duration = Duration::from_millis(500);
/// A lease is renewed this long after it was granted, while requests run.
const RENEWAL: Duration = Duration::from_secs(9);
/// A node that has asked nothing of a site for so long leaves it, ...
const IDLE: Duration = Duration::from_secs(1);
/// ... or for so long, where others wait for the time that it has reserved.
const IDLE_AMONG_OTHERS: Duration = Duration::from_millis(200);
/// Until another try when the others cannot be reached.
const RETRY: Duration = Duration::from_millis(500);

/// What a node holds of one site.
#[derive(Debug, Clone, Default)]
pub struct Membership {
    held: Option<HeldUntil>,
    windows: Windows,
    /// Nothing is asked before.
    not_before: Option<Instant>,
    /// Requests that ran when it asked, while there is no answer: it may have been given fewer places than it had.
    asked_with: Option<usize>,
    is_asking: bool,
    /// There is something to tell the others, or to hear from them, at once.
    has_news: bool,
}

#[derive(Debug, Clone, Copy)]
struct HeldUntil {
    places: usize,
    lapses: Instant,
    since: Instant,
    is_alone: bool,
    again: Option<Instant>,
}

impl Membership {
    /// Others should know of a refusal at once, or have changed what they share.
    pub fn has_news(&mut self) {
        self.has_news = true;
    }

    /// Whether another request may run beside so many.
    pub fn has_place(&self, running: usize, now: Instant) -> bool {
        let places = self.held.filter(|held| held.lapses > now).map_or(0, |held| held.places);
        running < self.asked_with.map_or(places, |asked| asked.min(places))
    }

    /// The first moment from `at` on at which a request may be sent.
    pub fn first(&self, at: Instant, gap: Duration) -> Option<Instant> {
        let lapses = self.held?.lapses;
        self.windows.first(at, gap).filter(|first| *first < lapses)
    }

    /// Until when a request may be written that is handed out at `at`: looked at again then, since the node may have slept.
    pub fn latest(&self, at: Instant, gap: Duration) -> Option<Instant> {
        Some(self.windows.latest(at, gap)?.min(self.held?.lapses))
    }

    /// When to ask, while so many requests are wanted and so many run; `used`: when one was wanted or ran last, `next`: when its
    /// own gap allows another one.
    pub fn ask_at(
        &self,
        now: Instant,
        wanted: usize,
        running: usize,
        gap: Duration,
        used: Instant,
        next: Instant,
    ) -> Option<Instant> {
        if self.is_asking {
            return None;
        }
        let at = |due: Instant| Some(self.not_before.map_or(due, |not_before| due.max(not_before)));
        let is_used = wanted + running > 0;
        let Some(held) = self.held.filter(|held| held.lapses > now) else {
            return if is_used { at(now) } else { None };
        };
        if self.has_news {
            return at(now);
        }
        if !is_used {
            return at(used + if held.is_alone { IDLE } else { IDLE_AMONG_OTHERS });
        }
        let renewal = held.since + RENEWAL;
        if wanted == 0 {
            return at(renewal.min(held.lapses));
        }
        let runs_out = match self.windows.end() {
            _ if self.windows.room(now.max(next), gap) >= wanted => None,
            Some(end) => Some(end.checked_sub(AHEAD).unwrap_or(now)),
            None => Some(now),
        };
        at(held.again.or(runs_out).map_or(renewal, |due| due.min(renewal)).max(now))
    }

    /// It asks, and until the answer comes has no more places than it says that it uses: a node that was alone has one more than
    /// run, so that nothing waits for the answer. Where it is told that it is not alone any more, it gives back what lies far
    /// ahead. What is handed out must have been written. Returns what it asks.
    pub fn asks(&mut self, ask: Ask, next: Instant, now: Instant) -> Ask {
        let Ask { wanted, running, gap, .. } = ask;
        let was_alone = self.held.is_some_and(|held| held.is_alone);
        let spare = was_alone && self.held.is_some_and(|held| held.places > running) && wanted > 0;
        let used = running + usize::from(spare);
        // A gap after what was written just now, the next node's turn may come.
        let least = gap + WRITING;
        let makes_room = was_alone && self.has_news;
        let keeps = match self.windows.end() {
            _ if wanted + running == 0 => least,
            Some(_) if makes_room => least.max(BLOCK),
            Some(end) => least.max(end.saturating_duration_since(now)),
            None => least,
        };
        self.windows.cut(now + keeps);
        (self.is_asking, self.has_news) = (true, false);
        self.asked_with = Some(used);
        if wanted + running == 0 {
            // From now on it has nothing.
            (self.held, self.windows) = (None, Windows::default());
        }
        // Who makes room lets the other one reserve first.
        let untimed = if makes_room {
            0
        } else {
            wanted.saturating_sub(self.windows.room(now.max(next), gap)).max(usize::from(wanted > 0))
        };
        Ask { untimed, running: used, keeps, ..ask }
    }

    /// The answer came, by the shared `clock`. `leaves`: it asked for nothing. Returns until when the site is closed, if it is.
    pub fn takes(
        &mut self,
        granted: &Granted,
        clock: &SharedClock,
        leaves: bool,
        now: Instant,
    ) -> Option<Instant> {
        (self.is_asking, self.asked_with, self.not_before) = (false, None, None);
        let shown = clock.at(now)?;
        if !leaves {
            let again = granted.again.map(|again| now + again);
            let Granted { places, is_alone, .. } = *granted;
            let lapses = now + shown.until_perhaps(granted.lapses);
            self.held = Some(HeldUntil { places, lapses, since: now, is_alone, again });
            self.windows = Windows::new(&granted.windows, &shown, now);
        }
        let closed = shown.until_surely(granted.closed_until);
        (!closed.is_zero()).then(|| now + closed)
    }

    /// No answer came, or none that helps.
    pub fn fails(&mut self, now: Instant) {
        self.is_asking = false;
        self.not_before = Some(now + RETRY);
    }
}
