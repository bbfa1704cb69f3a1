//! From an address to a page: the right Fetcher, redirects hop by hop, the Parser, the Markdown twin.

mod shells;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use parking_lot::Mutex;
use wayfile_core::page::Page;
use wayfile_core::site::scope::Scope;
use wayfile_core::site::sitemap::Sitemap;
use wayfile_core::url::{Seed, SiteUrl};

use crate::error::{FetchError, FetchResult};
use crate::http::{MAX_REDIRECTS, PageBody, Want};
use crate::job::Freshness;
use crate::messages::{Asker, Fetch, Fetched, ParsePage, ParseSitemap, SiteRobots};
use crate::panics::ask;
use crate::parser::Parser;
use crate::permits::{Permit, Pool};
use crate::registry::Registry;
use shells::Shown;
pub(crate) use shells::{BrowserOutcome, Filling};

/// A page that sends its readers elsewhere and says less than this is a redirect, not a page.
const MAX_FORWARD_BYTES: usize = 500;

#[derive(Clone)]
pub(crate) struct Visitor {
    pub(crate) registry: Registry,
    pub(crate) parser: Addr<Parser>,
    /// Who reads a sitemap needs a permit of it.
    pub(crate) sitemaps: Pool,
    pub(crate) freshness: Freshness,
    pub(crate) asker: Asker,
    /// The addresses of the pages that were read. A redirect to one of them leads to nothing new.
    pub(crate) read: Arc<Mutex<HashSet<SiteUrl>>>,
    /// What empty shells are filled with; they stay empty for those who read as agents do.
    pub(crate) filling: Option<Filling>,
}

#[derive(Debug)]
pub(crate) struct Visit {
    /// Where it was in the end.
    pub(crate) url: SiteUrl,
    /// Where an index should link to.
    pub(crate) link: SiteUrl,
    pub(crate) page: Page,
    pub(crate) bytes: usize,
    /// Whether a browser showed it.
    pub(crate) opened: BrowserOutcome,
}

impl Visit {
    /// Where the page sends its readers instead of telling them something.
    fn leads_to(&self) -> Option<SiteUrl> {
        let refresh = self.page.refresh.as_ref().filter(|target| **target != self.url);
        refresh.filter(|_| self.page.markdown.len() < MAX_FORWARD_BYTES).cloned()
    }
}

type FetchedBody = (Arc<PageBody>, Option<Arc<Permit>>);

/// What a sitemap names, and the permit to have so much in memory.
pub(crate) type ReadSitemap = (Sitemap, Permit);

#[derive(Debug)]
pub(crate) enum NoPage {
    Failed(FetchError),
    LeftTheSite,
    /// It led to a page that was read before.
    Read(SiteUrl),
}

impl From<FetchError> for NoPage {
    fn from(error: FetchError) -> Self {
        Self::Failed(error)
    }
}

impl From<NoPage> for FetchError {
    fn from(none: NoPage) -> Self {
        match none {
            NoPage::Failed(error) => error,
            NoPage::LeftTheSite | NoPage::Read(_) => Self::BadRedirect,
        }
    }
}

impl Visitor {
    pub(crate) fn has_browser(&self) -> bool {
        self.filling.as_ref().is_some_and(|filling| filling.browser.is_some())
    }

    /// Fetches and reads a page. `within` bounds where redirects may lead; `None` follows them anywhere
    /// (the seed's redirect moves the site).
    pub(crate) async fn visit(
        &self,
        url: SiteUrl,
        want: Want,
        within: Option<&Scope>,
    ) -> Result<Visit, NoPage> {
        let start = url.clone();
        let ends = |target: &SiteUrl| self.ends(&start, target, within);
        let mut url = url;
        let mut hops = 0;
        let mut sender = None;
        let visit = loop {
            let (body, permit) = match (self.follow(url, want, ends).await, sender.take()) {
                // A page that hands out a file is one itself.
                (Err(NoPage::Failed(FetchError::NotAPage(_))), Some(sender)) => break sender,
                (answer, _) => answer?,
            };
            let (at, bytes) = (body.url.clone(), body.body.len());
            let page = self.parse(body.clone(), permit).await?;
            let Shown { page, link, opened } = self.shown(page, body).await;
            if let Some(error_page) = page.error_page {
                return Err(FetchError::from(error_page).into());
            }
            let visit = Visit { link: link.unwrap_or_else(|| at.clone()), url: at, page, bytes, opened };
            match visit.leads_to() {
                None => break visit,
                Some(target) if let Some(end) = ends(&target) => return Err(end),
                Some(_) if hops == MAX_REDIRECTS => return Err(FetchError::TooManyRedirects.into()),
                Some(target) => (url, sender) = (target, Some(visit)),
            }
            hops += 1;
        };
        // What a made-up address shows is not taken in.
        if want != Want::MadeUp {
            self.read.lock().insert(visit.url.clone());
        }
        Ok(match (within, visit.page.markdown_alternate.clone()) {
            (Some(scope), Some(twin)) if scope.contains(&twin) && twin != visit.url => {
                self.with_twin(visit, twin, scope).await
            }
            _ => visit,
        })
    }

