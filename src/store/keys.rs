//! Keys: made, listed, revoked. Only the hash of a key is here, and its ends for people to tell it by.

use jiff::Timestamp;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use wayfile_actors::ledger::{KeyHash, KeyId};
use wayfile_core::calendar::{Day, Month};
use wayfile_core::llms_txt::inline::is_invisible;

use super::{AccountId, Store, StoreError, StoreResult, number, time};
use crate::auth::ApiKey;

const NAME_MAX: usize = 100;
/// Letters and signs that are drawn as nothing: the fillers of Hangul and the empty cell of Braille.
const BLANK: [char; 5] = ['\u{115f}', '\u{1160}', '\u{2800}', '\u{3164}', '\u{ffa0}'];

/// One key as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub id: KeyId,
    pub name: String,
    pub prefix: String,
    pub last4: String,
    pub created: Timestamp,
    /// When it was last used, to the minute.
    pub last_used: Option<Timestamp>,
    pub revoked: Option<Timestamp>,
}

impl Store {
    /// Makes a key. It starts with what the account's revoked keys have used of this month, so that a new
    /// key is no way around a quota. `at_most`: working keys that the account may have.
    /// Errors: [`StoreError::NotVerified`], [`StoreError::TooManyKeys`], [`StoreError::NameTaken`], [`StoreError::BadName`].
    pub async fn create_key(
        &self,
        account: AccountId,
        name: &str,
        at_most: usize,
        now: Timestamp,
    ) -> StoreResult<ApiKey> {
        let name = name.trim();
        let is_seen = name.chars().any(|c| !BLANK.contains(&c)) && !name.contains(is_invisible);
        if name.chars().count() > NAME_MAX || !is_seen {
            return Err(StoreError::BadName { max: NAME_MAX });
        }
        let key = ApiKey::generate()?;
        let mut changes = self.begin().await?;
        // Keys of one account are made one after the other, or two could both be the last that is allowed.
        let lock = "UPDATE accounts SET plan = plan WHERE id = $1 AND verified_at IS NOT NULL";
        let lock = sqlx::query(lock).bind(account.0).execute(&mut *changes).await?;
        if lock.rows_affected() == 0 {
            return Err(StoreError::NotVerified);
        }
        let working = "SELECT count(*) FROM keys WHERE account_id = $1 AND revoked_at IS NULL";
        let working: i64 = sqlx::query_scalar(working).bind(account.0).fetch_one(&mut *changes).await?;
        if working >= number(at_most) {
            return Err(StoreError::TooManyKeys { max: at_most });
        }
        // What a revoked key still holds is carried by those made after it went, whatever the clocks say.
        let went = "SELECT COALESCE(MAX(revoked_at), 0) FROM keys WHERE account_id = $1";
        let went: i64 = sqlx::query_scalar(went).bind(account.0).fetch_one(&mut *changes).await?;
        let made = sqlx::query_scalar(
            "INSERT INTO keys (account_id, hash, prefix, last4, name, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
        );
        let made = made.bind(account.0).bind(key.hash().0.to_vec()).bind(key.prefix()).bind(key.last4());
        let made = made.bind(name).bind(now.as_microsecond().max(went)).fetch_one(&mut *changes).await;
        let id = made.map_err(|e| StoreError::unless_taken(e, || StoreError::NameTaken(name.to_owned())))?;
        carry_over(&mut changes, account, KeyId(id), Month::of(now)).await?;
        changes.commit().await?;
        Ok(key)
    }

    /// The working keys of an account, the newest first; as many as its plan has, or had.
    pub async fn working_keys(&self, account: AccountId) -> StoreResult<Vec<Key>> {
        let rows = sqlx::query(
            "SELECT * FROM keys WHERE account_id = $1 AND revoked_at IS NULL ORDER BY created_at DESC, id DESC",
        );
        let rows = rows.bind(account.0).fetch_all(&self.pool).await?;
        rows.iter().map(key).collect()
    }

    /// The keys of an account that were revoked last, `at_most` so many, the last one first; only those that were used on a
    /// day from `used_since` on, if one is named.
    pub async fn revoked_keys(
        &self,
        account: AccountId,
        used_since: Option<Day>,
        at_most: usize,
    ) -> StoreResult<Vec<Key>> {
        let rows = sqlx::query(
            "SELECT * FROM keys k WHERE account_id = $1 AND revoked_at IS NOT NULL AND (CAST($2 AS BIGINT) IS NULL \
             OR EXISTS (SELECT 1 FROM day_usage u WHERE u.key_id = k.id AND u.day >= $2)) \
             ORDER BY revoked_at DESC, id DESC LIMIT $3",
        );
        let rows = rows.bind(account.0).bind(used_since.map(Day::number)).bind(number(at_most));
        rows.fetch_all(&self.pool).await?.iter().map(key).collect()
    }

