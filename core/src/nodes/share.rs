//! What several nodes share of one site: its time, its places (requests at once), and what its refusals taught.
//!
//! A node asks for a place and for the site's time before it sends anything, and is given a share of the places and, where there
//! is a gap to keep, windows of time that are its own alone. A request is sent inside of a window, a gap before its end at
//! the latest, so that whatever the next node sends comes a gap later. Windows hold a little more than their requests need,
//! so that a timer that is late costs no request. A node that is alone continues its last window, and loses nothing; when
//! another one comes, it is told and gives back what lies far ahead.
//!
//! A node has a lease: when it lapses its places are free again. Places of a node that asks for less than it uses are counted
//! until their requests have ended, so that no more than all run at once. Where there are more nodes than places, those go
//! round: who has had its turn waits behind those that wait.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::clock::Moment;
use super::windows::WRITING;
use crate::refusals::{FORGIVEN_AFTER, forgiven};

/// A node that has not asked for this long uses nothing any more.
pub const LEASE: Duration = Duration::from_secs(11);
/// So much of a site's time is reserved at once, beside what makes requests late and what a slow site has to spare. It bounds how
/// long another node waits.
pub(super) const BLOCK: Duration = Duration::from_secs(2);
/// A window is longer than its requests need by this, by what makes them late and by twice the error of the clock, ...
const LEAST_SLACK: Duration = Duration::from_millis(3).saturating_add(WRITING);
/// ... in steps of this, so that windows of nodes whose errors differ fit between each other, ...
const SLACK_STEP: Duration = Duration::from_millis(4);
/// ... or by this part of its length.
const SLACK: u32 = 50;
/// A node that is alone reserves so much, less what the answer takes and the clock may be wrong by: it asks less often, and that is
/// less than may be promised.
const ALONE: Duration = Duration::from_millis(9_200);
/// Nothing is promised to be sent later than this; a node that would have to wait longer asks again.
pub const PROMISED: Duration = Duration::from_secs(10);
/// How long a node has a site that no other node can ask.
const ALL_DAY: Duration = Duration::from_hours(24);
/// Of whom nothing is known any more.
const NOBODY: u128 = 0;
/// When a node that has no place asks again.
const NO_PLACE: Duration = Duration::from_millis(250);
/// Of so many turns of a node at a site one is shorter than it could be.
const TURNS: usize = 3;
/// Where a turn has fewer requests, it is worth no less.
const FEW: usize = 4;
/// Nodes that ask the site forgive first: what one of them still knew would be learned anew.
const GRACE: Duration = Duration::from_secs(30);
/// An odd number without a pattern: what is multiplied by it has its bits mixed.
const MIX: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
/// By so much the ends of one wait differ at most, as two nodes see them.
const SAME: Duration = Duration::from_millis(200);

/// What is kept of one site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteShare {
    /// No node may ask the site before this.
    closed_until: Timestamp,
    /// The gap that refusals taught.
    learned_gap: Duration,
    /// When that was last changed by a refusal, or by there being none.
    learned_at: Timestamp,
    members: Vec<Member>,
    /// Windows that are not over, the earliest first, none over another.
    reserved: Vec<Reserved>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Member {
    node: u128,
    lapses: Timestamp,
    /// Places that others must leave to it.
    held: usize,
    /// When it was served last.
    served: Timestamp,
    /// The gap that it knows of.
    gap: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Reserved {
    node: u128,
    from: Timestamp,
    until: Timestamp,
    /// Its last request is sent so long before its end.
    gap: Duration,
}

/// What a node wants of a site, and what it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ask {
    /// Requests that it could send as far as it knows; with none, and none running, it leaves.
    pub wanted: usize,
    /// Of those, the ones that it has no time for yet and wants some for.
    pub untimed: usize,
    /// Requests that run.
    pub running: usize,
    /// Requests at once, over all nodes; at least 1.
    pub at_once: usize,
    /// The gap between two requests that it knows of, learned or configured.
    pub gap: Duration,
    /// The part of it that refusals taught.
    pub learned_gap: Duration,
    /// For how long the site is closed that it knows of.
    pub closed_for: Duration,
    /// How long the site usually takes for an answer.
    pub latency: Duration,
    /// By how much a request usually comes later than it could.
    pub late: Duration,
    /// How long it takes until the node has what it was granted.
    pub answer_takes: Duration,
    /// For how long it goes on using what it has reserved: the rest is given back.
    pub keeps: Duration,
}

