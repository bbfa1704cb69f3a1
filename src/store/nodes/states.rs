//! What nodes share, as rows that are compared and swapped: who changes one names the version that it has read, so the rules
//! that change it are core's, and no lock is held over a network.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use parking_lot::Mutex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::Row;
use wayfile_core::back_off::{Attempts, BackOff};
use wayfile_core::nodes::clock::{Moment, SharedClock};
use wayfile_core::nodes::share::PROMISED;

use super::notifier::CHANNEL;
use crate::store::{Store, StoreError, StoreResult, time};

/// Attempts of a compare-and-swap; then the store counts as not answering in time.
const TRIES: usize = 20;
/// Rows that are remembered, so that the next change of one needs no look at it.
const REMEMBERED: usize = 10_000;
/// A row is thrown away so long after it was changed, and after what it is kept for.
pub(crate) const UNTOUCHED: Duration = Duration::from_hours(1);
/// How much of what an answer took before counts for the next.
const USUAL: u32 = 8;
/// No answer counts as one that took longer: what waited for a database that was away says nothing of the next.
const LONGEST: Duration = Duration::from_millis(500);

/// What is told is shorter than this, or PostgreSQL refuses it.
const TOLD: usize = 8_000;

/// One state for all: swapped when its version is still the one that was read, and told with that. A new one is made if no rows
/// were lost since what it is made from.
const SWAP: &str = "WITH made AS (INSERT INTO shared (name, version, state, touched_at) \
    SELECT $1, $3, $4, $5 WHERE $2 = 0 AND $6 = (SELECT touched_at FROM shared WHERE name = '') ON CONFLICT (name) DO NOTHING RETURNING version), \
    changed AS (UPDATE shared SET version = version + 1, state = $4, touched_at = $5 \
    WHERE name = $1 AND version = $2 AND $2 <> 0 RETURNING version), \
    told AS (SELECT pg_notify($7, $8) FROM (SELECT version FROM made UNION ALL SELECT version FROM changed) swapped \
    WHERE $8 <> '') \
    SELECT (SELECT count(*) FROM told) AS told, COALESCE((SELECT version FROM made), (SELECT version FROM changed), 0) AS swapped, \
    COALESCE((SELECT version FROM shared WHERE name = $1), 0) AS version, \
    (SELECT state FROM shared WHERE name = $1) AS state, \
    (SELECT touched_at FROM shared WHERE name = '') AS since, \
    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now";
/// When the rows were lost last, or 0; who asks first after that notes it.
const SINCE: &str = "INSERT INTO shared (name, version, state, touched_at) \
    VALUES ('', 1, '0', (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) \
    ON CONFLICT (name) DO UPDATE SET version = shared.version \
    RETURNING touched_at AS since, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now";

/// States that several nodes change. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct SharedStates {
    store: Store,
    known: Arc<Mutex<StoredState>>,
}

#[derive(Debug, Default)]
struct StoredState {
    rows: HashMap<String, (i64, String)>,
    since: Option<i64>,
    clock: SharedClock,
    answer_takes: Duration,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    pub(crate) moment: Moment,
    /// How long an answer usually takes, twice.
    pub(crate) answer_takes: Duration,
}

/// What becomes of a state that was changed here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Write {
    Nothing,
    Quietly,
    /// It is written and told to all nodes: these words, its version and itself, unless that is too long.
    Telling(String),
}

impl SharedStates {
    pub(crate) fn new(store: &Store) -> Self {
        Self { store: store.clone(), known: Arc::default() }
    }

    pub(crate) fn clock(&self) -> SharedClock {
        self.known.lock().clock
    }

    /// Changes the state `name`, which means something for as long as `keep` says, and which `make` makes from the moment before
    /// which nothing may be promised. `change` may be asked several times.
    pub(crate) async fn change<S: Serialize + DeserializeOwned, T>(
        &self,
        name: &str,
        keep: Duration,
        make: fn(Timestamp) -> S,
        mut change: impl FnMut(&mut S, Now) -> (T, Write),
    ) -> StoreResult<T> {
        let work = async {
            let remembered = self.known.lock().rows.get(name).cloned();
            let mut is_remembered = remembered.is_some();
            let (mut version, mut state) =
                remembered.map_or((0, None), |(version, state)| (version, Some(state)));
            for _ in 0..TRIES {
                let since = self.since().await?;
                // What was promised before they were lost is not known: nothing more is before that is over.
                let not_before = if since == 0 { Timestamp::UNIX_EPOCH } else { time(since) + PROMISED };
                let mut value = match &state {
                    Some(json) => {
                        serde_json::from_str(json).map_err(|e| StoreError::Foreign(e.to_string()))?
                    }
                    None => make(not_before),
                };
                let (answer, write) = change(&mut value, self.now()?);
                if write == Write::Nothing {
                    if !is_remembered {
                        return Ok(answer);
                    }
                    // What a node says without a change rests on what another may have changed since.
                    (is_remembered, (version, state)) = (false, self.read(name).await?);
                    continue;
                }
                let json = serde_json::to_string(&value).map_err(|e| StoreError::Foreign(e.to_string()))?;
                match self.swap(name, version, json, since, keep, &write).await? {
                    None => return Ok(answer),
                    Some(other) => (is_remembered, (version, state)) = (false, other),
                }
            }
            Err(StoreError::Late)
        };
        self.store.in_time(work).await
    }