    /// The working key of an account that its owner calls so.
    /// Errors: [`StoreError::NoKey`].
    pub async fn key_named(&self, account: AccountId, name: &str) -> StoreResult<Key> {
        let key = self.working_keys(account).await?.into_iter().find(|key| key.name == name.trim());
        key.ok_or_else(|| StoreError::NoKey(format!("named {name:?}")))
    }

    /// Revokes a working key of the account; the very next request with it is refused.
    /// Errors: [`StoreError::NoKey`].
    pub async fn revoke_key(&self, account: AccountId, key: KeyId, now: Timestamp) -> StoreResult {
        // After the account's keys of today were made, too: see `create_key`.
        let revoked = "UPDATE keys SET revoked_at = (SELECT CASE WHEN MAX(created_at) < $3 THEN $3 \
            ELSE MAX(created_at) + 1 END FROM keys WHERE account_id = $1) \
            WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL";
        let revoked = sqlx::query(revoked).bind(account.0).bind(key.0).bind(now.as_microsecond());
        let revoked = revoked.execute(&self.pool).await?;
        if revoked.rows_affected() == 0 { Err(no_key(key)) } else { Ok(()) }
    }

    /// What a working key of the account is found by, for its owner who uses it without having it at hand.
    /// Errors: [`StoreError::NoKey`].
    pub async fn key_hash(&self, account: AccountId, key: KeyId) -> StoreResult<KeyHash> {
        let hash = "SELECT hash FROM keys WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL";
        let hash = sqlx::query_scalar::<_, Vec<u8>>(hash).bind(account.0).bind(key.0);
        let hash = hash.fetch_optional(&self.pool).await?;
        let hash = hash.ok_or_else(|| no_key(key))?;
        let whole =
            hash.try_into().map_err(|_| StoreError::Foreign("a hash of another length".to_owned()))?;
        Ok(KeyHash(whole))
    }

    pub(super) async fn touch_key(&self, key: KeyId, at: Timestamp) -> sqlx::Result<()> {
        let used = sqlx::query("UPDATE keys SET last_used_at = $2 WHERE id = $1");
        used.bind(key.0).bind(at.as_microsecond()).execute(&self.pool).await.map(drop)
    }
}

/// Runs of revoked keys that are still under way count, too; a refund takes them out again.
async fn carry_over(
    changes: &mut AnyConnection,
    account: AccountId,
    key: KeyId,
    month: Month,
) -> sqlx::Result<()> {
    // Waits for reservations of those keys that are being committed right now.
    let settle = sqlx::query(
        "UPDATE month_usage SET reserved = reserved WHERE month = $2 AND key_id IN \
         (SELECT id FROM keys WHERE account_id = $1 AND revoked_at IS NOT NULL)",
    );
    settle.bind(account.0).bind(month.number()).execute(&mut *changes).await?;
    let carried = sqlx::query(
        "INSERT INTO month_usage (key_id, month, endpoint, carried, settled, reserved) \
         SELECT $3, u.month, u.endpoint, CAST(SUM(u.settled + u.reserved) AS BIGINT), 0, 0 \
         FROM month_usage u JOIN keys k ON k.id = u.key_id \
         WHERE k.account_id = $1 AND k.revoked_at IS NOT NULL AND u.month = $2 \
         GROUP BY u.month, u.endpoint",
    );
    carried.bind(account.0).bind(month.number()).bind(key.0).execute(&mut *changes).await.map(drop)
}

fn no_key(id: KeyId) -> StoreError {
    StoreError::NoKey(format!("number {id}"))
}

fn key(row: &AnyRow) -> StoreResult<Key> {
    Ok(Key {
        id: KeyId(row.try_get("id")?),
        name: row.try_get("name")?,
        prefix: row.try_get("prefix")?,
        last4: row.try_get("last4")?,
        created: time(row.try_get("created_at")?),
        last_used: row.try_get::<Option<i64>, _>("last_used_at")?.map(time),
        revoked: row.try_get::<Option<i64>, _>("revoked_at")?.map(time),
    })
}
