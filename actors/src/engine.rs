//! The handle that callers hold: it starts the actors and owns what they share.

use std::net::SocketAddr;
use std::sync::Arc;

use actix::prelude::*;
use futures_util::future::OptionFuture;
use tokio::sync::oneshot;
use tokio_util::sync::{CancellationToken, DropGuard};
use wayfile_core::page::Page;
use wayfile_core::site::address_policy::NotPublic;
use wayfile_core::url::{Seed, SiteUrl};

use crate::context::{EngineContext, SiteAccess};
use crate::coordination::{Coordination, InProcess};
use crate::error::CrawlError;
use crate::http::{ClientError, Lookup, Want};
use crate::job::{Freshness, Generated, Job};
use crate::messages::{Asker, Crawl};
use crate::parser::Parser;
use crate::registry::Registry;
use crate::renderer::{BrowserFault, Lease, Renderer};
use crate::settings::{BrowserSettings, CrawlSettings, LlmSettings, ValidateSettings};
use crate::summarizer::{ModelError, Prompts, Summarizer};
use crate::supervisor::running::{CrawlKey, Listing, Running};
use crate::supervisor::{CallerReply, ModelHandle, Supervisor};
use crate::validator::Validator;
use crate::visit::{Filling, Visitor};

/// Starts crawls. Cheap to clone; may be used from any thread.
#[derive(Clone)]
pub struct Engine {
    context: Arc<EngineContext>,
    registry: Registry,
    running: Running,
    parser: Addr<Parser>,
    model: Option<ModelHandle>,
    renderer: Option<Addr<Renderer>>,
    arbiter: ArbiterHandle,
}

/// The engine cannot start.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "what each one says is its meaning")]
pub enum StartError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("the engine must be started inside an actor system")]
    NoSystem,
}

/// A place in a crawl that other callers share. Dropping it leaves the crawl, and the last caller that leaves
/// stops it.
pub struct Joined {
    answer: oneshot::Receiver<Result<Generated, CrawlError>>,
    leave: DropGuard,
}

impl Joined {
    /// What came of the crawl. `None`: it found no room in the service, or ended for no caller at all, so those who joined it
    /// crawl for themselves.
    /// Errors: [`CrawlError`], as of [`Engine::generate`].
    pub async fn answer(self) -> Option<Result<Generated, CrawlError>> {
        let answer = self.answer.await.ok().filter(|answer| !matches!(answer, Err(CrawlError::Busy)));
        // Whether it is over or begins anew: there is nothing to leave.
        self.leave.disarm();
        answer
    }
}

impl Engine {
    /// Starts the engine; its actors live on the current actor system.
    /// Errors: [`StartError`]: settings that make no client, or no actor system.
    pub fn start(settings: CrawlSettings, lookup: Arc<dyn Lookup>) -> Result<Self, StartError> {
        Self::start_for(settings, lookup, SiteAccess::default(), Arc::new(InProcess))
    }

    /// Starts an engine for one site that it is told more about, or one that shares sites with other nodes.
    pub fn start_for(
        settings: CrawlSettings,
        lookup: Arc<dyn Lookup>,
        access: SiteAccess,
        coordination: Arc<dyn Coordination>,
    ) -> Result<Self, StartError> {
        let arbiter = Arbiter::try_current().ok_or(StartError::NoSystem)?;
        for network in &settings.allow_networks {
            tracing::warn!(%network, "a private network may be fetched: crawl.allow_networks opens it");
        }
        let page_work = settings.page_work;
        let context = Arc::new(EngineContext::new(settings, lookup, access, coordination)?);
        let registry = Registry::new(context.clone(), arbiter.clone());
        let fetchers = registry.clone();
        context.coordination.on_site_change(Box::new(move |origin| fetchers.site_changed(origin)));
        let parser = Parser::start_in_arbiter(&arbiter, move |_| Parser::new(page_work));
        Ok(Self {
            context,
            registry,
            running: Running::default(),
            parser,
            model: None,
            renderer: None,
            arbiter,
        })
    }

    /// The same engine with a model, if the settings name one, to write summaries and descriptions.
    /// Errors: [`ModelError`]: settings or prompts that no model can be asked with.
    pub fn with_model(mut self, settings: LlmSettings, prompts: Prompts) -> Result<Self, ModelError> {
        if let Some(endpoint) = settings.endpoint() {
            let summarizer = Summarizer::new(endpoint, &settings, prompts)?;
            let summarizer = Summarizer::start_in_arbiter(&self.arbiter, |_| summarizer);
            self.model = Some(ModelHandle { summarizer, settings: Arc::new(settings) });
        }
        Ok(self)
    }

    /// The same engine with a browser, if the settings name one, for pages that only scripts fill. `own`: where the process
    /// itself listens, which no page is to reach.
    /// Errors: [`BrowserFault`]: no browser could be started, and what to do.
    pub fn with_browser(
        mut self,
        settings: BrowserSettings,
        own: Vec<SocketAddr>,
    ) -> Result<Self, BrowserFault> {
        if settings.path.is_some() {
            let renderer = Renderer::new(settings, self.context.clone(), self.registry.clone(), own)?;
            self.renderer = Some(Renderer::start_in_arbiter(&self.arbiter, |_| renderer));
        }
        Ok(self)
    }

