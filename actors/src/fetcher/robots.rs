//! A domain's robots.txt: asked for once, kept for a day, closed while it cannot be read.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::oneshot;
use wayfile_core::site::robots::{Access, Robots};

use super::Fetcher;
use crate::error::FetchError;
use crate::guard::guard;
use crate::http::Want;
use crate::messages::{Fetched, SiteRobots};

/// Redirects of robots.txt that are followed (RFC 9309 section 2.3.1.2 asks for at least five).
const MAX_REDIRECTS: usize = 5;
/// A robots.txt that could not be read is asked for again after this time.
const CLOSED_FOR: Duration = Duration::from_secs(30);

type Known = Result<Arc<SiteRobots>, FetchError>;

/// What is known of the rules.
#[derive(Default)]
pub(super) struct Rules {
    known: Option<(Known, Instant)>,
    waiters: Vec<oneshot::Sender<Known>>,
    hops: usize,
}

impl Rules {
    /// The rules; nothing may be fetched before they are known.
    pub(super) fn known(&self) -> Known {
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
    /// Answers `reply` with the rules, asking the site for them first when they are unknown or old.
    pub(super) fn with_rules(&mut self, reply: oneshot::Sender<Known>) {
        if self.rules.are_fresh() {
            // Whoever asked and left needs no answer, here and below.
            let _ = reply.send(self.rules.known());
            return;
        }
        let Some(url) = self.origin.at("/robots.txt") else {
            let _ = reply.send(Err(FetchError::NotPublic));
            return;
        };
        self.rules.waiters.push(reply);
        if self.rules.waiters.len() == 1 {
            self.rules.hops = 0;
            self.queue.push_first(url, Want::Robots);
        }
    }

    pub(super) fn robots_came(&mut self, result: Result<Fetched, FetchError>) {
        let known = match result {
            Ok(Fetched::Moved(target)) => {
                self.rules.hops += 1;
                if self.rules.hops <= MAX_REDIRECTS {
                    // The rules bind this domain wherever they lie (RFC 9309 section 2.3.1.2).
                    return self.queue.push_first(target, Want::Robots);
                }
                Ok((Robots::free(), Bytes::new()))
            }
            Ok(Fetched::Page { page, .. }) => {
                let rules = guard("fetcher", || Robots::parse(&page.body, self.house.product_token()));
                rules.map(|rules| (rules, page.body.clone()))
            }
            Ok(Fetched::Seen(_)) => Err(FetchError::Internal),
            Err(FetchError::Status(status)) => match Access::from_status(status, None) {
                Access::Free => Ok((Robots::free(), Bytes::new())),
                _ => Err(FetchError::RobotsUnavailable(format!("the site answered {status}"))),
            },
            Err(FetchError::TooLarge(_) | FetchError::NotAPage(_) | FetchError::BadRedirect) => {
                Ok((Robots::free(), Bytes::new()))
            }
            Err(error) => Err(error),
        };
        self.learn(known);
    }

    fn learn(&mut self, known: Result<(Robots, Bytes), FetchError>) {
        let settings = &self.house.settings;
        let known = known.map(|(rules, text)| {
            let asked = rules.crawl_delay.unwrap_or_default();
            let crawl_delay = asked.min(settings.max_crawl_delay);
            self.pace.obey_crawl_delay(crawl_delay);
            Arc::new(SiteRobots {
                rules,
                text,
                crawl_delay,
                capped_from: (asked > crawl_delay).then_some(asked),
            })
        });
        let keep = if known.is_ok() { settings.robots_ttl } else { CLOSED_FOR };
        for reply in self.rules.waiters.drain(..) {
            let _ = reply.send(known.clone());
        }
        self.rules.known = Some((known, Instant::now() + keep));
    }
}
