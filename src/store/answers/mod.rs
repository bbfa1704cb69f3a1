//! Answers kept for requests with an `Idempotency-Key`: the first request claims the name, the others wait
//! for its answer or get it at once.
//!
//! A body is laid by before its run is counted, so that counting does not wait for it; the commit that counts the run makes
//! it the answer. What lies there without that is thrown away with the name.

pub(super) mod bodies;
mod names;

use jiff::Timestamp;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use tokio::time::sleep;
use wayfile_actors::ledger::{HeldName, KeptAnswer, KeyId};

use super::nodes::{BEAT, InstanceId, LOST};
use super::{Store, StoreResult};
use names::Hold;

pub use names::Ending;
pub(super) use names::Names;

/// What is known of a request's name.
pub enum Earlier {
    /// Nothing: the request is the first, and runs.
    Nothing(Claimed),
    /// The first request still runs; ask again when it has ended.
    Running(Ending),
    /// The first request was answered: its body. Only what went well is kept.
    Answered(String),
    /// The name was used for another body. Where that request was not answered, it may fail, or be failing right now.
    AnotherBody(Option<Ending>),
}

/// A request's name, and the server that answers it.
#[derive(Debug, Clone)]
pub(crate) struct AnswerName {
    pub(super) key: KeyId,
    pub(super) name: String,
    pub(super) instance: InstanceId,
}

/// The right to answer under a name. Dropped without an answer, the name is free again.
#[must_use = "dropping it frees the name"]
pub struct Claimed {
    pub(super) store: Store,
    pub(super) name: AnswerName,
    /// None: nothing is left to be freed.
    pub(super) held: Option<Hold>,
}

impl Claimed {
    /// The answer, to be kept by the commit that counts the run.
    pub fn answer(self, body: &str) -> KeptAnswer {
        let (key, name) = (self.name.key, self.name.name.clone());
        KeptAnswer { key, name, body: body.into(), name_held: Box::new(self) }
    }
}

impl HeldName for Claimed {
    fn is_noted(mut self: Box<Self>) {
        self.held = None;
    }
}

impl Drop for Claimed {
    fn drop(&mut self) {
        let Some(held) = self.held.take() else { return };
        let (store, name) = (self.store.clone(), self.name.clone());
        self.store.spawn(async move {
            // Upkeep frees what is older.
            let until = Timestamp::now() + LOST;
            let mut freed = store.free_name(&name).await;
            while freed.is_err() && Timestamp::now() < until {
                sleep(BEAT).await;
                freed = store.free_name(&name).await;
            }
            if let Err(error) = freed {
                tracing::warn!(%error, "the name of a request that failed is free again only later");
            }
            // Only now waiters look again.
            drop(held);
        });
    }
}

impl Store {
    /// What is known of a name, with the body where there is an answer.
    pub(super) async fn earlier(&self, key: KeyId, name: &str) -> StoreResult<Option<AnyRow>> {
        let found = sqlx::query(
            "SELECT a.body_hash, a.status, a.created_at, b.coding, b.body FROM answers a \
             LEFT JOIN answer_bodies b ON b.key_id = a.key_id AND b.name = a.name AND a.status IS NOT NULL \
             WHERE a.key_id = $1 AND a.name = $2",
        );
        Ok(found.bind(key.0).bind(name).fetch_optional(&self.pool).await?)
    }

    /// When the oldest answers were asked for that are kept.
    pub(super) fn oldest_answer(&self, now: Timestamp) -> i64 {
        (now - self.keep.answers).as_microsecond()
    }

    /// Frees the name of an answer that is older than any that is kept, before the next purge does.
    pub(super) async fn forget_answer(&self, key: KeyId, name: &str, now: Timestamp) -> StoreResult {
        let over =
            "DELETE FROM answers WHERE key_id = $1 AND name = $2 AND status IS NOT NULL AND created_at < $3";
        let over = sqlx::query(over).bind(key.0).bind(name).bind(self.oldest_answer(now));
        over.execute(&self.pool).await?;
        Ok(())
    }

