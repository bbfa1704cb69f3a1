//! What was used, for people to look at.

use sqlx::Row;
use wayfile_actors::ledger::KeyId;
use wayfile_core::calendar::Day;
use wayfile_core::plan::Endpoint;

use super::{AccountId, Store, StoreError, count};

/// What one key used of one endpoint on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayUsage {
    /// Which key.
    pub key: KeyId,
    /// Which day, in UTC.
    pub day: Day,
    /// Of what.
    pub endpoint: Endpoint,
    /// Runs that were answered.
    pub count: u64,
}

impl Store {
    /// What the keys of an account used on each day from `first` on, the oldest first; days without use are
    /// left out.
    ///
    /// # Errors
    /// [`StoreError::Away`].
    pub async fn usage_by_day(&self, account: AccountId, first: Day) -> Result<Vec<DayUsage>, StoreError> {
        let rows = sqlx::query(
            "SELECT u.key_id, u.day, u.endpoint, u.settled FROM day_usage u JOIN keys k ON k.id = u.key_id \
             WHERE k.account_id = $1 AND u.day >= $2 ORDER BY u.day, u.key_id, u.endpoint",
        );
        let rows = rows.bind(account.0).bind(first.number()).fetch_all(&self.pool).await?;
        rows.iter()
            .map(|row| {
                let foreign = |what: String| StoreError::Foreign(what);
                let day = Day::from_number(row.try_get("day")?).map_err(|e| foreign(e.to_string()))?;
                let name: &str = row.try_get("endpoint")?;
                let endpoint = Endpoint::ALL.into_iter().find(|endpoint| endpoint.name() == name);
                let endpoint = endpoint.ok_or_else(|| foreign(format!("the endpoint {name:?}")))?;
                let used = count(row.try_get("settled")?);
                Ok(DayUsage { key: KeyId(row.try_get("key_id")?), day, endpoint, count: used })
            })
            .collect()
    }
}
