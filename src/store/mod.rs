//! Accounts, their people's sessions and mails, keys, quotas and kept answers, in SQLite or PostgreSQL.
//!
//! One SQL text serves both. What differs (how a key is looked up while nothing changes, how changes of
//! quotas are committed) is behind the trait `Backend`. Times are arguments.

mod accounts;
mod answers;
mod backend;
mod error;
mod keys;
mod ledger;
mod links;
mod mails;
mod migrations;
mod passwords;
mod postgres;
mod purge;
mod quota;
mod runs;
mod sessions;
mod sqlite;
mod url;
mod usage;

use std::time::Duration;

use jiff::Timestamp;
use secrecy::ExposeSecret;
use sqlx::any::AnyPoolOptions;
use sqlx::{Any, AnyPool, Transaction};

pub use accounts::{Account, AccountId};
pub use answers::{Claimed, Earlier};
pub use error::StoreError;
pub use keys::{Key, KeyRef};
pub use ledger::{Ledger, Upkeep};
pub use links::{Link, LinkKind, SignedUp};
pub use mails::{MailKind, WaitingMail};
pub use passwords::Credentials;
pub use purge::{Keep, Purged};
pub use sessions::{Lifetime, Session};
pub use url::{BadDatabaseUrl, DatabaseUrl};
pub use usage::{DayUsage, MonthUsage};

use url::Kind;

/// Connections to the store, over all requests. SQLite writes one at a time however many there are.
const CONNECTIONS: u32 = 10;
/// How long a request waits for a connection before the store counts as away.
const CONNECTION_PATIENCE: Duration = Duration::from_secs(5);
/// Readers never wait for writers; a commit is on the disk when it returns; another process's write is
/// waited for (milliseconds); what is deleted is overwritten, since people are told that nothing of them is kept.
const SQLITE_SETTINGS: &str = "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; \
                               PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;";

/// The store. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    pool: AnyPool,
    kind: Kind,
}

impl Store {
    /// Opens the store and brings its tables up to date.
    ///
    /// # Errors
    /// [`StoreError`]: it cannot be reached, or was made by a newer version.
    pub async fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let kind = url.kind();
        let options = AnyPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(CONNECTION_PATIENCE);
        let options = options.after_connect(move |connection, _| {
            Box::pin(async move {
                if kind == Kind::Sqlite {
                    sqlx::raw_sql(SQLITE_SETTINGS).execute(connection).await?;
                }
                Ok(())
            })
        });
        let pool = options.connect(url.for_driver().expose_secret()).await?;
        let store = Self { pool, kind };
        store.migrate().await?;
        Ok(store)
    }

    /// Two processes that start at once migrate one after the other: PostgreSQL's migrator takes a lock of
    /// its own, for SQLite the write lock is held all along.
    async fn migrate(&self) -> Result<(), StoreError> {
        let migrator = migrations::migrator(self.kind);
        match self.kind {
            Kind::Postgres => migrator.run(&self.pool).await?,
            Kind::Sqlite => {
                let mut changes = self.begin().await?;
                migrator.run_direct(None, &mut *changes, false).await?;
                changes.commit().await?;
            }
        }
        Ok(())
    }

    /// A transaction that will write. SQLite's must take the lock at once: one that reads first may find
    /// that it cannot write any more.
    async fn begin(&self) -> sqlx::Result<Transaction<'static, Any>> {
        match self.kind {
            Kind::Sqlite => self.pool.begin_with("BEGIN IMMEDIATE").await,
            Kind::Postgres => self.pool.begin().await,
        }
    }

    /// Whether the store answers.
    ///
    /// # Errors
    /// [`StoreError::Away`]: it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    /// The clock that all servers of one store share, for deciding which of them are alive.
    async fn shared_clock(&self) -> sqlx::Result<Timestamp> {
        match self.kind {
            Kind::Sqlite => Ok(Timestamp::now()),
            Kind::Postgres => {
                let now = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
                Ok(time(sqlx::query_scalar(now).fetch_one(&self.pool).await?))
            }
        }
    }

    /// Waits for connections that are in use and closes them all.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// A time from its number in the store.
fn time(microseconds: i64) -> Timestamp {
    Timestamp::from_microsecond(microseconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// A count from its number in the store.
fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// A number for the store.
fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
