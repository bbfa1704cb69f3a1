//! The store and the guards on it, against a real SQLite and a real PostgreSQL: every test runs on both.

#![expect(clippy::unwrap_used, reason = "a test that cannot get what it needs must fail")]

mod accounts;
mod answers;
mod away;
mod backup;
mod commands;
mod crash;
mod guards;
mod latest_runs;
mod nodes;
mod people;
mod pooler;
mod quota;
mod runs;
mod unwritable;

#[path = "../support/both_stores.rs"]
mod both_stores;
#[path = "../support/fake_site.rs"]
#[allow(dead_code, reason = "shared with the tests of the engine, which look at other sides of it")]
mod fake_site;
#[path = "../support/postgres.rs"]
mod postgres;
#[path = "../support/test_app.rs"]
#[allow(dead_code, reason = "shared with the tests of the API, which look at other sides of it")]
mod test_app;

use std::io::Write;
use std::sync::Arc;

use both_stores::{on_both, run};
use jiff::Timestamp;
use tempfile::TempDir;
use wayfile::auth::{ApiKey, Email};
use wayfile::config::Config;
use wayfile::store::{AccountId, DatabaseSettings, DatabaseUrl, Ledger, Store, StoreError};
use wayfile_core::plan::{Plan, PlanLimits, Plans};

/// Where one test's store lies.
struct Place {
    url: DatabaseUrl,
    written: String,
    _folder: Option<TempDir>,
}

impl Place {
    fn new(written: String, folder: Option<TempDir>) -> Self {
        Self { url: DatabaseUrl::parse(&written).unwrap(), written, _folder: folder }
    }

    async fn open(&self) -> Store {
        Store::open(&database(&self.url, "")).await.unwrap()
    }

    /// As [`Place::open`], with lines of TOML that go over the section `[database]`.
    async fn open_with(&self, settings: &str) -> Store {
        Store::open(&database(&self.url, settings)).await.unwrap()
    }

    async fn ledger(&self, node: &str) -> Arc<Ledger> {
        Ledger::start(self.open().await, node).await.unwrap()
    }

    async fn ledger_with(&self, settings: &str) -> Arc<Ledger> {
        Ledger::start(self.open_with(settings).await, "a").await.unwrap()
    }

    /// A connection past the store, to see and change what it does not show.
    async fn raw(&self, change: &'static str) {
        sqlx::query(change).execute(&mut self.connection().await).await.unwrap();
    }

    async fn count(&self, of: &'static str) -> i64 {
        sqlx::query_scalar(of).fetch_one(&mut self.connection().await).await.unwrap()
    }

    async fn connection(&self) -> sqlx::AnyConnection {
        sqlx::any::install_default_drivers();
        <sqlx::AnyConnection as sqlx::Connection>::connect(&self.written).await.unwrap()
    }
}

/// The section `[database]` for a store at `url`, with lines of TOML that go over it.
fn database(url: &DatabaseUrl, settings: &str) -> DatabaseSettings {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    writeln!(file, "[database]\n{settings}").unwrap();
    DatabaseSettings { url: url.clone(), ..Config::load(Some(file.path()), &[]).unwrap().database }
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

/// Revokes the key that its owner calls so.
async fn revoke(store: &Store, account: AccountId, name: &str, now: Timestamp) -> Result<(), StoreError> {
    let key = store.key_named(account, name).await?;
    store.revoke_key(account, key.id, now).await
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
