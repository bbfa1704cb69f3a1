//! SQLite: all looks of one moment share one read, all changes of one moment share one commit.

mod looks;
mod writes;

use async_trait::async_trait;
use sqlx::AnyPool;
use tokio::sync::{mpsc, oneshot};
use wayfile_actors::ledger::{KeyHash, KeyState};
use wayfile_core::calendar::Month;

use super::StoreError;
use super::backend::Backend;
use super::quota::{Entry, Outcome};

/// Questions that wait for their turn; more wait to be asked.
const QUEUE: usize = 4096;
/// Questions that are answered together. It bounds how long the first of them waits.
const TOGETHER: usize = 256;

pub(super) struct Sqlite {
    looks: mpsc::Sender<looks::Ask>,
    writes: mpsc::Sender<writes::Ask>,
}

impl Sqlite {
    /// Both tasks end when this is dropped. They run on this thread, where the guards of the keys are that ask them: each
    /// thread that a question passes on its way has to be woken.
    pub(super) fn start(pool: &AnyPool) -> Self {
        let (looks, asked) = mpsc::channel(QUEUE);
        actix::spawn(looks::run(pool.clone(), asked));
        let (writes, asked) = mpsc::channel(QUEUE);
        actix::spawn(writes::run(pool.clone(), asked));
        Self { looks, writes }
    }
}

#[async_trait]
impl Backend for Sqlite {
    async fn look(&self, hash: KeyHash, month: Month) -> Result<Option<KeyState>, StoreError> {
        let (reply, answer) = oneshot::channel();
        answered(self.looks.send(looks::Ask { hash, month, reply }).await, answer).await
    }

    async fn write(&self, entry: Entry) -> Result<Outcome, StoreError> {
        let (reply, answer) = oneshot::channel();
        answered(self.writes.send(writes::Ask { entry, reply }).await, answer).await
    }
}

async fn answered<A, T>(
    asked: Result<(), mpsc::error::SendError<A>>,
    answer: oneshot::Receiver<Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let closed = || StoreError::Away(sqlx::Error::PoolClosed);
    asked.map_err(|_| closed())?;
    answer.await.unwrap_or_else(|_| Err(closed()))
}
