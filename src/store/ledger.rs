//! A server's own view of the store: what it holds, that it is alive, and the [`QuotaLedger`] of its guards.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures_util::future::join_all;
use jiff::Timestamp;
use parking_lot::Mutex;
use sqlx::Row;
use wayfile_actors::coordination::{Coordination, InProcess};
use wayfile_actors::ledger::{
    Claim, KeptAnswer, KeyHash, KeyId, KeyRecord, LedgerError, QuotaLedger, ReservationId, Taken,
};
use wayfile_actors::metrics;
use wayfile_core::calendar::Month;
use wayfile_core::plan::Plans;

use crate::store::answers::{AnswerName, Claimed, Earlier, Names, bodies};
use crate::store::error::is_busy;
use crate::store::nodes::{BEAT, DEAD, InstanceId, Nodes, Notifier, SharedStates};
use crate::store::quota::{Backend, Postgres, QuotaChange, Sqlite};
use crate::store::settings::DatabaseKind;
use crate::store::{Store, StoreError, StoreResult};
use crate::tasks::{Task, Tasks};

const PURGE_EVERY: Duration = Duration::from_hours(1);
/// Bytes of answers that are held until the store is back; of more runs only the unit is counted then.
const MAX_LATE_BYTES: usize = 64 << 20;

/// One server's account of reservations and answers.
pub struct Ledger {
    store: Store,
    backend: Box<dyn Backend>,
    instance: InstanceId,
    node: String,
    /// Reservations that this process still holds.
    live: Mutex<HashSet<ReservationId>>,
    /// Runs that were answered while the store was away: they are counted when it is back. As many as run at once, since
    /// nothing is reserved meanwhile.
    uncounted: Mutex<HashMap<ReservationId, Arc<LateRun>>>,
    names: Names,
    pub(crate) tasks: Tasks,
    /// What nodes share; none with SQLite, where there is one.
    shared: Option<(SharedStates, Arc<Notifier>)>,
    /// Since when this server has given every sign of life in time.
    beating: Mutex<Beating>,
}

/// A run that could not be counted when it was answered.
struct LateRun {
    ended: Timestamp,
    answer: Option<KeptAnswer>,
}

impl LateRun {
    fn bytes(&self) -> usize {
        self.answer.as_ref().map_or(0, |answer| answer.body.len())
    }
}

/// Keeps a reservation among those that this process holds until it is dropped.
struct LiveUntilCounted<'l> {
    live: &'l Mutex<HashSet<ReservationId>>,
    id: ReservationId,
}

impl Drop for LiveUntilCounted<'_> {
    fn drop(&mut self) {
        self.live.lock().remove(&self.id);
    }
}

/// Signs of life that came one after the other.
struct Beating {
    since: Instant,
    last: Instant,
}

impl Ledger {
    /// Starts a server's account on the current actor system. `node` names the server; it must be the same after a
    /// restart and different from all others that run: reservations left by the last server of this name are refunded now.
    pub async fn start(store: Store, node: &str) -> StoreResult<Arc<Self>> {
        let tasks = Tasks::default();
        let backend: Box<dyn Backend> = match store.kind {
            DatabaseKind::Sqlite => Box::new(Sqlite::start(&store.pool, &tasks)),
            DatabaseKind::Postgres => Box::new(Postgres { pool: store.pool.clone() }),
        };
        let instance = store.register(node).await?;
        let now = Instant::now();
        let shared = (store.kind == DatabaseKind::Postgres)
            .then(|| (SharedStates::new(&store), Notifier::new(&store)));
        if let Some((states, _)) = &shared {
            states.since().await?;
        }
        let ledger = Self {
            store,
            backend,
            instance,
            node: node.to_owned(),
            live: Mutex::default(),
            uncounted: Mutex::default(),
            names: Names::new(shared.as_ref().map(|(_, notifier)| notifier.clone())),
            tasks,
            shared,
            beating: Mutex::new(Beating { since: now, last: now }),
        };
        ledger.refund_orphans().await?;
        Ok(Arc::new(ledger))
    }