    /// Crawls a site and writes its files. Equal requests that run at the same time share one crawl. Dropping the
    /// future leaves the crawl, and the last caller that leaves stops it.
    /// Errors: [`CrawlError`]: the site refuses, cannot be reached or has nothing to read, or the service is full.
    pub async fn generate(&self, job: Job) -> Result<Generated, CrawlError> {
        let _leave_when_dropped = job.cancel.clone().drop_guard();
        let may_wait = || job.since.elapsed() < self.context.settings().queue_wait;
        loop {
            let mut first = None;
            let supervisor = self.running.find_or_start(CrawlKey::of(&job), |listing| {
                let (reply, answer) = oneshot::channel();
                first = Some(answer);
                self.start_crawl(listing, job.clone(), reply)
            });
            let is_new = first.is_some();
            let place = match first {
                Some(answer) => Some(answer),
                None => supervisor.send(Crawl(job.clone())).await.ok().flatten(),
            };
            match OptionFuture::from(place).await.and_then(Result::ok) {
                None if is_new => return Err(CrawlError::Internal),
                // The crawl was closing already, or its own callers had waited long enough: not so this one.
                None => {}
                Some(Err(CrawlError::Busy)) if !is_new && may_wait() => {}
                Some(result) => return result,
            }
        }
    }

    /// Takes a place in an equal crawl that is running. `None`: there is none, and nothing was started.
    pub async fn join(&self, job: &Job) -> Option<Joined> {
        let supervisor = self.running.find(&CrawlKey::of(job))?;
        let leave = job.cancel.clone().drop_guard();
        if let Ok(Some(answer)) = supervisor.send(Crawl(job.clone())).await {
            return Some(Joined { answer, leave });
        }
        leave.disarm();
        None
    }

    /// Says before anything is fetched whether an address may be: what the address by itself tells.
    /// Errors: [`NotPublic`]: a private literal, a reserved name, a port that no public website uses.
    pub fn check_address(&self, seed: &Seed) -> Result<(), NotPublic> {
        self.context.client.policy.url(&seed.url)
    }

    /// Whether the Parser is alive.
    pub fn can_read(&self) -> bool {
        self.parser.connected()
    }

    /// Takes up other settings while crawls run. What clients and caches were made with stays: only a start changes it.
    pub fn take_up(&self, settings: CrawlSettings) {
        self.context.take_up(settings);
        self.registry.look_again();
    }

    /// Ends all crawls with what they have, and those that start later too.
    pub fn close(&self) {
        self.context.closing.cancel();
    }

    /// Fetches and reads one page; its final address and what it says.
    /// Errors: [`CrawlError`], as for a home page.
    pub async fn page(&self, seed: Seed) -> Result<(SiteUrl, Page), CrawlError> {
        let cancel = CancellationToken::new();
        let _stop_when_dropped = cancel.clone().drop_guard();
        match self.visitor(Freshness::Lately, cancel).open(&seed, Want::Page).await {
            Ok(visit) => Ok((visit.url, visit.page)),
            Err((site, error)) => Err(CrawlError::at_home(site.as_str(), &error)),
        }
    }

    /// What validates files by the same Fetchers.
    pub fn validator(&self, settings: ValidateSettings) -> Validator {
        Validator::new(
            self.context.clone(),
            // Who reads a page for agents sees what they see.
            Visitor { filling: None, ..self.visitor(Freshness::default(), CancellationToken::new()) },
            settings,
        )
    }

    /// A crawl begins with its first caller. Actix drops a message whose sender is gone: told by one, a Supervisor would never
    /// hear of a caller that left at once, nor ever end.
    fn start_crawl(&self, listing: Listing, job: Job, reply: CallerReply) -> Addr<Supervisor> {
        let visitor = self.visitor(listing.key.freshness, CancellationToken::new());
        let (context, model) = (self.context.clone(), self.model.clone());
        Supervisor::start_in_arbiter(&self.arbiter, move |ctx| {
            let mut supervisor = Supervisor::new(context, visitor, listing, model);
            supervisor.join(job, reply, ctx);
            supervisor
        })
    }

    fn visitor(&self, freshness: Freshness, cancel: CancellationToken) -> Visitor {
        Visitor {
            registry: self.registry.clone(),
            parser: self.parser.clone(),
            sitemaps: self.context.sitemaps.clone(),
            freshness,
            asker: Asker::new(cancel),
            read: Arc::default(),
            filling: Some(Filling {
                browser: self.renderer.clone().map(|renderer| (renderer, Arc::<Lease>::default())),
                folders: Arc::default(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;
    use crate::context::MAX_SITEMAPS;
    use crate::http::{Folder, SystemLookup};
    use crate::permits::Owner;
    use crate::settings::defaults;

    #[actix::test]
    async fn a_sitemap_is_read_when_few_others_are_in_memory_and_counts_until_it_is_taken_in() {
        let folder = tempfile::tempdir().unwrap();
        let map = "<urlset><url><loc>https://tide.example.com/a</loc></url></urlset>";
        std::fs::write(folder.path().join("sitemap.xml"), map).unwrap();
        let base = SiteUrl::parse("https://tide.example.com/").unwrap();
        let folder = Some(Folder::open(folder.path(), &base).unwrap());
        let access = SiteAccess { folder, ..SiteAccess::default() };
        let engine =
            Engine::start_for(defaults(), Arc::new(SystemLookup), access, Arc::new(InProcess)).unwrap();
        let pool = &engine.context.sitemaps;
        let free = async || pool.take(Owner::new(), Duration::ZERO).await;
        let mut others = Vec::new();
        for _ in 0..MAX_SITEMAPS {
            others.push(free().await.unwrap());
        }
        let visitor = engine.visitor(Freshness::Lately, CancellationToken::new());
        let mut reading = Box::pin(visitor.sitemap(base.join("sitemap.xml").unwrap()));
        assert!(timeout(Duration::from_secs(1), &mut reading).await.is_err(), "it is in memory, too");
        others.pop();
        let (sitemap, permit) = reading.await.unwrap();
        assert_eq!(sitemap.entries.len(), 1);
        assert!(free().await.is_none());
        drop(permit);
        assert!(free().await.is_some());
    }
}
