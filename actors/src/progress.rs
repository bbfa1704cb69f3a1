//! How a crawl goes, for whoever watches. Losing an event loses nothing: each carries all the numbers.

use serde::Serialize;
use tokio::sync::broadcast;
use wayfile_core::site::url::SiteUrl;

/// Events a slow listener may lag behind before the oldest are dropped.
const BACKLOG: usize = 256;

/// Where a crawl stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Pages known so far that the crawl means to fetch.
    pub discovered: usize,
    /// Pages fetched.
    pub fetched: usize,
    /// Pages lost.
    pub failed: usize,
    /// Pages that a model described.
    pub described: usize,
}

/// Something happened.
#[derive(Debug, Clone)]
pub enum Event {
    /// The crawl has begun.
    Accepted,
    /// New pages are known.
    Discovered(Progress),
    /// A page was settled, one way or the other.
    Page(SiteUrl, Progress),
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
    #[must_use]
    pub fn listen(&self) -> broadcast::Receiver<Event> {
        self.0.subscribe()
    }

    pub(crate) fn tell(&self, event: Event) {
        // Nobody listening is fine.
        let _ = self.0.send(event);
    }

    pub(crate) fn is_heard(&self) -> bool {
        self.0.receiver_count() > 0
    }
}
