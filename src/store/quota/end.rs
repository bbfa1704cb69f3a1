//! Reservations that end: settled with an answer, or refunded.

use jiff::Timestamp;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use wayfile_actors::ledger::ReservationId;
use wayfile_core::calendar::Day;

use super::steps::{self, Unbound};
use super::{bytes, count_day};

const TURN: &str = "UPDATE reservations SET state = $3 WHERE id = $1 AND state = $2 RETURNING *";
/// Changes the counters of the unit's quota.
const CHANGE: &str = "UPDATE month_usage SET settled = month_usage.settled + $4, reserved = month_usage.reserved + $5 \
    FROM reservations r WHERE r.id = $1 \
    AND month_usage.key_id = r.key_id AND month_usage.month = r.month AND month_usage.endpoint = r.endpoint";
/// Changes what keys started with that were made after this one was revoked: see `create_key`. A statement of its own: what
/// waited for such a key to be made has not seen it.
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
    if settle_held(connection, id, now).await? {
        return Ok(());
    }
    match settle_from("refunded", 0, connection, id, now).await? {
        Some(unit) => carry(connection, &unit, 1).await,
        None => Ok(()),
    }
}

/// The same for a unit that is held. `false`: this one is not, any more.
pub(super) async fn settle_held(
    connection: &mut AnyConnection,
    id: ReservationId,
    now: Timestamp,
) -> sqlx::Result<bool> {
    Ok(settle_from("held", -1, connection, id, now).await?.is_some())
}

/// The unit of a reservation that was in `state` and is settled now; `None`: it was in another one.
async fn settle_from(
    state: &'static str,
    reserved: i64,
    connection: &mut AnyConnection,
    id: ReservationId,
    now: Timestamp,
) -> sqlx::Result<Option<AnyRow>> {
    let bind = |step: Unbound| {
        let step = step.bind(bytes(id)).bind(state).bind("settled").bind(1_i64).bind(reserved);
        step.bind(Day::of(now).number())
    };
    let then = [CHANGE.to_owned(), count_day("$6", "reservations WHERE id = $1")];
    steps::make(connection, "reservations", TURN, &then, bind).await
}

pub(super) async fn refund(connection: &mut AnyConnection, id: ReservationId) -> sqlx::Result<()> {
    let bind = |step: Unbound| step.bind(bytes(id)).bind("held").bind("refunded").bind(0_i64).bind(-1_i64);
    match steps::make(connection, "reservations", TURN, &[CHANGE.to_owned()], bind).await? {
        Some(unit) => carry(connection, &unit, -1).await,
        None => Ok(()),
    }
}

/// Changes what younger keys of the account started with by so many.
async fn carry(connection: &mut AnyConnection, unit: &AnyRow, units: i64) -> sqlx::Result<()> {
    let carry = sqlx::query(CARRY).bind(unit.try_get::<i64, _>("key_id")?);
    let carry = carry.bind(unit.try_get::<i64, _>("month")?).bind(unit.try_get::<String, _>("endpoint")?);
    carry.bind(units).execute(connection).await.map(drop)
}
