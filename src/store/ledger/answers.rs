//! Answers of requests with an `Idempotency-Key`, as this server claims and keeps them.

use jiff::Timestamp;
use sqlx::Row;
use wayfile_actors::ledger::{HeldName, KeptAnswer, KeyId};

use super::Ledger;
use crate::store::StoreResult;
use crate::store::answers::{Answered, Claimed, Earlier, bodies};

impl Ledger {
    /// Claims `name` for a request of `key` whose body has the SHA-256 `body_hash`. Asking for a name that is taken
    /// changes nothing in the store.
    pub async fn claim_answer(
        &self,
        key: KeyId,
        name: &str,
        body_hash: [u8; 32],
        now: Timestamp,
    ) -> StoreResult<Earlier> {
        // Subscribed before the look-up: an end in between is noticed.
        let ending = self.names.ending(key, name);
        let store = &self.store;
        if let Some(row) = store.in_time(store.earlier(key, name)).await? {
            let is_answered = row.try_get::<Option<i64>, _>("status")?.is_some();
            let is_over = row.try_get::<i64, _>("created_at")? < store.oldest_answer(now);
            if is_answered && is_over {
                store.in_time(store.forget_answer(key, name, now)).await?;
                return Box::pin(self.claim_answer(key, name, body_hash, now)).await;
            }
            let is_same = row.try_get::<Vec<u8>, _>("body_hash")? == body_hash;
            let ending = (!is_answered).then(|| ending.begun_here(self.names.running(key, name)));
            return Ok(match ending {
                ending if !is_same => Earlier::AnotherBody(ending),
                Some(ending) => Earlier::Running(ending),
                None => Earlier::Answered(bodies::text_of(&row).await?),
            });
        }
        let held = match self.names.hold(key, name) {
            Ok(held) => held,
            Err(running) => return Ok(Earlier::Running(ending.begun_here(Some(running)))),
        };
        let claimed = sqlx::query(
            "INSERT INTO answers (key_id, name, body_hash, run_id, created_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (key_id, name) DO NOTHING",
        );
        let claimed = claimed.bind(key.0).bind(name).bind(body_hash.to_vec()).bind(self.instance.bytes());
        let claimed = claimed.bind(now.as_microsecond());
        let claimed = store.in_time(async { Ok(claimed.execute(&store.pool).await?) }).await?;
        if claimed.rows_affected() == 0 {
            // Another server was faster.
            return Ok(Earlier::Running(ending));
        }
        Ok(Earlier::Nothing(Claimed::new(store, self.instance, key, name, held)))
    }

    /// Lays an answer's body by, to be kept when its run is counted. None: it cannot be kept, and its name is free again.
    pub(super) async fn lay_by(&self, answer: KeptAnswer) -> Option<(Answered, Box<dyn HeldName>)> {
        let KeptAnswer { key, name, body, name_held } = answer;
        let instance = self.instance;
        match self.store.lay_by(key, &name, instance, body, Timestamp::now()).await {
            Ok(true) => Some((Answered { key, name, instance }, name_held)),
            Ok(false) => None,
            Err(error) => {
                tracing::warn!(%error, "an answer is not kept for a client that asks again");
                None
            }
        }
    }
}
