//! What can go wrong with the store.

use std::io;
use std::path::PathBuf;

use sqlx::migrate::MigrateError;

use crate::auth::Email;

/// Result codes of SQLite (sqlite.org/rescode.html).
const SQLITE_BUSY: i32 = 5;
const SQLITE_LOCKED: i32 = 6;
const SQLITE_READONLY: i32 = 8;
const SQLITE_IOERR: i32 = 10;
const SQLITE_FULL: i32 = 13;

/// What PostgreSQL says of a lock that was waited for in vain.
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// Whether somebody else holds the lock: SQLite's, or that of a row or a table.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| {
        code == LOCK_NOT_AVAILABLE || code.parse::<i32>().is_ok_and(|code| code & 0xff == SQLITE_BUSY)
    })
}

/// Why the store did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "what each one says is its meaning")]
pub enum StoreError {
    #[error("the store cannot be reached: {0}; see database.url")]
    Away(#[from] sqlx::Error),
    #[error("the store does not answer in time; somebody may hold its lock")]
    Late,
    /// A pooler lends connections for single transactions, where LISTEN and the migrator's lock are lost.
    #[error(
        "database.url leads to a pooler that lends connections for single transactions (PgBouncer's pool_mode = transaction): \
         give the database without it as database.direct_url"
    )]
    Pooled,
    /// A pooler lends connections for single transactions and knows no prepared statements.
    #[error(
        "database.url leads to a pooler that loses prepared statements: PgBouncer has to be 1.21 or later with \
         max_prepared_statements above 0, or to lend connections for sessions (pool_mode = session)"
    )]
    OldPooler,
    #[error(
        "another `wayfile serve` runs on {}, and with SQLite there is one: end that one first, or give all of them the same \
         PostgreSQL as database.url", .0.display()
    )]
    Served(PathBuf),
    #[error("the file of the store was deleted or replaced while it is open; put it back, and start again")]
    Gone,
    /// Whether another process serves the same SQLite file cannot be seen.
    #[error("no file can be locked beside the store: {0}; see database.url")]
    NoLock(#[source] io::Error),
    #[error("the tables of the store cannot be brought up to date: {0}")]
    Migration(#[source] MigrateError),
    #[error(
        "the store was made by a newer version of Wayfile (migration {0}): run that one, or restore a backup"
    )]
    Newer(i64),
    /// The system has no randomness to make a key from.
    #[error("no key can be made: {0}")]
    Randomness(#[from] getrandom::Error),
    /// What it holds makes no sense; another program wrote into it.
    #[error("the store holds something that Wayfile did not write: {0}")]
    Foreign(String),
    #[error("there is an account for {0} already; `wayfile account plan` changes its plan")]
    EmailTaken(Email),
    #[error("there is no account for {0}; `wayfile account list` names them all")]
    NoAccount(Email),
    /// The account's address is not verified, or the account was deleted.
    #[error("the account's address is not verified, so it has no keys")]
    NotVerified,
    #[error("too many mails wait to be sent; see mail.smtp_url")]
    TooMuchMail,
    #[error("the account has a key named {0:?} already; revoke that one first, or take another name")]
    NameTaken(String),
    #[error("the account has no working key {0}")]
    NoKey(String),
    #[error("a key's name has 1 to {max} characters, none of them a control character")]
    BadName { max: usize },
    #[error(
        "the account has {max} keys, as many as its plan allows; revoke one first, or take a larger plan"
    )]
    TooManyKeys { max: usize },
}

impl From<MigrateError> for StoreError {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::VersionMissing(migration) => Self::Newer(migration),
            other => Self::Migration(other),
        }
    }
}

/// What the store did, or why it did not.
pub type StoreResult<T = ()> = Result<T, StoreError>;

impl StoreError {
    /// Why nothing can be written, for `/readyz`: without names or addresses.
    pub(crate) fn in_short(&self) -> &'static str {
        if matches!(self, Self::Gone) {
            return "its file was deleted or replaced";
        }
        let Self::Away(error) = self else { return "it does not answer, as if somebody held its lock" };
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code).unwrap_or_default();
        match code.as_ref() {
            "53100" => "its disk is full",
            "25006" => "it may only be read",
            // SQLite's: the low byte says what it is, the others how it came about.
            code => match code.parse::<i32>().map(|code| code & 0xff) {
                Ok(SQLITE_FULL) => "its disk is full",
                Ok(SQLITE_BUSY | SQLITE_LOCKED) => "somebody else holds its lock",
                Ok(SQLITE_READONLY) => "it may only be read",
                Ok(SQLITE_IOERR) => "its disk fails",
                _ if error.as_database_error().is_some() => "it refuses changes",
                _ => "it cannot be reached",
            },
        }
    }

    /// `taken` when two may not have the same, and otherwise that the store is away.
    pub(super) fn unless_taken(error: sqlx::Error, taken: impl FnOnce() -> Self) -> Self {
        let is_taken = error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation);
        if is_taken { taken() } else { Self::Away(error) }
    }
}
