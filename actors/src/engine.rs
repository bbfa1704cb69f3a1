//! The handle that callers hold: it starts the actors and owns what they share.

use std::sync::Arc;

use actix::prelude::*;
use tokio_util::sync::CancellationToken;
use wayfile_core::page::Page;
use wayfile_core::site::public::NotPublic;
use wayfile_core::site::sitemap::SitemapLimits;
use wayfile_core::site::url::{Seed, SiteUrl};

use crate::error::CrawlError;
use crate::generated::{Freshness, Generated, Job};
use crate::house::House;
use crate::http::{ClientError, Lookup, Want};
use crate::messages::Crawl;
use crate::parser::Parser;
use crate::permits::Owner;
use crate::registry::Registry;
use crate::running::{CrawlKey, Found, Listing, Running};
use crate::settings::CrawlSettings;
use crate::summarizer::settings::LlmSettings;
use crate::summarizer::{NoModel, Prompts, Summarizer};
use crate::supervisor::{ModelHandle, Supervisor};
use crate::validator::{ValidateSettings, Validator};
use crate::visit::{ReadPages, Visitor};

/// Starts crawls. Cheap to clone; may be used from any thread.
#[derive(Clone)]
pub struct Engine {
    house: Arc<House>,
    registry: Registry,
    running: Running,
    parser: Addr<Parser>,
    model: Option<ModelHandle>,
    arbiter: ArbiterHandle,
}

/// The engine cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The settings make no client.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// There is no actor system on this thread.
    #[error("the engine must be started inside an actor system")]
    NoSystem,
    /// A model is configured that cannot be used.
    #[error(transparent)]
    Model(#[from] NoModel),
}

impl Engine {
    /// Starts the engine; its actors live on the current actor system.
    ///
    /// # Errors
    /// [`StartError`]: settings that make no client, or no actor system.
    pub fn start(settings: CrawlSettings, lookup: Arc<dyn Lookup>) -> Result<Self, StartError> {
        let arbiter = Arbiter::try_current().ok_or(StartError::NoSystem)?;
        for network in &settings.allow_networks {
            tracing::warn!(%network, "a private network may be fetched: crawl.allow_networks opens it");
        }
        let limits =
            SitemapLimits { decoded_bytes: settings.sitemap_max_bytes.0, ..SitemapLimits::default() };
        let house = Arc::new(House::new(settings, lookup)?);
        let registry = Registry::new(house.clone(), arbiter.clone());
        let parser = Parser::start_in_arbiter(&arbiter, |_| Parser::new(limits));
        Ok(Self { house, registry, running: Running::default(), parser, model: None, arbiter })
    }

    /// The same engine with the model at `endpoint` to write summaries and descriptions.
    ///
    /// # Errors
    /// [`NoModel`]: settings or prompts that no model can be asked with.
    pub fn with_model(
        mut self,
        endpoint: &str,
        settings: LlmSettings,
        prompts: Prompts,
    ) -> Result<Self, NoModel> {
        let summarizer = Summarizer::new(endpoint, &settings, prompts)?;
        let summarizer = Summarizer::start_in_arbiter(&self.arbiter, |_| summarizer);
        self.model = Some(ModelHandle { summarizer, settings: Arc::new(settings) });
        Ok(self)
    }

    /// Crawls a site and writes its files. Equal requests that run at the same time share one crawl. Dropping the
    /// future leaves the crawl, and the last caller that leaves stops it.
    ///
    /// # Errors
    /// [`CrawlError`]: the site refuses, cannot be reached or has nothing to read, or the house is full.
    pub async fn generate(&self, job: Job) -> Result<Generated, CrawlError> {
        let _leave_when_dropped = job.cancel.clone().drop_guard();
        let is_patient = || job.since.elapsed() < self.house.settings.queue_wait;
        loop {
            match self.running.find_or_start(CrawlKey::of(&job), |listing| self.start_crawl(listing)) {
                Found::Joined(supervisor) => match supervisor.send(Crawl(job.clone())).await {
                    // The crawl was closing already, or its own callers had waited long enough: not so this one.
                    Ok(None) | Err(_) => {}
                    Ok(Some(Err(CrawlError::Busy))) if is_patient() => {}
                    Ok(Some(result)) => return result,
                },
                Found::Started(supervisor) => {
                    let answer = supervisor.send(Crawl(job)).await.ok().flatten();
                    return answer.unwrap_or(Err(CrawlError::Internal));
                }
            }
        }
    }

    /// Whether such a request would join a crawl that is running, and so need no place of its own.
    #[must_use]
    pub fn would_join(&self, job: &Job) -> bool {
        self.running.has(&CrawlKey::of(job))
    }

    /// Says before anything is fetched whether an address may be: what the address by itself tells.
    ///
    /// # Errors
    /// [`NotPublic`]: a private literal, a reserved name, a port that no public website uses.
    pub fn check_address(&self, seed: &Seed) -> Result<(), NotPublic> {
        self.house.client.policy().url(&seed.url)
    }

    /// Ends all crawls with what they have, and those that start later too.
    pub fn close(&self) {
        self.house.closing.cancel();
    }

    /// Fetches and reads one page; its final address and what it says.
    ///
    /// # Errors
    /// [`CrawlError`], as for a home page.
    pub async fn page(&self, seed: Seed, cancel: CancellationToken) -> Result<(SiteUrl, Page), CrawlError> {
        let _stop_when_dropped = cancel.clone().drop_guard();
        match self.visitor(Freshness::Lately, cancel).open(&seed, Want::Page).await {
            Ok(visit) => Ok((visit.url, visit.page)),
            Err((site, error)) => Err(CrawlError::at_home(site.as_str(), &error)),
        }
    }

    /// What validates files by the same Fetchers.
    #[must_use]
    pub fn validator(&self, settings: ValidateSettings) -> Validator {
        Validator::new(
            self.house.clone(),
            self.visitor(Freshness::default(), CancellationToken::new()),
            settings,
        )
    }

    fn start_crawl(&self, listing: Listing) -> Addr<Supervisor> {
        let visitor = self.visitor(listing.key.freshness, CancellationToken::new());
        let (house, model) = (self.house.clone(), self.model.clone());
        Supervisor::start_in_arbiter(&self.arbiter, move |_| Supervisor::new(house, visitor, listing, model))
    }

    fn visitor(&self, freshness: Freshness, cancel: CancellationToken) -> Visitor {
        Visitor {
            registry: self.registry.clone(),
            parser: self.parser.clone(),
            freshness,
            owner: Owner::new(),
            cancel,
            max_redirects: self.house.settings.max_redirects,
            read: ReadPages::default(),
        }
    }
}
