//! What all crawls share: the client, the page cache, the permits, the settings.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use wayfile_core::url::SiteUrl;

use crate::cache::{Cached, CachedAnswer, PageCache};
use crate::coordination::Coordination;
use crate::cpu_pool::CpuPool;
use crate::error::FetchResult;
use crate::http::{ClientError, Folder, HttpClient, Lookup, Reply, SiteHeaders, Want};
use crate::permits::Pool;
use crate::settings::{CrawlSettings, Live};

/// Requests of validations at once in this process, over all domains; each holds little more than a head.
const MAX_PROBES: usize = 64;

/// Sitemaps that are read at once in this process, for all crawls and validations.
pub(crate) const MAX_SITEMAPS: usize = 4;

/// How a command reads its one site.
#[derive(Debug, Default)]
pub struct SiteAccess {
    /// Headers for it alone.
    pub headers: SiteHeaders,
    /// The folder that it is built into: everything is read there, and nothing from the network.
    pub folder: Option<Folder>,
}

/// Built once, held by the engine and every actor it starts.
pub(crate) struct EngineContext {
    settings: Live<CrawlSettings>,
    pub(crate) client: HttpClient,
    pub(crate) coordination: Arc<dyn Coordination>,
    /// What answers in the place of the network.
    pub(crate) folder: Option<Folder>,
    pub(crate) cache: PageCache,
    /// Requests at once; a permit lives until its page is parsed, so memory is bounded by
    /// `max_fetches` x `page_max_bytes`, and what the client lets a few sitemaps be larger.
    pub(crate) fetches: Pool,
    /// Sitemaps that are read at once: a permit lives until the crawl has taken in what the sitemap names, since all of
    /// that is in memory meanwhile.
    pub(crate) sitemaps: Pool,
    /// Requests of validations at once: they never wait behind crawls.
    pub(crate) probes: Pool,
    pub(crate) crawls: Pool,
    /// What writes files and checks them. It is another pool than the Parser's: a page is read in a fraction of the time that a
    /// large file takes, and does not wait for it.
    pub(crate) composing: CpuPool,
    /// Cancelled when the service stops: running crawls end with what they have.
    pub(crate) closing: CancellationToken,
}

impl EngineContext {
    pub(crate) fn new(
        settings: CrawlSettings,
        lookup: Arc<dyn Lookup>,
        access: SiteAccess,
        coordination: Arc<dyn Coordination>,
    ) -> Result<Self, ClientError> {
        Ok(Self {
            client: HttpClient::new(&settings, lookup)?.with_headers(access.headers),
            folder: access.folder,
            coordination,
            cache: PageCache::new(settings.cache_bytes.0, settings.cache_ttl, settings.page_max_bytes.0),
            fetches: Pool::new("fetch", settings.max_fetches),
            sitemaps: Pool::new("sitemap", MAX_SITEMAPS),
            probes: Pool::new("look", MAX_PROBES),
            crawls: Pool::new("crawl", settings.max_crawls),
            composing: CpuPool::new(),
            closing: CancellationToken::new(),
            settings: Live::new(settings),
        })
    }

    pub(crate) fn settings(&self) -> Arc<CrawlSettings> {
        self.settings.get()
    }

    pub(crate) fn take_up(&self, settings: CrawlSettings) {
        self.fetches.resize(settings.max_fetches);
        self.crawls.resize(settings.max_crawls);
        self.settings.set(settings);
    }

    /// Does one request, to the network or the folder in its place; where an old answer is known it asks whether that changed.
    pub(crate) async fn exchange(
        &self,
        url: &SiteUrl,
        want: Want,
        sent: impl FnOnce(),
    ) -> FetchResult<Reply> {
        if let Some(folder) = &self.folder {
            return folder.get(url, want, &self.settings()).await;
        }
        let known = match self.cache.look_up(url, want) {
            Cached::Fresh(CachedAnswer::Page(page)) | Cached::Stale(page) => Some(page),
            Cached::Fresh(CachedAnswer::Gone(_)) | Cached::Missing => None,
        };
        self.client.get(url, want, known.as_deref(), sent).await
    }

    /// The name that robots.txt knows us by: the product token of the user agent (RFC 9309 section 2.2.1).
    pub(crate) fn product_token(&self) -> String {
        self.settings().user_agent.split(['/', ' ']).next().unwrap_or_default().to_owned()
    }
}
