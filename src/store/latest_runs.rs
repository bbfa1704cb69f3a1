//! The runs that ended last, for people to look at: of each account the newest, with the way to their answers while these
//! are kept.

use std::time::Duration;

use jiff::Timestamp;
use wayfile_actors::ledger::KeyId;
use wayfile_core::plan::Endpoint;

use super::answers::bodies;
use super::usage::endpoint;
use super::{AccountId, Store, StoreResult, count, number, time};

/// Runs of an account that are remembered.
pub(crate) const REMEMBERED: u64 = 100;
/// With every so many runs of the service those of the account that are too many are forgotten.
const FORGET_EVERY: i64 = 16;
/// Characters of a site's address.
const SITE_MAX: usize = 200;
/// Characters of what a run said.
const SAID_MAX: usize = 1_000;

/// A run that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedRun {
    /// The key that it was counted for.
    pub key: KeyId,
    /// The endpoint that was called.
    pub endpoint: Endpoint,
    /// The address that was asked for.
    pub site: String,
    /// What came of it: the files that were made, the status of the file, or an error's code.
    pub outcome: String,
    /// What is to be known of it, or why it failed.
    pub said: String,
    /// From its admission to its end.
    pub took: Duration,
    /// The name that its answer is kept by, if it is.
    pub answer: Option<String>,
}

/// A run as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatestRun {
    pub id: i64,
    pub endpoint: Endpoint,
    pub site: String,
    /// As [`EndedRun::outcome`].
    pub outcome: String,
    /// As [`EndedRun::said`].
    pub said: String,
    /// As [`EndedRun::took`]; unknown of a run that an earlier build remembered.
    pub took: Option<Duration>,
    /// Its answer is still there.
    pub kept: bool,
    pub at: Timestamp,
}

/// Number, endpoint, site, outcome, end, status of its answer, what is said of it and milliseconds, as they are stored.
type RunRow = (i64, String, String, String, i64, Option<i64>, String, Option<i64>);

impl Store {
    /// Remembers a run, and now and then forgets the oldest of its account. Of an account that was deleted meanwhile none is
    /// remembered.
    pub async fn remember_run(&self, run: &EndedRun, now: Timestamp) -> StoreResult {
        if let Some(answer) = &run.answer {
            // A name that was used again leads to the newer answer alone.
            let renamed = sqlx::query(
                "UPDATE latest_runs SET answer = NULL WHERE key_id = $1 AND answer = $2 \
                 AND account_id = (SELECT account_id FROM keys WHERE id = $1)",
            );
            renamed.bind(run.key.0).bind(answer.as_str()).execute(&self.pool).await?;
        }
        let cut = |text: &str, most| text.chars().take(most).collect::<String>();
        let noted = sqlx::query_as::<_, (i64, i64)>(
            "INSERT INTO latest_runs (account_id, key_id, endpoint, site, outcome, answer, ended_at, said, took_ms) \
             SELECT k.account_id, k.id, $2, $3, $4, $5, $6, $7, $8 FROM keys k JOIN accounts a ON a.id = k.account_id \
             WHERE k.id = $1 AND a.deleted_at IS NULL RETURNING id, account_id",
        );
        let noted = noted.bind(run.key.0).bind(run.endpoint.name()).bind(cut(&run.site, SITE_MAX));
        let noted = noted.bind(run.outcome.as_str()).bind(run.answer.as_deref()).bind(now.as_microsecond());
        let took = i64::try_from(run.took.as_millis()).unwrap_or(i64::MAX);
        let noted = noted.bind(cut(&run.said, SAID_MAX)).bind(took).fetch_optional(&self.pool).await?;
        if let Some((_, account)) = noted.filter(|(id, _)| id % FORGET_EVERY == 0) {
            let old = sqlx::query(
                "DELETE FROM latest_runs WHERE account_id = $1 AND id NOT IN \
                 (SELECT id FROM latest_runs WHERE account_id = $1 ORDER BY id DESC LIMIT $2)",
            );
            old.bind(account).bind(number(REMEMBERED)).execute(&self.pool).await?;
        }
        Ok(())
    }

    /// The runs of an account that are remembered, the newest first; the one of number `run` alone where that is given.
    pub async fn latest_runs(&self, account: AccountId, run: Option<i64>) -> StoreResult<Vec<LatestRun>> {
        let rows = sqlx::query_as::<_, RunRow>(
            "SELECT r.id, r.endpoint, r.site, r.outcome, r.ended_at, a.status, r.said, r.took_ms FROM latest_runs r \
             LEFT JOIN answers a ON a.key_id = r.key_id AND a.name = r.answer \
             WHERE r.account_id = $1 AND r.id = COALESCE($2, r.id) ORDER BY r.id DESC LIMIT $3",
        );
        let rows = rows.bind(account.0).bind(run).bind(number(REMEMBERED)).fetch_all(&self.pool).await?;
        let read = |(id, name, site, outcome, ended, status, said, took): RunRow| {
            let (endpoint, kept) = (endpoint(&name)?, status.is_some());
            let took = took.map(|ms| Duration::from_millis(count(ms)));
            Ok(LatestRun { id, endpoint, site, outcome, said, took, kept, at: time(ended) })
        };
        rows.into_iter().map(read).collect()
    }

    /// The answer to a run of the account, as long as it is kept.
    pub async fn answer_of_run(&self, account: AccountId, run: i64) -> StoreResult<Option<String>> {
        let found = sqlx::query(
            "SELECT b.coding, b.body FROM latest_runs r \
             JOIN answers a ON a.key_id = r.key_id AND a.name = r.answer AND a.status IS NOT NULL \
             JOIN answer_bodies b ON b.key_id = a.key_id AND b.name = a.name \
             WHERE r.account_id = $1 AND r.id = $2",
        );
        match found.bind(account.0).bind(run).fetch_optional(&self.pool).await? {
            Some(row) => Ok(Some(bodies::text_of(&row).await?)),
            None => Ok(None),
        }
    }
}
