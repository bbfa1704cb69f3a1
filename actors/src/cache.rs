//! Pages fetched lately: fresh ones answer at once, older ones are asked after with their validators. That there was no
//! page is remembered as long as a page is fresh.

use std::sync::Arc;
use std::time::{Duration, Instant};

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use wayfile_core::url::SiteUrl;

use crate::http::{PageBody, Want};
use crate::metrics;

/// What an entry costs beside what was read: key, bookkeeping.
const OVERHEAD: usize = 512;
/// A page is kept this many times longer than it is fresh, to be revalidated instead of fetched again.
const STALE_FACTOR: u32 = 6;

#[derive(Clone)]
pub(crate) struct PageCache {
    pages: Cache<(SiteUrl, Want), CacheEntry>,
    ttl: Duration,
    /// Bytes of a body: a larger one, a sitemap, would take the place of too many.
    max_body: usize,
}

#[derive(Clone)]
struct CacheEntry {
    found: CachedAnswer,
    fetched: Instant,
}

#[derive(Clone)]
pub(crate) enum CachedAnswer {
    Page(Arc<PageBody>),
    /// No page, and none to be expected soon: the status.
    Gone(u16),
}

impl CachedAnswer {
    fn bytes(&self) -> usize {
        match self {
            Self::Page(page) => page.weight(),
            Self::Gone(_) => 0,
        }
    }
}

pub(crate) enum Cached {
    Fresh(CachedAnswer),
    Stale(Arc<PageBody>),
    Missing,
}

impl PageCache {
    pub(crate) fn new(max_bytes: usize, ttl: Duration, max_body: usize) -> Self {
        let pages = Cache::builder()
            .max_capacity(max_bytes as u64)
            // What a crawl asks for again it asked for lately, however often others were asked for before.
            .eviction_policy(EvictionPolicy::lru())
            .weigher(|key: &(SiteUrl, Want), entry: &CacheEntry| {
                let size = entry.found.bytes() + key.0.as_str().len() + OVERHEAD;
                u32::try_from(size).unwrap_or(u32::MAX)
            })
            .time_to_live(ttl * STALE_FACTOR)
            .build();
        Self { pages, ttl, max_body }
    }

    /// [`PageCache::look_up`] in the place of a request, which counts where a crawl wants one of its pages.
    pub(crate) fn ask(&self, url: &SiteUrl, want: Want) -> Cached {
        let found = self.look_up(url, want);
        if want.is_page() {
            metrics::CACHE.count([match found {
                Cached::Fresh(_) => "fresh",
                Cached::Stale(_) => "stale",
                Cached::Missing => "missing",
            }]);
        }
        found
    }

    pub(crate) fn look_up(&self, url: &SiteUrl, want: Want) -> Cached {
        let entry = self.pages.get(&(url.clone(), want));
        let fresh = entry.as_ref().is_some_and(|entry| entry.fetched.elapsed() < self.ttl);
        match entry.map(|entry| entry.found) {
            Some(found) if fresh => Cached::Fresh(found),
            Some(CachedAnswer::Page(page)) if !page.validators.is_empty() => Cached::Stale(page),
            _ => Cached::Missing,
        }
    }

    pub(crate) fn keep(&self, url: SiteUrl, want: Want, found: CachedAnswer) {
        if found.bytes() <= self.max_body {
            self.pages.insert((url, want), CacheEntry { found, fetched: Instant::now() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Validators;

    #[test]
    fn what_is_larger_than_a_page_is_not_kept() {
        let cache = PageCache::new(1 << 20, Duration::from_mins(1), 1_000);
        let url = SiteUrl::parse("https://tide.example.com/sitemap.xml").unwrap();
        let page = |size| PageBody {
            url: url.clone(),
            content_type: None,
            x_robots_tag: None,
            validators: Validators::default(),
            body: vec![b'x'; size].into(),
        };
        for (size, is_kept) in [(1_001, false), (1_000, true)] {
            cache.keep(url.clone(), Want::Sitemap, CachedAnswer::Page(Arc::new(page(size))));
            let found = cache.look_up(&url, Want::Sitemap);
            assert_eq!(matches!(found, Cached::Fresh(_)), is_kept, "{size}");
        }
    }
}
