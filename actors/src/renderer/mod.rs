//! The Renderer: one per process, where a browser is configured.
//!
//! Owns the browser: starts it for the first page that only scripts fill, starts another when it has died or has opened enough
//! pages, and lets it go when the last crawl ends that used it. Bounded by `browser.concurrency` pages at once and
//! `browser.timeout` a page. Each page has a browser context of its own, which is thrown away with it. A page that cannot be
//! opened stays the shell that it was.

mod browser;
mod connection;
mod page;
mod requests;
mod watch;

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use actix::prelude::*;
use bytes::Bytes;
use nix::unistd::User;
use parking_lot::Mutex;
use wayfile_core::url::SiteUrl;

use crate::context::EngineContext;
use crate::http::PageBody;
use crate::job::Freshness;
use crate::messages::Asker;
use crate::metrics::{self, Held};
use crate::permits::Pool;
use crate::registry::Registry;
use crate::settings::BrowserSettings;
use browser::Browser;
use page::Tab;
use requests::Requests;
pub use watch::{BrowserFault, WATCH, check, watch};

/// A message of the browser is at most this many times as long as a page: text may be escaped, and there is more to say.
const MESSAGE_FACTOR: usize = 8;

/// Visitor to Renderer: open a page that only scripts fill.
#[derive(Clone, Message)]
#[rtype(result = "RenderResult<Rendered>")]
pub(crate) struct Render {
    pub(crate) page: Arc<PageBody>,
    pub(crate) freshness: Freshness,
    pub(crate) asker: Asker,
    pub(crate) lease: Arc<Lease>,
}

/// What a page shows.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) html: Bytes,
    /// Where it sent its reader.
    pub(crate) leads_to: Option<SiteUrl>,
    /// The folder of the site's Markdown that it shows under routes behind a `#`.
    pub(crate) sources: Option<SiteUrl>,
    pub(crate) opened: Opened,
}

/// How it went to open a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Opened {
    /// How long it took, waits for a free browser left out.
    pub(crate) took: Duration,
    /// Why it was not found out where its clicks lead, where that was tried.
    pub(crate) unexplored: Option<RenderError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RenderError {
    #[error("took too long")]
    TimedOut,
    #[error("too large")]
    TooLarge,
    #[error("crashed")]
    Crashed,
    #[error("ended the browser")]
    Died,
    /// The browser does not do what it is asked to.
    #[error("not understood")]
    Broken,
    #[error("no browser")]
    NoBrowser,
    #[error("beyond browser.pages_per_crawl")]
    OverLimit,
}

pub(crate) type RenderResult<T = ()> = Result<T, RenderError>;

impl RenderError {
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::TimedOut => "timed_out",
            Self::TooLarge => "too_large",
            Self::Crashed => "crashed",
            Self::Died => "died",
            Self::Broken => "broken",
            Self::NoBrowser => "no_browser",
            Self::OverLimit => "over_limit",
        }
    }
}

/// One crawl's share in the browser, which lives as long as any crawl has one.
#[derive(Debug, Default)]
pub(crate) struct Lease {
    pages: AtomicUsize,
    browser: Mutex<Option<Arc<Browser>>>,
    /// What pages of the crawl have loaded.
    loaded: Mutex<HashSet<SiteUrl>>,
}

pub(crate) struct Renderer {
    shared: Arc<RendererState>,
    _alive: Held,
}

/// What the pages that are open share.
struct RendererState {
    settings: BrowserSettings,
    user: Option<User>,
    context: Arc<EngineContext>,
    registry: Registry,
    /// Where the service itself listens: no page reaches that, whatever network is opened.
    own: Vec<SocketAddr>,
    pages: Pool,
    browser: tokio::sync::Mutex<Weak<Browser>>,
}

