//! SQLite: a key is looked up by one read, and all changes of one moment share one commit.

use std::sync::Arc;

use async_trait::async_trait;
use sqlx::pool::PoolConnection;
use sqlx::{AnyConnection, AnyPool};
use tokio::sync::{Mutex, mpsc, oneshot};
use wayfile_actors::ledger::{KeyHash, KeyRecord, Taken};
use wayfile_core::calendar::Month;
use wayfile_core::plan::Plans;

use super::{Backend, LOOK_UP, QuotaChange, apply, key_record};
use crate::store::error::is_busy;
use crate::store::{StoreError, StoreResult};
use crate::tasks::{Task, Tasks};

/// Changes that wait for their turn; with more, who asks for one waits until there is room.
const QUEUE: usize = 4096;
/// Changes that are committed together. It bounds how long the first of them waits.
const TOGETHER: usize = 256;

pub(crate) struct Sqlite {
    pool: AnyPool,
    writes: mpsc::Sender<Change>,
    _writer: Task,
}

struct Change {
    entry: QuotaChange,
    reply: oneshot::Sender<StoreResult<Option<Taken>>>,
}

impl Sqlite {
    /// The writer ends when this is dropped. It runs on this thread, where the key guards are that ask it: a question to another
    /// thread has to wake it.
    pub(crate) fn start(pool: &AnyPool, tasks: &Tasks) -> Self {
        let (writes, queue) = mpsc::channel(QUEUE);
        // What waits outlives a writer that panics: only the group that the panic was over is lost.
        let (pool, queue) = (pool.clone(), Arc::new(Mutex::new(queue)));
        let write = {
            let pool = pool.clone();
            move || write(pool.clone(), queue.clone())
        };
        Self { pool, writes, _writer: tasks.spawn_here("store_writes", write) }
    }
}

#[async_trait]
impl Backend for Sqlite {
    async fn look_up(&self, hash: KeyHash, month: Month, _: &Plans) -> StoreResult<Option<KeyRecord>> {
        let look = sqlx::query(LOOK_UP).bind(hash.0.to_vec()).bind(month.number());
        let row = look.fetch_optional(&self.pool).await?;
        row.map(|row| key_record(&row, month)).transpose()
    }

    async fn write(&self, entry: QuotaChange) -> StoreResult<Option<Taken>> {
        let closed = || StoreError::Away(sqlx::Error::PoolClosed);
        let (reply, answer) = oneshot::channel();
        self.writes.send(Change { entry, reply }).await.map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }
}

/// Commits changes in groups: while one group is being written to the disk, the next gathers.
async fn write(pool: AnyPool, queue: Arc<Mutex<mpsc::Receiver<Change>>>) {
    let mut queue = queue.lock().await;
    let mut writer = Writer { pool, connection: None };
    let mut together = Vec::with_capacity(TOGETHER);
    while queue.recv_many(&mut together, TOGETHER).await > 0 {
        if writer.commit(&mut together).await.is_err() {
            // Nothing of the group was written. One entry that cannot be must not take the others with it.
            for change in std::mem::take(&mut together) {
                let mut alone = vec![change];
                if let Err(error) = writer.commit(&mut alone).await
                    && let Some(change) = alone.pop()
                {
                    drop(change.reply.send(Err(StoreError::Away(error))));
                }
            }
        }
    }
}

/// Writes on one connection as long as that is good: what it has read of the store and prepared is there the next time.
struct Writer {
    pool: AnyPool,
    connection: Option<AnyConnection>,
}

impl Writer {
    /// Writes what is not cancelled when the lock is there, and answers it; on an error `changes` still wait.
    async fn commit(&mut self, changes: &mut Vec<Change>) -> sqlx::Result<()> {
        let mut connection = loop {
            changes.retain(|change| !change.reply.is_closed());
            if changes.is_empty() {
                return Ok(());
            }
            let mut connection = match self.connection.take() {
                Some(connection) => connection,
                // One of its own: a connection that is lent for ever would keep the pool from closing.
                None => self.pool.acquire().await.map(PoolConnection::detach)?,
            };
            match run_on(&mut connection, "BEGIN IMMEDIATE").await {
                Ok(()) => break connection,
                Err(error) if is_busy(&error) => self.connection = Some(connection),
                Err(error) => return Err(error),
            }
        };
        changes.retain(|change| !change.reply.is_closed());
        let mut outcomes = Vec::with_capacity(changes.len());
        for change in &*changes {
            outcomes.push(apply(&mut connection, &change.entry).await?);
        }
        run_on(&mut connection, "COMMIT").await?;
        self.connection = Some(connection);
        for (change, outcome) in changes.drain(..).zip(outcomes) {
            drop(change.reply.send(Ok(outcome)));
        }
        Ok(())
    }
}

/// A connection that fails is closed, and what it began ends with it: the driver's own transactions would not notice that
/// SQLite ended one for want of room.
async fn run_on(connection: &mut AnyConnection, statement: &'static str) -> sqlx::Result<()> {
    sqlx::query(statement).execute(connection).await.map(drop)
}
