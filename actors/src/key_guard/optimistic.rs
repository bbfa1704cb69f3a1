//! A request that is worked for before the store is asked, and let in by the change that charges it.

use std::sync::Arc;

use wayfile_core::plan::Endpoint;

use super::{Admission, Guard, GuardDeps, Refusal};
use crate::ledger::{Claim, Taken};
use crate::metrics;

/// A request of a key that was good a moment ago, with room in both its limits. For work that takes less time than to ask
/// the store, and shows nothing before it is charged.
pub struct OptimisticAdmission {
    pub(super) guard: Guard,
    pub(super) endpoint: Endpoint,
    pub(super) deps: Arc<GuardDeps>,
}

impl OptimisticAdmission {
    /// Lets the request in and uses one unit of the month's quota for work that is done, both in one change: the store
    /// counts the unit only if the key is as good as it was. None when it is not so plain: nothing was taken or counted,
    /// and the request has to [be admitted](super::KeyGuards::admit) like any other.
    ///
    /// # Errors
    /// [`Refusal::MonthSpent`] or [`Refusal::StoreAway`]: nothing is counted, and the answer must not be sent.
    pub async fn charge(self) -> Result<Option<Admission>, Refusal> {
        let Self { guard, endpoint, deps } = self;
        let Some((record, figures)) = guard.state.admit_optimistically(endpoint, &deps.plans.get()) else {
            return Ok(None);
        };
        let limits = *deps.plans.get().limits(record.plan);
        let mut admission =
            Admission { record, limits, endpoint, figures, deps: deps.clone(), guard: guard.actor };
        let claim = Claim { plan: Some(record.plan), ..admission.claim() };
        let taken = match deps.ledger.charge(claim, None).await {
            Ok(Taken::Unknown) => {
                guard.state.give_back(record, &deps.plans.get());
                return Ok(None);
            }
            Ok(taken @ (Taken::Granted(used) | Taken::Spent(used))) => {
                guard.state.tell_used(endpoint, used);
                taken
            }
            Err(error) => {
                metrics::admission(Refusal::StoreAway.name());
                return Err(error.into());
            }
        };
        metrics::admission("admitted");
        admission.take(claim, taken).map(|()| Some(admission))
    }
}
