//! Accounts, their people's sessions and mails, keys, quotas and kept answers, in SQLite or PostgreSQL.
//!
//! One SQL text serves both. What differs (how a key is looked up while nothing changes, how changes of
//! quotas are committed) is behind the trait `Backend`. Times are arguments.
//!
//! Any function fails with [`StoreError::Away`] where the store does not answer; some bound their wait and fail with
//! [`StoreError::Late`]. Other errors are named where they occur.

mod answers;
mod error;
mod file;
mod keys;
mod latest_runs;
mod ledger;
mod migrations;
mod nodes;
mod people;
mod purge;
mod quota;
mod settings;
mod usage;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use secrecy::ExposeSecret;
use sqlx::any::AnyPoolOptions;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection, Row, Transaction};
use tokio::runtime::Handle;

pub use answers::{Claimed, Earlier, Ending};
pub use error::{StoreError, StoreResult};
pub(crate) use file::{ServeLock, missing};
pub(crate) use keys::Key;
pub use latest_runs::EndedRun;
pub(crate) use latest_runs::{LatestRun, REMEMBERED};
pub use ledger::Ledger;
pub(crate) use nodes::SharedStates;
pub use people::{AccountId, Credentials, Lifetime, LinkKind, MailKind, SignedUp};
pub(crate) use people::{MailLink, Session, WaitingMail};
pub(crate) use settings::Keep;
pub use settings::{BadDatabaseUrl, DatabaseSettings, DatabaseUrl};
pub(crate) use usage::{DayUsage, MonthUsage};

use settings::DatabaseKind;

/// Connections to the store, over all requests. SQLite writes one at a time however many there are.
const CONNECTIONS: u32 = 10;
/// A connection that was used so lately is not looked at before it is used again: to look at it costs as much as to use it.
const SURELY_THERE: Duration = Duration::from_secs(1);
/// Readers never wait for writers; a commit is on the disk when it returns; what is deleted is overwritten, since people
/// are told that nothing of them is kept.
const SQLITE_SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                               PRAGMA secure_delete = ON;";

/// The store. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    pool: AnyPool,
    kind: DatabaseKind,
    /// The longest wait for an answer of the store.
    timeout: Duration,
    keep: Arc<Keep>,
    /// Where nothing stands between, for what belongs to a connection: LISTEN and the migrator's lock.
    direct: DatabaseUrl,
    file: Option<file::StoreFile>,
    /// Where it was opened: its own work outlives the threads of the listener, which end first.
    runtime: Handle,
}

