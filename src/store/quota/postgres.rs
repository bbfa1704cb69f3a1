//! PostgreSQL: one read per look, one transaction per change, which for most is one statement. Other servers write at the
//! same time, so nothing that was read before can be trusted.

use std::sync::LazyLock;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::{AnyPool, AssertSqlSafe, Row};
use wayfile_actors::ledger::{KeyHash, KeyRecord, SharedRate, Taken};
use wayfile_core::calendar::Month;
use wayfile_core::plan::{Plan, Plans};

use super::units::settle_held;
use super::{Backend, LOOK_UP, QuotaChange, apply, key_record};
use crate::store::{StoreResult, count};

/// Looks a key up and takes one request from its rate (GCRA: one moment says everything), by the database's clock.
static LOOK_UP_AND_TAKE: LazyLock<String> =
    LazyLock::new(|| format!("WITH found AS ({LOOK_UP}), {TAKE_ONE}"));
const TAKE_ONE: &str = "\
    asked AS (SELECT f.id, r.gap, r.burst, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now FROM found f \
    LEFT JOIN (VALUES ($3, $4, $5), ($6, $7, $8), ($9, $10, $11), ($12, $13, $14)) r (plan, gap, burst) ON r.plan = f.plan), \
    taken AS (INSERT INTO rates (key_id, unused_at) SELECT id, now + gap FROM asked WHERE gap <= burst \
    ON CONFLICT (key_id) DO UPDATE \
    SET unused_at = GREATEST(rates.unused_at, (SELECT now FROM asked)) + (SELECT gap FROM asked) \
    WHERE GREATEST(rates.unused_at - (SELECT now FROM asked), 0) + (SELECT gap FROM asked) <= (SELECT burst FROM asked) \
    RETURNING unused_at) \
    SELECT f.*, asked.now, (SELECT unused_at FROM taken) AS taken, \
    COALESCE((SELECT unused_at FROM rates WHERE key_id = f.id), 0) AS before FROM found f JOIN asked ON asked.id = f.id";

pub(crate) struct Postgres {
    pub(crate) pool: AnyPool,
}

#[async_trait]
impl Backend for Postgres {
    async fn look_up(&self, hash: KeyHash, month: Month, plans: &Plans) -> StoreResult<Option<KeyRecord>> {
        let mut look =
            sqlx::query(AssertSqlSafe(LOOK_UP_AND_TAKE.as_str())).bind(hash.0.to_vec()).bind(month.number());
        for plan in Plan::ALL {
            let rate = plans.limits(plan).rate();
            look = look.bind(plan.name()).bind(micros(rate.gap())).bind(micros(rate.burst()));
        }
        let Some(row) = look.fetch_optional(&self.pool).await? else { return Ok(None) };
        let state = key_record(&row, month)?;
        let (now, taken) = (row.try_get::<i64, _>("now")?, row.try_get::<Option<i64>, _>("taken")?);
        let unused_at = taken.map_or_else(|| row.try_get::<i64, _>("before"), Ok)?;
        let filled = Duration::from_micros(count(unused_at - now));
        Ok(Some(KeyRecord { rate: Some(SharedRate { has_room: taken.is_some(), filled }), ..state }))
    }

    async fn write(&self, entry: QuotaChange) -> StoreResult<Option<Taken>> {
        match &entry {
            // What is one statement commits by itself.
            QuotaChange::Reserve(..) | QuotaChange::Charge(_, None) | QuotaChange::WriteCheck(_) => {
                return Ok(apply(&mut *self.pool.acquire().await?, &entry).await?);
            }
            QuotaChange::Settle(id, now, None)
                if settle_held(&mut *self.pool.acquire().await?, *id, *now).await? =>
            {
                return Ok(None);
            }
            _ => {}
        }
        let mut changes = self.pool.begin().await?;
        let taken = apply(&mut changes, &entry).await?;
        changes.commit().await?;
        Ok(taken)
    }
}

fn micros(time: Duration) -> i64 {
    // Rounded up, so that rounding never lets one more through.
    i64::try_from(time.as_nanos().div_ceil(1_000)).unwrap_or(i64::MAX)
}
