//! The service over real HTTP: the real binary, real sites on loopback, a real store. The folders mirror the URLs.

#![expect(clippy::unwrap_used, reason = "what is wrong here must stop it at once, with its place")]

#[path = "../support/fake_site.rs"]
#[allow(dead_code, reason = "shared with the tests of the engine, which look at other sides of it")]
mod fake_site;
#[path = "../support/process.rs"]
mod process;
#[path = "../support/test_app.rs"]
#[allow(dead_code, reason = "shared with the tests of the dashboard, which look at other sides of it")]
mod test_app;
#[path = "../support/tls_server.rs"]
mod tls_server;
#[path = "../support/tool.rs"]
mod tool;

mod agents;
mod cli;
mod cli_generate;
mod cli_validate;
mod docs;
mod errors;
mod healthz;
mod metrics;
mod openapi_json;
mod reload;
mod sarif;
mod serve_alone;
mod shutdown;
mod slow_readers;
mod v1;

use std::future::Future;

/// Runs a test inside an actor system whose tasks have worker threads.
fn run<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    actix::System::with_tokio_rt(|| runtime).block_on(test)
}
