//! Where the two kinds of database differ.

use async_trait::async_trait;
use wayfile_actors::ledger::{KeyHash, KeyRecord, Taken};
use wayfile_core::calendar::Month;
use wayfile_core::plan::Plans;

use super::StoreResult;
use super::quota::QuotaChange;

/// Looks keys up and commits changes of quotas. Every answer comes after its commit. The caller bounds its wait, and what
/// was asked for is left undone when its caller has left, unless it is being committed.
#[async_trait]
pub(super) trait Backend: Send + Sync {
    /// The key as it is now; none when there is no such key, or a revoked one. Takes one request from a rate that nodes share.
    async fn look_up(&self, hash: KeyHash, month: Month, plans: &Plans) -> StoreResult<Option<KeyRecord>>;

    /// Makes one change durable; what became of one that takes a unit.
    async fn write(&self, entry: QuotaChange) -> StoreResult<Option<Taken>>;
}
