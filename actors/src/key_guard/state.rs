//! What is known of one key: its rate, and what the store answered last. All its requests share it.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use wayfile_core::limits::{Allowance, Figures, Gcra};
use wayfile_core::plan::{Endpoint, PlanLimits};

use super::{PlanLimit, Refusal};
use crate::ledger::{KeyRecord, SharedRate};

pub(super) struct KeyState {
    pub(super) record: KeyRecord,
    rate: Gcra,
    pub(super) last_used: Instant,
    /// When it was last used, until that is written down.
    pub(super) untold: Option<Timestamp>,
}

impl KeyState {
    pub(super) fn new(record: KeyRecord) -> Self {
        Self { record, rate: Gcra::default(), last_used: Instant::now(), untold: None }
    }

    /// Lets in a request of a key that the store has just said is good: takes one from its rate.
    pub(super) fn admit(
        &mut self,
        record: KeyRecord,
        endpoint: Endpoint,
        limits: &PlanLimits,
    ) -> Result<Figures, Refusal> {
        self.record = record;
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
        let limit = PlanLimit::Rate;
        taken.map(|()| figures).map_err(|wait| Refusal::AtLimit { limit, wait, figures: Box::new(figures) })
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
