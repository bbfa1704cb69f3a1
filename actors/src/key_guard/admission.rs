//! A request that was let in, what it may take, and why one was not.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::Addr;
use jiff::Timestamp;
use tokio::sync::oneshot;
use wayfile_core::calendar::Month;
use wayfile_core::limits::{Allowance, Figures, whole_seconds};
use wayfile_core::plan::{Endpoint, Plan, PlanLimits};

use super::{CrawlSlot, GuardDeps, KeyGuard, OldestCrawl, SlotChange};
use crate::ledger::{Claim, KeptAnswer, KeyRecord, LedgerError, QuotaLedger, ReservationId, Taken};
use crate::metrics;

/// How often it is looked whether another node has given a place to crawl back.
const PLACE_POLL: Duration = Duration::from_millis(250);

/// Why a request may not go on. What was refused has cost nothing.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Refusal {
    /// No such key, or a revoked one.
    #[error("the API key is unknown or revoked")]
    UnknownKey,
    /// A limit of the key's plan is reached.
    #[error("{}", limit.told(*wait, figures))]
    AtLimit {
        /// Which one.
        limit: PlanLimit,
        /// When another try makes sense.
        wait: Duration,
        /// Both limits of requests, for the answer's headers.
        figures: Box<Figures>,
    },
    /// Keys and quotas cannot be looked up right now.
    #[error("keys and quotas cannot be looked up right now; try again in a moment")]
    StoreAway,
}

/// A limit of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanLimit {
    /// The minute's rate.
    Rate,
    /// The month's quota of an endpoint, in a plan.
    Month(Endpoint, Plan),
    /// Crawls at once: as many as the plan allows, and no turn came in time. The wait is as long as the oldest one has been
    /// running, and no less than was waited in vain.
    Crawls(usize),
}

impl PlanLimit {
    fn told(self, wait: Duration, figures: &Figures) -> String {
        let (wait, minute, month) = (wait_in_words(wait), figures.minute.quota, figures.month.quota);
        match self {
            Self::Rate => format!("the limit of {minute} requests a minute is reached; try again in {wait}"),
            Self::Month(endpoint, plan) => {
                let more = if plan.is_largest() { "" } else { ", and a larger plan has more" };
                let of = endpoint.name();
                format!(
                    "the quota of {month} {of} requests a month is used up; it starts anew in {wait}{more}"
                )
            }
            Self::Crawls(at_once) => format!(
                "this key runs {at_once} {} at once, as many as its plan allows; try again when one has ended",
                if at_once == 1 { "crawl" } else { "crawls" }
            ),
        }
    }
}

impl Refusal {
    /// A short name for counting, part of the closed metric catalogue.
    pub fn name(&self) -> &'static str {
        match self {
            Self::UnknownKey => "unknown_key",
            Self::AtLimit { limit: PlanLimit::Rate, .. } => "too_fast",
            Self::AtLimit { limit: PlanLimit::Month(..), .. } => "month_spent",
            Self::AtLimit { limit: PlanLimit::Crawls(_), .. } => "too_many_crawls",
            Self::StoreAway => "store_away",
        }
    }
}

impl From<LedgerError> for Refusal {
    fn from(error: LedgerError) -> Self {
        tracing::error!(%error, "a request was refused: the store does not answer");
        Self::StoreAway
    }
}

fn wait_in_words(time: Duration) -> String {
    match whole_seconds(time) {
        1 => "1 second".to_owned(),
        seconds @ 0..7_200 => format!("{seconds} seconds"),
        seconds @ 7_200..172_800 => format!("{} hours", seconds.div_ceil(3_600)),
        seconds => format!("{} days", seconds.div_ceil(86_400)),
    }
}

/// A request whose key is good and whose rate had room for it.
#[derive(Clone)]
pub struct Admission {
    /// The key when the request was let in.
    pub record: KeyRecord,
    /// What the key's plan allowed at that moment.
    pub limits: PlanLimits,
    /// Both limits, for the answer's headers.
    pub figures: Figures,
    pub(super) endpoint: Endpoint,
    pub(super) deps: Arc<GuardDeps>,
    pub(super) guard: Addr<KeyGuard>,
}

impl Admission {
    /// Waits for the key's turn to crawl. A run that joins another needs none.
    /// Errors: [`Refusal::AtLimit`]: no turn came within `crawl.queue_wait`.
    pub async fn crawl_slot(&self) -> Result<CrawlSlot, Refusal> {
        let (reply, turn) = oneshot::channel();
        let (max_wait, asked) = (self.deps.queue_wait, Instant::now());
        // A turn that is free has come with the answer, however short the wait.
        if self.guard.send(SlotChange::Wanted(reply)).await.is_ok()
            && let Ok(Ok(mut slot)) = tokio::time::timeout(max_wait, turn).await
        {
            loop {
                let place = self.deps.coordination.crawl_place(self.record.key, self.limits.crawls_at_once);
                if let Some(place) = place.await.map_err(|error| counted(error.into()))? {
                    slot.place = Some(place);
                    return Ok(slot);
                }
                if asked.elapsed() + PLACE_POLL > max_wait {
                    break;
                }
                tokio::time::sleep(PLACE_POLL).await;
            }
        }
        let at_once = self.limits.crawls_at_once;
        // When a crawl will end is not known: one that has run for a minute may well need another.
        let wait = self.guard.send(OldestCrawl).await.unwrap_or_default().max(max_wait);
        Err(counted(Refusal::AtLimit {
            limit: PlanLimit::Crawls(at_once),
            wait,
            figures: Box::new(self.figures),
        }))
    }

