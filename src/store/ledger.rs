//! A server's own view of the store: what it holds, that it is alive, and the [`QuotaLedger`] of its guards.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use jiff::Timestamp;
use tokio::task::JoinHandle;
use wayfile_actors::ledger::{
    Claim, KeptAnswer, KeyHash, KeyId, KeyState, LedgerError, QuotaLedger, ReservationId, Taken,
};
use wayfile_core::calendar::Month;

use super::answers::Names;
use super::backend::Backend;
use super::postgres::Postgres;
use super::quota::{Entry, Outcome, RunId};
use super::runs::BEAT;
use super::sqlite::Sqlite;
use super::url::Kind;
use super::{Keep, Store, StoreError};

/// One server's account of reservations and answers.
pub struct Ledger {
    store: Store,
    backend: Box<dyn Backend>,
    run: RunId,
    node: String,
    /// Reservations that somebody in this process still holds.
    live: Mutex<HashSet<ReservationId>>,
    names: Names,
}

/// Keeps a server alive in the eyes of others, and the store clean; stops when dropped.
#[must_use = "the server counts as dead when this is dropped"]
pub struct Upkeep(JoinHandle<()>);

impl Drop for Upkeep {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Ledger {
    /// Starts a server's account on the current actor system. `node` names the server; it must be the same after a
    /// restart and different from all others that run: reservations left by the last server of this name are refunded now.
    ///
    /// # Errors
    /// [`StoreError::Away`].
    pub async fn start(store: Store, node: &str) -> Result<Arc<Self>, StoreError> {
        let backend: Box<dyn Backend> = match store.kind {
            Kind::Sqlite => Box::new(Sqlite::start(&store.pool)),
            Kind::Postgres => Box::new(Postgres::new(store.pool.clone())),
        };
        let run = store.begin_run(node).await?;
        let ledger = Self {
            store,
            backend,
            run,
            node: node.to_owned(),
            live: Mutex::default(),
            names: Names::default(),
        };
        ledger.refund_orphans().await?;
        Ok(Arc::new(ledger))
    }

    /// Starts the tasks that say that this server is alive, refund what dead ones held, and throw old rows
    /// away.
    pub fn keep_up(self: &Arc<Self>, keep: Keep) -> Upkeep {
        let ledger = self.clone();
        Upkeep(tokio::spawn(async move {
            let mut beats = tokio::time::interval(BEAT);
            let mut purges = tokio::time::interval(keep.purge_every);
            loop {
                let done = tokio::select! {
                    _ = beats.tick() => ledger.beat().await,
                    _ = purges.tick() => ledger.store.purge(&keep, Timestamp::now()).await.map(drop),
                };
                if let Err(error) = done {
                    tracing::warn!(%error, "the upkeep of the store is tried again later");
                }
            }
        }))
    }

    /// One sign of life, and a look at who gives none.
    ///
    /// # Errors
    /// [`StoreError::Away`].
    pub async fn beat(&self) -> Result<(), StoreError> {
        self.store.beat(self.run, &self.node).await?;
        self.refund_orphans().await
    }

    /// The server ends in order; what it still holds is refunded by whoever looks next.
    ///
    /// # Errors
    /// [`StoreError::Away`].
    pub async fn end(&self) -> Result<(), StoreError> {
        self.store.end_run(self.run).await
    }

    /// The store behind it.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    pub(super) fn run(&self) -> RunId {
        self.run
    }

    async fn refund_orphans(&self) -> Result<(), StoreError> {
        let live = self.live().clone();
        let now = Timestamp::now();
        let orphans = self.store.orphans(self.run, &live, now).await?;
        if !orphans.is_empty() {
            tracing::info!(
                reservations = orphans.len(),
                "units of quota are refunded: their runs never ended"
            );
        }
        for orphan in orphans {
            self.backend.write(orphan).await?;
        }
        self.store.free_names(self.run, &self.names, now).await
    }

    pub(super) fn names(&self) -> &Names {
        &self.names
    }

    /// Makes a change that takes a unit.
    async fn take(&self, entry: Entry) -> Result<Taken, LedgerError> {
        match self.backend.write(entry).await? {
            Outcome::Taken(taken) => Ok(taken),
            Outcome::Ended => Err(LedgerError("a claim was answered with an end".to_owned())),
        }
    }

    fn live(&self) -> std::sync::MutexGuard<'_, HashSet<ReservationId>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl QuotaLedger for Ledger {
    async fn look(&self, hash: KeyHash, month: Month) -> Result<Option<KeyState>, LedgerError> {
        Ok(self.backend.look(hash, month).await?)
    }

    async fn reserve(&self, id: ReservationId, claim: Claim) -> Result<Taken, LedgerError> {
        self.live().insert(id);
        let taken = self.take(Entry::Reserve(self.run, id, claim)).await;
        if !matches!(taken, Ok(Taken::Granted(_))) {
            self.live().remove(&id);
        }
        taken
    }

    async fn charge(&self, claim: Claim, answer: Option<KeptAnswer>) -> Result<Taken, LedgerError> {
        let _forgotten_after = answer.as_ref().map(|answer| self.names.last_use(answer.key, &answer.name));
        self.take(Entry::Charge(claim, answer)).await
    }

    async fn settle(&self, id: ReservationId, answer: Option<KeptAnswer>) -> Result<(), LedgerError> {
        self.live().remove(&id);
        let _forgotten_after = answer.as_ref().map(|answer| self.names.last_use(answer.key, &answer.name));
        self.backend.write(Entry::Settle(id, Timestamp::now(), answer)).await?;
        Ok(())
    }

    async fn refund(&self, id: ReservationId) -> Result<(), LedgerError> {
        self.live().remove(&id);
        self.backend.write(Entry::Refund(id)).await?;
        Ok(())
    }

    async fn touch(&self, key: KeyId, at: Timestamp) -> Result<(), LedgerError> {
        self.store.touch_key(key, at).await.map_err(StoreError::Away)?;
        Ok(())
    }
}

impl From<StoreError> for LedgerError {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}
