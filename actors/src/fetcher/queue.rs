//! What a domain is to be asked, in order, and who waits for it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use wayfile_core::url::SiteUrl;

use crate::error::{FetchError, FetchResult};
use crate::http::Want;
use crate::messages::{Asker, Fetched};
use crate::permits::Owner;

pub(super) type FetchReply = FetchResult<Fetched>;

/// What makes requests equal.
type RequestKey = Arc<(SiteUrl, Want)>;

/// One address to be asked for, however many wait for it.
#[derive(Debug)]
pub(super) struct FetchRequest {
    pub(super) key: RequestKey,
    /// Where the answer lies: that of robots.txt may lie elsewhere.
    pub(super) url: SiteUrl,
    pub(super) want: Want,
    pub(super) tries: u8,
    pub(super) hops: usize,
    pub(super) since: Instant,
    pub(super) due: Instant,
    /// Cancelled when all who waited for it have left; an equal one that came later is another.
    pub(super) abandoned: CancellationToken,
}

struct PendingRequest {
    queued: Option<FetchRequest>,
    waiters: Vec<FetchWaiter>,
    abandoned: CancellationToken,
}

struct FetchWaiter {
    owner: Owner,
    reply: oneshot::Sender<FetchReply>,
}

/// What is queued for one asker, and when it is due; what several wait for is in the lane of each.
struct Lane {
    asker: Asker,
    keys: VecDeque<(RequestKey, Instant)>,
}

/// Askers go round, each with what it asked for first; requests that wait for another try are passed over until they are due.
#[derive(Default)]
pub(super) struct FetchQueue {
    asked: HashMap<RequestKey, PendingRequest>,
    /// The asker served longest ago comes first. Kept as long as the asker, and so its place.
    lanes: VecDeque<Lane>,
}

impl FetchQueue {
    /// Joins an equal request that is queued or under way, else queues a new one. Whether `asker` is a new one, too.
    pub(super) fn push(
        &mut self,
        url: SiteUrl,
        want: Want,
        asker: &Asker,
        reply: oneshot::Sender<FetchReply>,
        now: Instant,
    ) -> bool {
        let key = RequestKey::new((url.clone(), want));
        let entry = self.asked.entry(key).or_insert_with_key(|key| {
            let (key, abandoned) = (key.clone(), CancellationToken::new());
            let waited_for = abandoned.clone();
            let request = FetchRequest { key, url, want, tries: 0, hops: 0, since: now, due: now, abandoned };
            PendingRequest { queued: Some(request), waiters: Vec::new(), abandoned: waited_for }
        });
        let waits_already = entry.waiters.iter().any(|waiter| waiter.owner == asker.owner);
        entry.waiters.push(FetchWaiter { owner: asker.owner, reply });
        let queued = entry.queued.as_ref().filter(|_| !waits_already);
        let queued = queued.map(|request| (request.key.clone(), request.due));
        let Some(lane) = self.lanes.iter_mut().find(|lane| lane.asker.owner == asker.owner) else {
            self.lanes.push_back(Lane { asker: asker.clone(), keys: queued.into_iter().collect() });
            return true;
        };
        let is_new = queued.is_some();
        lane.keys.extend(queued);
        if is_new && want == Want::Robots {
            // Nothing else can be asked until it is answered.
            lane.keys.rotate_right(1);
        }
        false
    }

    /// Queues once more what was asked, before all else that its askers wait for; not for those who left meanwhile.
    pub(super) fn again(&mut self, request: FetchRequest) {
        if request.abandoned.is_cancelled() {
            return;
        }
        let Some(asked) = self.asked.get_mut(&request.key) else { return };
        let waits = |owner| asked.waiters.iter().any(|waiter| waiter.owner == owner);
        for lane in self.lanes.iter_mut().filter(|lane| waits(lane.asker.owner)) {
            lane.keys.push_front((request.key.clone(), request.due));
        }
        asked.queued = Some(request);
    }

    /// Drops requests whose askers have all left, and has those that are under way end.
    pub(super) fn drop_left(&mut self) {
        let before = self.lanes.len();
        self.lanes.retain(|lane| !lane.asker.cancel.is_cancelled());
        if self.lanes.len() == before {
            return;
        }
        self.asked.retain(|_, asked| {
            asked.waiters.retain(|waiter| self.lanes.iter().any(|lane| lane.asker.owner == waiter.owner));
            let is_wanted = !asked.waiters.is_empty();
            if !is_wanted {
                asked.abandoned.cancel();
            }
            is_wanted
        });
    }

    /// For whom something may be asked now, the one served longest ago first.
    pub(super) fn owners(&self, wanted: impl Fn(Want) -> bool, now: Instant) -> Vec<Owner> {
        let waiting = self.lanes.iter().filter(|lane| lane.next(&wanted, now).is_some());
        waiting.map(|lane| lane.asker.owner).collect()
    }

    /// When what of it is `wanted` may be asked, as far as the queue is concerned.
    pub(super) fn dues(&self, wanted: impl Fn(Want) -> bool) -> impl Iterator<Item = Instant> {
        let keys = self.lanes.iter().flat_map(|lane| &lane.keys);
        keys.filter(move |(key, _)| wanted(key.1)).map(|(_, due)| *due)
    }

    /// What those who wait for something here have not asked for yet: who waits for the rules asks for an address with them.
    pub(super) fn in_hand(&self) -> usize {
        let waiting = self.lanes.iter().filter(|lane| !lane.keys.is_empty());
        let of_crawls: usize = waiting.map(|lane| lane.asker.in_hand.load(Ordering::Relaxed)).sum();
        of_crawls + self.dues(|want| want == Want::Robots).count()
    }

    pub(super) fn pop(
        &mut self,
        owner: Owner,
        wanted: impl Fn(Want) -> bool,
        now: Instant,
    ) -> Option<FetchRequest> {
        let lane = self.lanes.iter().position(|lane| lane.asker.owner == owner)?;
        let mut lane = self.lanes.remove(lane)?;
        let key = lane.next(&wanted, now).and_then(|at| lane.keys.remove(at)).map(|(key, _)| key);
        self.lanes.push_back(lane);
        let key = key?;
        let asked = self.asked.get_mut(&key)?;
        if asked.waiters.len() > 1 {
            self.lanes.iter_mut().for_each(|lane| lane.keys.retain(|(other, _)| !Arc::ptr_eq(other, &key)));
        }
        asked.queued.take()
    }

    pub(super) fn give_up(&mut self, error: &FetchError) {
        for lane in &mut self.lanes {
            lane.keys.retain(|(key, _)| !key.1.is_within_crawl());
        }
        let queued =
            self.asked.values_mut().filter_map(|asked| asked.queued.take_if(|r| r.want.is_within_crawl()));
        for request in queued.collect::<Vec<_>>() {
            self.answer(&request, &Err(error.clone()));
        }
    }

    pub(super) fn answer(&mut self, request: &FetchRequest, result: &FetchReply) {
        if request.abandoned.is_cancelled() {
            return;
        }
        for waiter in self.asked.remove(&request.key).into_iter().flat_map(|asked| asked.waiters) {
            // A waiter that left needs no answer.
            let _ = waiter.reply.send(result.clone());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }
}

impl Lane {
    /// Which of its requests may start first.
    fn next(&self, wanted: impl Fn(Want) -> bool, now: Instant) -> Option<usize> {
        self.keys.iter().position(|(key, due)| wanted(key.1) && *due <= now)
    }
}