    /// Reserves one unit of the month's quota, before the work. [`Admission::figures`] counts it from then on.
    /// Errors: [`Refusal::AtLimit`], [`Refusal::UnknownKey`] for a key revoked in between, [`Refusal::StoreAway`].
    pub async fn reserve(&mut self) -> Result<Reservation, Refusal> {
        let (id, claim) = (ReservationId::fresh(), self.claim());
        let mut reservation = Reservation { id, deps: self.deps.clone(), open: true };
        // Whether a store that went away has reserved it is not known; dropping the reservation refunds it.
        let taken = self.deps.ledger.reserve(id, claim).await.map_err(|error| counted(error.into()))?;
        match self.take(claim, taken) {
            Ok(()) => Ok(reservation),
            Err(refusal) => {
                reservation.open = false;
                Err(refusal)
            }
        }
    }

    /// Uses one unit of the month's quota for work that is done: what takes less time than to reserve the unit before
    /// it. Counts it and keeps its answer in one commit. Send the answer after this.
    /// Errors: As [`Admission::reserve`]; nothing is counted, and the answer must not be sent.
    pub async fn charge(&mut self, answer: Option<KeptAnswer>) -> Result<(), Refusal> {
        let claim = self.claim();
        let taken = self.deps.ledger.charge(claim, answer).await.map_err(|error| counted(error.into()))?;
        self.take(claim, taken)
    }

    fn claim(&self) -> Claim {
        let (endpoint, limit) = (self.endpoint, self.limits.per_month(self.endpoint));
        Claim { key: self.record.key, endpoint, limit, now: Timestamp::now() }
    }

    fn take(&mut self, claim: Claim, taken: Taken) -> Result<(), Refusal> {
        let (Taken::Granted(used) | Taken::Spent(used)) = taken else {
            return Err(counted(Refusal::UnknownKey));
        };
        let month = Month::of(claim.now);
        let wait = month.left(claim.now);
        self.figures.month = Allowance::month(claim.limit, used, month.length(), wait);
        if let Taken::Spent(_) = taken {
            let (limit, figures) =
                (PlanLimit::Month(self.endpoint, self.record.plan), Box::new(self.figures));
            return Err(counted(Refusal::AtLimit { limit, wait, figures }));
        }
        metrics::ADMISSIONS.count(["admitted"]);
        Ok(())
    }

    /// Gives back what [`Admission::reserve`] took, since the work failed. [`Admission::figures`] counts it no more from then on,
    /// so that the answer's headers agree with the client's next request.
    /// Errors: [`LedgerError`]: the unit is refunded later, and the figures still count it.
    pub async fn give_back(&mut self, mut reservation: Reservation) -> Result<(), LedgerError> {
        reservation.open = false;
        self.deps.ledger.refund(reservation.id).await?;
        self.figures.month.remaining += 1;
        Ok(())
    }
}

fn counted(refusal: Refusal) -> Refusal {
    metrics::ADMISSIONS.count([refusal.name()]);
    refusal
}

/// One unit of the month's quota, held while the work runs. Dropped without an outcome, it is refunded.
#[must_use = "dropping it refunds the unit"]
pub struct Reservation {
    id: ReservationId,
    deps: Arc<GuardDeps>,
    open: bool,
}

impl Reservation {
    /// The work went well: counts it and keeps its answer, in one commit. Send the answer after this.
    /// Errors: [`LedgerError`]: the unit is counted and the answer kept when the store is back. The answer may be sent: the
    /// unit was taken before the work.
    pub async fn settle(mut self, answer: Option<KeptAnswer>) -> Result<(), LedgerError> {
        self.open = false;
        self.deps.ledger.settle(self.id, answer).await
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.open {
            let (ledger, id): (Arc<dyn QuotaLedger>, _) = (self.deps.ledger.clone(), self.id);
            self.deps.runtime.spawn(async move {
                if let Err(error) = ledger.refund(id).await {
                    tracing::warn!(%error, "a unit of quota is refunded later");
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_plan_is_told_of_no_larger_one() {
        let allowance = Allowance::month(5, 5, Duration::from_hours(720), Duration::from_hours(1));
        let figures = Figures { minute: allowance, month: allowance };
        let told = |plan| PlanLimit::Month(Endpoint::Validate, plan).told(Duration::from_hours(1), &figures);
        assert!(told(Plan::Free).ends_with("and a larger plan has more"), "{}", told(Plan::Free));
        let largest = told(*Plan::ALL.last().unwrap());
        assert!(largest.contains("starts anew in 3600 seconds") && !largest.contains("larger"), "{largest}");
    }
}
