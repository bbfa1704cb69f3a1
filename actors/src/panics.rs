//! A panic in code that touches foreign input loses one page, never an actor.

use std::panic::{AssertUnwindSafe, catch_unwind};

use actix::prelude::*;
use futures_util::FutureExt;

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
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(guard("test", || 1), Ok(1));
        assert_eq!(guard("test", || -> u8 { panic!("on purpose") }), Err(FetchError::Internal));
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
