//! PostgreSQL: one read per look, one transaction per change. Other servers write at the same time, so
//! nothing that was read before can be trusted.

use async_trait::async_trait;
use sqlx::AnyPool;
use wayfile_actors::ledger::{KeyHash, KeyState};
use wayfile_core::calendar::Month;

use super::StoreError;
use super::backend::Backend;
use super::quota::{self, Entry, Outcome};

pub(super) struct Postgres {
    pool: AnyPool,
}

impl Postgres {
    pub(super) fn new(pool: AnyPool) -> Self {
        Self { pool }
    }
}

#[async_trait]
impl Backend for Postgres {
    async fn look(&self, hash: KeyHash, month: Month) -> Result<Option<KeyState>, StoreError> {
        let mut connection = self.pool.acquire().await?;
        Ok(quota::key_states(&mut connection, &[hash], month).await?.remove(&hash))
    }

    async fn write(&self, entry: Entry) -> Result<Outcome, StoreError> {
        let mut changes = self.pool.begin().await?;
        let outcomes = quota::apply(&mut changes, &[&entry]).await?;
        changes.commit().await?;
        Ok(outcomes.first().copied().unwrap_or(Outcome::Ended))
    }
}