    /// Frees the names of requests whose server is dead, and those that `instance` itself knows nothing of any more: the
    /// store was away when their request ended.
    pub(super) async fn free_names(
        &self,
        instance: InstanceId,
        names: &Names,
        now: Timestamp,
    ) -> StoreResult {
        sqlx::query(FREE_OF_THE_DEAD).execute(&self.pool).await?;
        let open = sqlx::query(OPEN).bind(instance.bytes()).bind((now - LOST).as_microsecond());
        for row in open.fetch_all(&self.pool).await? {
            let name =
                AnswerName { key: KeyId(row.try_get("key_id")?), name: row.try_get("name")?, instance };
            if names.running(name.key, &name.name).is_none() {
                self.free_name(&name).await?;
            }
        }
        Ok(())
    }

    async fn free_name(&self, name: &AnswerName) -> sqlx::Result<()> {
        free(&mut *self.pool.acquire().await?, name).await
    }
}

/// Asked every few seconds: `answers_open` holds only what still runs.
const FREE_OF_THE_DEAD: &str =
    "DELETE FROM answers WHERE status IS NULL AND run_id NOT IN (SELECT id FROM runs)";
const OPEN: &str =
    "SELECT key_id, name FROM answers WHERE status IS NULL AND run_id = $1 AND created_at < $2";

/// Frees the name of a request that was not answered. Where its server was taken for dead, the name may be another's.
pub(super) async fn free(connection: &mut AnyConnection, name: &AnswerName) -> sqlx::Result<()> {
    let freed = "DELETE FROM answers WHERE key_id = $1 AND name = $2 AND run_id = $3 AND status IS NULL";
    let freed = sqlx::query(freed).bind(name.key.0).bind(name.name.as_str()).bind(name.instance.bytes());
    freed.execute(connection).await.map(drop)
}

/// Part of the commit that counts the run: what was laid by is the answer from now on. `false`: the run's server was taken for
/// dead, and the name is another's by now, who counts it. One that is nobody's any more stays so.
pub(super) async fn answered(connection: &mut AnyConnection, name: &AnswerName) -> sqlx::Result<bool> {
    let kept = sqlx::query("UPDATE answers SET status = 200 WHERE key_id = $1 AND name = $2 AND run_id = $3");
    let kept = kept.bind(name.key.0).bind(name.name.as_str()).bind(name.instance.bytes());
    if kept.execute(&mut *connection).await?.rows_affected() > 0 {
        return Ok(true);
    }
    let others = sqlx::query("SELECT 1 FROM answers WHERE key_id = $1 AND name = $2");
    let others = others.bind(name.key.0).bind(name.name.as_str());
    Ok(others.fetch_optional(connection).await?.is_none())
}

#[cfg(test)]
mod tests {
    use sqlx::AssertSqlSafe;

    use super::*;
    use crate::config::Config;
    use crate::store::{DatabaseUrl, nodes};

    #[tokio::test]
    async fn periodic_queries_use_indexes() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Config::load(None, &[]).unwrap().database;
        settings.url =
            DatabaseUrl::parse(&format!("sqlite://{}", folder.path().join("a.db").display())).unwrap();
        let store = Store::open(&settings).await.unwrap();
        for (asked, table, open) in [
            (FREE_OF_THE_DEAD, "answers", "answers_open"),
            (OPEN, "answers", "answers_open"),
            (nodes::HELD, "reservations", "reservations_held"),
        ] {
            let plan = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {asked}")));
            for row in plan.fetch_all(&store.pool).await.unwrap() {
                let step: String = row.try_get("detail").unwrap();
                // By their age nearly all would be read.
                let is_open = step.contains(&format!("USING INDEX {open}"));
                assert!(is_open || step.split(' ').nth(1) != Some(table), "{asked}: {step}");
            }
        }
    }
}
