//! Reservations that end: settled with an answer, or refunded.

use jiff::Timestamp;
use sqlx::AnyConnection;
use wayfile_actors::ledger::ReservationId;

use super::{bytes, count_day};

/// Changes what keys started with that were made after this one was revoked: see `create_key`.
const CARRY: &str = "UPDATE month_usage SET carried = carried + $4 \
    WHERE carried + $4 >= 0 AND month = $2 AND endpoint = $3 AND key_id IN (SELECT young.id FROM keys old \
    JOIN keys young ON young.account_id = old.account_id AND young.created_at >= old.revoked_at \
    WHERE old.id = $1)";

/// A held unit becomes a used one. One that was refunded too early (its server had been taken for dead and answered all the
/// same) is used, too: what was answered counts. Settling twice counts once.
pub(super) async fn settle(
    connection: &mut AnyConnection,
    id: ReservationId,
    now: Timestamp,
) -> sqlx::Result<()> {
    let unit = if let Some(unit) = turn(connection, id, "held", "settled").await? {
        unit.change(connection, 1, -1).await?;
        unit
    } else if let Some(late) = turn(connection, id, "refunded", "settled").await? {
        late.change(connection, 1, 0).await?;
        late.carry(connection, 1).await?;
        late
    } else {
        return Ok(());
    };
    count_day(connection, unit.key, &unit.endpoint, now).await
}

pub(super) async fn refund(connection: &mut AnyConnection, id: ReservationId) -> sqlx::Result<()> {
    let Some(unit) = turn(connection, id, "held", "refunded").await? else { return Ok(()) };
    unit.change(connection, 0, -1).await?;
    unit.carry(connection, -1).await
}

/// Changes the state of a reservation; the unit that it is of, or none when it had another state.
async fn turn(
    connection: &mut AnyConnection,
    id: ReservationId,
    from: &'static str,
    to: &'static str,
) -> sqlx::Result<Option<Unit>> {
    let turned = sqlx::query_as::<_, (i64, i64, String)>(
        "UPDATE reservations SET state = $3 WHERE id = $1 AND state = $2 RETURNING key_id, month, endpoint",
    );
    let turned = turned.bind(bytes(id)).bind(from).bind(to).fetch_optional(connection).await?;
    Ok(turned.map(|(key, month, endpoint)| Unit { key, month, endpoint }))
}

/// Whose unit it is, and of which quota.
struct Unit {
    key: i64,
    month: i64,
    endpoint: String,
}

impl Unit {
    /// Changes the counters of its quota by so many.
    async fn change(&self, connection: &mut AnyConnection, settled: i64, reserved: i64) -> sqlx::Result<()> {
        let change = sqlx::query(
            "UPDATE month_usage SET settled = settled + $4, reserved = reserved + $5 \
             WHERE key_id = $1 AND month = $2 AND endpoint = $3",
        );
        let change = change.bind(self.key).bind(self.month).bind(self.endpoint.as_str());
        change.bind(settled).bind(reserved).execute(connection).await.map(drop)
    }

    /// Changes what younger keys of the account started with by so many.
    async fn carry(&self, connection: &mut AnyConnection, units: i64) -> sqlx::Result<()> {
        let carry = sqlx::query(CARRY).bind(self.key).bind(self.month).bind(self.endpoint.as_str());
        carry.bind(units).execute(connection).await.map(drop)
    }
}
