//! The month's quota: units are reserved, settled and refunded, or used at once.
//!
//! A reservation is held until it is settled or refunded. Its row outlives that, so that doing either twice
//! counts once. What changes at the same moment is changed together: one statement for all of it, in a transaction
//! that the caller commits.

mod days;
mod end;
mod take;

use std::collections::HashMap;

use jiff::Timestamp;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use wayfile_actors::ledger::{Claim, KeyHash, KeyId, KeyRecord, ReservationId, Taken, Used};
use wayfile_core::calendar::Month;
use wayfile_core::plan::Endpoint;

use super::answers::{self, Answered};
use super::runs::{self, RunId};
use super::{StoreError, accounts, count, number};
use take::UnitRequest;

/// One change of a quota.
#[derive(Debug, Clone)]
pub(super) enum QuotaChange {
    Reserve(RunId, ReservationId, Claim),
    /// The work was done before: its unit is used at once.
    Charge(Claim, Option<Answered>),
    Settle(ReservationId, Timestamp, Option<Answered>),
    Refund(ReservationId),
    /// Something that changes nothing for anybody, to see whether anything can be changed.
    Probe(RunId),
}

/// What a change came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeOutcome {
    Taken(Taken),
    /// The reservation has ended, now or before.
    Ended,
}

/// The good keys among those with these hashes, with what they used of `month`.
pub(super) async fn key_states(
    connection: &mut AnyConnection,
    hashes: &[KeyHash],
    month: Month,
) -> Result<HashMap<KeyHash, KeyRecord>, StoreError> {
    let used = |endpoint: Endpoint| {
        format!(
            "COALESCE((SELECT carried + settled + reserved FROM month_usage u WHERE u.key_id = k.id \
             AND u.month = ${} AND u.endpoint = '{}'), 0)",
            hashes.len() + 1,
            endpoint.name()
        )
    };
    let found = format!(
        "SELECT k.hash, k.id, a.plan, {} AS generate, {} AS validate FROM keys k \
         JOIN accounts a ON a.id = k.account_id WHERE k.hash IN {} AND k.revoked_at IS NULL",
        used(Endpoint::Generate),
        used(Endpoint::Validate),
        rows(1, hashes.len())
    );
    let mut found = sqlx::query(AssertSqlSafe(found));
    for hash in hashes {
        found = found.bind(hash.0.to_vec());
    }
    let found = found.bind(month.number()).fetch_all(connection).await?;
    found.iter().map(|row| key_state(row, month)).collect()
}

pub(super) fn key_state(row: &AnyRow, month: Month) -> Result<(KeyHash, KeyRecord), StoreError> {
    let hash: Vec<u8> = row.try_get("hash")?;
    let hash = hash
        .try_into()
        .map_err(|hash: Vec<u8>| StoreError::Foreign(format!("a key's hash of {} bytes", hash.len())))?;
    let used = Used { generate: count(row.try_get("generate")?), validate: count(row.try_get("validate")?) };
    let (key, plan) = (KeyId(row.try_get("id")?), accounts::plan(row.try_get("plan")?)?);
    Ok((KeyHash(hash), KeyRecord { key, plan, month, used, rate: None }))
}

/// Makes changes, and says what each came to. The order in which they were asked for does not matter to anybody: what
/// was asked for at the same moment was asked for by different requests, or ends what is reserved here as well.
pub(super) async fn apply(
    connection: &mut AnyConnection,
    entries: &[&QuotaChange],
) -> sqlx::Result<Vec<ChangeOutcome>> {
    let mut requests = Vec::new();
    let mut settled = Vec::new();
    for (place, entry) in entries.iter().enumerate() {
        match entry {
            QuotaChange::Reserve(run, id, claim) => {
                requests.push(UnitRequest { place, claim, holder: Some((*run, *id)) });
            }
            QuotaChange::Charge(claim, _) => requests.push(UnitRequest { place, claim, holder: None }),
            // Where another server has answered in its place, that one has counted it.
            QuotaChange::Settle(id, _, Some(answer)) if !answers::answered(connection, answer).await? => {
                end::refund(connection, *id).await?;
            }
            QuotaChange::Settle(id, now, _) => settled.push((*id, *now)),
            QuotaChange::Refund(_) | QuotaChange::Probe(_) => {}
        }
    }
    let mut outcomes = vec![ChangeOutcome::Ended; entries.len()];
    for (place, taken) in take::take(connection, requests).await? {
        if let Some(outcome) = outcomes.get_mut(place) {
            *outcome = ChangeOutcome::Taken(taken);
        }
    }
    end::settle(connection, &settled).await?;
    for (entry, outcome) in entries.iter().zip(&outcomes) {
        match (entry, outcome) {
            (QuotaChange::Charge(_, Some(answer)), ChangeOutcome::Taken(Taken::Granted(_))) => {
                answers::answered(connection, answer).await?;
            }
            (QuotaChange::Charge(_, Some(unpaid)), _) => {
                answers::free(connection, unpaid.key, &unpaid.name).await?;
            }
            (QuotaChange::Refund(id), _) => end::refund(connection, *id).await?,
            (QuotaChange::Probe(run), _) => runs::probe(connection, *run).await?,
            (QuotaChange::Reserve(..) | QuotaChange::Charge(_, None) | QuotaChange::Settle(..), _) => {}
        }
    }
    Ok(outcomes)
}

/// Whose units they are, and of which quota.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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

    /// `change`: a statement with the key, the month and the endpoint as its first parameters.
    async fn count(
        &self,
        connection: &mut AnyConnection,
        change: &'static str,
        units: i64,
    ) -> sqlx::Result<()> {
        let change = sqlx::query(change).bind(self.key).bind(self.month).bind(self.endpoint.as_str());
        change.bind(units).execute(connection).await?;
        Ok(())
    }
}

fn bytes(id: ReservationId) -> Vec<u8> {
    id.0.as_bytes().to_vec()
}

/// `($1,$2), ($3,$4)`: so many rows of so many parameters.
fn rows(count: usize, width: usize) -> String {
    let row = |number: usize| {
        let parameters: Vec<_> = (1..=width).map(|at| format!("${}", number * width + at)).collect();
        format!("({})", parameters.join(","))
    };
    (0..count).map(row).collect::<Vec<_>>().join(", ")
}
