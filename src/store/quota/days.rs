//! What is used, by day: for people to look at.

use std::collections::BTreeMap;

use jiff::Timestamp;
use sqlx::AnyConnection;
use wayfile_core::calendar::Day;

/// Units that were used at the same moment, by key, day and endpoint.
#[derive(Default)]
pub(super) struct Days(BTreeMap<(i64, i64, String), i64>);

impl Days {
    pub(super) fn add(&mut self, key: i64, endpoint: String, now: Timestamp) {
        *self.0.entry((key, Day::of(now).number(), endpoint)).or_default() += 1;
    }

    pub(super) async fn count(self, connection: &mut AnyConnection) -> sqlx::Result<()> {
        for ((key, day, endpoint), units) in self.0 {
            let by_day = sqlx::query(
                "INSERT INTO day_usage (key_id, day, endpoint, settled) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (key_id, day, endpoint) DO UPDATE SET settled = day_usage.settled + $4",
            );
            by_day.bind(key).bind(day).bind(endpoint).bind(units).execute(&mut *connection).await?;
        }
        Ok(())
    }
}
