//! Accounts: whose keys they are, and which plan holds for them.

use jiff::Timestamp;
use sqlx::Row;
use sqlx::any::AnyRow;
use wayfile_core::plan::Plan;

use super::{Store, StoreError, links, mails, sessions, time};
use crate::auth::Email;

/// An account's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AccountId(pub i64);

/// One account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its number; safe to log.
    pub id: AccountId,
    /// What it is named by.
    pub email: Email,
    /// What it may do.
    pub plan: Plan,
    /// When its address was found to be its owner's.
    pub verified: Option<Timestamp>,
    /// When it was made.
    pub created: Timestamp,
}

impl Store {
    /// Makes an account. `verified`: when its address was verified, if it was.
    ///
    /// # Errors
    /// [`StoreError::EmailTaken`], [`StoreError::Away`].
    pub async fn create_account(
        &self,
        email: &Email,
        plan: Plan,
        verified: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<AccountId, StoreError> {
        let made = sqlx::query_scalar(
            "INSERT INTO accounts (email, plan, verified_at, created_at) VALUES ($1, $2, $3, $4) RETURNING id",
        );
        let made = made.bind(email.as_str()).bind(plan.name()).bind(verified.map(Timestamp::as_microsecond));
        let made = made.bind(now.as_microsecond()).fetch_one(&self.pool).await;
        made.map(AccountId).map_err(|e| StoreError::unless_taken(e, || StoreError::EmailTaken(email.clone())))
    }

    /// The account with this address.
    ///
    /// # Errors
    /// [`StoreError::NoAccount`], [`StoreError::Away`].
    pub async fn account(&self, email: &Email) -> Result<Account, StoreError> {
        let found = sqlx::query("SELECT * FROM accounts WHERE email = $1").bind(email.as_str());
        let found = found.fetch_optional(&self.pool).await?;
        account(&found.ok_or_else(|| StoreError::NoAccount(email.clone()))?)
    }

    /// All accounts, by address.
    ///
    /// # Errors
    /// [`StoreError::Away`].
    pub async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        let rows = sqlx::query("SELECT * FROM accounts WHERE deleted_at IS NULL ORDER BY email");
        let rows = rows.fetch_all(&self.pool).await?;
        rows.iter().map(account).collect()
    }

    /// Gives an account another plan; it holds for the very next request of its keys.
    ///
    /// # Errors
    /// [`StoreError::NoAccount`], [`StoreError::Away`].
    pub async fn set_plan(&self, email: &Email, plan: Plan) -> Result<(), StoreError> {
        let set = sqlx::query("UPDATE accounts SET plan = $1 WHERE email = $2");
        let set = set.bind(plan.name()).bind(email.as_str()).execute(&self.pool).await?;
        if set.rows_affected() == 0 { Err(StoreError::NoAccount(email.clone())) } else { Ok(()) }
    }

    /// Deletes an account: its keys are revoked, and nothing that tells of the person stays. What its keys used is still
    /// counted, under a number that leads to nobody; the address may sign up again.
    ///
    /// # Errors
    /// [`StoreError::NoAccount`], [`StoreError::Away`].
    pub async fn delete_account(&self, email: &Email, now: Timestamp) -> Result<(), StoreError> {
        let mut changes = self.begin().await?;
        // No address looks like the text that takes its place.
        let deleted = sqlx::query_scalar(
            "UPDATE accounts SET email = 'deleted ' || id, password_hash = NULL, verified_at = NULL, \
             deleted_at = $2 WHERE email = $1 RETURNING id",
        );
        let deleted = deleted.bind(email.as_str()).bind(now.as_microsecond());
        let deleted = deleted.fetch_optional(&mut *changes).await?;
        let account = AccountId(deleted.ok_or_else(|| StoreError::NoAccount(email.clone()))?);
        let revoked =
            "UPDATE keys SET name = '', revoked_at = COALESCE(revoked_at, $2) WHERE account_id = $1";
        let revoked = sqlx::query(revoked).bind(account.0).bind(now.as_microsecond());
        revoked.execute(&mut *changes).await?;
        let answers = "DELETE FROM answers WHERE key_id IN (SELECT id FROM keys WHERE account_id = $1)";
        sqlx::query(answers).bind(account.0).execute(&mut *changes).await?;
        let runs = sqlx::query("DELETE FROM latest_runs WHERE account_id = $1");
        runs.bind(account.0).execute(&mut *changes).await?;
        sessions::end_all(&mut changes, account).await?;
        links::end_all(&mut changes, email.as_str()).await?;
        mails::drop_all(&mut changes, email.as_str()).await?;
        changes.commit().await?;
        Ok(())
    }
}

fn account(row: &AnyRow) -> Result<Account, StoreError> {
    let email: String = row.try_get("email")?;
    Ok(Account {
        id: AccountId(row.try_get("id")?),
        email: email.parse().map_err(|_| StoreError::Foreign(format!("the address {email:?}")))?,
        plan: plan(row.try_get("plan")?)?,
        verified: row.try_get::<Option<i64>, _>("verified_at")?.map(time),
        created: time(row.try_get("created_at")?),
    })
}

pub(super) fn plan(name: &str) -> Result<Plan, StoreError> {
    name.parse().map_err(|_| StoreError::Foreign(format!("the plan {name:?}")))
}
