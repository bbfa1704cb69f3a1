//! The one runtime: actors coordinate on this thread, requests and CPU work run on the pool.

use std::future::Future;

use actix::System;

/// Runs `work` inside an actor system whose tasks have all cores.
///
/// # Errors
/// The operating system gives no threads or no event queue.
pub(crate) fn run<F: Future>(work: F) -> std::io::Result<F::Output> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    Ok(System::with_tokio_rt(|| runtime).block_on(work))
}
