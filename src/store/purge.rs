//! What is old is thrown away, so that the store does not grow for ever.

use std::time::Duration;

use jiff::Timestamp;
use wayfile_core::calendar::{Day, Month};

use super::nodes::UNTOUCHED;
use super::settings::DatabaseKind;
use super::{Store, StoreResult};

/// A revoked key hangs on its usage: what its account used this month counts for new keys, too, and people look at it. And
/// on the runs that are remembered: its number may be given to another key.
const UNUSED_KEYS: &str = "DELETE FROM keys WHERE id IN (SELECT k.id FROM keys k WHERE k.revoked_at < $1 \
    AND NOT EXISTS (SELECT 1 FROM month_usage u WHERE u.key_id = k.id) \
    AND NOT EXISTS (SELECT 1 FROM day_usage u WHERE u.key_id = k.id) \
    AND NOT EXISTS (SELECT 1 FROM answers a WHERE a.key_id = k.id) \
    AND NOT EXISTS (SELECT 1 FROM latest_runs r WHERE r.key_id = k.id) \
    AND k.id NOT IN (SELECT key_id FROM reservations) LIMIT 100)";
/// Rows of one change, so that the lock is held briefly.
const KEYS_AT_ONCE: u64 = 100;

impl Store {
    /// Throws away what is older than its settings say. Reservations that are held, names whose first request
    /// still runs and the current month stay in any case.
    /// Errors: [`StoreError::Away`](super::StoreError::Away); what was thrown away by then is gone.
    pub async fn purge(&self, now: Timestamp) -> StoreResult {
        let keep = &self.keep;
        let before = |age: Duration| now.checked_sub(age).unwrap_or(Timestamp::UNIX_EPOCH);
        let oldest_usage = before(keep.usage).min(Month::of(now).start());
        let (day, month) = (Day::of(oldest_usage).number(), Month::of(oldest_usage).number());
        let (now_at, micros) = (now.as_microsecond(), |age| before(age).as_microsecond());
        let answers = "DELETE FROM answers WHERE status IS NOT NULL AND created_at < $1";
        let reservations = "DELETE FROM reservations WHERE state <> 'held' AND created_at < $1";
        self.delete(answers, micros(keep.answers)).await?;
        self.delete(reservations, micros(keep.reservations)).await?;
        self.delete("DELETE FROM day_usage WHERE day < $1", day).await?;
        self.delete("DELETE FROM month_usage WHERE month < $1", month).await?;
        self.delete("DELETE FROM sessions WHERE expires_at < $1", now_at).await?;
        self.delete("DELETE FROM links WHERE expires_at < $1", now_at).await?;
        while self.delete(UNUSED_KEYS, micros(keep.revoked_keys)).await? == KEYS_AT_ONCE {}
        if self.kind == DatabaseKind::Postgres {
            let untouched = (self.shared_clock().await? - UNTOUCHED).as_microsecond();
            self.delete("DELETE FROM shared WHERE touched_at < $1 AND name <> ''", untouched).await?;
            self.delete("DELETE FROM rates WHERE unused_at < $1", untouched).await?;
            let places = "DELETE FROM crawl_places WHERE place > $1 AND run_id NOT IN (SELECT id FROM runs)";
            self.delete(places, 0).await?;
        }
        Ok(())
    }

    /// How many rows went.
    async fn delete(&self, old: &'static str, before: i64) -> StoreResult<u64> {
        Ok(sqlx::query(old).bind(before).execute(&self.pool).await?.rows_affected())
    }
}