/// What a node may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Granted {
    /// Requests that may run at once, those that do included.
    pub places: usize,
    /// When it may send them, all that it has; with no gap to keep, at any time until the last one's end.
    pub windows: Vec<(Timestamp, Timestamp)>,
    /// The places are its own until then.
    pub lapses: Timestamp,
    /// The gap to keep: the longest that any node knows of.
    pub gap: Duration,
    /// The site is closed until then.
    pub closed_until: Timestamp,
    /// Whether no other node uses the site.
    pub is_alone: bool,
    /// Others should be told to ask again: the site has refused a request, or it has come newly and others have what is its share.
    pub has_news: bool,
    /// When it makes sense to ask again, if it wanted more than it was given.
    pub again: Option<Duration>,
}

impl Granted {
    /// All of a site, for a node that has it for itself.
    pub fn alone(now: Timestamp) -> Self {
        let until = now + ALL_DAY;
        Self {
            places: usize::MAX,
            windows: vec![(now, until)],
            lapses: until,
            gap: Duration::ZERO,
            closed_until: now,
            is_alone: true,
            has_news: false,
            again: None,
        }
    }
}

impl SiteShare {
    /// A site of whose requests nothing is known; the last one is sent at `not_before` at the latest.
    pub fn new(not_before: Timestamp) -> Self {
        Self {
            closed_until: not_before,
            learned_gap: Duration::ZERO,
            learned_at: not_before,
            members: Vec::new(),
            reserved: vec![Reserved {
                node: NOBODY,
                from: not_before - PROMISED,
                until: not_before,
                gap: Duration::ZERO,
            }],
        }
    }

    /// Whether `node` has time of the site that is not over.
    pub fn is_reserved_by(&self, node: u128, now: Timestamp) -> bool {
        self.reserved.iter().any(|reserved| reserved.node == node && reserved.until > now)
    }

    /// Answers what `node` asks.
    pub fn ask(&mut self, node: u128, now: Moment, ask: &Ask) -> Granted {
        self.forget(now);
        if ask.learned_gap > self.learned_gap {
            (self.learned_gap, self.learned_at) = (ask.learned_gap, now.earliest);
        }
        let mut is_refused = false;
        if !ask.closed_for.is_zero() {
            let until = now.latest + ask.closed_for;
            is_refused = until > self.closed_until + SAME;
            self.closed_until = self.closed_until.max(until);
        }
        let last_served = self.members.iter().find(|member| member.node == node).map(|member| member.served);
        self.members.retain(|member| member.node != node);
        self.give_back(node, now.latest, ask.keeps);
        let gap =
            self.members.iter().map(|member| member.gap).fold(ask.gap.max(self.learned_gap), Duration::max);
        let mut granted = Granted {
            places: 0,
            windows: Vec::new(),
            lapses: now.earliest + LEASE,
            gap,
            closed_until: self.closed_until,
            is_alone: self.members.is_empty(),
            has_news: is_refused && !self.members.is_empty(),
            again: None,
        };
        if ask.wanted == 0 && ask.running == 0 {
            return granted;
        }
        let mut served = last_served.unwrap_or(Timestamp::UNIX_EPOCH);
        let (share, left) = self.places(node, served, ask);
        // A node keeps its place until its turn is over, and has no other before.
        let ends = |own: bool| self.reserved.iter().filter(move |r| (r.node == node) == own).map(|r| r.until);
        let turn_ends = ends(true).max().filter(|end| share == 0 && *end > now.earliest);
        let has_turn = turn_ends.is_some();
        let share = if has_turn { 1 } else { share };
        // Who was alone, or has a place too many, has it until it asks again.
        granted.has_news |= last_served.is_none() && (self.members.len() == 1 || left < share);
        granted.places = share.min(left);
        if !granted.is_alone {
            granted.places = granted.places.min(ask.running + ask.wanted);
        }
        // Or another's is.
        let frees = turn_ends.or_else(|| ends(false).filter(|end| share == 0 && *end > now.latest).min());
        let again = || frees.map_or(NO_PLACE, |end| NO_PLACE.max(now.until_surely(end)));
        granted.again = (left < share || share == 0 || has_turn).then(again);
        if granted.places > 0 && (ask.untimed > 0 || granted.is_alone && ask.wanted > 0) && !has_turn {
            match self.reserve(node, now, &Ask { gap, ..*ask }, granted.places, last_served.is_none()) {
                Ok(free) => (granted.windows, served) = (free.into_iter().collect(), now.latest),
                Err(again) => granted.again = Some(again),
            }
        }
        let own =
            self.reserved.iter().filter(|reserved| reserved.node == node && reserved.until > now.earliest);
        granted.windows.extend(own.map(|reserved| (reserved.from, reserved.until)));
        let held = granted.places.max(ask.running);
        self.members.push(Member { node, lapses: now.latest + LEASE, held, served, gap: ask.gap });
        granted
    }

