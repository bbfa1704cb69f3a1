//! Commits changes of quotas in groups: while one group is being written to the disk, the next gathers.

use sqlx::pool::PoolConnection;
use sqlx::{AnyConnection, AnyPool, Connection};
use tokio::sync::{mpsc, oneshot};

use super::TOGETHER;
use crate::store::StoreError;
use crate::store::quota::{self, Entry, Outcome};

pub(super) struct Ask {
    pub(super) entry: Entry,
    pub(super) reply: oneshot::Sender<Result<Outcome, StoreError>>,
}

pub(super) async fn run(pool: AnyPool, mut asked: mpsc::Receiver<Ask>) {
    let mut writer = Writer { pool, connection: None };
    let mut together = Vec::with_capacity(TOGETHER);
    while asked.recv_many(&mut together, TOGETHER).await > 0 {
        let entries: Vec<&Entry> = together.iter().map(|ask| &ask.entry).collect();
        match writer.commit(&entries).await {
            Ok(outcomes) => {
                for (ask, outcome) in together.drain(..).zip(outcomes) {
                    drop(ask.reply.send(Ok(outcome)));
                }
            }
            // Nothing of the group was written. One entry that cannot be must not take the others with it.
            Err(_) => {
                for ask in together.drain(..) {
                    let outcome = writer.commit(&[&ask.entry]).await;
                    let outcome = outcome.map(|outcomes| outcomes.first().copied().unwrap_or(Outcome::Ended));
                    drop(ask.reply.send(outcome.map_err(StoreError::Away)));
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
    async fn commit(&mut self, entries: &[&Entry]) -> sqlx::Result<Vec<Outcome>> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            // One of its own: a connection that is lent for ever would keep the pool from closing.
            None => self.pool.acquire().await.map(PoolConnection::detach)?,
        };
        let mut changes = connection.begin_with("BEGIN IMMEDIATE").await?;
        let outcomes = quota::apply(&mut changes, entries).await?;
        changes.commit().await?;
        self.connection = Some(connection);
        Ok(outcomes)
    }
}
