//! Reservations that end: settled with an answer, or refunded.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use uuid::Uuid;
use wayfile_actors::ledger::ReservationId;

use super::days::Days;
use super::{Unit, bytes, rows};

/// Keys made after this one was revoked started with its units: see `create_key`.
const CARRY_LESS: &str = "UPDATE month_usage SET carried = carried - $4 \
    WHERE carried >= $4 AND month = $2 AND endpoint = $3 AND key_id IN (SELECT young.id FROM keys old \
    JOIN keys young ON young.account_id = old.account_id AND young.created_at >= old.revoked_at \
    WHERE old.id = $1)";
const CARRY_MORE: &str = "UPDATE month_usage SET carried = carried + $4 \
    WHERE month = $2 AND endpoint = $3 AND key_id IN (SELECT young.id FROM keys old \
    JOIN keys young ON young.account_id = old.account_id AND young.created_at >= old.revoked_at \
    WHERE old.id = $1)";

/// Held units become used ones. One that was refunded too early (its server had been taken for dead and
/// answered all the same) is used, too: what was answered counts.
pub(super) async fn settle(
    connection: &mut AnyConnection,
    settled: &[(ReservationId, Timestamp)],
) -> sqlx::Result<()> {
    if settled.is_empty() {
        return Ok(());
    }
    let held = format!(
        "UPDATE reservations SET state = 'settled' WHERE state = 'held' AND id IN {} \
         RETURNING id, key_id, endpoint, month",
        rows(1, settled.len())
    );
    let mut held = sqlx::query(AssertSqlSafe(held));
    for (id, _) in settled {
        held = held.bind(bytes(*id));
    }
    let mut open: HashMap<ReservationId, Timestamp> = settled.iter().copied().collect();
    let mut months: BTreeMap<Unit, i64> = BTreeMap::new();
    let mut days = Days::default();
    for row in held.fetch_all(&mut *connection).await? {
        let (id, unit) = (id(&row)?, Unit::read(&row)?);
        if let Some(now) = open.remove(&id) {
            days.add(unit.key, unit.endpoint.clone(), now);
            *months.entry(unit).or_default() += 1;
        }
    }
    for (unit, units) in months {
        unit.count(
            connection,
            "UPDATE month_usage SET settled = settled + $4, reserved = reserved - $4 \
             WHERE key_id = $1 AND month = $2 AND endpoint = $3",
            units,
        )
        .await?;
    }
    for (id, now) in open {
        if let Some(unit) = settle_late(connection, id).await? {
            days.add(unit.key, unit.endpoint, now);
        }
    }
    days.count(connection).await
}

/// Settles a reservation that was refunded already; none when it was settled before.
async fn settle_late(connection: &mut AnyConnection, id: ReservationId) -> sqlx::Result<Option<Unit>> {
    let late = sqlx::query(
        "UPDATE reservations SET state = 'settled' WHERE id = $1 AND state = 'refunded' \
         RETURNING key_id, endpoint, month",
    );
    let Some(row) = late.bind(bytes(id)).fetch_optional(&mut *connection).await? else { return Ok(None) };
    let unit = Unit::read(&row)?;
    unit.count(
        connection,
        "UPDATE month_usage SET settled = settled + $4 WHERE key_id = $1 AND month = $2 AND endpoint = $3",
        1,
    )
    .await?;
    unit.count(connection, CARRY_MORE, 1).await?;
    Ok(Some(unit))
}

/// Frees a held unit.
pub(super) async fn refund(connection: &mut AnyConnection, id: ReservationId) -> sqlx::Result<()> {
    let ended = sqlx::query(
        "UPDATE reservations SET state = 'refunded' WHERE id = $1 AND state = 'held' \
         RETURNING key_id, endpoint, month",
    );
    let Some(row) = ended.bind(bytes(id)).fetch_optional(&mut *connection).await? else { return Ok(()) };
    let unit = Unit::read(&row)?;
    unit.count(
        connection,
        "UPDATE month_usage SET reserved = reserved - $4 WHERE key_id = $1 AND month = $2 AND endpoint = $3",
        1,
    )
    .await?;
    unit.count(connection, CARRY_LESS, 1).await
}

fn id(row: &sqlx::any::AnyRow) -> sqlx::Result<ReservationId> {
    let id = row.try_get::<Vec<u8>, _>("id")?;
    Uuid::from_slice(&id).map(ReservationId).map_err(|error| sqlx::Error::Decode(error.into()))
}
