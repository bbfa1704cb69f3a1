//! One probe of one address: hop by hop through the Fetchers, until time is up.

use std::sync::Arc;

use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use wayfile_core::llms_txt::lint::served::HttpAnswer;
use wayfile_core::url::SiteUrl;

use crate::error::{FetchError, FetchResult};
use crate::http::{Probe, Want};
use crate::messages::Fetched;
use crate::visit::{MAX_REDIRECTS, Visitor};

/// Sends the requests of one validation.
pub(super) struct Prober {
    pub(super) visitor: Visitor,
    /// Whatever is not known by then stays unknown.
    pub(super) until: Instant,
    /// Cancelled when the service stops.
    pub(super) closing: CancellationToken,
}

/// The last answer and the addresses that sent on to it.
pub(super) struct Probed {
    pub(super) answer: Arc<HttpAnswer>,
    pub(super) hops: Vec<SiteUrl>,
}

impl Prober {
    /// # Errors
    /// [`FetchError`]; [`FetchError::Cancelled`] when time is up.
    pub(super) async fn probe(&self, url: &SiteUrl, probe: Probe) -> FetchResult<Probed> {
        self.in_time(self.follow(url, probe)).await.unwrap_or(Err(FetchError::Cancelled))
    }

    /// What comes of `work` before time is up.
    pub(super) async fn in_time<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.closing.cancelled() => None,
            done = timeout_at(self.until, work) => done.ok(),
        }
    }

    async fn follow(&self, url: &SiteUrl, probe: Probe) -> FetchResult<Probed> {
        let mut hops = Vec::new();
        let mut url = url.clone();
        while hops.len() <= MAX_REDIRECTS {
            match self.visitor.fetch(&url, Want::Probe(probe)).await? {
                Fetched::Seen(answer) => return Ok(Probed { answer, hops }),
                Fetched::Moved(target) => hops.push(std::mem::replace(&mut url, target)),
                Fetched::Page { .. } | Fetched::Rules(_) => return Err(FetchError::Internal),
            }
        }
        Err(FetchError::TooManyRedirects)
    }
}