    /// Takes one try of what several nodes count together; the wait until the next one if it comes too soon.
    pub(crate) async fn take_try(&self, name: &str, rule: BackOff) -> StoreResult<Result<(), Duration>> {
        let taken = |tries: &mut Attempts, now: Now| {
            let taken = tries.take(rule, now.moment.earliest);
            (taken, if taken.is_ok() { Write::Quietly } else { Write::Nothing })
        };
        // A wait, and the silence after which it is forgotten.
        self.change(name, rule.longest * 2, |_| Attempts::default(), taken).await
    }

    /// Earlier tries do not count any more.
    pub(crate) async fn forget_tries(&self, name: &str) -> StoreResult {
        let forget = |tries: &mut Attempts, _: Now| {
            *tries = Attempts::default();
            ((), Write::Quietly)
        };
        self.change(name, Duration::ZERO, |_| Attempts::default(), forget).await
    }

    /// Swaps the state; the current state if another writer was faster.
    async fn swap(
        &self,
        name: &str,
        version: i64,
        json: String,
        since: i64,
        keep: Duration,
        write: &Write,
    ) -> StoreResult<Option<(i64, Option<String>)>> {
        // A version that no other row of this name had.
        let first = Timestamp::now().as_microsecond();
        let told = match write {
            Write::Telling(what) => {
                let all = format!("{what} {} {json}", if version == 0 { first } else { version + 1 });
                if all.len() < TOLD { all } else { what.clone() }
            }
            Write::Nothing | Write::Quietly => String::new(),
        };
        let swap = sqlx::query(SWAP).bind(name).bind(version).bind(first).bind(json.as_str());
        let swap = swap.bind(self.kept_until(keep)).bind(since).bind(CHANNEL).bind(told);
        let sent = Instant::now();
        let row = swap.fetch_one(&self.store.pool).await?;
        self.hear(sent, row.try_get("now")?, row.try_get("since")?);
        let swapped: i64 = row.try_get("swapped")?;
        if swapped != 0 {
            let mut known = self.known.lock();
            if known.rows.len() >= REMEMBERED {
                known.rows.clear();
            }
            known.rows.insert(name.to_owned(), (swapped, json));
            return Ok(None);
        }
        self.known.lock().rows.remove(name);
        Ok(Some((row.try_get("version")?, row.try_get("state")?)))
    }

    /// Another node has told the state `name` and its version: who knew one before it knows this one.
    pub(crate) fn told(&self, name: &str, version: i64, state: &str) {
        if let Some(known) = self.known.lock().rows.get_mut(name).filter(|(known, _)| *known < version) {
            *known = (version, state.to_owned());
        }
    }

    async fn read(&self, name: &str) -> StoreResult<(i64, Option<String>)> {
        let row = sqlx::query_as("SELECT version, state FROM shared WHERE name = $1").bind(name);
        let row: Option<(i64, String)> = row.fetch_optional(&self.store.pool).await?;
        Ok(row.map_or((0, None), |(version, state)| (version, Some(state))))
    }

    /// When the rows were lost last. Asked first by who starts, so that no crawl waits for it.
    pub(crate) async fn since(&self) -> StoreResult<i64> {
        let known = self.known.lock().since;
        if let Some(since) = known {
            return Ok(since);
        }
        let sent = Instant::now();
        let row = sqlx::query(SINCE).fetch_one(&self.store.pool).await?;
        let since = row.try_get("since")?;
        self.hear(sent, row.try_get("now")?, Some(since));
        Ok(since)
    }

    fn now(&self) -> StoreResult<Now> {
        let known = self.known.lock();
        let moment = known.clock.at(Instant::now()).ok_or(StoreError::Late)?;
        Ok(Now { moment, answer_takes: known.answer_takes * 2 })
    }

    fn kept_until(&self, keep: Duration) -> i64 {
        self.known.lock().clock.at(Instant::now()).map_or(1, |now| (now.latest + keep).as_microsecond())
    }

    fn hear(&self, sent: Instant, shown: i64, since: Option<i64>) {
        let (received, mut known) = (Instant::now(), self.known.lock());
        let took = received - sent;
        known.clock.hear(sent, time(shown), received);
        known.since = since;
        known.answer_took(took);
    }
}

impl StoredState {
    fn answer_took(&mut self, took: Duration) {
        let usual = self.answer_takes.saturating_sub(self.answer_takes / USUAL);
        self.answer_takes = took.min(LONGEST).max(usual);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_waited_for_a_database_puts_off_nothing_for_long() {
        let mut known = StoredState::default();
        known.answer_took(Duration::from_millis(2));
        assert_eq!(known.answer_takes, Duration::from_millis(2));
        known.answer_took(Duration::from_secs(10));
        assert_eq!(known.answer_takes, LONGEST);
        (0..16).for_each(|_| known.answer_took(Duration::from_millis(2)));
        assert!(known.answer_takes < Duration::from_millis(100), "{:?}", known.answer_takes);
    }
}