impl Renderer {
    /// Clears away what an earlier process left, and starts nothing yet.
    /// Errors: [`BrowserFault`]: why no browser could be started.
    pub(crate) fn new(
        settings: BrowserSettings,
        context: Arc<EngineContext>,
        registry: Registry,
        own: Vec<SocketAddr>,
    ) -> Result<Self, BrowserFault> {
        check(&settings)?;
        let user = watch::browser_user(&settings)?;
        watch::clear_leftovers(user.as_ref());
        let pages = Pool::new("browser", settings.concurrency);
        let shared = RendererState {
            settings,
            user,
            context,
            registry,
            own,
            pages,
            browser: tokio::sync::Mutex::default(),
        };
        Ok(Self { shared: Arc::new(shared), _alive: metrics::ACTORS.hold("renderer") })
    }
}

impl RendererState {
    async fn browser(&self) -> RenderResult<Arc<Browser>> {
        let mut known = self.browser.lock().await;
        if let Some(browser) = known.upgrade().filter(|browser| browser.is_fit()) {
            return Ok(browser);
        }
        let browser = self.start().await?;
        *known = Arc::downgrade(&browser);
        Ok(browser)
    }

    async fn start(&self) -> RenderResult<Arc<Browser>> {
        let path = self.settings.path.as_ref().ok_or(RenderError::NoBrowser)?;
        let max_bytes = self.context.settings().page_max_bytes.0.saturating_mul(MESSAGE_FACTOR);
        let started = Browser::start(&self.settings, path, self.user.as_ref(), max_bytes).await;
        started.map(Arc::new).map_err(|error| {
            tracing::error!(%error, "the browser does not start");
            RenderError::NoBrowser
        })
    }

    async fn render(self: Arc<Self>, render: Render) -> RenderResult<Rendered> {
        if render.lease.pages.fetch_add(1, Ordering::Relaxed) >= self.settings.pages_per_crawl {
            return Err(RenderError::OverLimit);
        }
        let max_wait = self.context.settings().deadline;
        let _permit = self.pages.take(render.asker.owner, max_wait).await.ok_or(RenderError::TimedOut)?;
        let browser = self.browser().await;
        *render.lease.browser.lock() = browser.clone().ok();
        let shown = self.show(browser, &render).await;
        let is_cut = match &shown {
            Ok(rendered) => rendered.opened.unexplored == Some(RenderError::Died),
            Err(error) => matches!(error, RenderError::Died | RenderError::NoBrowser),
        };
        if !is_cut {
            return shown;
        }
        // Another page may have ended the browser. In one of its own it can only end itself.
        let again = self.show(self.start().await, &render).await;
        again.or_else(|error| shown.or(Err(error)))
    }

    async fn show(
        self: &Arc<Self>,
        browser: RenderResult<Arc<Browser>>,
        render: &Render,
    ) -> RenderResult<Rendered> {
        let browser = browser?;
        browser.opened.fetch_add(1, Ordering::Relaxed);
        let requests = Requests::new(self.clone(), render.clone());
        let tab = Tab::open(&browser.connection, self.settings.timeout, requests).await?;
        tab.show(&render.page.url, self.context.settings().page_max_bytes.0).await
    }
}

impl Actor for Renderer {
    type Context = Context<Self>;
}

impl Handler<Render> for Renderer {
    type Result = ResponseFuture<RenderResult<Rendered>>;

    fn handle(&mut self, render: Render, _: &mut Self::Context) -> Self::Result {
        let cancel = render.asker.cancel.clone();
        let shared = self.shared.clone();
        let rendering = tokio::spawn(async move {
            let rendered = cancel.run_until_cancelled(Box::pin(shared.render(render))).await;
            rendered.unwrap_or(Err(RenderError::TimedOut))
        });
        Box::pin(async move {
            let rendered = rendering.await.unwrap_or_else(|_| {
                metrics::PANICS.count(["renderer"]);
                Err(RenderError::Broken)
            });
            metrics::RENDERS.count([rendered.as_ref().map_or_else(|error| error.kind(), |_| "ok")]);
            if let Ok(rendered) = &rendered {
                metrics::RENDER_SECONDS.record([], rendered.opened.took);
            }
            rendered
        })
    }
}
