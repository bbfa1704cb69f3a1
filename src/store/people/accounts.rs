//! Accounts: whose keys they are, and which plan holds for them.

use jiff::Timestamp;
use sqlx::Row;
use sqlx::any::AnyRow;
use wayfile_core::plan::Plan;

use crate::auth::{Email, PasswordHash};
use crate::store::{Store, StoreError, StoreResult, time};

/// An account's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AccountId(pub i64);

/// One account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    pub email: Email,
    pub plan: Plan,
    /// When its address was found to be its owner's.
    pub verified: Option<Timestamp>,
    pub created: Timestamp,
}

/// What a person who logs in is measured by.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// Whose they are.
    pub account: AccountId,
    /// What the password must be of.
    pub password_hash: PasswordHash,
}

impl Store {
    /// Makes an account. `verified`: when its address was verified, if it was.
    /// Errors: [`StoreError::EmailTaken`].
    pub async fn create_account(
        &self,
        email: &Email,
        plan: Plan,
        verified: Option<Timestamp>,
        now: Timestamp,
    ) -> StoreResult<AccountId> {
        let made = sqlx::query_scalar(
            "INSERT INTO accounts (email, plan, verified_at, created_at) VALUES ($1, $2, $3, $4) RETURNING id",
        );
        let made = made.bind(email.as_str()).bind(plan.name()).bind(verified.map(Timestamp::as_microsecond));
        let made = made.bind(now.as_microsecond()).fetch_one(&self.pool).await;
        made.map(AccountId).map_err(|e| StoreError::unless_taken(e, || StoreError::EmailTaken(email.clone())))
    }

    /// The account with this address.
    /// Errors: [`StoreError::NoAccount`].
    pub async fn account(&self, email: &Email) -> StoreResult<Account> {
        let found = sqlx::query("SELECT * FROM accounts WHERE email = $1").bind(email.as_str());
        let found = found.fetch_optional(&self.pool).await?;
        account(&found.ok_or_else(|| StoreError::NoAccount(email.clone()))?)
    }

    /// All accounts, by address.
    pub async fn accounts(&self) -> StoreResult<Vec<Account>> {
        let rows = sqlx::query("SELECT * FROM accounts WHERE deleted_at IS NULL ORDER BY email");
        let rows = rows.fetch_all(&self.pool).await?;
        rows.iter().map(account).collect()
    }

    /// Gives an account another plan; it holds for the very next request of its keys.
    /// Errors: [`StoreError::NoAccount`].
    pub async fn set_plan(&self, email: &Email, plan: Plan) -> StoreResult {
        let set = sqlx::query("UPDATE accounts SET plan = $1 WHERE email = $2");
        let set = set.bind(plan.name()).bind(email.as_str()).execute(&self.pool).await?;
        if set.rows_affected() == 0 { Err(StoreError::NoAccount(email.clone())) } else { Ok(()) }
    }
}

fn account(row: &AnyRow) -> StoreResult<Account> {
    Ok(Account {
        id: AccountId(row.try_get("id")?),
        email: email(row.try_get("email")?)?,
        plan: plan(row.try_get("plan")?)?,
        verified: row.try_get::<Option<i64>, _>("verified_at")?.map(time),
        created: time(row.try_get("created_at")?),
    })
}

pub(super) fn email(text: &str) -> StoreResult<Email> {
    text.parse().map_err(|_| StoreError::Foreign(format!("the address {text:?}")))
}

pub(crate) fn plan(name: &str) -> StoreResult<Plan> {
    name.parse().map_err(|_| StoreError::Foreign(format!("the plan {name:?}")))
}
