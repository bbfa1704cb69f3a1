//! Pages that only scripts fill, in a real Chromium: the real binary, real sites on loopback.

#![expect(clippy::unwrap_used, reason = "what is wrong here must stop it at once, with its place")]

#[path = "../support/fake_site.rs"]
#[allow(dead_code, reason = "shared with the tests of the engine, which look at other sides of it")]
mod fake_site;
#[path = "../support/markdown_site.rs"]
mod markdown_site;
#[path = "../support/test_app.rs"]
#[allow(dead_code, reason = "shared with the tests of the API, which look at other sides of it")]
mod test_app;
#[path = "../support/tool.rs"]
#[allow(dead_code, reason = "shared with the tests that run programs of others")]
mod tool;

mod altered;
mod command;
mod hostile;
mod lifecycle;
mod service;
mod sites;
mod start;

use std::future::Future;

/// Where Debian has it.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Whether there is a browser; says so if there is none.
fn has_browser() -> bool {
    let there = std::path::Path::new(CHROMIUM).exists();
    if !there {
        tool::missing("chromium");
    }
    there
}

/// Runs a test that needs a browser.
fn with_browser(test: impl Future<Output = ()>) {
    if has_browser() {
        run(test);
    }
}

fn run<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    actix::System::with_tokio_rt(|| runtime).block_on(test)
}
