//! The links in mails: to verify an address, to reset a password. Each works once, and only for a while.

use jiff::Timestamp;
use sqlx::AnyConnection;
use wayfile_core::plan::Plan;

use super::accounts;
use crate::auth::{Email, PasswordHash, SecretHash};
use crate::store::{Store, StoreResult};

/// What a link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// The address is its owner's, who signed up.
    Verify,
    /// Its reader may choose another password.
    Reset,
}

impl LinkKind {
    fn name(self) -> &'static str {
        match self {
            Self::Verify => "verify",
            Self::Reset => "reset",
        }
    }
}

/// A link that can be used.
#[derive(Debug, Clone)]
pub struct MailLink {
    pub email: Email,
    /// Of a sign-up: what was chosen with it.
    pub password_hash: Option<PasswordHash>,
}

/// What became of a sign-up whose link was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignedUp {
    /// There is an account now, with the password that was chosen with this link's sign-up.
    Now,
    /// There was one already; it stays as it is.
    Before,
}

impl Store {
    /// Makes a link. `password_hash`: of a sign-up, what was chosen with it.
    pub async fn make_link(
        &self,
        kind: LinkKind,
        email: &Email,
        password_hash: Option<&PasswordHash>,
        link: SecretHash,
        expires: Timestamp,
    ) -> StoreResult {
        let made = sqlx::query(
            "INSERT INTO links (hash, kind, email, password_hash, expires_at) VALUES ($1, $2, $3, $4, $5)",
        );
        let made = made.bind(link.0.to_vec()).bind(kind.name()).bind(email.as_str());
        made.bind(password_hash.map(PasswordHash::expose))
            .bind(expires.as_microsecond())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// The password of the newest sign-up for this address that waits for its confirmation.
    pub async fn waiting_sign_up(&self, email: &Email, now: Timestamp) -> StoreResult<Option<PasswordHash>> {
        let found = sqlx::query_scalar::<_, String>(
            "SELECT password_hash FROM links WHERE email = $1 AND kind = 'verify' AND expires_at > $2 \
             AND password_hash IS NOT NULL ORDER BY expires_at DESC LIMIT 1",
        );
        let found = found.bind(email.as_str()).bind(now.as_microsecond()).fetch_optional(&self.pool).await?;
        Ok(found.map(PasswordHash::from))
    }

    /// What a link is about, as long as it can be used. Looking does not spend it.
    pub async fn link(
        &self,
        kind: LinkKind,
        link: SecretHash,
        now: Timestamp,
    ) -> StoreResult<Option<MailLink>> {
        let found = sqlx::query_as::<_, (String, Option<String>)>(
            "SELECT email, password_hash FROM links WHERE hash = $1 AND kind = $2 AND expires_at > $3",
        );
        let found = found.bind(link.0.to_vec()).bind(kind.name()).bind(now.as_microsecond());
        let Some((email, hash)) = found.fetch_optional(&self.pool).await? else { return Ok(None) };
        Ok(Some(MailLink { email: accounts::email(&email)?, password_hash: hash.map(PasswordHash::from) }))
    }

    /// Uses a link to verify an address: the account is made, and other sign-ups for this address come to nothing.
    /// None: the link is none of ours, was used, or is too old.
    pub async fn sign_up(
        &self,
        link: SecretHash,
        plan: Plan,
        now: Timestamp,
    ) -> StoreResult<Option<SignedUp>> {
        let mut changes = self.begin().await?;
        let spent = sqlx::query_as::<_, (String, Option<String>)>(
            "DELETE FROM links WHERE hash = $1 AND kind = 'verify' AND expires_at > $2 \
             RETURNING email, password_hash",
        );
        let spent = spent.bind(link.0.to_vec()).bind(now.as_microsecond());
        let Some((email, hash)) = spent.fetch_optional(&mut *changes).await? else { return Ok(None) };
        let made = sqlx::query(
            "INSERT INTO accounts (email, plan, verified_at, created_at, password_hash) \
             VALUES ($1, $2, $3, $3, $4) ON CONFLICT (email) DO UPDATE \
             SET verified_at = excluded.verified_at, password_hash = excluded.password_hash \
             WHERE accounts.verified_at IS NULL",
        );
        let made = made.bind(email.as_str()).bind(plan.name()).bind(now.as_microsecond()).bind(hash);
        let made = made.execute(&mut *changes).await?;
        end_all(&mut changes, &email).await?;
        changes.commit().await?;
        Ok(Some(if made.rows_affected() == 0 { SignedUp::Before } else { SignedUp::Now }))
    }
}

pub(crate) async fn end_all(changes: &mut AnyConnection, email: &str) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM links WHERE email = $1").bind(email).execute(changes).await.map(drop)
}
