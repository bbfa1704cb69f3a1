//! A panic in code that touches foreign input loses one page, never an actor.

use std::panic::{AssertUnwindSafe, catch_unwind};

use actix::prelude::*;
use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;

use crate::error::{FetchError, FetchResult};
use crate::metrics;

/// Runs `work` on behalf of an actor; a panic is counted and answered as an error.
///
/// What `work` was changing when it panicked may be half done, so it must only add to its state.
pub(crate) fn guard<T>(actor: &'static str, work: impl FnOnce() -> T) -> FetchResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| caught(actor))
}

/// As [`guard`], for work that waits.
pub(crate) fn guard_task<T, E: From<FetchError>>(
    actor: &'static str,
    work: impl Future<Output = Result<T, E>>,
) -> impl Future<Output = Result<T, E>> {
    let caught = move |_| Err(caught(actor).into());
    AssertUnwindSafe(work).catch_unwind().map(move |done| done.unwrap_or_else(caught))
}

fn caught(actor: &'static str) -> FetchError {
    metrics::PANICS.count([actor]);
    tracing::error!(actor, "a panic was caught; the page at hand is lost");
    FetchError::Internal
}

/// Runs `work` on the pool for blocking and heavy work. Once its caller has left it is not begun, and what is
/// under way finds out by asking what it is given.
pub(crate) async fn on_blocking_thread<T, F>(actor: &'static str, work: F) -> FetchResult<T>
where
    T: Send + 'static,
    F: FnOnce(&dyn Fn() -> bool) -> FetchResult<T> + Send + 'static,
{
    let left = CancellationToken::new();
    let _leaves_when_dropped = left.clone().drop_guard();
    let task = tokio::task::spawn_blocking(move || {
        let left = || left.is_cancelled();
        if left() { Err(FetchError::Cancelled) } else { guard(actor, || work(&left)).flatten() }
    });
    task.await.unwrap_or(Err(FetchError::Cancelled))
}

/// Asks an actor; one that died between two messages counts as a fault of ours.
pub(crate) fn ask<A, M, T>(actor: &Addr<A>, message: M) -> impl Future<Output = FetchResult<T>> + use<A, M, T>
where
    A: Actor<Context = Context<A>> + Handler<M>,
    M: Message<Result = FetchResult<T>> + Send + 'static,
    T: Send + 'static,
{
    let answer = actor.send(message);
    async move { answer.await.unwrap_or(Err(FetchError::Internal)) }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// What does not come within this time never comes.
    const NEVER: Duration = Duration::from_secs(10);

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(guard("test", || 1), Ok(1));
        assert_eq!(guard("test", || -> u8 { panic!("on purpose") }), Err(FetchError::Internal));
    }

    #[test]
    fn cancelled_work_is_not_started() {
        let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
        runtime.block_on(async {
            let (go, gate) = std::sync::mpsc::channel::<()>();
            let (begun, begins) = std::sync::mpsc::channel::<()>();
            let mut first = Box::pin(on_blocking_thread("test", move |_| Ok(gate.recv().is_ok())));
            let mut second = Box::pin(on_blocking_thread("test", move |_| Ok(begun.send(()))));
            assert!((&mut first).now_or_never().is_none() && (&mut second).now_or_never().is_none());
            drop(second);
            go.send(()).unwrap();
            assert_eq!(first.await, Ok(true));
            assert_eq!(on_blocking_thread("test", |_| Ok(())).await, Ok(()));
            assert!(begins.try_recv().is_err(), "it was done all the same");
        });
    }

    #[tokio::test]
    async fn running_work_sees_its_cancellation() {
        let (begun, begins) = tokio::sync::oneshot::channel();
        let (ended, end) = tokio::sync::oneshot::channel();
        let endless = on_blocking_thread::<(), _>("test", move |stop| {
            begun.send(()).unwrap();
            let since = Instant::now();
            while !stop() && since.elapsed() < NEVER {
                std::hint::spin_loop();
            }
            ended.send(stop()).unwrap();
            Err(FetchError::Cancelled)
        });
        tokio::select! {
            _ = endless => panic!("it ended by itself"),
            begun = begins => begun.unwrap(),
        }
        assert_eq!(end.await, Ok(true));
    }

    #[tokio::test]
    async fn a_panic_between_two_waits_becomes_an_error() {
        let work = async {
            tokio::task::yield_now().await;
            if true { panic!("on purpose") } else { Ok::<_, FetchError>(1) }
        };
        assert_eq!(guard_task("test", work).await, Err(FetchError::Internal));
    }
}
