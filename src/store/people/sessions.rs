//! Sessions of people in browsers. Of what the cookie holds only the hash is here.

use std::time::Duration;

use jiff::Timestamp;
use sqlx::AnyConnection;
use wayfile_core::plan::Plan;

use super::{AccountId, Credentials, accounts};
use crate::auth::{Email, SecretHash};
use crate::store::{Store, StoreResult, time};

/// Sessions of one account; the one that was not used for longest ends for a new one.
const SESSIONS_OF_ONE: i64 = 50;

/// How long a session lasts.
#[derive(Debug, Clone, Copy)]
pub struct Lifetime {
    /// The longest time between two requests.
    pub idle: Duration,
    /// The longest time from its beginning.
    pub longest: Duration,
}

impl Lifetime {
    /// When a session that began at `begun` and is used at `now` ends, if it is not used again.
    fn end(&self, begun: Timestamp, now: Timestamp) -> Timestamp {
        (now + self.idle).min(begun + self.longest)
    }
}

/// Who is signed in.
#[derive(Debug, Clone)]
pub struct Session {
    pub id: SecretHash,
    pub account: AccountId,
    pub email: Email,
    pub plan: Plan,
    pub created: Timestamp,
    /// When it was last used, to the minute.
    pub seen: Timestamp,
}

impl Store {
    /// Begins a session after the password was verified against `shown`. `false`: the account
    /// has another password by now, or is gone.
    pub async fn begin_session(
        &self,
        shown: &Credentials,
        session: SecretHash,
        lasts: Lifetime,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let mut changes = self.begin().await?;
        // A password that is being changed at this moment ends all sessions, this one too if it comes first.
        let lock =
            "UPDATE accounts SET plan = plan WHERE id = $1 AND password_hash = $2 AND deleted_at IS NULL";
        let lock = sqlx::query(lock)
            .bind(shown.account.0)
            .bind(shown.password_hash.expose())
            .execute(&mut *changes)
            .await?;
        if lock.rows_affected() == 0 {
            return Ok(false);
        }
        insert(&mut changes, shown.account, session, lasts, now).await?;
        changes.commit().await?;
        Ok(true)
    }

    /// The session with this hash, unless it has ended.
    pub async fn session(&self, id: SecretHash, now: Timestamp) -> StoreResult<Option<Session>> {
        let found = sqlx::query_as::<_, (i64, String, String, i64, i64)>(
            "SELECT s.account_id, a.email, a.plan, s.created_at, s.seen_at \
             FROM sessions s JOIN accounts a ON a.id = s.account_id \
             WHERE s.hash = $1 AND s.expires_at > $2 AND a.deleted_at IS NULL",
        );
        let found = found.bind(id.0.to_vec()).bind(now.as_microsecond());
        let Some((account, email, plan, created, seen)) = found.fetch_optional(&self.pool).await? else {
            return Ok(None);
        };
        let (account, email, plan) = (AccountId(account), accounts::email(&email)?, accounts::plan(&plan)?);
        Ok(Some(Session { id, account, email, plan, created: time(created), seen: time(seen) }))
    }

    /// A session is used: its idle time begins anew.
    pub async fn touch_session(
        &self,
        session: SecretHash,
        begun: Timestamp,
        lasts: Lifetime,
        now: Timestamp,
    ) -> StoreResult {
        let used = sqlx::query("UPDATE sessions SET seen_at = $2, expires_at = $3 WHERE hash = $1");
        let used = used.bind(session.0.to_vec()).bind(now.as_microsecond());
        used.bind(lasts.end(begun, now).as_microsecond()).execute(&self.pool).await?;
        Ok(())
    }

    /// Ends a session.
    pub async fn end_session(&self, session: SecretHash) -> StoreResult {
        let ended = sqlx::query("DELETE FROM sessions WHERE hash = $1").bind(session.0.to_vec());
        ended.execute(&self.pool).await?;
        Ok(())
    }
}

pub(crate) async fn insert(
    changes: &mut AnyConnection,
    account: AccountId,
    session: SecretHash,
    lasts: Lifetime,
    now: Timestamp,
) -> sqlx::Result<()> {
    let begun = sqlx::query(
        "INSERT INTO sessions (hash, account_id, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $3, $4)",
    );
    let begun = begun.bind(session.0.to_vec()).bind(account.0).bind(now.as_microsecond());
    begun.bind(lasts.end(now, now).as_microsecond()).execute(&mut *changes).await?;
    let too_many = sqlx::query(
        "DELETE FROM sessions WHERE account_id = $1 AND hash NOT IN (SELECT hash FROM sessions \
         WHERE account_id = $1 ORDER BY seen_at DESC, created_at DESC LIMIT $2)",
    );
    too_many.bind(account.0).bind(SESSIONS_OF_ONE).execute(changes).await.map(drop)
}

pub(crate) async fn end_all(changes: &mut AnyConnection, account: AccountId) -> sqlx::Result<()> {
    let ended = sqlx::query("DELETE FROM sessions WHERE account_id = $1").bind(account.0);
    ended.execute(changes).await.map(drop)
}
