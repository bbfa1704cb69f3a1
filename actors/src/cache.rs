//! Pages fetched lately: fresh ones answer at once, older ones are asked after with their validators.

use std::sync::Arc;
use std::time::{Duration, Instant};

use moka::sync::Cache;
use wayfile_core::site::url::SiteUrl;

use crate::http::{PageBody, Want};
use crate::metrics;

/// What an entry costs beside its body: key, headers, bookkeeping.
const OVERHEAD: usize = 512;
/// A page is kept this many times longer than it is fresh, to be revalidated instead of fetched again.
const STALE_FACTOR: u32 = 6;

/// The cache of fetched pages, shared by all crawls; bounded in bytes.
#[derive(Clone)]
pub(crate) struct PageCache {
    pages: Cache<(SiteUrl, Want), Entry>,
    ttl: Duration,
}

#[derive(Clone)]
struct Entry {
    page: Arc<PageBody>,
    fetched: Instant,
}

/// What the cache knows of an address.
pub(crate) enum Cached {
    /// Take it.
    Fresh(Arc<PageBody>),
    /// Ask whether it changed.
    Stale(Arc<PageBody>),
    /// Nothing.
    Missing,
}

impl PageCache {
    pub(crate) fn new(max_bytes: usize, ttl: Duration) -> Self {
        let pages = Cache::builder()
            .max_capacity(max_bytes as u64)
            .weigher(|key: &(SiteUrl, Want), entry: &Entry| {
                let size = entry.page.body.len() + key.0.as_str().len() + OVERHEAD;
                u32::try_from(size).unwrap_or(u32::MAX)
            })
            .time_to_live(ttl * STALE_FACTOR)
            .build();
        Self { pages, ttl }
    }

    pub(crate) fn look_up(&self, url: &SiteUrl, want: Want) -> Cached {
        let found = match self.pages.get(&(url.clone(), want)) {
            Some(entry) if entry.fetched.elapsed() < self.ttl => Cached::Fresh(entry.page),
            Some(entry) if !entry.page.validators.is_empty() => Cached::Stale(entry.page),
            _ => Cached::Missing,
        };
        metrics::cache(match found {
            Cached::Fresh(_) => "fresh",
            Cached::Stale(_) => "stale",
            Cached::Missing => "missing",
        });
        found
    }

    pub(crate) fn keep(&self, want: Want, page: Arc<PageBody>) {
        let key = (page.url.clone(), want);
        self.pages.insert(key, Entry { page, fetched: Instant::now() });
    }
}
