//! The month's quota: units are reserved, settled and refunded, or used at once.
//!
//! A reservation is held until it is settled or refunded. Its row outlives that, so that doing either twice
//! counts once.

mod postgres;
mod sqlite;
mod units;

use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use wayfile_actors::ledger::{Claim, KeyHash, KeyId, KeyRecord, ReservationId, Taken, Used};
use wayfile_core::calendar::Month;
use wayfile_core::plan::Plans;

use super::answers::{self, AnswerName};
use super::nodes::{self, InstanceId};
use super::{StoreResult, count, people};

pub(super) use postgres::Postgres;
pub(super) use sqlite::Sqlite;

/// The key with the hash $1 unless it was revoked, its plan, and what it used of the month $2.
const LOOK_UP: &str = "SELECT k.id, a.plan, \
    COALESCE((SELECT carried + settled + reserved FROM month_usage u WHERE u.key_id = k.id AND u.month = $2 \
    AND u.endpoint = 'generate'), 0) AS generate, \
    COALESCE((SELECT carried + settled + reserved FROM month_usage u WHERE u.key_id = k.id AND u.month = $2 \
    AND u.endpoint = 'validate'), 0) AS validate \
    FROM keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = $1 AND k.revoked_at IS NULL";

/// Where the two kinds of database differ.
///
/// Looks keys up and commits changes of quotas. Every answer comes after its commit. The caller bounds its wait, and what
/// was asked for is left undone when its caller has left, unless it is being committed.
#[async_trait]
pub(crate) trait Backend: Send + Sync {
    /// The key as it is now; none when there is no such key, or a revoked one. Takes one request from a rate that nodes share.
    async fn look_up(&self, hash: KeyHash, month: Month, plans: &Plans) -> StoreResult<Option<KeyRecord>>;

    /// Makes one change durable; what became of one that takes a unit.
    async fn write(&self, entry: QuotaChange) -> StoreResult<Option<Taken>>;
}

#[derive(Debug, Clone)]
pub(crate) enum QuotaChange {
    Reserve(InstanceId, ReservationId, Claim),
    /// The work was done before: its unit is used at once.
    Charge(Claim, Option<AnswerName>),
    Settle(ReservationId, Timestamp, Option<AnswerName>),
    Refund(ReservationId),
    /// A write without effect, to test whether the store takes writes.
    WriteCheck(InstanceId),
}

pub(super) fn key_record(row: &AnyRow, month: Month) -> StoreResult<KeyRecord> {
    let used = Used { generate: count(row.try_get("generate")?), validate: count(row.try_get("validate")?) };
    let (key, plan) = (KeyId(row.try_get("id")?), people::plan(row.try_get("plan")?)?);
    Ok(KeyRecord { key, plan, month, used, rate: None })
}

/// Makes a change in a transaction that the caller commits; what became of one that takes a unit.
pub(super) async fn apply(
    connection: &mut AnyConnection,
    entry: &QuotaChange,
) -> sqlx::Result<Option<Taken>> {
    match entry {
        QuotaChange::Reserve(instance, id, claim) => {
            return units::take(connection, claim, Some((*instance, *id))).await.map(Some);
        }
        QuotaChange::Charge(claim, answer) => {
            let taken = units::take(connection, claim, None).await?;
            match (answer, taken) {
                (Some(answer), Taken::Granted(_)) => drop(answers::answered(connection, answer).await?),
                (Some(unpaid), _) => answers::free(connection, unpaid).await?,
                (None, _) => {}
            }
            return Ok(Some(taken));
        }
        // Where another server has answered in its place, that one has counted it.
        QuotaChange::Settle(id, _, Some(answer)) if !answers::answered(connection, answer).await? => {
            units::refund(connection, *id).await?;
        }
        QuotaChange::Settle(id, now, _) => units::settle(connection, *id, *now).await?,
        QuotaChange::Refund(id) => units::refund(connection, *id).await?,
        QuotaChange::WriteCheck(instance) => nodes::check_write(connection, *instance).await?,
    }
    Ok(None)
}