    /// Forgets what is over.
    fn forget(&mut self, now: Moment) {
        while !self.learned_gap.is_zero() && now.earliest > self.learned_at + FORGIVEN_AFTER + GRACE {
            self.learned_gap = forgiven(self.learned_gap);
            self.learned_at += FORGIVEN_AFTER + GRACE;
        }
        self.members.retain(|member| member.lapses > now.earliest);
        // The last one that is over stays: the next request may have to be farther from it than it knew.
        let over = self.reserved.iter().take_while(|reserved| reserved.until <= now.earliest).count();
        self.reserved.drain(..over.saturating_sub(1));
    }

    /// Of what the node has, nothing is reserved for longer than it `keeps` it, but for the gap after what it has just sent.
    fn give_back(&mut self, node: u128, now: Timestamp, keeps: Duration) {
        for reserved in self.reserved.iter_mut().filter(|reserved| reserved.node == node) {
            reserved.until = reserved.until.min(now + keeps.max(reserved.gap));
        }
        self.reserved.retain(|reserved| reserved.from < reserved.until);
    }

    /// The node's share of the places, and how many the others have left.
    fn places(&self, node: u128, served: Timestamp, ask: &Ask) -> (usize, usize) {
        let all = ask.at_once.max(1);
        let nodes = self.members.len() + 1;
        let left = all.saturating_sub(self.members.iter().map(|member| member.held).sum());
        let share = if nodes > all {
            let is_before = |other: &&Member| other.held == 0 && (other.served, other.node) < (served, node);
            usize::from(self.members.iter().filter(is_before).count() < left)
        } else {
            let rank = self.members.iter().filter(|other| other.node < node).count();
            all / nodes + usize::from(rank < all % nodes)
        };
        (share, left)
    }

