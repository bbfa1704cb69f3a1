//! A domain's robots.txt: asked for once, kept for a day, closed while it cannot be read.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::Context;
use bytes::Bytes;
use wayfile_core::site::robots::Robots;

use super::Fetcher;
use super::queue::{FetchReply, FetchRequest};
use crate::error::{FetchError, FetchResult};
use crate::guard::guard;
use crate::http::{MAX_REDIRECTS, Want};
use crate::messages::{Asker, Fetched, SiteRobots};

/// A robots.txt that could not be read is asked for again after this time.
const CLOSED_FOR: Duration = Duration::from_secs(30);

type KnownRobots = FetchResult<Arc<SiteRobots>>;

#[derive(Default)]
pub(super) struct Rules {
    known: Option<(KnownRobots, Instant)>,
}

impl Rules {
    /// The rules; nothing may be fetched before they are known.
    pub(super) fn known(&self) -> KnownRobots {
        self.known.as_ref().map_or(Err(FetchError::Disallowed), |(known, _)| known.clone())
    }

    /// Has them asked for again; until they come those that are known hold.
    pub(super) fn are_old(&mut self) {
        if let Some((_, until)) = &mut self.known {
            *until = Instant::now();
        }
    }

    pub(super) fn are_fresh(&self) -> bool {
        self.known.as_ref().is_some_and(|(_, until)| *until > Instant::now())
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

    pub(super) fn robots_came(&mut self, request: FetchRequest, result: FetchReply) {
        let known = match result {
            Ok(Fetched::Moved(target)) if request.hops < MAX_REDIRECTS => {
                // The rules bind this domain wherever they lie (RFC 9309 section 2.3.1.2).
                let (hops, due) = (request.hops + 1, self.last_used);
                return self.turns.queue.again(FetchRequest { url: target, tries: 0, hops, due, ..request });
            }
            Ok(Fetched::Moved(_)) => Ok((Robots::free(), Bytes::new())),
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
            Err(FetchError::TooLarge(_) | FetchError::NotAPage(_) | FetchError::BadRedirect) => {
                Ok((Robots::free(), Bytes::new()))
            }
            Err(error) => Err(error),
        };
        let known = self.learn(known);
        self.turns.queue.answer(&request, &known.map(Fetched::Rules));
    }

    fn learn(&mut self, known: FetchResult<(Robots, Bytes)>) -> KnownRobots {
        let settings = &self.context.settings();
        let known = known.map(|(rules, text)| {
            let asked = rules.crawl_delay.unwrap_or_default();
            let crawl_delay = asked.min(settings.max_crawl_delay);
            self.turns.pace.obey_crawl_delay(crawl_delay);
            Arc::new(SiteRobots {
                rules,
                text,
                crawl_delay,
                capped_from: (asked > crawl_delay).then_some(asked),
            })
        });
        let keep = if known.is_ok() { settings.robots_ttl } else { CLOSED_FOR };
        self.rules.known = Some((known.clone(), Instant::now() + keep));
        known
    }
}
