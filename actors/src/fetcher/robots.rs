//! A domain's robots.txt: asked for once, kept for a day, and for longer while it cannot be read; a domain whose rules were
//! never read is closed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use bytes::Bytes;
use wayfile_core::site::robots::Robots;

use super::Fetcher;
use super::queue::{FetchReply, FetchRequest};
use crate::error::{FetchError, FetchResult};
use crate::http::{MAX_REDIRECTS, Want};
use crate::messages::{Fetch, Fetched, SiteRobots};
use crate::panics::guard;

/// A robots.txt that could not be read is asked for again after this time.
const CLOSED_FOR: Duration = Duration::from_secs(30);

type KnownRobots = FetchResult<Arc<SiteRobots>>;

#[derive(Default)]
pub(super) struct Rules {
    known: Option<KnownRobots>,
    /// None: they are to be asked for again.
    since: Option<Instant>,
    /// They were read before, and could not be read again.
    is_copy: bool,
}

impl Rules {
    /// The rules; nothing may be fetched before they are known.
    pub(super) fn known(&self) -> KnownRobots {
        self.known.clone().unwrap_or(Err(FetchError::Disallowed))
    }

    /// Has them asked for again; until they come those that are known hold.
    pub(super) fn are_old(&mut self) {
        self.since = None;
    }

    /// Whether they need not be asked for again, which rules that came are kept for.
    pub(super) fn are_fresh(&self, keep: Duration) -> bool {
        let keep = if matches!(self.known, Some(Ok(_))) && !self.is_copy { keep } else { CLOSED_FOR };
        self.since.is_some_and(|since| since.elapsed() < keep)
    }

    pub(super) fn crawl_delay(&self) -> Duration {
        let robots = self.known.as_ref().and_then(|known| known.as_ref().ok());
        robots.and_then(|robots| robots.rules.crawl_delay).unwrap_or_default()
    }
}

impl Fetcher {
    /// Asks for the rules first, and then for the address once more, if that is another.
    pub(super) fn fetch_with_rules(
        &mut self,
        fetch: Fetch,
        ctx: &mut Context<Self>,
    ) -> ResponseFuture<FetchResult<Fetched>> {
        let Some(url) = self.origin.at("/robots.txt") else {
            return Box::pin(std::future::ready(Err(FetchError::NotPublic)));
        };
        let rules = self.queue(url, Want::Robots, fetch.asker.clone(), ctx);
        let again = ctx.address();
        Box::pin(async move {
            let rules = rules.await?;
            if fetch.want == Want::Robots {
                return Ok(rules);
            }
            again.send(fetch).await.unwrap_or(Err(FetchError::Internal))
        })
    }

    pub(super) fn robots_came(&mut self, request: FetchRequest, result: FetchReply) {
        let free = || Ok(SiteRobots { rules: Robots::free(), text: Bytes::new() });
        let read = match result {
            Ok(Fetched::Moved(target)) if request.hops < MAX_REDIRECTS => {
                // The rules bind this domain wherever they lie (RFC 9309 section 2.3.1.2).
                let (hops, due) = (request.hops + 1, self.last_used);
                return self.turns.queue.again(FetchRequest { url: target, tries: 0, hops, due, ..request });
            }
            Ok(Fetched::Moved(_))
            | Err(FetchError::TooLarge(_) | FetchError::NotAPage(_) | FetchError::BadRedirect) => free(),
            Ok(Fetched::Page { page, .. }) => {
                let rules = guard("fetcher", || Robots::parse(&page.body, &self.context.product_token()));
                rules.map(|rules| SiteRobots { rules, text: page.body.clone() })
            }
            Ok(Fetched::Seen(_) | Fetched::Rules(_)) => Err(FetchError::Internal),
            Err(FetchError::Status(status)) if Robots::is_absent(status) => free(),
            Err(FetchError::Status(status)) => Err(FetchError::RobotsUnavailable(status)),
            Err(error) => Err(error),
        };
        // A copy holds for longer while the file cannot be read (RFC 9309 section 2.4).
        let copy = self.rules.known.take().filter(|known| known.is_ok() && read.is_err());
        let is_copy = copy.is_some();
        let known = copy.unwrap_or(read.map(Arc::new));
        self.turns.queue.answer(&request, &known.clone().map(Fetched::Rules));
        self.rules = Rules { known: Some(known), since: Some(Instant::now()), is_copy };
    }
}
