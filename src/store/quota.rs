//! The month's quota: units are reserved, settled and refunded.
//!
//! A reservation is held until it is settled or refunded. Its row outlives that, so that doing either twice
//! counts once. Every function is one entry of a transaction that the caller commits.

use jiff::Timestamp;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use uuid::Uuid;
use wayfile_actors::ledger::{Claim, KeptAnswer, KeyHash, KeyId, KeyState, ReservationId, Reserved, Used};
use wayfile_core::calendar::{Day, Month};

use super::{StoreError, accounts, answers, count, number};

/// One server from its start to its end; reservations name the one that holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunId(pub(super) Uuid);

impl RunId {
    pub(super) fn bytes(self) -> Vec<u8> {
        self.0.as_bytes().to_vec()
    }
}

/// One change of a quota.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    Reserve(RunId, Claim),
    Settle(ReservationId, Timestamp, Option<KeptAnswer>),
    Refund(ReservationId),
}

/// What a change came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Reserved(Reserved),
    /// The reservation has ended, now or before.
    Ended,
}

/// The key with this hash, with what it used of `month`.
pub(super) async fn key_state(
    connection: &mut AnyConnection,
    hash: KeyHash,
    month: Month,
) -> Result<Option<KeyState>, StoreError> {
    let found = sqlx::query(
        "SELECT k.id, a.plan, \
         COALESCE((SELECT carried + settled + reserved FROM month_usage u \
         WHERE u.key_id = k.id AND u.month = $2 AND u.endpoint = 'generate'), 0) AS generate, \
         COALESCE((SELECT carried + settled + reserved FROM month_usage u \
         WHERE u.key_id = k.id AND u.month = $2 AND u.endpoint = 'validate'), 0) AS validate \
         FROM keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = $1 AND k.revoked_at IS NULL",
    );
    let found = found.bind(hash.0.to_vec()).bind(month.number()).fetch_optional(connection).await?;
    let Some(row) = found else { return Ok(None) };
    let used = Used { generate: count(row.try_get("generate")?), validate: count(row.try_get("validate")?) };
    let (key, plan) = (KeyId(row.try_get("id")?), accounts::plan(row.try_get("plan")?)?);
    Ok(Some(KeyState { key, plan, month, used }))
}

pub(super) async fn apply(connection: &mut AnyConnection, entry: &Entry) -> sqlx::Result<Outcome> {
    match entry {
        Entry::Reserve(run, claim) => reserve(connection, *run, claim).await.map(Outcome::Reserved),
        Entry::Settle(id, now, answer) => {
            settle(connection, *id, *now).await?;
            if let Some(answer) = answer {
                answers::keep(connection, answer).await?;
            }
            Ok(Outcome::Ended)
        }
        Entry::Refund(id) => refund(connection, *id).await.map(|()| Outcome::Ended),
    }
}

/// The counter decides and is locked by that decision, so no two take the same last unit.
async fn reserve(connection: &mut AnyConnection, run: RunId, claim: &Claim) -> sqlx::Result<Reserved> {
    let (key, month, endpoint) = (claim.key.0, Month::of(claim.now).number(), claim.endpoint.name());
    let taken = sqlx::query_scalar::<_, i64>(
        "INSERT INTO month_usage (key_id, month, endpoint, carried, settled, reserved) \
         SELECT id, $2, $3, 0, 0, 1 FROM keys WHERE id = $1 AND revoked_at IS NULL AND $4 > 0 \
         ON CONFLICT (key_id, month, endpoint) DO UPDATE SET reserved = month_usage.reserved + 1 \
         WHERE month_usage.carried + month_usage.settled + month_usage.reserved < $4 \
         RETURNING carried + settled + reserved",
    );
    let taken = taken.bind(key).bind(month).bind(endpoint).bind(number(claim.limit));
    let Some(used) = taken.fetch_optional(&mut *connection).await? else {
        let left = sqlx::query_scalar::<_, i64>(
            "SELECT COALESCE((SELECT carried + settled + reserved FROM month_usage u \
             WHERE u.key_id = k.id AND u.month = $2 AND u.endpoint = $3), 0) \
             FROM keys k WHERE k.id = $1 AND k.revoked_at IS NULL",
        );
        let used = left.bind(key).bind(month).bind(endpoint).fetch_optional(&mut *connection).await?;
        return Ok(used.map_or(Reserved::Unknown, |used| Reserved::Spent(count(used))));
    };
    let held = sqlx::query(
        "INSERT INTO reservations (id, key_id, endpoint, month, run_id, state, created_at) \
         VALUES ($1, $2, $3, $4, $5, 'held', $6)",
    );
    let held = held.bind(bytes(claim.id)).bind(key).bind(endpoint).bind(month).bind(run.bytes());
    held.bind(claim.now.as_microsecond()).execute(&mut *connection).await?;
    Ok(Reserved::Granted(count(used)))
}

