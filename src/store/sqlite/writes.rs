//! Commits changes of quotas in groups: while one group is being written to the disk, the next gathers.

use sqlx::AnyPool;
use tokio::sync::{mpsc, oneshot};

use super::TOGETHER;
use crate::store::StoreError;
use crate::store::quota::{self, Entry, Outcome};

pub(super) struct Ask {
    pub(super) entry: Entry,
    pub(super) reply: oneshot::Sender<Result<Outcome, StoreError>>,
}

pub(super) async fn run(pool: AnyPool, mut asked: mpsc::Receiver<Ask>) {
    let mut together = Vec::with_capacity(TOGETHER);
    while asked.recv_many(&mut together, TOGETHER).await > 0 {
        let entries: Vec<&Entry> = together.iter().map(|ask| &ask.entry).collect();
        match commit(&pool, &entries).await {
            Ok(outcomes) => {
                for (ask, outcome) in together.drain(..).zip(outcomes) {
                    drop(ask.reply.send(Ok(outcome)));
                }
            }
            // Nothing of the group was written. One entry that cannot be must not take the others with it.
            Err(_) => {
                for ask in together.drain(..) {
                    let outcome = commit(&pool, &[&ask.entry]).await;
                    let outcome = outcome.map(|outcomes| outcomes.first().copied().unwrap_or(Outcome::Ended));
                    drop(ask.reply.send(outcome.map_err(StoreError::Away)));
                }
            }
        }
    }
}

async fn commit(pool: &AnyPool, entries: &[&Entry]) -> sqlx::Result<Vec<Outcome>> {
    let mut changes = pool.begin_with("BEGIN IMMEDIATE").await?;
    let outcomes = quota::apply(&mut changes, entries).await?;
    changes.commit().await?;
    Ok(outcomes)
}
