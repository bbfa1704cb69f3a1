//! Answers kept for requests with an `Idempotency-Key`: the first request claims the name, the others wait
//! for its answer or get it at once.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use sqlx::{AnyConnection, Row};
use wayfile_actors::ledger::{KeptAnswer, KeyId};

use super::quota::RunId;
use super::runs::LOST;
use super::{Ledger, Store, StoreError};

/// A first request that has not answered for this long never will: longer than any run may take.
const ABANDONED: SignedDuration = SignedDuration::from_mins(10);

/// What is known of a request's name.
pub enum Earlier {
    /// Nothing: the request is the first, and runs.
    Nothing(Claimed),
    /// The first request still runs; ask again in a moment.
    Running,
    /// The first request was answered.
    Answered {
        /// Its HTTP status.
        status: u16,
        /// Its body.
        body: String,
    },
    /// The name was used for another body.
    AnotherBody,
}

/// Names whose request is still at work in this process.
#[derive(Clone, Default)]
pub(super) struct Names(Arc<Mutex<HashSet<(KeyId, String)>>>);

/// A name that is forgotten when this is dropped.
pub(super) struct LastUse(Names, (KeyId, String));

impl Drop for LastUse {
    fn drop(&mut self) {
        self.0.all().remove(&self.1);
    }
}

impl Names {
    pub(super) fn last_use(&self, key: KeyId, name: &str) -> LastUse {
        LastUse(self.clone(), (key, name.to_owned()))
    }

    fn all(&self) -> MutexGuard<'_, HashSet<(KeyId, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger {
    /// Claims `name` for a request of `key` whose body has the SHA-256 `body_hash`.
    ///
    /// # Errors
    /// [`StoreError::Away`].
    pub async fn claim_answer(
        &self,
        key: KeyId,
        name: &str,
        body_hash: [u8; 32],
        now: Timestamp,
    ) -> Result<Earlier, StoreError> {
        let claimed = sqlx::query(
            "INSERT INTO answers (key_id, name, body_hash, run_id, created_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (key_id, name) DO UPDATE SET body_hash = excluded.body_hash, run_id = excluded.run_id, \
             created_at = excluded.created_at WHERE answers.status IS NULL AND answers.created_at < $6",
        );
        let abandoned = (now - ABANDONED).as_microsecond();
        let claimed = claimed.bind(key.0).bind(name).bind(body_hash.to_vec()).bind(self.run().bytes());
        let claimed = claimed.bind(now.as_microsecond()).bind(abandoned).execute(&self.store().pool).await?;
        if claimed.rows_affected() == 1 {
            self.names().all().insert((key, name.to_owned()));
            let (store, names) = (self.store().clone(), self.names().clone());
            let runtime = tokio::runtime::Handle::current();
            let claimed = Claimed { store, names, runtime, key, name: name.to_owned(), open: true };
            return Ok(Earlier::Nothing(claimed));
        }
        let found =
            sqlx::query("SELECT body_hash, status, body FROM answers WHERE key_id = $1 AND name = $2");
        let found = found.bind(key.0).bind(name).fetch_optional(&self.store().pool).await?;
        // It failed in this very moment; the next question claims the name.
        let Some(row) = found else { return Ok(Earlier::Running) };
        if row.try_get::<Vec<u8>, _>("body_hash")? != body_hash {
            return Ok(Earlier::AnotherBody);
        }
        let Some(status) = row.try_get::<Option<i64>, _>("status")? else { return Ok(Earlier::Running) };
        let status =
            u16::try_from(status).map_err(|_| StoreError::Foreign(format!("the status {status}")))?;
        Ok(Earlier::Answered { status, body: row.try_get("body")? })
    }
}

/// The right to answer under a name. Dropped without an answer, the name is free again.
#[must_use = "dropping it frees the name"]
pub struct Claimed {
    store: Store,
    names: Names,
    runtime: tokio::runtime::Handle,
    key: KeyId,
    name: String,
    open: bool,
}

impl Claimed {
    /// The answer, to be kept by the commit that counts the run.
    #[must_use]
    pub fn answer(mut self, status: u16, body: String) -> KeptAnswer {
        self.open = false;
        KeptAnswer { key: self.key, name: std::mem::take(&mut self.name), status, body }
    }
}

impl Drop for Claimed {
    fn drop(&mut self) {
        if !self.open {
            return;
        }
        let (store, key, name) = (self.store.clone(), self.key, std::mem::take(&mut self.name));
        drop(self.names.last_use(key, &name));
        self.runtime.spawn(async move {
            if let Err(error) = store.free_name(key, &name).await {
                tracing::warn!(%error, "the name of a request that failed is free again only later");
            }
        });
    }
}

impl Store {
    /// Frees the names of requests whose server is dead, and those that `run` itself knows nothing of any more: the
    /// store was away when their request ended.
    pub(super) async fn free_names(
        &self,
        run: RunId,
        names: &Names,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let freed = "DELETE FROM answers WHERE status IS NULL AND run_id NOT IN (SELECT id FROM runs)";
        sqlx::query(freed).execute(&self.pool).await?;
        let open =
            "SELECT key_id, name FROM answers WHERE status IS NULL AND run_id = $1 AND created_at < $2";
        let open = sqlx::query(open).bind(run.bytes()).bind((now - LOST).as_microsecond());
        for row in open.fetch_all(&self.pool).await? {
            let (key, name) = (KeyId(row.try_get("key_id")?), row.try_get::<String, _>("name")?);
            let lost = !names.all().contains(&(key, name.clone()));
            if lost {
                self.free_name(key, &name).await?;
            }
        }
        Ok(())
    }

    async fn free_name(&self, key: KeyId, name: &str) -> sqlx::Result<()> {
        free(&mut *self.pool.acquire().await?, key, name).await
    }
}

/// Frees the name of a request that was not answered.
pub(super) async fn free(connection: &mut AnyConnection, key: KeyId, name: &str) -> sqlx::Result<()> {
    let freed = sqlx::query("DELETE FROM answers WHERE key_id = $1 AND name = $2 AND status IS NULL");
    freed.bind(key.0).bind(name).execute(connection).await?;
    Ok(())
}

/// Part of the commit that counts the run.
pub(super) async fn keep(connection: &mut AnyConnection, answer: &KeptAnswer) -> sqlx::Result<()> {
    let kept = sqlx::query("UPDATE answers SET status = $3, body = $4 WHERE key_id = $1 AND name = $2");
    let kept = kept.bind(answer.key.0).bind(answer.name.as_str()).bind(i64::from(answer.status));
    kept.bind(answer.body.as_str()).execute(connection).await?;
    Ok(())
}
