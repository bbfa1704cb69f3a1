//! Several nodes on one PostgreSQL: what they share of sites, and each key's crawls at once.

mod instances;
mod notifier;
mod states;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use parking_lot::Mutex;
use uuid::Uuid;
use wayfile_actors::coordination::{Coordination, CrawlPlace, OnSiteChange};
use wayfile_actors::ledger::{KeyId, LedgerError};
use wayfile_core::nodes::clock::SharedClock;
use wayfile_core::nodes::share::{Ask, Granted, SiteShare};

use super::{Store, StoreResult, number};
use notifier::SITE;

#[cfg(test)]
pub(super) use instances::HELD;
pub(super) use instances::{BEAT, DEAD, InstanceId, LOST, check_write};
pub(super) use notifier::{ENDED, Notifier};
pub(crate) use states::SharedStates;
pub(super) use states::UNTOUCHED;
use states::Write;

/// A place that is free, or held by a run that gives no sign of life.
const TAKE: &str = "INSERT INTO crawl_places (key_id, place, holder, run_id) \
    SELECT $1, p, $2, $3 FROM generate_series(1, $4) p WHERE NOT EXISTS (SELECT 1 FROM crawl_places c \
    WHERE c.key_id = $1 AND c.place = p AND c.run_id IN (SELECT id FROM runs)) ORDER BY p LIMIT 1 \
    ON CONFLICT (key_id, place) DO UPDATE SET holder = excluded.holder, run_id = excluded.run_id \
    WHERE crawl_places.run_id NOT IN (SELECT id FROM runs) RETURNING place";
/// Frees places by the names of their holders.
const FREE: &str = "DELETE FROM crawl_places WHERE holder IN \
    (SELECT decode(holder, 'hex') FROM unnest(string_to_array($1, ' ')) holder) RETURNING holder";
/// Two that take the same place at once: the second looks for another, so often.
const TRIES: usize = 8;

/// One node among others.
pub(super) struct Nodes {
    store: Store,
    instance: InstanceId,
    states: SharedStates,
    notifier: Arc<Notifier>,
    freed: Arc<FreedPlaces>,
}

/// Places to crawl that were given back.
#[derive(Default)]
struct FreedPlaces {
    /// Those that may still be held in the store, and since when.
    places: Mutex<Vec<(Uuid, Instant)>>,
    /// One frees them for all.
    turn: tokio::sync::Mutex<()>,
}

impl Nodes {
    pub(super) fn new(
        store: &Store,
        instance: InstanceId,
        states: SharedStates,
        notifier: Arc<Notifier>,
    ) -> Self {
        Self { store: store.clone(), instance, states, notifier, freed: Arc::default() }
    }

    /// Takes a place, after those that were given back here are free.
    async fn take(&self, holder: Uuid, key: KeyId, at_once: usize) -> StoreResult<bool> {
        free(&self.store, &self.freed).await?;
        for _ in 0..TRIES.min(at_once) {
            let take =
                sqlx::query(TAKE).bind(key.0).bind(holder.as_bytes().to_vec()).bind(self.instance.bytes());
            let taken = take.bind(number(at_once)).fetch_optional(&self.store.pool).await?;
            if taken.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[async_trait]
impl Coordination for Nodes {
    async fn site(&self, origin: &str, ask: Ask) -> Result<(Granted, SharedClock), LedgerError> {
        let node = self.instance.0.as_u128();
        let name = site(origin);
        let granted = self.states.change(&name, Duration::ZERO, SiteShare::new, |share, now| {
            let granted = share.ask(node, now.moment, &Ask { answer_takes: now.answer_takes, ..ask });
            let write = if granted.is_alone {
                Write::Quietly
            } else {
                Write::Telling(format!("{SITE} {} {origin} {}", self.instance.0, granted.has_news))
            };
            (granted, write)
        });
        Ok((granted.await?, self.states.clock()))
    }

    async fn crawl_place(&self, key: KeyId, at_once: usize) -> Result<Option<CrawlPlace>, LedgerError> {
        let (store, freed, holder) = (self.store.clone(), self.freed.clone(), Uuid::now_v7());
        // Dropped with an error, it frees what may have been taken.
        let mut place = KeyPlace { store, freed, holder, is_held: true };
        place.is_held = self.store.in_time(self.take(holder, key, at_once)).await?;
        Ok(if place.is_held { Some(Box::new(place)) } else { None })
    }

    fn on_site_change(&self, tell: OnSiteChange) {
        let (own, states) = (self.instance.0.to_string(), self.states.clone());
        let tell = move |told: &str| {
            let mut told = told.splitn(5, ' ');
            let (Some(node), Some(origin), Some(has_news)) = (told.next(), told.next(), told.next()) else {
                return;
            };
            if node == own {
                return;
            }
            if let (Some(Ok(version)), Some(state)) = (told.next().map(str::parse), told.next()) {
                states.told(&site(origin), version, state);
            }
            if has_news == "true" {
                tell(origin);
            }
        };
        // One listener is enough, and a second one hears nothing.
        drop(self.notifier.site_changed.set(Box::new(tell)));
    }
}

/// What the row of a site is called.
fn site(origin: &str) -> String {
    format!("site {origin}")
}

/// A key's place to crawl.
struct KeyPlace {
    store: Store,
    freed: Arc<FreedPlaces>,
    holder: Uuid,
    is_held: bool,
}

impl Drop for KeyPlace {
    fn drop(&mut self) {
        if !self.is_held {
            return;
        }
        let (store, freed) = (self.store.clone(), self.freed.clone());
        freed.places.lock().push((self.holder, Instant::now()));
        self.store.spawn(async move {
            if let Err(error) = free(&store, &freed).await {
                tracing::warn!(%error, "a key's place to crawl is free again with its next crawl here");
            }
        });
    }
}

/// Frees the places that were given back, with one statement however many they are: who comes meanwhile waits and finds them
/// freed. Those of a statement that failed are freed later; freeing one twice does nothing. One that is not there may be taken
/// yet: whoever asked for it did not wait for the store.
async fn free(store: &Store, freed: &FreedPlaces) -> StoreResult {
    let _turn = freed.turn.lock().await;
    let given_back: Vec<Uuid> = freed.places.lock().iter().map(|(place, _)| *place).collect();
    if given_back.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = given_back.iter().map(|place| place.simple().to_string()).collect();
    let free = sqlx::query_scalar::<_, Vec<u8>>(FREE).bind(names.join(" "));
    let were_there: HashSet<Vec<u8>> = free.fetch_all(&store.pool).await?.into_iter().collect();
    let is_over = |since: &Instant| since.elapsed() > LOST.unsigned_abs();
    freed.places.lock().retain(|(place, since)| {
        !given_back.contains(place) || !were_there.contains(&place.as_bytes()[..]) && !is_over(since)
    });
    Ok(())
}
