//! Which crawls are running, so that an equal request joins one instead of starting another.

use std::sync::Arc;

use actix::Addr;
use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use wayfile_core::site::globs::Selection;
use wayfile_core::url::Seed;

use super::Supervisor;
use crate::job::{Freshness, Job};

/// What makes requests equal: they fetch the same pages.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CrawlKey {
    pub(crate) seed: Seed,
    pub(crate) pages: usize,
    pub(crate) selection: Selection,
    pub(crate) freshness: Freshness,
    /// Whether it is noted what became of every address.
    pub(crate) reported: bool,
}

impl CrawlKey {
    pub(crate) fn of(job: &Job) -> Self {
        Self {
            seed: job.seed.clone(),
            pages: job.output.pages(),
            selection: job.selection.clone(),
            freshness: job.freshness,
            reported: job.reported,
        }
    }
}

#[derive(Clone, Default)]
pub(crate) struct Running(Arc<DashMap<CrawlKey, Addr<Supervisor>>>);

impl Running {
    pub(crate) fn find(&self, key: &CrawlKey) -> Option<Addr<Supervisor>> {
        self.0.get(key).filter(|supervisor| supervisor.connected()).map(|supervisor| supervisor.clone())
    }

    pub(crate) fn find_or_start(
        &self,
        key: CrawlKey,
        start: impl FnOnce(Listing) -> Addr<Supervisor>,
    ) -> Addr<Supervisor> {
        // Made only for a crawl that starts: dropping it takes the key out of the map.
        let listing = |key: &CrawlKey| Listing { running: self.clone(), key: key.clone() };
        let entry = self.0.entry(key);
        if let Entry::Occupied(running) = &entry
            && running.get().connected()
        {
            return running.get().clone();
        }
        let supervisor = start(listing(entry.key()));
        entry.insert(supervisor).clone()
    }
}

/// A crawl's place among the running ones; dropping it ends the joining.
pub(crate) struct Listing {
    running: Running,
    pub(crate) key: CrawlKey,
}

impl Drop for Listing {
    fn drop(&mut self) {
        self.running.0.remove(&self.key);
    }
}
