//! Units of the month's quota: reserved for a run or used at once, settled with an answer, refunded.

use jiff::Timestamp;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row};
use wayfile_actors::ledger::{Claim, ReservationId, Taken};
use wayfile_core::calendar::{Day, Month};

use crate::store::nodes::InstanceId;
use crate::store::{count, number};

/// The counter that a unit was taken from.
const TAKEN: &str = "month_usage WHERE key_id = $1 AND month = $2 AND endpoint = $3";
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

/// A statement whose parameters are still to be named.
type Unbound = Query<'static, Any, AnyArguments>;

/// Takes a unit if its quota has one. `holder`: the server and the name that it is reserved under; none when it is used at
/// once. The counter decides and is locked by that decision, so no two take the same last unit. Where others write at the same
/// time the key is held, too: who revokes it and makes another one that starts with what this one used has to wait.
pub(super) async fn take(
    connection: &mut AnyConnection,
    claim: &Claim,
    holder: Option<(InstanceId, ReservationId)>,
) -> sqlx::Result<Taken> {
    let (key, month, endpoint) = (claim.key.0, Month::of(claim.now).number(), claim.endpoint.name());
    let (settled, reserved) = if holder.is_some() { (0_i64, 1_i64) } else { (1, 0) };
    let lock = if connection.backend_name() == "PostgreSQL" { "FOR SHARE" } else { "" };
    let first = format!(
        "INSERT INTO month_usage (key_id, month, endpoint, carried, settled, reserved) \
         SELECT k.id, $2, $3, 0, $5, $6 FROM keys k \
         WHERE k.id = $1 AND k.revoked_at IS NULL AND 1 <= $4 {lock} \
         ON CONFLICT (key_id, month, endpoint) DO UPDATE \
         SET settled = month_usage.settled + $5, reserved = month_usage.reserved + $6 \
         WHERE month_usage.carried + month_usage.settled + month_usage.reserved < $4 \
         RETURNING *, carried + settled + reserved AS used",
    );
    let follows = [match holder {
        None => count_day("$7", TAKEN),
        Some(_) => format!(
            "INSERT INTO reservations (id, key_id, endpoint, month, run_id, created_at, state) \
             SELECT $7, key_id, endpoint, month, $8, $9, 'held' FROM {TAKEN}"
        ),
    }];
    let taken = make(&mut *connection, "month_usage", &first, &follows, |step| {
        let step = step.bind(key).bind(month).bind(endpoint).bind(number(claim.limit));
        let step = step.bind(settled).bind(reserved);
        match holder {
            None => step.bind(Day::of(claim.now).number()),
            Some((instance, id)) => {
                step.bind(bytes(id)).bind(instance.bytes()).bind(claim.now.as_microsecond())
            }
        }
    });
    let Some(taken) = taken.await? else { return refused(connection, claim).await };
    Ok(Taken::Granted(count(taken.try_get("used")?)))
}

async fn refused(connection: &mut AnyConnection, claim: &Claim) -> sqlx::Result<Taken> {
    let left = sqlx::query_scalar::<_, i64>(
        "SELECT COALESCE((SELECT carried + settled + reserved FROM month_usage u \
         WHERE u.key_id = k.id AND u.month = $2 AND u.endpoint = $3), 0) \
         FROM keys k WHERE k.id = $1 AND k.revoked_at IS NULL",
    );
    let used = left.bind(claim.key.0).bind(Month::of(claim.now).number()).bind(claim.endpoint.name());
    let used = used.fetch_optional(connection).await?;
    Ok(used.map_or(Taken::Unknown, |used| Taken::Spent(count(used))))
}

/// A held unit becomes a used one. One that was refunded too early (its server had been taken for dead and answered all the
/// same) is used, too: what was answered counts. Settling twice counts once.
pub(super) async fn settle(
    connection: &mut AnyConnection,
    id: ReservationId,
    now: Timestamp,
) -> sqlx::Result<()> {
    if !settle_held(connection, id, now).await?
        && let Some(unit) = settle_from("refunded", 0, connection, id, now).await?
    {
        carry(connection, &unit, 1).await?;
    }
    Ok(())
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
    make(connection, "reservations", TURN, &then, bind).await
}

pub(super) async fn refund(connection: &mut AnyConnection, id: ReservationId) -> sqlx::Result<()> {
    let bind = |step: Unbound| step.bind(bytes(id)).bind("held").bind("refunded").bind(0_i64).bind(-1_i64);
    match make(connection, "reservations", TURN, &[CHANGE.to_owned()], bind).await? {
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

/// Changes one row of `table` or none by `first`, which returns it, and makes what follows if there was one; all statements name
/// the same parameters, those that `bind` gives. The row that was changed.
///
/// SQLite makes one after the other. In PostgreSQL they are one statement, so nothing goes to and fro between them and no
/// transaction is needed: it commits by itself. Those that follow read what was changed under its table's name.
async fn make(
    connection: &mut AnyConnection,
    table: &str,
    first: &str,
    then: &[String],
    bind: impl Fn(Unbound) -> Unbound,
) -> sqlx::Result<Option<AnyRow>> {
    if connection.backend_name() == "PostgreSQL" {
        let then = then.iter().enumerate().map(|(at, step)| format!(", step{at} AS ({step})"));
        let all = format!("WITH {table} AS ({first}){} SELECT * FROM {table}", then.collect::<String>());
        return bind(sqlx::query(AssertSqlSafe(all))).fetch_optional(connection).await;
    }
    let first = bind(sqlx::query(AssertSqlSafe(first))).fetch_optional(&mut *connection).await?;
    for step in then.iter().filter(|_| first.is_some()) {
        bind(sqlx::query(AssertSqlSafe(step.as_str()))).execute(&mut *connection).await?;
    }
    Ok(first)
}

/// Counts a used unit by day, for people to look at. `day`: the parameter that names it, `of`: the row that names its key.
fn count_day(day: &str, of: &str) -> String {
    format!(
        "INSERT INTO day_usage (key_id, day, endpoint, settled) SELECT key_id, {day}, endpoint, 1 FROM {of} \
         ON CONFLICT (key_id, day, endpoint) DO UPDATE SET settled = day_usage.settled + 1"
    )
}

fn bytes(id: ReservationId) -> Vec<u8> {
    id.0.as_bytes().to_vec()
}
