//! What is shared with the other nodes of a service: the sites, and each key's crawls at once.
//!
//! Who asks does not know whether there are others: [`InProcess`] has everything for itself, and a store of several nodes
//! implements the same.

use std::any::Any;
use std::time::Instant;

use async_trait::async_trait;
use jiff::Timestamp;
use wayfile_core::nodes::clock::SharedClock;
use wayfile_core::nodes::share::{Ask, Granted};

use crate::ledger::{KeyId, LedgerError};

/// The right to one of a key's crawls at once; given back when dropped.
pub type CrawlPlace = Box<dyn Any + Send + Sync>;

/// Called with the origin of a site that has refused another node, or that another node has come to.
pub type OnSiteChange = Box<dyn Fn(&str) + Send + Sync>;

/// What nodes agree on. Every answer comes within a bound, or an error in its place.
#[async_trait]
pub trait Coordination: Send + Sync {
    /// Asks for a share of a site, named by its origin. The answer is by the clock that comes with it.
    async fn site(&self, origin: &str, ask: Ask) -> Result<(Granted, SharedClock), LedgerError>;

    /// Takes one of a key's places to crawl, if one of so many is free.
    async fn crawl_place(&self, key: KeyId, at_once: usize) -> Result<Option<CrawlPlace>, LedgerError>;

    /// Has `tell` hear of what other nodes meet and do.
    fn on_site_change(&self, tell: OnSiteChange);
}

/// One process alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct InProcess;

#[async_trait]
impl Coordination for InProcess {
    async fn site(&self, _: &str, _: Ask) -> Result<(Granted, SharedClock), LedgerError> {
        let (now, shown, mut clock) = (Instant::now(), Timestamp::now(), SharedClock::default());
        clock.hear(now, shown, now);
        Ok((Granted::alone(shown), clock))
    }

    async fn crawl_place(&self, _: KeyId, _: usize) -> Result<Option<CrawlPlace>, LedgerError> {
        Ok(Some(Box::new(())))
    }

    fn on_site_change(&self, _: OnSiteChange) {}
}
