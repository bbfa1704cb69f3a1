//! What can go wrong with the store.

use sqlx::migrate::MigrateError;

use crate::auth::Email;

/// Why the store did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It does not answer, or not in time.
    #[error("the store cannot be reached: {0}; see database.url")]
    Away(#[source] sqlx::Error),
    /// Its tables cannot be brought up to date.
    #[error("the tables of the store cannot be brought up to date: {0}")]
    Migration(#[from] MigrateError),
    /// The system has no randomness to make a key from.
    #[error("no key can be made: {0}")]
    Randomness(#[from] getrandom::Error),
    /// What it holds makes no sense; somebody else wrote into it.
    #[error("the store holds something that Wayfile did not write: {0}")]
    Foreign(String),
    /// An account with this address is there already.
    #[error("there is an account for {0} already; `wayfile account plan` changes its plan")]
    EmailTaken(Email),
    /// There is no such account.
    #[error("there is no account for {0}; `wayfile account list` names them all")]
    NoAccount(Email),
    /// Nobody has shown that the account's address is theirs, or the account was deleted.
    #[error("the account's address is not verified, so it has no keys")]
    NotVerified,
    /// So many mails wait that no more are taken.
    #[error("too many mails wait to be sent; see mail.smtp_url")]
    TooMuchMail,
    /// The account has a working key of this name.
    #[error("the account has a key named {0:?} already; revoke that one first, or take another name")]
    NameTaken(String),
    /// The account has no such working key.
    #[error("the account has no working key {0}")]
    NoKey(String),
    /// A name that helps nobody.
    #[error("a key's name has 1 to {max} characters, none of them a control character")]
    BadName {
        /// The longest name, in characters.
        max: usize,
    },
    /// The account has as many working keys as its plan allows.
    #[error(
        "the account has {max} keys, as many as its plan allows; revoke one first, or take a larger plan"
    )]
    TooManyKeys {
        /// What the plan allows.
        max: usize,
    },
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Away(error)
    }
}

impl StoreError {
    /// `taken` when two may not have the same, and otherwise that the store is away.
    pub(super) fn unless_taken(error: sqlx::Error, taken: impl FnOnce() -> Self) -> Self {
        let is_taken = error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation);
        if is_taken { taken() } else { Self::Away(error) }
    }
}
