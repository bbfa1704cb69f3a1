//! A domain's robots.txt: asked for once, kept for a day, and for longer while it cannot be read; a domain whose rules were
//! never read is closed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use bytes::Bytes;
use wayfile_core::site::robots::Robots;
use wayfile_core::url::SiteUrl;

use super::Fetcher;
use super::queue::{FetchReply, FetchRequest};
use crate::error::{FetchError, FetchResult};
use crate::http::{MAX_REDIRECTS, Want};
use crate::messages::{Asker, Fetch, Fetched, SiteRobots};
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

    /// The gap that they ask for, if they are known, of so much at most.
    pub(super) fn crawl_delay(&self, most: Duration) -> Option<Duration> {
        let robots = self.known.as_ref()?.as_ref().ok()?;
        Some(robots.capped_from.unwrap_or(robots.crawl_delay).min(most))
    }
}

impl Fetcher {
    pub(super) fn ask_rules(
        &mut self,
        asker: Asker,
        ctx: &mut Context<Self>,
    ) -> impl Future<Output = FetchReply> + use<> {
        let answer = self.origin.at("/robots.txt").map(|url| self.queue(url, Want::Robots, asker, ctx));
        async move {
            match answer {
                Some(answer) => answer.await,
                None => Err(FetchError::NotPublic),
            }
        }
    }

    /// Asks for the rules first, and then for the address once more.
    pub(super) fn fetch_with_rules(
        &mut self,
        fetch: Fetch,
        ctx: &mut Context<Self>,
    ) -> ResponseFuture<FetchResult<Fetched>> {
        let rules = self.ask_rules(fetch.asker.clone(), ctx);
        let again = ctx.address();
        Box::pin(async move {
            rules.await?;
            again.send(fetch).await.unwrap_or(Err(FetchError::Internal))
        })
    }

    pub(super) fn may_fetch(&self, url: &SiteUrl) -> FetchResult<()> {
        let robots = self.rules.known()?;
        if robots.rules.allows(url) { Ok(()) } else { Err(FetchError::Disallowed) }
    }

    pub(super) fn robots_came(&mut self, request: FetchRequest, result: FetchReply) {
        let known = match result {
            Ok(Fetched::Moved(target)) if request.hops < MAX_REDIRECTS => {
                // The rules bind this domain wherever they lie (RFC 9309 section 2.3.1.2).
                let (hops, due) = (request.hops + 1, self.last_used);
                return self.turns.queue.again(FetchRequest { url: target, tries: 0, hops, due, ..request });
            }
            Ok(Fetched::Moved(_))
            | Err(FetchError::TooLarge(_) | FetchError::NotAPage(_) | FetchError::BadRedirect) => {
                Ok((Robots::free(), Bytes::new()))
            }
            Ok(Fetched::Page { page, .. }) => {
                let rules = guard("fetcher", || Robots::parse(&page.body, &self.context.product_token()));
                rules.map(|rules| (rules, page.body.clone()))
            }
            Ok(Fetched::Seen(_) | Fetched::Rules(_)) => Err(FetchError::Internal),
            Err(FetchError::Status(status)) if Robots::is_absent(status) => {
                Ok((Robots::free(), Bytes::new()))
            }
            Err(FetchError::Status(status)) => {
                Err(FetchError::RobotsUnavailable(format!("the site answered {status}")))
            }
            Err(error) => Err(error),
        };
        let known = self.learn(known);
        self.turns.queue.answer(&request, &known.map(Fetched::Rules));
    }

    fn learn(&mut self, known: FetchResult<(Robots, Bytes)>) -> KnownRobots {
        let most = self.context.settings().max_crawl_delay;
        let known = known.map(|(rules, text)| {
            let asked = rules.crawl_delay.unwrap_or_default();
            let crawl_delay = asked.min(most);
            Arc::new(SiteRobots {
                rules,
                text,
                crawl_delay,
                capped_from: (asked > crawl_delay).then_some(asked),
            })
        });
        let before = self.rules.known.take().filter(Result::is_ok).filter(|_| known.is_err());
        let is_copy = before.is_some();
        // A copy holds for longer while the file cannot be read (RFC 9309 section 2.4).
        let known = before.unwrap_or(known);
        self.rules = Rules { known: Some(known.clone()), since: Some(Instant::now()), is_copy };
        known
    }
}
