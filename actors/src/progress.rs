//! The progress of a crawl. Losing an event loses nothing: each carries all the numbers.

use std::borrow::Cow;

use serde::Serialize;
use tokio::sync::broadcast;
use wayfile_core::url::SiteUrl;

/// Events a slow listener may lag behind before the oldest are dropped.
const BACKLOG: usize = 256;

/// Where a crawl stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Progress {
    /// Pages known so far that the crawl means to fetch.
    pub discovered: usize,
    /// Pages fetched.
    pub fetched: usize,
    /// Pages lost.
    pub failed: usize,
    /// Pages that will have been asked for at the end, as far as can be told now: those fetched and lost, and of those that
    /// wait as many as there is room for.
    pub expected: usize,
    /// Pages that a model described.
    pub described: usize,
}

/// What became of an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Settled {
    /// Which.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub url: SiteUrl,
    /// What, in a word.
    pub outcome: PageOutcome,
    /// Where the index links to in its place: its Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    pub link: Option<SiteUrl>,
    /// Why it is none of the pages, or not in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    pub reason: Option<Cow<'static, str>>,
    /// How it went to open it in a browser, where that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser: Option<InBrowser>,
}

impl Settled {
    pub(crate) fn new(url: SiteUrl, outcome: PageOutcome, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { url, outcome, link: None, reason: Some(reason.into()), browser: None }
    }
}

/// A page that was opened in a browser, or could not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InBrowser {
    /// Why a browser was asked.
    pub why: &'static str,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<u128>,
    /// Why it could not be opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// `kept`: a page that counts; `duplicate`: it leads to a page or shows one that is
/// known already; `leftOut`: on purpose; `lost`: it could not be had; `notFetched`: there was no room or no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum PageOutcome {
    /// A page that counts.
    Kept,
    /// It leads to a page or shows one that is known already.
    Duplicate,
    /// It is left out on purpose.
    LeftOut,
    /// It could not be had.
    Lost,
    /// It was not asked for: there was no room or no time.
    NotFetched,
}

/// Something happened.
#[derive(Debug, Clone)]
pub enum Event {
    /// The crawl has begun.
    Accepted,
    /// New pages are known.
    Discovered(Progress),
    /// A page was settled, one way or the other.
    Page(Settled, Progress),
    /// A model has described a page, or failed to.
    Described(Progress),
    /// The files are being written.
    Assembling(Progress),
}

/// The sending end; any number may listen.
#[derive(Debug, Clone)]
pub struct Events(broadcast::Sender<Event>);

impl Default for Events {
    fn default() -> Self {
        Self(broadcast::Sender::new(BACKLOG))
    }
}

impl Events {
    /// Hears everything from now on.
    pub fn listen(&self) -> broadcast::Receiver<Event> {
        self.0.subscribe()
    }

    pub(crate) fn tell(&self, event: Event) {
        // Without listeners this fails, and may.
        let _ = self.0.send(event);
    }

    pub(crate) fn is_heard(&self) -> bool {
        self.0.receiver_count() > 0
    }
}
