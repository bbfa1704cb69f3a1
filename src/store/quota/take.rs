//! Units that are taken: reserved for a run, or used at once.

use std::collections::BTreeMap;

use sqlx::{AnyConnection, AssertSqlSafe};
use wayfile_actors::ledger::{Claim, ReservationId, Taken};
use wayfile_core::calendar::Month;
use wayfile_core::plan::Plan;

use super::days::Days;
use super::{RunId, bytes, count, number, rows};

/// A claim, and its place among the changes of the moment.
#[derive(Clone, Copy)]
pub(super) struct UnitRequest<'a> {
    pub(super) place: usize,
    pub(super) claim: &'a Claim,
    /// The server and the name that the unit is reserved under; none when it is used at once.
    pub(super) holder: Option<(RunId, ReservationId)>,
}

/// Takes a unit for each request that its quota has one for.
pub(super) async fn take(
    connection: &mut AnyConnection,
    requests: Vec<UnitRequest<'_>>,
) -> sqlx::Result<Vec<(usize, Taken)>> {
    let mut alike: BTreeMap<_, Vec<UnitRequest<'_>>> = BTreeMap::new();
    for request in requests {
        let claim = request.claim;
        let quota =
            (claim.key, Month::of(claim.now).number(), claim.endpoint.name(), claim.limit, claim.plan);
        alike.entry(quota).or_default().push(request);
    }
    let (mut given, mut outcomes) = (Vec::new(), Vec::new());
    for together in alike.into_values() {
        if let Some(used) = raise(connection, &together).await? {
            let before = used - number(together.len() as u64);
            given.extend((before + 1..).zip(together));
            continue;
        }
        // Not all of them have a unit left: one after the other, until there is none.
        for request in together {
            match raise(connection, &[request]).await? {
                Some(used) => given.push((used, request)),
                None => outcomes.push((request.place, refused(connection, request.claim).await?)),
            }
        }
    }
    hold(connection, &given).await?;
    let mut days = Days::default();
    for (_, UnitRequest { claim, .. }) in given.iter().filter(|(_, request)| request.holder.is_none()) {
        days.add(claim.key.0, claim.endpoint.name().to_owned(), claim.now);
    }
    days.count(connection).await?;
    outcomes.extend(given.into_iter().map(|(used, request)| (request.place, Taken::Granted(count(used)))));
    Ok(outcomes)
}

/// Takes a unit for each of these requests, which are alike, or for none; what is used with them. The counter decides and is
/// locked by that decision, so no two take the same last unit.
async fn raise(connection: &mut AnyConnection, requests: &[UnitRequest<'_>]) -> sqlx::Result<Option<i64>> {
    let Some(UnitRequest { claim, .. }) = requests.first() else { return Ok(None) };
    let reserved = requests.iter().filter(|request| request.holder.is_some()).count();
    let taken = sqlx::query_scalar::<_, i64>(
        "INSERT INTO month_usage (key_id, month, endpoint, carried, settled, reserved) \
         SELECT k.id, $2, $3, 0, $5, $6 FROM keys k JOIN accounts a ON a.id = k.account_id \
         WHERE k.id = $1 AND k.revoked_at IS NULL AND ($7 = '' OR a.plan = $7) AND $5 + $6 <= $4 \
         ON CONFLICT (key_id, month, endpoint) DO UPDATE \
         SET settled = month_usage.settled + $5, reserved = month_usage.reserved + $6 \
         WHERE month_usage.carried + month_usage.settled + month_usage.reserved <= $4 - $5 - $6 \
         RETURNING carried + settled + reserved",
    );
    let taken = taken.bind(claim.key.0).bind(Month::of(claim.now).number()).bind(claim.endpoint.name());
    let taken = taken.bind(number(claim.limit));
    let taken = taken.bind(number((requests.len() - reserved) as u64)).bind(number(reserved as u64));
    let taken = taken.bind(presumed(claim));
    taken.fetch_optional(connection).await
}

async fn refused(connection: &mut AnyConnection, claim: &Claim) -> sqlx::Result<Taken> {
    let left = sqlx::query_scalar::<_, i64>(
        "SELECT COALESCE((SELECT carried + settled + reserved FROM month_usage u \
         WHERE u.key_id = k.id AND u.month = $2 AND u.endpoint = $3), 0) \
         FROM keys k JOIN accounts a ON a.id = k.account_id \
         WHERE k.id = $1 AND k.revoked_at IS NULL AND ($4 = '' OR a.plan = $4)",
    );
    let used = left.bind(claim.key.0).bind(Month::of(claim.now).number()).bind(claim.endpoint.name());
    let used = used.bind(presumed(claim)).fetch_optional(connection).await?;
    Ok(used.map_or(Taken::Unknown, |used| Taken::Spent(count(used))))
}

/// The plan that the account must have, or nothing.
fn presumed(claim: &Claim) -> &'static str {
    claim.plan.map_or("", Plan::name)
}

/// Writes down who holds the units that are reserved.
async fn hold(connection: &mut AnyConnection, given: &[(i64, UnitRequest<'_>)]) -> sqlx::Result<()> {
    let held: Vec<_> =
        given.iter().filter_map(|(_, request)| Some((request.claim, request.holder?))).collect();
    if held.is_empty() {
        return Ok(());
    }
    let insert = format!(
        "INSERT INTO reservations (id, key_id, endpoint, month, run_id, created_at, state) \
         SELECT c.*, 'held' FROM (VALUES {}) c",
        rows(held.len(), 6)
    );
    let mut insert = sqlx::query(AssertSqlSafe(insert));
    for (claim, (run, id)) in held {
        insert = insert.bind(bytes(id)).bind(claim.key.0).bind(claim.endpoint.name());
        insert =
            insert.bind(Month::of(claim.now).number()).bind(run.bytes()).bind(claim.now.as_microsecond());
    }
    insert.execute(connection).await?;
    Ok(())
}
