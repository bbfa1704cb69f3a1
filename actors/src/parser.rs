//! The Parser: one per process.
//!
//! Owns nothing but permits for the pool that does the work: at most one page per core at once. A page
//! that makes it panic is lost alone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use wayfile_core::page::{self, Page, Source};
use wayfile_core::site::sitemap::{Sitemap, SitemapLimits};

use crate::error::FetchError;
use crate::guard::on_cpu_pool;
use crate::http::PageBody;
use crate::messages::{ParsePage, ParseSitemap};
use crate::metrics::{self, Alive};
use crate::permits::Pool;

/// A page waits this long for a core; a crawl is over long before.
const PATIENCE: Duration = Duration::from_mins(5);

/// The process's parser.
pub(crate) struct Parser {
    cores: Pool,
    sitemap_limits: SitemapLimits,
    _alive: Alive,
}

impl Parser {
    pub(crate) fn new(sitemap_limits: SitemapLimits) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { cores: Pool::new("cpu", cores), sitemap_limits, _alive: Alive::actor("parser") }
    }

    fn on_a_core<T, F>(&self, work: F) -> ResponseFuture<Result<T, FetchError>>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T, FetchError> + Send + 'static,
    {
        let cores = self.cores.clone();
        Box::pin(async move {
            let core = cores.take(PATIENCE).await.ok_or(FetchError::Cancelled)?;
            let work = move || {
                let _core = core;
                work()
            };
            on_cpu_pool("parser", work).await?
        })
    }
}

impl Actor for Parser {
    type Context = Context<Self>;
}

impl Handler<ParsePage> for Parser {
    type Result = ResponseFuture<Result<Page, FetchError>>;

    fn handle(&mut self, parse: ParsePage, _: &mut Self::Context) -> Self::Result {
        self.on_a_core(move || {
            let (_permit, started) = (parse.permit, Instant::now());
            let page = read(&parse.page);
            metrics::parsed(started.elapsed());
            page
        })
    }
}

impl Handler<ParseSitemap> for Parser {
    type Result = ResponseFuture<Result<Sitemap, FetchError>>;

    fn handle(&mut self, parse: ParseSitemap, _: &mut Self::Context) -> Self::Result {
        let limits = self.sitemap_limits.clone();
        self.on_a_core(move || {
            let (_permit, body) = (parse.permit, parse.page);
            Sitemap::parse(&body.url, body.content_type.as_deref(), &body.body, &limits)
                .map_err(|error| FetchError::NotAPage(error.to_string()))
        })
    }
}

fn read(body: &Arc<PageBody>) -> Result<Page, FetchError> {
    let source = Source {
        url: &body.url,
        content_type: body.content_type.as_deref(),
        x_robots_tag: body.x_robots_tag.as_deref(),
        body: &body.body,
    };
    page::read(&source).map_err(|error| FetchError::NotAPage(error.to_string()))
}
