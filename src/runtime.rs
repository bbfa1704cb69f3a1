//! The one runtime. Actors coordinate on this thread and CPU work runs on a pool; the requests of a service have threads of
//! their own, those of a command are too few to pay for the way from thread to thread.

use std::future::Future;

use actix::System;
use tokio::runtime::Builder;

/// Runs a command inside an actor system.
///
/// # Errors
/// The operating system gives no event queue.
pub(crate) fn run<F: Future>(work: F) -> std::io::Result<F::Output> {
    on(Builder::new_current_thread(), work)
}

/// Runs a service inside an actor system whose tasks have all cores.
///
/// # Errors
/// The operating system gives no threads or no event queue.
pub(crate) fn serve<F: Future>(work: F) -> std::io::Result<F::Output> {
    on(Builder::new_multi_thread(), work)
}

fn on<F: Future>(mut threads: Builder, work: F) -> std::io::Result<F::Output> {
    let runtime = threads.enable_all().build()?;
    Ok(System::with_tokio_rt(|| runtime).block_on(work))
}
