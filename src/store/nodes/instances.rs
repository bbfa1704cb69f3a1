//! Servers that run, and what becomes of the reservations of one that does not any more.

use std::collections::HashSet;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use sqlx::{AnyConnection, AssertSqlSafe};
use uuid::Uuid;
use wayfile_actors::ledger::ReservationId;
use wayfile_core::nodes::share::SiteShare;

use crate::store::settings::DatabaseKind;
use crate::store::{Store, StoreError, StoreResult, count, time};

/// How often a server says that it is alive, and looks whether others are.
pub(crate) const BEAT: Duration = Duration::from_secs(3);
/// A server that was silent for this long is dead: what it held is free 12 s after its last sign of life, the judge's statements
/// included.
pub(crate) const DEAD: SignedDuration = SignedDuration::from_millis(11_500);
/// It is looked so long after that moment, by a clock that may be a little fast.
const SURELY: Duration = Duration::from_millis(20);
/// A reservation, or a request's name, of a living server that the server itself knows nothing of: its end was lost when
/// the store was away. Younger ones may be on their way.
pub(crate) const LOST: SignedDuration = SignedDuration::from_mins(1);

/// One server from its start to its end; reservations name the one that holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InstanceId(pub(crate) Uuid);

impl InstanceId {
    pub(crate) fn bytes(self) -> Vec<u8> {
        self.0.as_bytes().to_vec()
    }
}

/// What this server holds, and what dead ones left; asked every [`BEAT`].
pub(crate) const HELD: &str = "SELECT id, run_id, created_at FROM reservations WHERE state = 'held' \
    AND (run_id = $1 OR run_id NOT IN (SELECT id FROM runs))";

/// Changes a row that is not read: an unchanged one would not be written.
pub(crate) async fn check_write(connection: &mut AnyConnection, instance: InstanceId) -> sqlx::Result<()> {
    let change = sqlx::query("UPDATE runs SET probes = probes + 1 WHERE id = $1");
    change.bind(instance.bytes()).execute(connection).await.map(drop)
}

/// A server as others see it.
#[derive(Debug, Clone)]
pub struct NodeRow {
    /// Its machine and its listener.
    pub name: String,
    /// Since its last sign of life.
    pub silent: Duration,
    /// Units of quota that its runs hold.
    pub reserved: u64,
    /// Sites that it has reserved time of; where there is one server, that is in its memory.
    pub sites: usize,
    /// Places to crawl that it holds for keys; where there is one server they are in its memory.
    pub crawls: u64,
    /// Requests with an `Idempotency-Key` that it has not answered.
    pub unanswered: u64,
}

impl Store {
    /// The servers of this store that are not known to be dead.
    pub async fn nodes(&self) -> StoreResult<Vec<NodeRow>> {
        let now = self.shared_clock().await?;
        let crawls = match self.kind {
            DatabaseKind::Postgres => "(SELECT count(*) FROM crawl_places c WHERE c.run_id = r.id)",
            DatabaseKind::Sqlite => "0",
        };
        let nodes = format!(
            "SELECT r.id, r.node, r.beat_at, \
             (SELECT count(*) FROM reservations v WHERE v.run_id = r.id AND v.state = 'held'), {crawls}, \
             (SELECT count(*) FROM answers a WHERE a.run_id = r.id AND a.status IS NULL) \
             FROM runs r WHERE r.beat_at >= $1 ORDER BY r.node"
        );
        let nodes = sqlx::query_as::<_, (Vec<u8>, String, i64, i64, i64, i64)>(AssertSqlSafe(nodes));
        let shares = self.site_shares().await?;
        let sites = |id: &[u8]| {
            let node = Uuid::from_slice(id).unwrap_or_default().as_u128();
            shares.iter().filter(|share| share.is_reserved_by(node, now)).count()
        };
        let node = |(id, name, beat, reserved, crawls, unanswered): (Vec<u8>, _, _, _, _, _)| NodeRow {
            name,
            sites: sites(&id),
            silent: now.duration_since(time(beat)).max(SignedDuration::ZERO).unsigned_abs(),
            reserved: count(reserved),
            crawls: count(crawls),
            unanswered: count(unanswered),
        };
        let nodes = nodes.bind((now - DEAD).as_microsecond());
        Ok(nodes.fetch_all(&self.pool).await?.into_iter().map(node).collect())
    }

