//! What was used, for people to look at.

use wayfile_actors::ledger::KeyId;
use wayfile_core::calendar::{Day, Month};
use wayfile_core::plan::Endpoint;

use super::{AccountId, Store, StoreError, StoreResult, count};

/// What one key used of one endpoint on one day: runs that were answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayUsage {
    pub key: KeyId,
    pub day: Day,
    pub endpoint: Endpoint,
    pub count: u64,
}

/// What one key used of one endpoint in a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthUsage {
    pub key: KeyId,
    pub endpoint: Endpoint,
    /// What the quota counts: runs of the key itself, those under way included, and what the account's revoked keys had used when the key was made.
    pub counted: u64,
}

impl Store {
    /// What the keys of an account used in a month, revoked ones included; keys without use are left out.
    pub async fn usage_of_month(&self, account: AccountId, month: Month) -> StoreResult<Vec<MonthUsage>> {
        let rows = sqlx::query_as::<_, (i64, String, i64)>(
            "SELECT u.key_id, u.endpoint, u.carried + u.settled + u.reserved FROM month_usage u JOIN keys k ON k.id = u.key_id \
             WHERE k.account_id = $1 AND u.month = $2 ORDER BY u.key_id, u.endpoint",
        );
        let rows = rows.bind(account.0).bind(month.number()).fetch_all(&self.pool).await?;
        let used = |(key, name, counted): (_, String, _)| {
            let (key, endpoint) = (KeyId(key), endpoint(&name)?);
            Ok(MonthUsage { key, endpoint, counted: count(counted) })
        };
        rows.into_iter().map(used).collect()
    }

    /// What the keys of an account used on each day from `first` on, the oldest first; days without use are
    /// left out.
    pub async fn usage_by_day(&self, account: AccountId, first: Day) -> StoreResult<Vec<DayUsage>> {
        let rows = sqlx::query_as::<_, (i64, i64, String, i64)>(
            "SELECT u.key_id, u.day, u.endpoint, u.settled FROM day_usage u JOIN keys k ON k.id = u.key_id \
             WHERE k.account_id = $1 AND u.day >= $2 ORDER BY u.day, u.key_id, u.endpoint",
        );
        let rows = rows.bind(account.0).bind(first.number()).fetch_all(&self.pool).await?;
        let used = |(key, day, name, used): (_, _, String, _)| {
            let day = Day::from_number(day).map_err(|error| StoreError::Foreign(error.to_string()))?;
            Ok(DayUsage { key: KeyId(key), day, endpoint: endpoint(&name)?, count: count(used) })
        };
        rows.into_iter().map(used).collect()
    }
}

pub(super) fn endpoint(name: &str) -> StoreResult<Endpoint> {
    let known = Endpoint::ALL.into_iter().find(|endpoint| endpoint.name() == name);
    known.ok_or_else(|| StoreError::Foreign(format!("the endpoint {name:?}")))
}
