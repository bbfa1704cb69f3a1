//! Looks keys up: one read for all that are asked for at the same moment.

use std::collections::{HashMap, HashSet};

use sqlx::pool::PoolConnection;
use sqlx::{AnyConnection, AnyPool};
use tokio::sync::oneshot;
use wayfile_actors::ledger::{KeyHash, KeyRecord};
use wayfile_core::calendar::Month;

use super::{Queue, TOGETHER};
use crate::store::{StoreError, quota};

pub(super) struct KeyQuery {
    pub(super) hash: KeyHash,
    pub(super) month: Month,
    pub(super) reply: oneshot::Sender<Result<Option<KeyRecord>, StoreError>>,
}

pub(super) async fn run(pool: AnyPool, queue: Queue<KeyQuery>) {
    let mut queries = queue.lock().await;
    let mut reader = Reader { pool, connection: None };
    let mut together = Vec::with_capacity(TOGETHER);
    while queries.recv_many(&mut together, TOGETHER).await > 0 {
        let mut months: HashMap<Month, Vec<KeyQuery>> = HashMap::new();
        for query in together.drain(..) {
            months.entry(query.month).or_default().push(query);
        }
        for (month, queries) in months {
            let hashes: HashSet<_> = queries.iter().map(|query| query.hash).collect();
            let read = reader.read(month, hashes.into_iter().collect()).await;
            for query in queries {
                let answer = match &read {
                    Ok(keys) => Ok(keys.get(&query.hash).copied()),
                    // One key that cannot be read must not take the others with it.
                    Err(StoreError::Foreign(_)) => {
                        reader.read(month, vec![query.hash]).await.map(|mut keys| keys.remove(&query.hash))
                    }
                    Err(error) => Err(StoreError::Away(sqlx::Error::Protocol(error.to_string()))),
                };
                // The caller may have gone.
                drop(query.reply.send(answer));
            }
        }
    }
}

/// Reads on one connection as long as that is good: what it has prepared is there the next time.
struct Reader {
    pool: AnyPool,
    connection: Option<AnyConnection>,
}

impl Reader {
    async fn read(
        &mut self,
        month: Month,
        mut hashes: Vec<KeyHash>,
    ) -> Result<HashMap<KeyHash, KeyRecord>, StoreError> {
        // As many as a power of two: a statement for each number of keys would be too many to keep prepared.
        if let Some(&any) = hashes.first() {
            hashes.resize(hashes.len().next_power_of_two(), any);
        }
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            // One of its own: a connection that is lent for ever would keep the pool from closing.
            None => self.pool.acquire().await.map(PoolConnection::detach)?,
        };
        let keys = quota::key_states(&mut connection, &hashes, month).await?;
        self.connection = Some(connection);
        Ok(keys)
    }
}
