//! SQLite: all looks of one moment share one read, all changes of one moment share one commit.

mod looks;
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
use super::quota::{Entry, Outcome};
use crate::tasks::{Task, Tasks};

/// Questions that wait for their turn; more wait to be asked.
const QUEUE: usize = 4096;
/// Questions that are answered together. It bounds how long the first of them waits.
const TOGETHER: usize = 256;

pub(super) struct Sqlite {
    looks: mpsc::Sender<looks::Ask>,
    writes: mpsc::Sender<writes::Ask>,
    _desks: [Task; 2],
}

impl Sqlite {
    /// Both tasks end when this is dropped. They run on this thread, where the guards of the keys are that ask them: each
    /// thread that a question passes on its way has to be woken.
    pub(super) fn start(pool: &AnyPool, tasks: &Tasks) -> Self {
        let (looks, looked) = desk(pool, looks::run);
        let (writes, written) = desk(pool, writes::run);
        let desks = [tasks.spawn_here("store_looks", looked), tasks.spawn_here("store_writes", written)];
        Self { looks, writes, _desks: desks }
    }
}

/// What waits at a desk, which outlives whoever serves it: only the group that a panic was over is lost.
type Asked<A> = Arc<Mutex<mpsc::Receiver<A>>>;

/// A desk's door, and how somebody begins to serve there.
fn desk<A, F: Future<Output = ()>>(
    pool: &AnyPool,
    serve: fn(AnyPool, Asked<A>) -> F,
) -> (mpsc::Sender<A>, impl FnMut() -> F + use<A, F>) {
    let (door, asked) = mpsc::channel(QUEUE);
    let (pool, asked) = (pool.clone(), Arc::new(Mutex::new(asked)));
    (door, move || serve(pool.clone(), asked.clone()))
}

#[async_trait]
impl Backend for Sqlite {
    async fn look(&self, hash: KeyHash, month: Month, _: &Plans) -> Result<Option<KeyRecord>, StoreError> {
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
