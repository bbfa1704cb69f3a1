//! SQLite: all look-ups of one moment share one read, all changes of one moment share one commit.

mod reads;
mod writes;

use std::sync::Arc;

use async_trait::async_trait;
use sqlx::AnyPool;
use tokio::sync::{Mutex, mpsc, oneshot};
use wayfile_actors::ledger::{KeyHash, KeyRecord};
use wayfile_core::calendar::Month;
use wayfile_core::plan::Plans;

use super::StoreError;
use super::backend::Backend;
use super::quota::{ChangeOutcome, QuotaChange};
use crate::tasks::{Task, Tasks};

/// Entries that a queue holds; senders beyond them wait.
const QUEUE: usize = 4096;
/// Entries that are served together. It bounds how long the first of them waits.
const TOGETHER: usize = 256;

pub(super) struct Sqlite {
    reads: mpsc::Sender<reads::KeyQuery>,
    writes: mpsc::Sender<writes::Change>,
    _tasks: [Task; 2],
}

impl Sqlite {
    /// Both tasks end when this is dropped. They run on this thread, where the key guards are that ask them: a question to
    /// another thread has to wake it.
    pub(super) fn start(pool: &AnyPool, tasks: &Tasks) -> Self {
        let (reads, read) = queue(pool, reads::run);
        let (writes, written) = queue(pool, writes::run);
        let tasks = [tasks.spawn_here("store_looks", read), tasks.spawn_here("store_writes", written)];
        Self { reads, writes, _tasks: tasks }
    }
}

/// The receiving end of a queue. It outlives the task that serves it, so a panic loses only the group that it happened in.
type Queue<A> = Arc<Mutex<mpsc::Receiver<A>>>;

/// A queue's sender, and what starts a task that serves it.
fn queue<A, F: Future<Output = ()>>(
    pool: &AnyPool,
    serve: fn(AnyPool, Queue<A>) -> F,
) -> (mpsc::Sender<A>, impl FnMut() -> F + use<A, F>) {
    let (sender, queue) = mpsc::channel(QUEUE);
    let (pool, queue) = (pool.clone(), Arc::new(Mutex::new(queue)));
    (sender, move || serve(pool.clone(), queue.clone()))
}

#[async_trait]
impl Backend for Sqlite {
    async fn look_up(&self, hash: KeyHash, month: Month, _: &Plans) -> Result<Option<KeyRecord>, StoreError> {
        let (reply, answer) = oneshot::channel();
        answered(self.reads.send(reads::KeyQuery { hash, month, reply }).await, answer).await
    }

    async fn write(&self, entry: QuotaChange) -> Result<ChangeOutcome, StoreError> {
        let (reply, answer) = oneshot::channel();
        answered(self.writes.send(writes::Change { entry, reply }).await, answer).await
    }
}

async fn answered<A, T>(
    sent: Result<(), mpsc::error::SendError<A>>,
    answer: oneshot::Receiver<Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let closed = || StoreError::Away(sqlx::Error::PoolClosed);
    sent.map_err(|_| closed())?;
    answer.await.unwrap_or_else(|_| Err(closed()))
}
