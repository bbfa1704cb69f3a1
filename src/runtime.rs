//! The one runtime. Actors coordinate on this thread and CPU work runs on a pool; the requests of a service have threads of
//! their own, those of a command are too few to pay for the way from thread to thread.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use actix::System;
use tokio::runtime::Builder;

/// Work on the pool that has begun and does not end has this long; then the process ends without it.
const LAST_WORK: Duration = Duration::from_secs(1);

/// Runs a command inside an actor system.
pub(crate) fn run<F: Future>(work: F) -> std::io::Result<F::Output> {
    on(Builder::new_current_thread(), work)
}

/// Runs a service inside an actor system whose tasks have all cores.
pub(crate) fn serve<F: Future>(work: F) -> std::io::Result<F::Output> {
    on(Builder::new_multi_thread(), work)
}

fn on<F: Future>(mut threads: Builder, work: F) -> std::io::Result<F::Output> {
    let runtime = Arc::new(threads.enable_all().build()?);
    let done = System::with_tokio_rt(|| runtime.clone()).block_on(work);
    // Dropped like any other, it would wait for the pool however long that takes.
    if let Some(runtime) = Arc::into_inner(runtime) {
        runtime.shutdown_timeout(LAST_WORK);
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_run_ends_whatever_is_still_worked_on() {
        for run in [run, serve] {
            let (go, gate) = mpsc::channel::<()>();
            let ended = Arc::new(AtomicBool::new(false));
            let end = ended.clone();
            let begun = async move {
                let (begun, begins) = tokio::sync::oneshot::channel();
                tokio::task::spawn_blocking(move || {
                    begun.send(()).unwrap();
                    // Nothing is ever sent: this waits for the sender to be dropped.
                    let _ = gate.recv_timeout(30 * LAST_WORK);
                    end.store(true, Ordering::Relaxed);
                });
                begins.await.is_ok()
            };
            let begun: std::pin::Pin<Box<dyn Future<Output = bool>>> = Box::pin(begun);
            assert!(run(begun).unwrap());
            assert!(!ended.load(Ordering::Relaxed), "the work was waited for");
            drop(go);
        }
    }
}
