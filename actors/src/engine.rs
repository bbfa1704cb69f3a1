//! The handle that callers hold: it starts the actors and owns what they share.

use std::sync::Arc;

use actix::prelude::*;
use tokio_util::sync::CancellationToken;
use wayfile_core::page::Page;
use wayfile_core::site::sitemap::SitemapLimits;
use wayfile_core::site::url::{Seed, SiteUrl};

use crate::error::CrawlError;
use crate::generated::{Generated, Job};
use crate::house::House;
use crate::http::{ClientError, Lookup, Want};
use crate::messages::Crawl;
use crate::parser::Parser;
use crate::registry::Registry;
use crate::settings::CrawlSettings;
use crate::summarizer::settings::LlmSettings;
use crate::summarizer::{NoModel, Prompts, Summarizer};
use crate::supervisor::{ModelHandle, Supervisor};
use crate::validator::{ValidateSettings, Validator};
use crate::visit::Visitor;

/// Starts crawls. Cheap to clone; may be used from any thread.
#[derive(Clone)]
pub struct Engine {
    house: Arc<House>,
    registry: Registry,
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
    /// Starts the engine; its actors live on the current actor system, whose runtime must have worker threads.
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
        Ok(Self { house, registry, parser, model: None, arbiter })
    }

    /// The same engine with the model of `settings` to write summaries and descriptions; without an endpoint in
    /// them, as it was.
    ///
    /// # Errors
    /// [`NoModel`]: settings or prompts that no model can be asked with.
    pub fn with_model(mut self, settings: LlmSettings, prompts: Prompts) -> Result<Self, NoModel> {
        if let Some(endpoint) = settings.endpoint() {
            let summarizer = Summarizer::new(endpoint, &settings, prompts)?;
            let summarizer = Summarizer::start_in_arbiter(&self.arbiter, |_| summarizer);
            self.model = Some(ModelHandle { summarizer, settings: Arc::new(settings) });
        }
        Ok(self)
    }

    /// Crawls a site and writes its files. Dropping the future stops the crawl.
    ///
    /// # Errors
    /// [`CrawlError`]: the site refuses, cannot be reached or has nothing to read, or the house is full.
    pub async fn generate(&self, job: Job) -> Result<Generated, CrawlError> {
        let _stop_when_dropped = job.cancel.clone().drop_guard();
        let _permit = self.house.crawls.take(self.house.settings.queue_wait).await.ok_or(CrawlError::Busy)?;
        let (house, visitor) = (self.house.clone(), self.visitor(job.cancel.child_token()));
        let model = self.model.clone();
        let supervisor =
            Supervisor::start_in_arbiter(&self.arbiter, move |_| Supervisor::new(house, visitor, job, model));
        supervisor.send(Crawl).await.unwrap_or(Err(CrawlError::Internal))
    }

    /// Fetches and reads one page; its final address and what it says.
    ///
    /// # Errors
    /// [`CrawlError`], as for a home page.
    pub async fn page(&self, seed: Seed, cancel: CancellationToken) -> Result<(SiteUrl, Page), CrawlError> {
        let _stop_when_dropped = cancel.clone().drop_guard();
        match self.visitor(cancel).open(&seed, Want::Page).await {
            Ok(visit) => Ok((visit.url, visit.page)),
            Err((site, error)) => Err(CrawlError::at_home(site.as_str(), &error)),
        }
    }

    /// What validates files by the same Fetchers.
    #[must_use]
    pub fn validator(&self, settings: ValidateSettings) -> Validator {
        Validator::new(self.house.clone(), self.visitor(CancellationToken::new()), settings)
    }

    fn visitor(&self, cancel: CancellationToken) -> Visitor {
        Visitor {
            registry: self.registry.clone(),
            parser: self.parser.clone(),
            cancel,
            max_redirects: self.house.settings.max_redirects,
        }
    }
}