impl Store {
    /// Opens the store and brings its tables up to date.
    /// Errors: [`StoreError`]: it cannot be reached, or was made by a newer version.
    pub async fn open(settings: &DatabaseSettings) -> StoreResult<Self> {
        sqlx::any::install_default_drivers();
        let (kind, timeout) = (settings.url.kind, settings.timeout);
        file::make_private(&settings.url)?;
        // One half for a connection, the other for the lock that another process holds.
        let half = timeout / 2;
        let options = AnyPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(half);
        let options = options.after_connect(move |connection, _| {
            Box::pin(async move {
                let half = half.as_millis();
                let settings = match kind {
                    DatabaseKind::Sqlite => format!("PRAGMA busy_timeout = {half}; {SQLITE_SETTINGS}"),
                    DatabaseKind::Postgres => format!("SET lock_timeout = {half}"),
                };
                sqlx::raw_sql(AssertSqlSafe(settings)).execute(connection).await.map(drop)
            })
        });
        // The pool looks at each connection that is given back. Another look before it is lent again finds what has gone since.
        let options = options.test_before_acquire(false).before_acquire(|connection, lent| {
            Box::pin(async move {
                if lent.idle_for > SURELY_THERE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        });
        // SQLite itself ends a transaction that the disk had no room for; the driver takes it for open ever after.
        let options = options.after_release(|connection, _| {
            Box::pin(async move {
                if connection.is_in_transaction() {
                    // A transaction that is being rolled back is over when the connection answers.
                    connection.ping().await?;
                }
                Ok(!connection.is_in_transaction())
            })
        });
        let pool = match options.connect(settings.url.for_driver().expose_secret()).await {
            // Why no connection came the pool does not tell.
            Err(sqlx::Error::PoolTimedOut) => {
                AnyConnection::connect(settings.url.for_driver().expose_secret()).await?.close().await?;
                return Err(StoreError::Late);
            }
            pool => pool?,
        };
        let direct = settings.direct_url.as_ref().unwrap_or(&settings.url).clone();
        if kind == DatabaseKind::Postgres {
            if shares_connections(&direct).await? {
                return Err(StoreError::Pooled);
            }
            if settings.direct_url.is_some() && forgets_statements(&settings.url).await? {
                return Err(StoreError::OldPooler);
            }
        }
        let store = Self {
            pool,
            kind,
            timeout,
            keep: Arc::new(settings.keep.clone()),
            direct,
            file: file::StoreFile::of(&settings.url)?,
            runtime: Handle::current(),
        };
        store.migrate().await?;
        Ok(store)
    }

    /// Two processes that start at once migrate one after the other: PostgreSQL's migrator takes a lock of
    /// its own, for SQLite the write lock is held all along.
    async fn migrate(&self) -> StoreResult {
        let migrator = migrations::migrator(self.kind);
        match self.kind {
            DatabaseKind::Postgres => {
                let mut direct = AnyConnection::connect(self.direct.for_driver().expose_secret()).await?;
                migrator.run_direct(None, &mut direct, false).await?;
                direct.close().await?;
            }
            DatabaseKind::Sqlite => {
                let mut changes = self.begin().await?;
                migrator.run_direct(None, &mut *changes, false).await?;
                changes.commit().await?;
            }
        }
        Ok(())
    }

    /// Whether what is written now is kept. Errors: [`StoreError::Gone`].
    fn check_file(&self) -> StoreResult {
        let is_there = self.file.as_ref().is_none_or(file::StoreFile::is_there);
        if is_there { Ok(()) } else { Err(StoreError::Gone) }
    }

    /// Has all that is in the log of an SQLite store go to its file, and what was deleted leave the log. That somebody reads just
    /// now is no fault: it leaves it later.
    pub(crate) async fn empty_log(&self) {
        if self.kind == DatabaseKind::Sqlite {
            let emptied = sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(&self.pool).await;
            drop(emptied.inspect_err(|error| tracing::warn!(%error, "the store's log is not emptied")));
        }
    }

    /// A transaction that will write. SQLite's must take the lock at once: one that reads first may find
    /// that it cannot write any more.
    async fn begin(&self) -> sqlx::Result<Transaction<'static, Any>> {
        match self.kind {
            DatabaseKind::Sqlite => self.pool.begin_with("BEGIN IMMEDIATE").await,
            DatabaseKind::Postgres => self.pool.begin().await,
        }
    }

    /// Does what a request waits for, within `database.timeout`.
    async fn in_time<T>(&self, work: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
        tokio::time::timeout(self.timeout, work).await.unwrap_or(Err(StoreError::Late))
    }

    /// The clock that all servers of one store share, for deciding which of them are alive.
    async fn shared_clock(&self) -> sqlx::Result<Timestamp> {
        match self.kind {
            DatabaseKind::Sqlite => Ok(Timestamp::now()),
            DatabaseKind::Postgres => {
                let now = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
                Ok(time(sqlx::query_scalar(now).fetch_one(&self.pool).await?))
            }
        }
    }

    /// Does work that no request waits for, on the runtime that the store was opened on.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(work);
    }

    /// Waits for connections that are in use and closes them all.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// What PostgreSQL says of a statement that another session prepared: there is none, or there is one already.
const UNPREPARED: [&str; 2] = ["26000", "42P05"];

/// Whether a pooler lends connections for single transactions: then what one session asks for lands where another asked.
async fn shares_connections(url: &DatabaseUrl) -> sqlx::Result<bool> {
    let (before, held, after) = around_a_loan(url, async |one| backend(one).await).await?;
    let (before, after) = (before?, after?);
    Ok(before == held || before != after)
}

/// Whether a pooler lends another connection than the one that prepared a statement and does not prepare it there.
async fn forgets_statements(url: &DatabaseUrl) -> sqlx::Result<bool> {
    let prepared = async |one: &mut AnyConnection| sqlx::query("SELECT pg_backend_pid()").execute(one).await;
    let (first, _, again) = around_a_loan(url, prepared).await?;
    match first.and(again) {
        Err(sqlx::Error::Database(error))
            if error.code().is_some_and(|code| UNPREPARED.contains(&&*code)) =>
        {
            Ok(true)
        }
        answer => answer.map(|_| false),
    }
}

/// Asks on one session before and while another is lent a connection: the first answer, the other's backend, the second.
async fn around_a_loan<T>(
    url: &DatabaseUrl,
    ask: impl AsyncFn(&mut AnyConnection) -> T,
) -> sqlx::Result<(T, i32, T)> {
    let mut one = AnyConnection::connect(url.for_driver().expose_secret()).await?;
    let before = ask(&mut one).await;
    let mut other = AnyConnection::connect(url.for_driver().expose_secret()).await?;
    // It keeps what it was lent until its transaction ends. A pooler that knows no prepared statements must get here, too.
    sqlx::raw_sql("BEGIN").execute(&mut other).await?;
    let (held, after) = (backend(&mut other).await?, ask(&mut one).await);
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await?;
    futures_util::future::try_join(one.close(), other.close()).await?;
    Ok((before, held, after))
}

async fn backend(connection: &mut AnyConnection) -> sqlx::Result<i32> {
    sqlx::raw_sql("SELECT pg_backend_pid()").fetch_one(connection).await?.try_get(0)
}

fn time(microseconds: i64) -> Timestamp {
    Timestamp::from_microsecond(microseconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn number(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}