    /// Opens a site at the first of its seed's addresses that answers: a bare domain is tried over https, and
    /// over http when there is no TLS there.
    /// Errors: The address that was tried last, and why it gave no page.
    pub(crate) async fn open(&self, seed: &Seed, want: Want) -> Result<Visit, (SiteUrl, FetchError)> {
        let mut last = None;
        for url in seed.candidates() {
            match self.visit(url.clone(), want, None).await.map_err(FetchError::from) {
                Ok(visit) => return Ok(visit),
                Err(error @ (FetchError::Refused | FetchError::Connect(_) | FetchError::Tls(_))) => {
                    last = last.or(Some((url, error)));
                }
                Err(error) => return Err((url, error)),
            }
        }
        Err(last.unwrap_or((seed.url.clone(), FetchError::Internal)))
    }

    pub(crate) async fn sitemap(&self, url: SiteUrl) -> FetchResult<ReadSitemap> {
        let (page, permit) = self.follow(url, Want::Sitemap, |_| None).await?;
        let reading = self.sitemaps.take(self.asker.owner, Duration::MAX).await;
        let reading = reading.ok_or(FetchError::Cancelled)?;
        let cancel = self.asker.cancel.clone();
        Ok((ask(&self.parser, ParseSitemap { page, permit, cancel }).await?, reading))
    }

    /// Reads a body as a page, unless the crawl is over before.
    pub(crate) fn parse(
        &self,
        page: Arc<PageBody>,
        permit: Option<Arc<Permit>>,
    ) -> impl Future<Output = FetchResult<Page>> + use<> {
        ask(&self.parser, ParsePage { page, permit, cancel: self.asker.cancel.clone() })
    }

    pub(crate) fn fetch(
        &self,
        url: &SiteUrl,
        want: Want,
    ) -> impl Future<Output = FetchResult<Fetched>> + use<> {
        let fetch = Fetch { url: url.clone(), want, freshness: self.freshness, asker: self.asker.clone() };
        ask(&self.registry.fetcher(&url.origin()), fetch)
    }

    /// What the site of `url` allows, and where its sitemaps lie.
    pub(crate) async fn robots(&self, url: &SiteUrl) -> FetchResult<Arc<SiteRobots>> {
        match self.fetch(url, Want::Robots).await? {
            Fetched::Rules(rules) => Ok(rules),
            Fetched::Page { .. } | Fetched::Seen(_) | Fetched::Moved(_) => Err(FetchError::Internal),
        }
    }

    /// Fetches an address and what it is redirected to, unless `ends` names a reason not to.
    pub(crate) async fn follow(
        &self,
        url: SiteUrl,
        want: Want,
        ends: impl Fn(&SiteUrl) -> Option<NoPage>,
    ) -> Result<FetchedBody, NoPage> {
        match self.last_hop(url, want, ends).await? {
            Fetched::Page { page, permit } => Ok((page, permit)),
            Fetched::Seen(_) | Fetched::Rules(_) | Fetched::Moved(_) => Err(FetchError::Internal.into()),
        }
    }

    /// What the last address answers that redirects lead to, none of which `ends` names a reason not to follow.
    pub(crate) async fn last_hop(
        &self,
        mut url: SiteUrl,
        want: Want,
        mut ends: impl FnMut(&SiteUrl) -> Option<NoPage>,
    ) -> Result<Fetched, NoPage> {
        for hop in 0..=MAX_REDIRECTS {
            match self.fetch(&url, want).await {
                // It is not the address that was asked for that is not public.
                Err(FetchError::NotPublic) if hop > 0 && !matches!(want, Want::Probe(_)) => {
                    return Err(FetchError::BadRedirect.into());
                }
                Err(error) => return Err(error.into()),
                Ok(Fetched::Moved(target)) if let Some(end) = ends(&target) => return Err(end),
                Ok(Fetched::Moved(target)) => url = target,
                Ok(answer) => return Ok(answer),
            }
        }
        Err(FetchError::TooManyRedirects.into())
    }

    /// Why a visit of `start` that is sent to `target` ends there. One that is sent to itself has to see it once more: it may
    /// have been asked to come back with a cookie.
    fn ends(&self, start: &SiteUrl, target: &SiteUrl, within: Option<&Scope>) -> Option<NoPage> {
        if !within?.contains(target) {
            return Some(NoPage::LeftTheSite);
        }
        let is_read = target.key() != start.key() && self.read.lock().contains(target);
        is_read.then(|| NoPage::Read(target.clone()))
    }

    /// The Markdown that the site itself offers beats what we make of its HTML; without it nothing is lost.
    async fn with_twin(&self, html: Visit, twin: SiteUrl, scope: &Scope) -> Visit {
        let leaves = |target: &SiteUrl| (!scope.contains(target)).then_some(NoPage::LeftTheSite);
        let Ok((body, permit)) = self.follow(twin, Want::Page, leaves).await else { return html };
        if body.content_type.as_ref().is_none_or(|kind| kind.contains("html")) {
            return html;
        }
        let (link, bytes) = (body.url.clone(), body.body.len());
        match self.parse(body, permit).await {
            Ok(twin) if !twin.markdown.trim().is_empty() => {
                let page = Page { markdown: twin.markdown, origin: twin.origin, ..html.page };
                Visit { link, page, bytes: html.bytes + bytes, ..html }
            }
            _ => html,
        }
    }
}
