//! Commits changes of quotas in groups: while one group is being written to the disk, the next gathers.

use sqlx::pool::PoolConnection;
use sqlx::{AnyConnection, AnyPool};
use tokio::sync::oneshot;

use super::{Queue, TOGETHER};
use crate::store::StoreError;
use crate::store::error::is_busy;
use crate::store::quota::{self, ChangeOutcome, QuotaChange};

pub(super) struct Change {
    pub(super) entry: QuotaChange,
    pub(super) reply: oneshot::Sender<Result<ChangeOutcome, StoreError>>,
}

pub(super) async fn run(pool: AnyPool, queue: Queue<Change>) {
    let mut changes = queue.lock().await;
    let mut writer = Writer { pool, connection: None };
    let mut together = Vec::with_capacity(TOGETHER);
    while changes.recv_many(&mut together, TOGETHER).await > 0 {
        match writer.commit(&mut together).await {
            Ok(outcomes) => {
                for (change, outcome) in together.drain(..).zip(outcomes) {
                    drop(change.reply.send(Ok(outcome)));
                }
            }
            // Nothing of the group was written. One entry that cannot be must not take the others with it.
            Err(_) => {
                for change in together.drain(..) {
                    let mut alone = vec![change];
                    let outcome = writer.commit(&mut alone).await;
                    let outcome =
                        outcome.map(|outcomes| outcomes.first().copied().unwrap_or(ChangeOutcome::Ended));
                    if let Some(change) = alone.pop() {
                        drop(change.reply.send(outcome.map_err(StoreError::Away)));
                    }
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
    /// Writes what somebody still waits for when the lock is there; the rest leaves `changes`.
    async fn commit(&mut self, changes: &mut Vec<Change>) -> sqlx::Result<Vec<ChangeOutcome>> {
        let mut connection = loop {
            changes.retain(|change| !change.reply.is_closed());
            if changes.is_empty() {
                return Ok(Vec::new());
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
        let entries: Vec<&QuotaChange> = changes.iter().map(|change| &change.entry).collect();
        let outcomes = quota::apply(&mut connection, &entries).await?;
        run_on(&mut connection, "COMMIT").await?;
        self.connection = Some(connection);
        Ok(outcomes)
    }
}

/// A connection that fails is closed, and what it began ends with it: the driver's own transactions would not notice that
/// SQLite ended one for want of room.
async fn run_on(connection: &mut AnyConnection, statement: &'static str) -> sqlx::Result<()> {
    sqlx::query(statement).execute(connection).await.map(drop)
}
