//! Units that are reserved.

use std::collections::BTreeMap;

use sqlx::{AnyConnection, AssertSqlSafe};
use wayfile_actors::ledger::{Claim, Reserved};
use wayfile_core::calendar::Month;

use super::{RunId, bytes, count, number, rows};

/// A claim, its place among the changes of the moment, and the server that makes it.
type Placed<'a> = (usize, RunId, &'a Claim);

/// Reserves a unit for each claim that its quota has one for.
pub(super) async fn reserve(
    connection: &mut AnyConnection,
    claims: &[Placed<'_>],
) -> sqlx::Result<Vec<(usize, Reserved)>> {
    let mut alike: BTreeMap<_, Vec<Placed<'_>>> = BTreeMap::new();
    for placed in claims {
        let claim = placed.2;
        let quota = (claim.key, Month::of(claim.now).number(), claim.endpoint.name(), claim.limit);
        alike.entry(quota).or_default().push(*placed);
    }
    let (mut given, mut outcomes) = (Vec::with_capacity(claims.len()), Vec::new());
    for together in alike.into_values() {
        let all = match together.first() {
            Some((_, _, claim)) => take(connection, claim, together.len()).await?,
            None => None,
        };
        if let Some(used) = all {
            let before = used - number(together.len() as u64);
            given.extend((before + 1..).zip(together));
            continue;
        }
        // Not all of them have a unit left: one after the other, until there is none.
        for placed in together {
            match take(connection, placed.2, 1).await? {
                Some(used) => given.push((used, placed)),
                None => outcomes.push((placed.0, refused(connection, placed.2).await?)),
            }
        }
    }
    hold(connection, &given).await?;
    outcomes.extend(given.into_iter().map(|(used, placed)| (placed.0, Reserved::Granted(count(used)))));
    Ok(outcomes)
}

/// Takes so many units; what is used with them. The counter decides and is locked by that decision, so no two take the
/// same last unit.
async fn take(connection: &mut AnyConnection, claim: &Claim, units: usize) -> sqlx::Result<Option<i64>> {
    let taken = sqlx::query_scalar::<_, i64>(
        "INSERT INTO month_usage (key_id, month, endpoint, carried, settled, reserved) \
         SELECT id, $2, $3, 0, 0, $5 FROM keys WHERE id = $1 AND revoked_at IS NULL AND $5 <= $4 \
         ON CONFLICT (key_id, month, endpoint) DO UPDATE SET reserved = month_usage.reserved + $5 \
         WHERE month_usage.carried + month_usage.settled + month_usage.reserved <= $4 - $5 \
         RETURNING carried + settled + reserved",
    );
    let taken = taken.bind(claim.key.0).bind(Month::of(claim.now).number()).bind(claim.endpoint.name());
    let taken = taken.bind(number(claim.limit)).bind(number(units as u64));
    taken.fetch_optional(connection).await
}

async fn refused(connection: &mut AnyConnection, claim: &Claim) -> sqlx::Result<Reserved> {
    let left = sqlx::query_scalar::<_, i64>(
        "SELECT COALESCE((SELECT carried + settled + reserved FROM month_usage u \
         WHERE u.key_id = k.id AND u.month = $2 AND u.endpoint = $3), 0) \
         FROM keys k WHERE k.id = $1 AND k.revoked_at IS NULL",
    );
    let used = left.bind(claim.key.0).bind(Month::of(claim.now).number()).bind(claim.endpoint.name());
    let used = used.fetch_optional(connection).await?;
    Ok(used.map_or(Reserved::Unknown, |used| Reserved::Spent(count(used))))
}

/// Writes down who holds the units.
async fn hold(connection: &mut AnyConnection, given: &[(i64, Placed<'_>)]) -> sqlx::Result<()> {
    if given.is_empty() {
        return Ok(());
    }
    let held = format!(
        "INSERT INTO reservations (id, key_id, endpoint, month, run_id, created_at, state) \
         SELECT c.*, 'held' FROM (VALUES {}) c",
        rows(given.len(), 6)
    );
    let mut held = sqlx::query(AssertSqlSafe(held));
    for (_, (_, run, claim)) in given {
        held = held.bind(bytes(claim.id)).bind(claim.key.0).bind(claim.endpoint.name());
        held = held.bind(Month::of(claim.now).number()).bind(run.bytes()).bind(claim.now.as_microsecond());
    }
    held.execute(connection).await?;
    Ok(())
}