    /// Starts the tasks that say that this server is alive, make up for what could not be written, refund what dead
    /// servers held, and throw old rows away.
    pub(crate) fn keep_up(self: &Arc<Self>) -> Vec<Task> {
        let (ledger, store) = (self.clone(), self.store.clone());
        let beat = move || {
            let ledger = ledger.clone();
            async move { ledger.beat().await.unwrap_or_else(|error| put_off("upkeep", &error)) }
        };
        let purge = move || {
            let store = store.clone();
            async move { store.purge(Timestamp::now()).await.err().and_then(|error| put_off("purge", &error)) }
        };
        let mut tasks = vec![
            self.tasks.spawn_every("upkeep", BEAT, beat),
            self.tasks.spawn_every("purge", PURGE_EVERY, purge),
        ];
        if let Some((_, notifier)) = &self.shared {
            let (notifier, url) = (notifier.clone(), self.store.direct.clone());
            tasks.push(self.tasks.spawn("news", move || notifier.clone().hear(url.clone())));
        }
        tasks
    }

    /// What this server shares with the others of its store.
    pub fn coordination(&self) -> Arc<dyn Coordination> {
        match &self.shared {
            Some((states, notifier)) => {
                Arc::new(Nodes::new(&self.store, self.instance, states.clone(), notifier.clone()))
            }
            None => Arc::new(InProcess),
        }
    }

    /// States that all servers of the store change; none where there is one server.
    pub(crate) fn shared_states(&self) -> Option<SharedStates> {
        self.shared.as_ref().map(|(states, _)| states.clone())
    }

    pub(crate) async fn check_write(&self) -> StoreResult {
        self.store.check_file()?;
        self.write(QuotaChange::WriteCheck(self.instance)).await.map(drop)
    }

    /// One sign of life, what could not be counted before, and a look at who gives no sign of life. Returns when to look again,
    /// if that is before the next sign of life.
    pub async fn beat(&self) -> StoreResult<Option<Duration>> {
        let may_judge = self.may_judge();
        let (living, soon) =
            self.store.in_time(self.store.beat(self.instance, &self.node, may_judge)).await?;
        self.beating.lock().last = Instant::now();
        metrics::NODES.set([], living);
        self.count_late().await;
        self.refund_orphans().await?;
        Ok(soon)
    }

    /// The server ends in order; what it still holds is refunded by the next node that looks, and so is what was answered and
    /// cannot be counted even now.
    pub async fn end(&self) -> StoreResult {
        self.count_late().await;
        self.store.in_time(self.store.deregister(self.instance)).await
    }

    /// The store behind it.
    pub fn store(&self) -> &Store {
        &self.store
    }

    async fn refund_orphans(&self) -> StoreResult {
        let now = Timestamp::now();
        let mut live = self.live.lock().clone();
        live.extend(self.uncounted.lock().keys());
        let orphans = self.store.in_time(self.store.orphans(self.instance, &live, now)).await?;
        if !orphans.is_empty() {
            tracing::info!(
                reservations = orphans.len(),
                "units of quota are refunded: their runs never ended"
            );
        }
        for orphan in orphans {
            self.write(QuotaChange::Refund(orphan)).await?;
        }
        self.store.in_time(self.store.free_names(self.instance, &self.names, now)).await
    }

    /// Counts the runs that were answered while the store was away, and keeps their answers. Counting one twice counts once.
    async fn count_late(&self) {
        let late = self.uncounted.lock().clone();
        let counted = late.into_iter().map(async |(id, run)| {
            if let Ok((_, is_kept)) = self.count(id, &run).await {
                drop(run);
                let run = self.uncounted.lock().remove(&id).and_then(Arc::into_inner);
                note(run.and_then(|run| run.answer), is_kept);
            }
        });
        join_all(counted).await;
    }

    async fn count(&self, id: ReservationId, run: &LateRun) -> StoreResult<(Option<Taken>, bool)> {
        self.write_with(run.answer.as_ref(), |kept| QuotaChange::Settle(id, run.ended, kept)).await
    }

    /// Has a run counted later, and its answer kept then, if there is room for it.
    fn put_off(&self, id: ReservationId, mut run: LateRun) {
        let mut uncounted = self.uncounted.lock();
        let held: usize = uncounted.values().map(|run| run.bytes()).sum();
        if held.saturating_add(run.bytes()) > MAX_LATE_BYTES {
            run.answer = None;
        }
        uncounted.insert(id, Arc::new(run));
    }