/// A held unit becomes a used one. One that was refunded too early (its server had been taken for dead and
/// answered all the same) is used, too: what was answered counts.
async fn settle(connection: &mut AnyConnection, id: ReservationId, now: Timestamp) -> sqlx::Result<()> {
    let ended = sqlx::query(
        "UPDATE reservations SET state = 'settled' WHERE id = $1 AND state = 'held' \
         RETURNING key_id, endpoint, month",
    );
    let unit = if let Some(row) = ended.bind(bytes(id)).fetch_optional(&mut *connection).await? {
        let unit = Unit::read(&row)?;
        unit.count(
            &mut *connection,
            "UPDATE month_usage SET settled = settled + 1, reserved = reserved - 1 \
                                      WHERE key_id = $1 AND month = $2 AND endpoint = $3",
        )
        .await?;
        unit
    } else {
        let late = sqlx::query(
            "UPDATE reservations SET state = 'settled' WHERE id = $1 AND state = 'refunded' \
             RETURNING key_id, endpoint, month",
        );
        let Some(row) = late.bind(bytes(id)).fetch_optional(&mut *connection).await? else { return Ok(()) };
        let unit = Unit::read(&row)?;
        unit.count(
            &mut *connection,
            "UPDATE month_usage SET settled = settled + 1 \
                                      WHERE key_id = $1 AND month = $2 AND endpoint = $3",
        )
        .await?;
        unit.count(&mut *connection, CARRY_ONE_MORE).await?;
        unit
    };
    let by_day = sqlx::query(
        "INSERT INTO day_usage (key_id, day, endpoint, settled) VALUES ($1, $2, $3, 1) \
         ON CONFLICT (key_id, day, endpoint) DO UPDATE SET settled = day_usage.settled + 1",
    );
    let by_day = by_day.bind(unit.key).bind(Day::of(now).number()).bind(unit.endpoint);
    by_day.execute(&mut *connection).await?;
    Ok(())
}

pub(super) async fn refund(connection: &mut AnyConnection, id: ReservationId) -> sqlx::Result<()> {
    let ended = sqlx::query(
        "UPDATE reservations SET state = 'refunded' WHERE id = $1 AND state = 'held' \
         RETURNING key_id, endpoint, month",
    );
    let Some(row) = ended.bind(bytes(id)).fetch_optional(&mut *connection).await? else { return Ok(()) };
    let unit = Unit::read(&row)?;
    unit.count(
        &mut *connection,
        "UPDATE month_usage SET reserved = reserved - 1 \
                                  WHERE key_id = $1 AND month = $2 AND endpoint = $3",
    )
    .await?;
    unit.count(&mut *connection, CARRY_ONE_LESS).await
}

/// Keys made after this one was revoked started with its units: see `create_key`.
const CARRY_ONE_LESS: &str = "UPDATE month_usage SET carried = carried - 1 \
    WHERE carried > 0 AND month = $2 AND endpoint = $3 AND key_id IN (SELECT young.id FROM keys old \
    JOIN keys young ON young.account_id = old.account_id AND young.created_at >= old.revoked_at \
    WHERE old.id = $1)";
const CARRY_ONE_MORE: &str = "UPDATE month_usage SET carried = carried + 1 \
    WHERE month = $2 AND endpoint = $3 AND key_id IN (SELECT young.id FROM keys old \
    JOIN keys young ON young.account_id = old.account_id AND young.created_at >= old.revoked_at \
    WHERE old.id = $1)";

/// Whose unit it was, and of which quota.
struct Unit {
    key: i64,
    month: i64,
    endpoint: String,
}

impl Unit {
    fn read(row: &AnyRow) -> sqlx::Result<Self> {
        Ok(Self {
            key: row.try_get("key_id")?,
            month: row.try_get("month")?,
            endpoint: row.try_get("endpoint")?,
        })
    }

    async fn count(&self, connection: &mut AnyConnection, change: &'static str) -> sqlx::Result<()> {
        let change = sqlx::query(change).bind(self.key).bind(self.month).bind(self.endpoint.as_str());
        change.execute(connection).await?;
        Ok(())
    }
}

fn bytes(id: ReservationId) -> Vec<u8> {
    id.0.as_bytes().to_vec()
}
