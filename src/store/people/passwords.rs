//! What ends all sessions of an account: another password (a hash that others make and compare), and its deletion, with which
//! the person goes and the row stays, since usage hangs on its keys.

use jiff::Timestamp;

use super::mails::{self, MailKind};
use super::sessions::{self, Lifetime};
use super::{AccountId, Credentials, links};
use crate::auth::{Email, PasswordHash, SecretHash};
use crate::store::{Store, StoreError, StoreResult};

impl Store {
    /// The password hash of this address; none for an address without log-in: unknown,
    /// not verified, or without a password.
    pub async fn credentials(&self, email: &Email) -> StoreResult<Option<Credentials>> {
        let found = sqlx::query_as::<_, (i64, String)>(
            "SELECT id, password_hash FROM accounts \
             WHERE email = $1 AND verified_at IS NOT NULL AND password_hash IS NOT NULL",
        );
        let found = found.bind(email.as_str()).fetch_optional(&self.pool).await?;
        Ok(found.map(|(id, hash)| Credentials { account: AccountId(id), password_hash: hash.into() }))
    }

    /// Gives an account a password and ends all its sessions. For a caller that vouches for the person; the person shows
    /// the old password ([`Store::change_password`]) or a link ([`Store::reset_password`]).
    /// Errors: [`StoreError::NoAccount`].
    pub async fn set_password(&self, email: &Email, password_hash: &PasswordHash) -> StoreResult {
        let mut changes = self.begin().await?;
        let set = sqlx::query_scalar("UPDATE accounts SET password_hash = $2 WHERE email = $1 RETURNING id");
        let set = set.bind(email.as_str()).bind(password_hash.expose()).fetch_optional(&mut *changes).await?;
        let account = AccountId(set.ok_or_else(|| StoreError::NoAccount(email.clone()))?);
        sessions::end_all(&mut changes, account).await?;
        Ok(changes.commit().await?)
    }

    /// Changes a password after the old one was verified against `old`. All sessions end and `session`
    /// begins; open links to reset the password end, too. `false`: the password is another one by now.
    pub async fn change_password(
        &self,
        old: &Credentials,
        new: &PasswordHash,
        session: SecretHash,
        lasts: Lifetime,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let mut changes = self.begin().await?;
        let set = sqlx::query_scalar::<_, String>(
            "UPDATE accounts SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING email",
        );
        let set = set.bind(old.account.0).bind(old.password_hash.expose()).bind(new.expose());
        let Some(email) = set.fetch_optional(&mut *changes).await? else { return Ok(false) };
        sessions::end_all(&mut changes, old.account).await?;
        sessions::insert(&mut changes, old.account, session, lasts, now).await?;
        links::end_all(&mut changes, &email).await?;
        mails::insert(&mut changes, MailKind::PasswordChanged, &email, None, now).await?;
        changes.commit().await?;
        Ok(true)
    }

    /// Uses a link to reset a password: it is spent, with all others of the account, and all sessions end. `false`: the
    /// link is none of ours, was used, or is too old.
    pub async fn reset_password(
        &self,
        link: SecretHash,
        password_hash: &PasswordHash,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let mut changes = self.begin().await?;
        let spent = sqlx::query_scalar::<_, String>(
            "DELETE FROM links WHERE hash = $1 AND kind = 'reset' AND expires_at > $2 RETURNING email",
        );
        let spent = spent.bind(link.0.to_vec()).bind(now.as_microsecond());
        let Some(email) = spent.fetch_optional(&mut *changes).await? else { return Ok(false) };
        let set = sqlx::query_scalar(
            "UPDATE accounts SET password_hash = $2 WHERE email = $1 AND verified_at IS NOT NULL RETURNING id",
        );
        let set = set.bind(email.as_str()).bind(password_hash.expose()).fetch_optional(&mut *changes).await?;
        let Some(account) = set else { return Ok(false) };
        sessions::end_all(&mut changes, AccountId(account)).await?;
        links::end_all(&mut changes, &email).await?;
        mails::insert(&mut changes, MailKind::PasswordChanged, &email, None, now).await?;
        changes.commit().await?;
        Ok(true)
    }

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
        changes.commit().await?;
        self.empty_log().await;
        Ok(())
    }
}
