//! A request that is worked for before the store is asked, and let in by the change that charges it.

use std::sync::Arc;

use wayfile_core::plan::Endpoint;

use super::{Guard, Office, Pass, Refusal};
use crate::ledger::{Claim, Taken};
use crate::metrics;

/// A request of a key that was good a moment ago, with room in both its limits. For work that takes less time than to ask
/// the store, and shows nothing before it is charged.
pub struct Presumed {
    pub(super) guard: Guard,
    pub(super) endpoint: Endpoint,
    pub(super) office: Arc<Office>,
}

impl Presumed {
    /// Lets the request in and uses one unit of the month's quota for work that is done, both in one change: the store
    /// counts the unit only if the key is as good as it was. None when it is not so plain: nothing was taken or counted,
    /// and the request has to [enter](super::KeyGuards::enter) like any other.
    ///
    /// # Errors
    /// [`Refusal::MonthSpent`] or [`Refusal::StoreAway`]: nothing is counted, and the answer must not be sent.
    pub async fn charge(self) -> Result<Option<Pass>, Refusal> {
        let Self { guard, endpoint, office } = self;
        let Some((state, figures)) = guard.standing.presume(endpoint, &office.plans.get()) else {
            return Ok(None);
        };
        let limits = *office.plans.get().limits(state.plan);
        let mut pass = Pass { state, limits, endpoint, figures, office: office.clone(), guard: guard.actor };
        let claim = Claim { plan: Some(state.plan), ..pass.claim() };
        let taken = match office.ledger.charge(claim, None).await {
            Ok(Taken::Unknown) => {
                guard.standing.give_back(state, &office.plans.get());
                return Ok(None);
            }
            Ok(taken @ (Taken::Granted(used) | Taken::Spent(used))) => {
                guard.standing.tell_used(endpoint, used);
                taken
            }
            Err(error) => {
                metrics::admission(Refusal::StoreAway.name());
                return Err(error.into());
            }
        };
        metrics::admission("entered");
        pass.take(claim, taken).map(|()| Some(pass))
    }
}