    /// Reserves windows for what is wanted, as many as make up a block of the site's time. Without a gap to keep there is one
    /// that is not its own alone.
    ///
    /// # Errors
    /// Nothing is free for so long that it makes sense to ask again only then.
    fn reserve(
        &mut self,
        node: u128,
        now: Moment,
        ask: &Ask,
        places: usize,
        is_new: bool,
    ) -> Result<Option<(Timestamp, Timestamp)>, Duration> {
        let gap = ask.gap;
        let start = (now.latest + ask.answer_takes).max(self.closed_until);
        let nodes = capped(self.members.len() + 1);
        // Each request that is late makes all that follow late; one that does not fit any more costs a whole gap.
        let late = ask.late + ask.late / 8;
        let wanted = if nodes == 1 {
            let most = ALONE.saturating_sub(ask.answer_takes + now.error() * 2);
            requests_in(most.max(BLOCK), gap + late)
        } else {
            let most = requests_in(BLOCK, gap);
            ask.untimed.min(uneven(most, is_new, now.latest, node))
        };
        // A site that answers slowly is asked by turns, or the places of the others would stand empty meanwhile.
        let keeps_up = ask.latency <= gap * capped(places);
        let in_one = if nodes == 1 || keeps_up { wanted } else { wanted.min(places) };
        let time = gap * capped(in_one);
        let slack = slack(late * capped(in_one) + now.error() * 2);
        // A slow site's time that its places leave free is everybody's: the more of it a node has, the sooner it has a request.
        let all_once = gap * capped(ask.at_once) + slack * nodes;
        let cycle = all_once.max(ask.latency + ask.latency / 10);
        let spare =
            if nodes == 1 || keeps_up { Duration::ZERO } else { cycle.saturating_sub(all_once) / nodes };
        let length = time + (time / SLACK).min(BLOCK).max(slack) + spare.min(BLOCK);
        let first = if gap.is_zero() { start } else { self.free(start, length, gap) };
        let promised = now.latest + PROMISED;
        let ahead = (first + length).duration_since(promised + gap);
        if ahead.is_positive() {
            return Err(ahead.unsigned_abs().max(NO_PLACE));
        }
        if gap.is_zero() {
            return Ok(Some((start, start + BLOCK)));
        }
        let (mut left, mut from) = (wanted, first);
        while left > 0 && from <= first + BLOCK && from + length <= promised + gap {
            self.add(Reserved { node, from, until: from + length, gap });
            left = left.saturating_sub(in_one);
            from = self.free(from + cycle, length, gap);
        }
        Ok(None)
    }

    /// Reserves a window; one that begins where another of its node ends continues that.
    fn add(&mut self, window: Reserved) {
        match self.reserved.iter_mut().find(|r| r.node == window.node && r.until == window.from) {
            Some(before) => (before.until, before.gap) = (window.until, window.gap),
            None => self.reserved.push(window),
        }
        self.reserved.sort_by_key(|reserved| reserved.from);
    }

    /// The first time from `from` on at which nobody has reserved anything for so long, and everybody's last request is a
    /// `gap` away.
    fn free(&self, from: Timestamp, length: Duration, gap: Duration) -> Timestamp {
        self.reserved.iter().fold(from, |from, reserved| {
            let until = reserved.until + gap.saturating_sub(reserved.gap);
            if reserved.from < from + length && from < until { until } else { from }
        })
    }
}

/// What a window has for timers that are late and a clock that is wrong, `expected` of it at least.
fn slack(expected: Duration) -> Duration {
    let steps = (LEAST_SLACK + expected).as_nanos().div_ceil(SLACK_STEP.as_nanos());
    SLACK_STEP * u32::try_from(steps).unwrap_or(u32::MAX)
}

/// How many requests a time has room for, at least 1.
fn requests_in(time: Duration, gap: Duration) -> usize {
    let room = time.as_nanos() / gap.as_nanos().max(1);
    usize::try_from(room).unwrap_or(usize::MAX).max(1)
}

/// As many, or fewer at first and now and then: nodes that begin with the same sites at the same time would have all of them in
/// turn, and the others would stand idle.
fn uneven(most: usize, is_new: bool, now: Timestamp, node: u128) -> usize {
    let mixed = (u128::from(now.as_microsecond().unsigned_abs()) ^ node).wrapping_mul(MIX) >> 64;
    let mixed = usize::try_from(mixed).unwrap_or(0);
    let is_short = (is_new || mixed.is_multiple_of(TURNS)) && most >= FEW;
    if is_short { most - mixed / TURNS % most } else { most }
}

fn capped(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
