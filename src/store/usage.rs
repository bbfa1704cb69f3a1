//! What was used, for people to look at.

use sqlx::Row;
use wayfile_actors::ledger::KeyId;
use wayfile_core::calendar::{Day, Month};
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

/// What one key used of one endpoint in a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthUsage {
    /// Which key.
    pub key: KeyId,
    /// Of what.
    pub endpoint: Endpoint,
    /// Runs of the key itself, those under way included.
    pub own: u64,
    /// What the quota counts: those, and what the account's revoked keys had used when the key was made.
    pub counted: u64,
}

impl Store {
    /// What the keys of an account used in a month, revoked ones included; keys without use are left out.
    pub async fn usage_of_month(
        &self,
        account: AccountId,
        month: Month,
    ) -> Result<Vec<MonthUsage>, StoreError> {
        let rows = sqlx::query(
            "SELECT u.key_id, u.endpoint, u.settled + u.reserved AS own, \
             u.carried + u.settled + u.reserved AS counted FROM month_usage u JOIN keys k ON k.id = u.key_id \
             WHERE k.account_id = $1 AND u.month = $2 ORDER BY u.key_id, u.endpoint",
        );
        let rows = rows.bind(account.0).bind(month.number()).fetch_all(&self.pool).await?;
        rows.iter()
            .map(|row| {
                let (own, counted) = (count(row.try_get("own")?), count(row.try_get("counted")?));
                let endpoint = endpoint(row.try_get("endpoint")?)?;
                Ok(MonthUsage { key: KeyId(row.try_get("key_id")?), endpoint, own, counted })
            })
            .collect()
    }

    /// What the keys of an account used on each day from `first` on, the oldest first; days without use are
    /// left out.
    pub async fn usage_by_day(&self, account: AccountId, first: Day) -> Result<Vec<DayUsage>, StoreError> {
        let rows = sqlx::query(
            "SELECT u.key_id, u.day, u.endpoint, u.settled FROM day_usage u JOIN keys k ON k.id = u.key_id \
             WHERE k.account_id = $1 AND u.day >= $2 ORDER BY u.day, u.key_id, u.endpoint",
        );
        let rows = rows.bind(account.0).bind(first.number()).fetch_all(&self.pool).await?;
        rows.iter()
            .map(|row| {
                let day = Day::from_number(row.try_get("day")?);
                let day = day.map_err(|error| StoreError::Foreign(error.to_string()))?;
                let endpoint = endpoint(row.try_get("endpoint")?)?;
                let used = count(row.try_get("settled")?);
                Ok(DayUsage { key: KeyId(row.try_get("key_id")?), day, endpoint, count: used })
            })
            .collect()
    }
}

/// The endpoint of a row.
pub(super) fn endpoint(name: &str) -> Result<Endpoint, StoreError> {
    let known = Endpoint::ALL.into_iter().find(|endpoint| endpoint.name() == name);
    known.ok_or_else(|| StoreError::Foreign(format!("the endpoint {name:?}")))
}
