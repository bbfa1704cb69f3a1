//! What a [`KeyGuard`](crate::KeyGuards) asks of the store: who a key is, and the month's quota.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use uuid::Uuid;
use wayfile_core::calendar::Month;
use wayfile_core::plan::{Endpoint, Plan, Plans};

/// SHA-256 of a whole API key: all that is kept of it, and what it is found by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

impl fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyHash(…)")
    }
}

/// A key's number in the store; safe to log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(pub i64);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One unit of a month's quota that a run holds until it has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ReservationId(pub Uuid);

impl ReservationId {
    /// A new one.
    pub fn fresh() -> Self {
        Self(Uuid::now_v7())
    }
}

/// What a key has used of its month, runs under way included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Used {
    /// Of `generate_per_month`.
    pub generate: u64,
    /// Of `validate_per_month`.
    pub validate: u64,
}

impl Used {
    /// Of one endpoint's quota.
    pub fn of(&self, endpoint: Endpoint) -> u64 {
        match endpoint {
            Endpoint::Generate => self.generate,
            Endpoint::Validate => self.validate,
        }
    }
}

/// A key that is good, as the store has it at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyRecord {
    /// Which key.
    pub key: KeyId,
    /// The plan of its account.
    pub plan: Plan,
    /// The month that `used` is of.
    pub month: Month,
    /// What is used of the month's quotas.
    pub used: Used,
    /// How its rate stands where nodes share it; none where every process keeps its own.
    pub rate: Option<SharedRate>,
}

/// A key's rate among nodes, after a request has been taken from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedRate {
    /// Whether there was room for the request.
    pub has_room: bool,
    /// Until the rate is unused again.
    pub filled: Duration,
}

/// A request for one unit of a month's quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The key that pays.
    pub key: KeyId,
    /// The endpoint whose quota is charged.
    pub endpoint: Endpoint,
    /// The size of the quota.
    pub limit: u64,
    /// When it is asked for; its month is charged.
    pub now: Timestamp,
}

/// The answer to a [`Claim`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// The unit is there; so much of the quota is used now, this unit included.
    Granted(u64),
    /// Nothing was left; so much of the quota is used.
    Spent(u64),
    /// The key was revoked in between.
    Unknown,
}

/// An answer that is kept for the next request with the same `Idempotency-Key`.
pub struct KeptAnswer {
    /// Whose request.
    pub key: KeyId,
    /// What the client named the request.
    pub name: String,
    /// The body as it was sent.
    pub body: Arc<str>,
    /// Frees the request's name when it is dropped without an answer that was kept.
    pub name_held: Box<dyn HeldName>,
}

/// The name of a request that runs.
pub trait HeldName: Send + Sync {
    /// The store has what became of it: its answer, or that it is free again.
    fn is_noted(self: Box<Self>);
}

/// The store cannot be asked right now. Nothing was done, or nothing that asking again would do twice.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct LedgerError(pub String);

/// Accounts for quotas. Every method returns after its change is durable.
#[async_trait]
pub trait QuotaLedger: Send + Sync {
    /// The key as it is now; none when there is no such key, or a revoked one. Where nodes share rates, this takes one request
    /// from that of the key's plan.
    async fn look_up(
        &self,
        hash: KeyHash,
        month: Month,
        plans: &Plans,
    ) -> Result<Option<KeyRecord>, LedgerError>;

    /// Reserves one unit under the name `id` if one is left.
    async fn reserve(&self, id: ReservationId, claim: Claim) -> Result<Taken, LedgerError>;

    /// Uses one unit if one is left, for work that went well already; in the same commit its answer becomes the one that
    /// is kept. An answer that could not be paid for frees its name; one that could not be kept is counted all the same.
    async fn charge(&self, claim: Claim, answer: Option<KeptAnswer>) -> Result<Taken, LedgerError>;

    /// The run has ended well: its unit is used, and in the same commit its answer becomes the one that is kept. Asking
    /// twice counts once. A store that cannot be asked is told later, answer and all, as long as this server lives.
    async fn settle(&self, id: ReservationId, answer: Option<KeptAnswer>) -> Result<(), LedgerError>;

    /// The run has failed: its unit is free again. Asking twice, or after it was settled, does nothing.
    async fn refund(&self, id: ReservationId) -> Result<(), LedgerError>;

    /// Notes when a key was last used.
    async fn touch(&self, key: KeyId, at: Timestamp) -> Result<(), LedgerError>;
}
