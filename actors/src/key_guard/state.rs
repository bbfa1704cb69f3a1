//! What is known of one key: its rate, and what the store answered last. All its requests share it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use wayfile_core::calendar::Month;
use wayfile_core::limits::{Allowance, Figures, Gcra};
use wayfile_core::plan::{Endpoint, PlanLimits, Plans};

use super::Refusal;
use crate::guard::lock;
use crate::ledger::{KeyRecord, SharedRate};

pub(super) struct KeyState(Mutex<StateInner>);

struct StateInner {
    record: KeyRecord,
    /// The store has said nothing else since.
    sound: bool,
    rate: Gcra,
    last_used: Instant,
    /// When it was last used, until that is written down.
    untold: Option<Timestamp>,
}

impl KeyState {
    pub(super) fn new(record: KeyRecord) -> Self {
        let (rate, last_used) = (Gcra::default(), Instant::now());
        Self(Mutex::new(StateInner { record, sound: true, rate, last_used, untold: None }))
    }

    /// Lets in a request of a key that the store has just said is good: takes one from its rate.
    pub(super) fn admit(
        &self,
        record: KeyRecord,
        endpoint: Endpoint,
        limits: &PlanLimits,
    ) -> Result<Figures, Refusal> {
        let mut known = lock(&self.0);
        (known.record, known.sound) = (record, true);
        let (taken, figures) = known.take(endpoint, limits);
        let too_fast = |wait| Refusal::TooFast { wait, figures: Box::new(figures) };
        taken.map(|()| figures).map_err(too_fast)
    }

    /// Whether a request would be admitted if the store said the same as the last time.
    pub(super) fn has_room(&self, endpoint: Endpoint, plans: &Plans) -> bool {
        let known = lock(&self.0);
        known.has_room(endpoint, plans.limits(known.record.plan), Timestamp::now())
    }

    /// Takes one from the rate for a request that is let in if the store says the same as the last time: that, and the
    /// figures that go with it. None: it has to ask.
    pub(super) fn admit_optimistically(
        &self,
        endpoint: Endpoint,
        plans: &Plans,
    ) -> Option<(KeyRecord, Figures)> {
        let mut known = lock(&self.0);
        let limits = plans.limits(known.record.plan);
        if !known.has_room(endpoint, limits, Timestamp::now()) {
            return None;
        }
        let (taken, figures) = known.take(endpoint, limits);
        taken.ok()?;
        Some((known.record, figures))
    }

    /// The store has said how much of a quota is used. What it said to requests at the same time may come in any order: the
    /// most counts.
    pub(super) fn tell_used(&self, endpoint: Endpoint, used: u64) {
        let mut known = lock(&self.0);
        let most = known.record.used.of(endpoint).max(used);
        known.record.used.set(endpoint, most);
    }

    /// The store answered something else than was assumed: what was taken from the rate is given back.
    pub(super) fn give_back(&self, assumed: KeyRecord, plans: &Plans) {
        let mut known = lock(&self.0);
        known.sound = false;
        known.rate.give_back(plans.limits(assumed.plan).rate());
    }

    /// The key is good no more.
    pub(super) fn doubt(&self) {
        lock(&self.0).sound = false;
    }

    pub(super) fn record(&self) -> KeyRecord {
        lock(&self.0).record
    }

    /// When the key was last used, if nobody has been told.
    pub(super) fn untold(&self) -> Option<Timestamp> {
        lock(&self.0).untold.take()
    }

    /// Whether nobody came for so long.
    pub(super) fn is_unused(&self, idle: Duration) -> bool {
        lock(&self.0).last_used.elapsed() > idle
    }
}

impl StateInner {
    fn has_room(&self, endpoint: Endpoint, limits: &PlanLimits, now: Timestamp) -> bool {
        // What nodes share is known to the store alone.
        self.sound
            && self.record.rate.is_none()
            && self.record.month == Month::of(now)
            && self.record.used.of(endpoint) < limits.per_month(endpoint)
            && self.rate.allowance(limits.rate(), Instant::now()).remaining > 0
    }

    /// Takes one from the rate; the figures afterwards, and how long to wait when there was none.
    fn take(&mut self, endpoint: Endpoint, limits: &PlanLimits) -> (Result<(), Duration>, Figures) {
        let now = Timestamp::now();
        self.untold = Some(now);
        self.last_used = Instant::now();
        let taken = match self.record.rate {
            None => self.rate.take(limits.rate(), self.last_used),
            Some(shared) => self.take_shared(shared, limits),
        };
        let (month, used) = (self.record.month, self.record.used.of(endpoint));
        let figures = Figures {
            minute: self.rate.allowance(limits.rate(), self.last_used),
            month: Allowance::month(limits.per_month(endpoint), used, month.length(), month.left(now)),
        };
        (taken, figures)
    }

    /// Follows what the store has decided, for all nodes.
    fn take_shared(&mut self, shared: SharedRate, limits: &PlanLimits) -> Result<(), Duration> {
        self.rate = Gcra::filled_for(shared.filled, self.last_used);
        if shared.has_room {
            return Ok(());
        }
        let mut refused = self.rate;
        refused.take(limits.rate(), self.last_used)?;
        // Others who came at the same moment have taken what this one still saw.
        self.rate = Gcra::filled_for(limits.rate().burst(), self.last_used);
        Err(limits.rate().gap())
    }
}
