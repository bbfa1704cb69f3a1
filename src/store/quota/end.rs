//! Reservations that end: settled with an answer, or refunded.

use jiff::Timestamp;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use wayfile_actors::ledger::ReservationId;

use super::{bytes, count_day};

/// Keys made after this one was revoked started with its units: see `create_key`.
const CARRY_LESS: &str = "UPDATE month_usage SET carried = carried - 1 \
    WHERE carried >= 1 AND month = $2 AND endpoint = $3 AND key_id IN (SELECT young.id FROM keys old \
    JOIN keys young ON young.account_id = old.account_id AND young.created_at >= old.revoked_at \
    WHERE old.id = $1)";
const CARRY_MORE: &str = "UPDATE month_usage SET carried = carried + 1 \
    WHERE month = $2 AND endpoint = $3 AND key_id IN (SELECT young.id FROM keys old \
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
        unit.change(connection, "settled = settled + 1, reserved = reserved - 1").await?;
        unit
    } else if let Some(late) = turn(connection, id, "refunded", "settled").await? {
        late.change(connection, "settled = settled + 1").await?;
        late.carry(connection, CARRY_MORE).await?;
        late
    } else {
        return Ok(());
    };
    count_day(connection, unit.key, &unit.endpoint, now).await
}

/// Frees a held unit.
pub(super) async fn refund(connection: &mut AnyConnection, id: ReservationId) -> sqlx::Result<()> {
    let Some(unit) = turn(connection, id, "held", "refunded").await? else { return Ok(()) };
    unit.change(connection, "reserved = reserved - 1").await?;
    unit.carry(connection, CARRY_LESS).await
}

/// Changes the state of a reservation; the unit that it is of, or none when it had another state.
async fn turn(
    connection: &mut AnyConnection,
    id: ReservationId,
    from: &'static str,
    to: &'static str,
) -> sqlx::Result<Option<Unit>> {
    let turned = sqlx::query(
        "UPDATE reservations SET state = $3 WHERE id = $1 AND state = $2 RETURNING key_id, endpoint, month",
    );
    let turned = turned.bind(bytes(id)).bind(from).bind(to).fetch_optional(connection).await?;
    turned.as_ref().map(Unit::read).transpose()
}

/// Whose unit it is, and of which quota.
struct Unit {
    key: i64,
    month: i64,
    endpoint: String,
}

impl Unit {
    fn read(row: &AnyRow) -> sqlx::Result<Self> {
        let (key, month) = (row.try_get("key_id")?, row.try_get("month")?);
        Ok(Self { key, month, endpoint: row.try_get("endpoint")? })
    }

    /// Changes the counters of its quota.
    async fn change(&self, connection: &mut AnyConnection, change: &'static str) -> sqlx::Result<()> {
        let change =
            format!("UPDATE month_usage SET {change} WHERE key_id = $1 AND month = $2 AND endpoint = $3");
        let change = sqlx::query(AssertSqlSafe(change)).bind(self.key).bind(self.month);
        change.bind(self.endpoint.as_str()).execute(connection).await.map(drop)
    }

    /// Changes what younger keys of the account started with.
    async fn carry(&self, connection: &mut AnyConnection, carry: &'static str) -> sqlx::Result<()> {
        let carry = sqlx::query(carry).bind(self.key).bind(self.month).bind(self.endpoint.as_str());
        carry.execute(connection).await.map(drop)
    }
}
