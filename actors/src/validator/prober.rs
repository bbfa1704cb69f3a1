//! One probe of one address: hop by hop through the Fetchers, until time is up.

use std::sync::Arc;

use tokio::time::{Instant, timeout_at};
use wayfile_core::llms_txt::lint::served::HttpAnswer;
use wayfile_core::url::SiteUrl;

use super::Validator;
use crate::error::{FetchError, FetchResult};
use crate::http::{Probe, Want};
use crate::messages::Fetched;
use crate::visit::{NoPage, Visitor};

pub(super) struct Prober {
    pub(super) validator: Validator,
    pub(super) visitor: Visitor,
    /// Whatever is not known by then stays unknown.
    pub(super) until: Instant,
}

/// The last answer and the addresses that sent on to it.
pub(super) struct Probed {
    pub(super) answer: Arc<HttpAnswer>,
    pub(super) hops: Vec<SiteUrl>,
}

impl Prober {
    /// Errors: [`FetchError`]; [`FetchError::Cancelled`] when time is up.
    pub(super) async fn probe(&self, url: &SiteUrl, probe: Probe) -> FetchResult<Probed> {
        let (answer, hops) = self.follow(url, probe).await;
        Ok(Probed { answer: answer?, hops })
    }

    /// The answer, and the addresses that sent on to it, or to what failed.
    pub(super) async fn follow(
        &self,
        url: &SiteUrl,
        probe: Probe,
    ) -> (FetchResult<Arc<HttpAnswer>>, Vec<SiteUrl>) {
        let (mut hops, mut at) = (Vec::new(), url.clone());
        let note = |target: &SiteUrl| {
            hops.push(std::mem::replace(&mut at, target.clone()));
            None
        };
        let asking = self.visitor.last_hop(url.clone(), Want::Probe(probe), note);
        let answer = match self.in_time(asking).await {
            Some(Ok(Fetched::Seen(answer))) => Ok(answer),
            Some(Err(NoPage::Failed(error))) => Err(error),
            Some(_) => Err(FetchError::Internal),
            None => Err(FetchError::Cancelled),
        };
        (answer, hops)
    }

    /// What comes of `work` before time is up.
    pub(super) async fn in_time<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.validator.context.closing.cancelled() => None,
            done = timeout_at(self.until, work) => done.ok(),
        }
    }

    pub(super) fn is_closing(&self) -> bool {
        self.validator.context.closing.is_cancelled()
    }
}
