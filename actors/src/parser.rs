//! The Parser: one per process.
//!
//! Owns the pool of threads that do the work: at most one page per core at once. A page that makes one
//! panic is lost alone; so is one that takes too much work, and one that is cancelled is given up at once.

use std::time::Instant;

use actix::prelude::*;
use tokio_util::sync::CancellationToken;
use wayfile_core::page::{self, Page, PageError, PageSource, sources};
use wayfile_core::site::sitemap::{Sitemap, SitemapError, SitemapLimits};
use wayfile_core::work::Work;

use crate::cpu_pool::CpuPool;
use crate::error::{FetchError, FetchResult};
use crate::http::PageBody;
use crate::messages::{ParsePage, ParseSitemap, ParseSource};
use crate::metrics::{self, Held};

pub(crate) struct Parser {
    pool: CpuPool,
    page_work: usize,
    _alive: Held,
}

impl Parser {
    pub(crate) fn new(page_work: usize) -> Self {
        Self { pool: CpuPool::new(), page_work, _alive: metrics::ACTORS.hold("parser") }
    }

    fn on_a_core<T, F>(&self, cancel: CancellationToken, work: F) -> ResponseFuture<FetchResult<T>>
    where
        T: Send + 'static,
        F: FnOnce(&dyn Fn() -> bool) -> FetchResult<T> + Send + 'static,
    {
        let pool = self.pool.clone();
        Box::pin(async move { pool.run("parser", cancel, work).await })
    }
}

impl Actor for Parser {
    type Context = Context<Self>;
}

impl Handler<ParsePage> for Parser {
    type Result = ResponseFuture<FetchResult<Page>>;

    fn handle(&mut self, parse: ParsePage, _: &mut Self::Context) -> Self::Result {
        let steps = self.page_work;
        self.on_a_core(parse.cancel, move |stop| {
            let (_permit, started) = (parse.permit, Instant::now());
            let page = read_page(&parse.page, &Work::new(steps, stop));
            metrics::PARSE_SECONDS.record([], started.elapsed());
            page
        })
    }
}

impl Handler<ParseSource> for Parser {
    type Result = ResponseFuture<FetchResult<Page>>;

    fn handle(&mut self, parse: ParseSource, _: &mut Self::Context) -> Self::Result {
        let steps = self.page_work;
        self.on_a_core(parse.cancel, move |stop| {
            let menus: Vec<PageSource<'_>> = parse.menus.iter().map(|menu| source(menu)).collect();
            let work = Work::new(steps, stop);
            Ok(sources::read_source(&source(&parse.file), &menus, &parse.folder, &work)?)
        })
    }
}

impl Handler<ParseSitemap> for Parser {
    type Result = ResponseFuture<FetchResult<Sitemap>>;

    fn handle(&mut self, parse: ParseSitemap, _: &mut Self::Context) -> Self::Result {
        let limits = SitemapLimits::default();
        self.on_a_core(parse.cancel, move |stop| {
            let (_permit, body) = (parse.permit, parse.page);
            // What it takes is bounded by the limits.
            let work = Work::new(usize::MAX, stop);
            let sitemap = Sitemap::parse(&body.url, body.content_type.as_deref(), &body.body, &limits, &work);
            sitemap.map_err(|error| match error {
                SitemapError::NotASitemap => FetchError::NotAPage(error.to_string()),
                SitemapError::Halt(halt) => halt.into(),
            })
        })
    }
}

fn source(body: &PageBody) -> PageSource<'_> {
    PageSource {
        url: &body.url,
        content_type: body.content_type.as_deref(),
        x_robots_tag: body.x_robots_tag.as_deref(),
        body: &body.body,
    }
}

fn read_page(body: &PageBody, work: &Work<'_>) -> FetchResult<Page> {
    page::read(&source(body), work).map_err(|error| match error {
        PageError::Type(_) => FetchError::NotAPage(error.to_string()),
        PageError::Halt(halt) => halt.into(),
    })
}
