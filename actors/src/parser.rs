//! The Parser: one per process.
//!
//! Owns nothing but the readers that do the work: at most one page per core at once. A page that makes one
//! panic is lost alone.

use std::sync::Arc;
use std::time::Instant;

use actix::prelude::*;
use wayfile_core::page::{self, Page, Source};
use wayfile_core::site::sitemap::{Sitemap, SitemapLimits};

use crate::error::FetchError;
use crate::http::PageBody;
use crate::messages::{ParsePage, ParseSitemap};
use crate::metrics::{self, Alive};
use crate::readers::Readers;

/// The process's parser.
pub(crate) struct Parser {
    readers: Readers,
    sitemap_limits: SitemapLimits,
    _alive: Alive,
}

impl Parser {
    pub(crate) fn new(sitemap_limits: SitemapLimits) -> Self {
        Self { readers: Readers::new(), sitemap_limits, _alive: Alive::actor("parser") }
    }

    fn on_a_core<T, F>(&self, work: F) -> ResponseFuture<Result<T, FetchError>>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T, FetchError> + Send + 'static,
    {
        let readers = self.readers.clone();
        Box::pin(async move { readers.read("parser", work).await })
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
