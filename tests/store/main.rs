//! The store and the guards on it, against a real SQLite and a real PostgreSQL: every test runs on both.

#![expect(clippy::unwrap_used, reason = "a test that cannot get what it needs must fail")]

mod accounts;
mod answers;
mod away;
mod backup;
mod commands;
mod crash;
mod guards;
mod people;
mod quota;
mod runs;

#[path = "../support/fake_site.rs"]
#[allow(dead_code, reason = "shared with the tests of the engine, which look at other sides of it")]
mod fake_site;
#[path = "../support/postgres.rs"]
mod postgres;
#[path = "../support/test_app.rs"]
#[allow(dead_code, reason = "shared with the tests of the API, which look at other sides of it")]
mod test_app;

use std::future::Future;
use std::sync::Arc;

use jiff::Timestamp;
use tempfile::TempDir;
use wayfile::auth::{ApiKey, Email};
use wayfile::store::{AccountId, DatabaseUrl, Ledger, Store};
use wayfile_core::plan::{Plan, PlanLimits, Plans};

/// Runs each test on both kinds of store.
macro_rules! on_both {
    ($($test:ident),+ $(,)?) => {
        mod on_sqlite { $(#[test] fn $test() { crate::on_sqlite(super::$test); })+ }
        mod on_postgres { $(#[test] fn $test() { crate::on_postgres(super::$test); })+ }
    };
}
pub(crate) use on_both;

/// Where one test's store lies.
struct Place {
    url: DatabaseUrl,
    written: String,
    _folder: Option<TempDir>,
}

impl Place {
    async fn open(&self) -> Store {
        Store::open(&self.url).await.unwrap()
    }

    async fn ledger(&self, node: &str) -> Arc<Ledger> {
        Ledger::start(self.open().await, node).await.unwrap()
    }

    /// A connection past the store, to see and change what it does not show.
    async fn raw(&self, change: &'static str) {
        sqlx::any::install_default_drivers();
        let mut raw = <sqlx::AnyConnection as sqlx::Connection>::connect(&self.written).await.unwrap();
        sqlx::query(change).execute(&mut raw).await.unwrap();
    }
}

fn on_sqlite<F: Future<Output = ()>>(test: impl FnOnce(Place) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("wayfile.db").display());
    run(url, Some(folder), test);
}

fn on_postgres<F: Future<Output = ()>>(test: impl FnOnce(Place) -> F) {
    if let Some(url) = postgres::database() {
        run(url, None, test);
    }
}

fn run<F: Future<Output = ()>>(written: String, folder: Option<TempDir>, test: impl FnOnce(Place) -> F) {
    let place = Place { url: DatabaseUrl::parse(&written).unwrap(), written, _folder: folder };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    actix::System::with_tokio_rt(|| runtime).block_on(test(place));
}

fn email(name: &str) -> Email {
    format!("{name}@example.org").parse().unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// An account with one key.
async fn key(store: &Store, plan: Plan) -> (AccountId, ApiKey) {
    let now = Timestamp::now();
    let account = store.create_account(&email("ada"), plan, Some(now), now).await.unwrap();
    (account, store.create_key(account, "first", 100, now).await.unwrap())
}

/// Plans that differ in what the tests look at.
fn plans() -> Plans {
    let limits = |generate, rate, crawls| PlanLimits {
        generate_per_month: generate,
        validate_per_month: 100,
        requests_per_minute: rate,
        index_pages: 10,
        full_pages: 10,
        crawls_at_once: crawls,
        keys: 3,
    };
    Plans {
        free: limits(10, 30, 1),
        starter: limits(20, 60, 2),
        pro: limits(3, 1_000_000, 4),
        business: limits(1_000, 1_000_000, 8),
    }
}
