//! Mails that wait to be sent. A request for one learns nothing of what is sent: that is decided when its turn comes.

use jiff::Timestamp;
use sqlx::AnyConnection;

use crate::auth::{Email, PasswordHash};
use crate::store::{Store, StoreError, StoreResult};

/// The queue holds no more: this is a flood, or the mail server is away for long.
const MOST_WAITING: i64 = 10_000;

/// The kinds of mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    /// The address was given at sign-up: a link, or that there is an account already.
    SignUp,
    /// The password is said to be forgotten: a link, or nothing where there is no account.
    Reset,
    /// The password was changed.
    PasswordChanged,
}

const KINDS: [MailKind; 3] = [MailKind::SignUp, MailKind::Reset, MailKind::PasswordChanged];

impl MailKind {
    /// What it is called in the store and in the log.
    pub fn name(self) -> &'static str {
        match self {
            Self::SignUp => "sign_up",
            Self::Reset => "reset",
            Self::PasswordChanged => "password_changed",
        }
    }
}

/// A mail whose turn it is.
#[derive(Debug, Clone)]
pub struct WaitingMail {
    pub id: i64,
    pub kind: MailKind,
    pub email: Email,
    /// Of a sign-up: what was chosen with it.
    pub password_hash: Option<PasswordHash>,
    /// How often it was tried, this time included.
    pub tries: u32,
}

impl Store {
    /// Has a mail sent. It takes as long for an address that is known as for one that is not.
    /// Errors: [`StoreError::TooMuchMail`].
    pub async fn queue_mail(
        &self,
        kind: MailKind,
        email: &Email,
        password_hash: Option<&PasswordHash>,
        now: Timestamp,
    ) -> StoreResult {
        let mut changes = self.begin().await?;
        let waiting: i64 = sqlx::query_scalar("SELECT count(*) FROM mails").fetch_one(&mut *changes).await?;
        if waiting >= MOST_WAITING {
            return Err(StoreError::TooMuchMail);
        }
        insert(&mut changes, kind, email.as_str(), password_hash, now).await?;
        Ok(changes.commit().await?)
    }

    /// The mail whose turn it is, if any; what stands before it and cannot be read is dropped. No other worker gets it until
    /// `lease`; after that it is assumed that its sender is gone.
    pub async fn next_mail(&self, now: Timestamp, lease: Timestamp) -> StoreResult<Option<WaitingMail>> {
        let lease = || {
            let taken = sqlx::query_as::<_, (i64, String, String, Option<String>, i64)>(
                "UPDATE mails SET tries = tries + 1, due_at = $2 WHERE due_at <= $1 AND id = \
                 (SELECT id FROM mails WHERE due_at <= $1 ORDER BY due_at, id LIMIT 1) \
                 RETURNING id, kind, email, password_hash, tries",
            );
            taken.bind(now.as_microsecond()).bind(lease.as_microsecond()).fetch_optional(&self.pool)
        };
        while let Some((id, kind, email, hash, tries)) = lease().await? {
            let known = KINDS.into_iter().find(|known| known.name() == kind);
            if let (Some(kind), Ok(email)) = (known, email.parse()) {
                let tries = u32::try_from(tries).unwrap_or(u32::MAX);
                return Ok(Some(WaitingMail { id, kind, email, password_hash: hash.map(Into::into), tries }));
            }
            // A mail that cannot be read must not block those behind it.
            tracing::error!(mail.id = id, kind, "a mail that cannot be read is given up");
            self.drop_mail(id).await?;
        }
        Ok(None)
    }

    /// Has a mail tried again at `due`.
    pub async fn postpone_mail(&self, id: i64, due: Timestamp) -> StoreResult {
        let postponed = sqlx::query("UPDATE mails SET due_at = $2 WHERE id = $1");
        postponed.bind(id).bind(due.as_microsecond()).execute(&self.pool).await?;
        Ok(())
    }

    /// A mail was sent, or never will be.
    pub async fn drop_mail(&self, id: i64) -> StoreResult {
        sqlx::query("DELETE FROM mails WHERE id = $1").bind(id).execute(&self.pool).await?;
        Ok(())
    }
}

pub(crate) async fn insert(
    changes: &mut AnyConnection,
    kind: MailKind,
    email: &str,
    password_hash: Option<&PasswordHash>,
    now: Timestamp,
) -> sqlx::Result<()> {
    let waits = sqlx::query(
        "INSERT INTO mails (kind, email, password_hash, tries, due_at, created_at) VALUES ($1, $2, $3, 0, $4, $4)",
    );
    let waits = waits
        .bind(kind.name())
        .bind(email)
        .bind(password_hash.map(PasswordHash::expose))
        .bind(now.as_microsecond());
    waits.execute(changes).await.map(drop)
}

pub(crate) async fn drop_all(changes: &mut AnyConnection, email: &str) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM mails WHERE email = $1").bind(email).execute(changes).await.map(drop)
}