    /// What servers share of each site.
    async fn site_shares(&self) -> StoreResult<Vec<SiteShare>> {
        if self.kind == DatabaseKind::Sqlite {
            return Ok(Vec::new());
        }
        let states = sqlx::query_scalar::<_, String>("SELECT state FROM shared WHERE name LIKE 'site %'");
        let states = states.fetch_all(&self.pool).await?;
        Ok(states.iter().filter_map(|state| serde_json::from_str(state).ok()).collect())
    }

    /// A server of this name has started: it is alive, and others of its name are not.
    pub(crate) async fn register(&self, node: &str) -> StoreResult<InstanceId> {
        let instance = InstanceId(Uuid::now_v7());
        let now = self.shared_clock().await?;
        let mut changes = self.begin().await?;
        sqlx::query("DELETE FROM runs WHERE node = $1").bind(node).execute(&mut *changes).await?;
        let begun = sqlx::query("INSERT INTO runs (id, node, beat_at) VALUES ($1, $2, $3)");
        let begun = begun.bind(instance.bytes()).bind(node).bind(now.as_microsecond());
        begun.execute(&mut *changes).await?;
        changes.commit().await?;
        Ok(instance)
    }

    /// Says that `instance` is alive, and forgets those that are dead if it may judge: who has not heard of the others itself does
    /// not know whether they were silent. Returns how many live, and if one of them is nearly dead, when to look again.
    pub(crate) async fn beat(
        &self,
        instance: InstanceId,
        node: &str,
        may_judge: bool,
    ) -> StoreResult<(u32, Option<Duration>)> {
        let now = self.shared_clock().await?;
        let beat = sqlx::query(
            "INSERT INTO runs (id, node, beat_at) VALUES ($1, $2, $3) \
             ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at",
        );
        beat.bind(instance.bytes()).bind(node).bind(now.as_microsecond()).execute(&self.pool).await?;
        if may_judge {
            let dead = sqlx::query("DELETE FROM runs WHERE beat_at < $1").bind((now - DEAD).as_microsecond());
            dead.execute(&self.pool).await?;
        }
        let living = sqlx::query_as::<_, (i64, Option<i64>)>("SELECT count(*), min(beat_at) FROM runs");
        let (living, silent_since) = living.fetch_one(&self.pool).await?;
        let dies = silent_since.map(|since| (time(since) + DEAD).duration_since(now).unsigned_abs() + SURELY);
        Ok((u32::try_from(living).unwrap_or(0), dies.filter(|dies| may_judge && *dies < BEAT)))
    }

    /// Reservations whose server is dead, or that `instance` itself does not know (`live`) any more.
    pub(crate) async fn orphans(
        &self,
        instance: InstanceId,
        live: &HashSet<ReservationId>,
        now: Timestamp,
    ) -> StoreResult<Vec<ReservationId>> {
        let held = sqlx::query_as::<_, (Vec<u8>, Vec<u8>, i64)>(HELD).bind(instance.bytes());
        let mut orphans = Vec::new();
        for (id, holder, created) in held.fetch_all(&self.pool).await? {
            let id = Uuid::from_slice(&id).map_err(|e| StoreError::Foreign(e.to_string()))?;
            let (id, own) = (ReservationId(id), holder == instance.bytes());
            let young = created > (now - LOST).as_microsecond();
            if !own || !young && !live.contains(&id) {
                orphans.push(id);
            }
        }
        Ok(orphans)
    }

    pub(crate) async fn deregister(&self, instance: InstanceId) -> StoreResult {
        sqlx::query("DELETE FROM runs WHERE id = $1").bind(instance.bytes()).execute(&self.pool).await?;
        Ok(())
    }
}
