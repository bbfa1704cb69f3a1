//! Looks keys up. `PRAGMA data_version` moves with every commit of any other connection, of this process
//! or another; while it stays, nothing that was read on this connection has changed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use sqlx::pool::PoolConnection;
use sqlx::{AnyConnection, AnyPool};
use tokio::sync::{mpsc, oneshot};
use wayfile_actors::ledger::{KeyHash, Look, Version};
use wayfile_core::calendar::Month;

use super::TOGETHER;
use crate::store::{StoreError, quota};

pub(super) struct Ask {
    pub(super) hash: KeyHash,
    pub(super) month: Month,
    pub(super) known: Option<Version>,
    pub(super) reply: oneshot::Sender<Result<Look, StoreError>>,
}

/// Versions of one connection say nothing about another one's: each connection's begin in a range of their own.
const VERSIONS_OF_ONE_CONNECTION: i64 = 1 << 32;

struct Reader {
    connection: AnyConnection,
    first_version: i64,
}

pub(super) async fn run(pool: AnyPool, mut asked: mpsc::Receiver<Ask>) {
    let mut reader: Option<Reader> = None;
    let mut first_version = 0;
    let mut together = Vec::with_capacity(TOGETHER);
    while asked.recv_many(&mut together, TOGETHER).await > 0 {
        if reader.is_none() {
            first_version += VERSIONS_OF_ONE_CONNECTION;
            // A connection of its own: one that is lent for ever would keep the pool from closing.
            let connection = pool.acquire().await.map(PoolConnection::detach);
            reader = connection.ok().map(|connection| Reader { connection, first_version });
        }
        let Some(current) = &mut reader else {
            for ask in together.drain(..) {
                drop(ask.reply.send(Err(StoreError::Away(sqlx::Error::PoolTimedOut))));
            }
            continue;
        };
        if !current.answer(&mut together).await {
            reader = None;
        }
    }
}

impl Reader {
    /// Answers all of them; false when the connection should not be used again.
    async fn answer(&mut self, together: &mut Vec<Ask>) -> bool {
        let mut good = true;
        let version = self.version().await;
        // What was read for one request of a key holds for its others.
        let mut read: HashMap<(KeyHash, Month), Look> = HashMap::new();
        for ask in together.drain(..) {
            let answer = match &version {
                Ok(version) if ask.known == Some(*version) => Ok(Look::Same),
                Ok(version) => match read.entry((ask.hash, ask.month)) {
                    Entry::Occupied(read) => Ok(*read.get()),
                    Entry::Vacant(unread) => self.look(&ask, *version).await.map(|look| *unread.insert(look)),
                },
                Err(error) => Err(StoreError::Away(sqlx::Error::Protocol(error.to_string()))),
            };
            good &= answer.is_ok();
            // Nobody waits any more: that is their choice.
            drop(ask.reply.send(answer));
        }
        good
    }

    async fn version(&mut self) -> sqlx::Result<Version> {
        let version: i64 = sqlx::query_scalar("PRAGMA data_version").fetch_one(&mut self.connection).await?;
        Ok(Version(self.first_version + version))
    }

    /// What is read may be newer than `version`; then the next look reads it once more.
    async fn look(&mut self, ask: &Ask, version: Version) -> Result<Look, StoreError> {
        let state = quota::key_state(&mut self.connection, ask.hash, ask.month).await?;
        Ok(state.map_or(Look::Unknown, |state| Look::Key(state, Some(version))))
    }
}
