//! A panic in code that touches foreign input loses one page, never an actor.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt;
use tokio::task::AbortHandle;

use crate::error::FetchError;
use crate::metrics;

/// Runs `work` on behalf of an actor; a panic is counted and answered as an error.
///
/// What `work` was changing when it panicked may be half done, so it must only add to its state.
pub(crate) fn guard<T>(actor: &'static str, work: impl FnOnce() -> T) -> Result<T, FetchError> {
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
    metrics::panicked(actor);
    tracing::error!(actor, "a panic was caught; the page at hand is lost");
    FetchError::Internal
}

/// Work that is not begun when nobody waits for it any more.
struct Awaited(AbortHandle);

impl Drop for Awaited {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Runs `work` on the pool for blocking and heavy work, unless nobody waits for it before it is begun.
pub(crate) async fn on_cpu_pool<T, F>(actor: &'static str, work: F) -> Result<T, FetchError>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    let task = tokio::task::spawn_blocking(move || guard(actor, work));
    let _awaited = Awaited(task.abort_handle());
    task.await.unwrap_or(Err(FetchError::Cancelled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(guard("test", || 1), Ok(1));
        assert_eq!(guard("test", || -> u8 { panic!("on purpose") }), Err(FetchError::Internal));
    }

    #[test]
    fn work_that_nobody_waits_for_is_not_begun() {
        let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
        runtime.block_on(async {
            let (go, gate) = std::sync::mpsc::channel::<()>();
            let (begun, begins) = std::sync::mpsc::channel::<()>();
            let mut first = Box::pin(on_cpu_pool("test", move || gate.recv().is_ok()));
            let mut second = Box::pin(on_cpu_pool("test", move || begun.send(())));
            assert!((&mut first).now_or_never().is_none() && (&mut second).now_or_never().is_none());
            drop(second);
            go.send(()).unwrap();
            assert_eq!(first.await, Ok(true));
            assert_eq!(on_cpu_pool("test", || ()).await, Ok(()));
            assert!(begins.try_recv().is_err(), "it was done all the same");
        });
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
