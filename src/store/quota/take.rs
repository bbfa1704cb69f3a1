//! Units that are taken: reserved for a run, or used at once.

use sqlx::{AnyConnection, Row};
use wayfile_actors::ledger::{Claim, ReservationId, Taken};
use wayfile_core::calendar::{Day, Month};

use super::steps;
use super::{InstanceId, bytes, count, count_day, number};

/// The counter that a unit was taken from.
const TAKEN: &str = "month_usage WHERE key_id = $1 AND month = $2 AND endpoint = $3";

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
    let taken = steps::make(&mut *connection, "month_usage", &first, &follows, |step| {
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