    async fn write(&self, entry: QuotaChange) -> StoreResult<Option<Taken>> {
        self.store.in_time(self.backend.write(entry)).await
    }

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
        let (store, name) =
            (store.clone(), AnswerName { key, name: name.to_owned(), instance: self.instance });
        Ok(Earlier::Nothing(Claimed { store, name, held: Some(held) }))
    }

    /// Lays an answer's body by, to be kept when its run is counted. None: it cannot be kept. While somebody else holds the
    /// lock it tries on: the caller bounds the wait.
    async fn lay_by(&self, answer: &KeptAnswer) -> Option<AnswerName> {
        let name = AnswerName { key: answer.key, name: answer.name.clone(), instance: self.instance };
        loop {
            match self.store.lay_by(&name, answer.body.clone(), Timestamp::now()).await {
                Ok(is_laid) => return is_laid.then_some(name),
                Err(StoreError::Away(error)) if is_busy(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "an answer is not kept for a client that asks again");
                    return None;
                }
            }
        }
    }

    /// Makes a change with an answer that lies ready; says whether that is kept.
    async fn write_with(
        &self,
        answer: Option<&KeptAnswer>,
        change: impl FnOnce(Option<AnswerName>) -> QuotaChange,
    ) -> StoreResult<(Option<Taken>, bool)> {
        let written = async {
            let kept = match answer {
                Some(answer) => self.lay_by(answer).await,
                None => None,
            };
            let is_kept = kept.is_some();
            Ok((self.backend.write(change(kept)).await?, is_kept))
        };
        self.store.in_time(written).await
    }

    /// Whether it has beaten without a pause for as long as others would have to be silent: else it may be the store that was.
    fn may_judge(&self) -> bool {
        let (now, mut beating) = (Instant::now(), self.beating.lock());
        if now - beating.last > 2 * BEAT {
            beating.since = now;
        }
        (now - beating.since) >= DEAD.unsigned_abs()
    }
}

#[async_trait]
impl QuotaLedger for Ledger {
    async fn look_up(
        &self,
        hash: KeyHash,
        month: Month,
        plans: &Plans,
    ) -> Result<Option<KeyRecord>, LedgerError> {
        Ok(self.store.in_time(self.backend.look_up(hash, month, plans)).await?)
    }

    async fn reserve(&self, id: ReservationId, claim: Claim) -> Result<Taken, LedgerError> {
        self.live.lock().insert(id);
        let taken = self.write(QuotaChange::Reserve(self.instance, id, claim)).await;
        let taken = taken.map_err(LedgerError::from).and_then(taken_of);
        if !matches!(taken, Ok(Taken::Granted(_))) {
            self.live.lock().remove(&id);
        }
        taken
    }

    async fn charge(&self, claim: Claim, answer: Option<KeptAnswer>) -> Result<Taken, LedgerError> {
        let charged = self.write_with(answer.as_ref(), |kept| QuotaChange::Charge(claim, kept)).await;
        let (taken, is_kept) = charged?;
        note(answer, is_kept);
        taken_of(taken)
    }

    async fn settle(&self, id: ReservationId, answer: Option<KeptAnswer>) -> Result<(), LedgerError> {
        // Until it is counted, or waits for that, nothing may take it for one that never ended.
        let _live = LiveUntilCounted { live: &self.live, id };
        let run = LateRun { ended: Timestamp::now(), answer };
        match self.count(id, &run).await {
            Ok((_, is_kept)) => {
                note(run.answer, is_kept);
                Ok(())
            }
            Err(error) => {
                self.put_off(id, run);
                Err(error.into())
            }
        }
    }

    async fn refund(&self, id: ReservationId) -> Result<(), LedgerError> {
        self.live.lock().remove(&id);
        self.write(QuotaChange::Refund(id)).await?;
        Ok(())
    }

    async fn touch(&self, key: KeyId, at: Timestamp) -> Result<(), LedgerError> {
        self.store.touch_key(key, at).await.map_err(StoreError::Away)?;
        Ok(())
    }
}

/// The name of an answer that is kept is held no more; that of another one is freed.
fn note(answer: Option<KeptAnswer>, is_kept: bool) {
    if let Some(answer) = answer.filter(|_| is_kept) {
        answer.name_held.is_noted();
    }
}

/// Upkeep that failed: its next turn comes as ever.
fn put_off(task: &str, error: &StoreError) -> Option<Duration> {
    tracing::warn!(task, %error, "the upkeep of the store is tried again later");
    None
}

fn taken_of(taken: Option<Taken>) -> Result<Taken, LedgerError> {
    taken.ok_or_else(|| LedgerError("a claim was answered with an end".to_owned()))
}

impl From<StoreError> for LedgerError {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}
