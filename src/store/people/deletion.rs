//! The end of an account: its person goes, its row stays, since usage hangs on its keys.

use jiff::Timestamp;

use super::{AccountId, links, mails, sessions};
use crate::auth::Email;
use crate::store::{Store, StoreError, StoreResult};

impl Store {
    /// Deletes an account: its keys are revoked, and nothing that tells of the person stays. What its keys used is still
    /// counted, under a number without a person; the address may sign up again.
    /// Errors: [`StoreError::NoAccount`].
    pub async fn delete_account(&self, email: &Email, now: Timestamp) -> StoreResult {
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
        Ok(changes.commit().await?)
    }
}
