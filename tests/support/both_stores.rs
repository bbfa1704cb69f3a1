//! Runs tests on both kinds of store, each on one of its own: a SQLite in a temporary folder, a database of a real
//! PostgreSQL.

use std::future::Future;

use tempfile::TempDir;

use crate::{Place, postgres};

/// Makes two tests of each function, one for each kind of store.
macro_rules! on_both {
    ($($test:ident),+ $(,)?) => {
        mod on_sqlite { $(#[test] fn $test() { crate::both_stores::on_sqlite(super::$test); })+ }
        mod on_postgres { $(#[test] fn $test() { crate::both_stores::on_postgres(super::$test); })+ }
    };
}
pub(crate) use on_both;

pub(crate) fn on_sqlite<F: Future<Output = ()>>(test: impl FnOnce(Place) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("wayfile.db").display());
    run(url, Some(folder), test);
}

pub(crate) fn on_postgres<F: Future<Output = ()>>(test: impl FnOnce(Place) -> F) {
    if let Some(url) = postgres::database() {
        run(url, None, test);
    }
}

pub(crate) fn run<F: Future<Output = ()>>(
    url: String,
    folder: Option<TempDir>,
    test: impl FnOnce(Place) -> F,
) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    actix::System::with_tokio_rt(|| runtime).block_on(test(Place::new(url, folder)));
}
