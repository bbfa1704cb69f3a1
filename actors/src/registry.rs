//! Which actor minds which domain.

use std::sync::Arc;

use actix::prelude::*;
use dashmap::DashMap;
use wayfile_core::url::Origin;

use crate::context::EngineContext;
use crate::fetcher::{Fetcher, Notice};
use crate::metrics;

/// Finds a domain's Fetcher, starting it when there is none or when it has died.
#[derive(Clone)]
pub(crate) struct Registry {
    context: Arc<EngineContext>,
    arbiter: ArbiterHandle,
    fetchers: Arc<DashMap<Origin, Addr<Fetcher>>>,
}

/// Above this many domains the dead are looked for before another is added.
const SWEEP_ABOVE: usize = 1024;

impl Registry {
    pub(crate) fn new(context: Arc<EngineContext>, arbiter: ArbiterHandle) -> Self {
        Self { context, arbiter, fetchers: Arc::default() }
    }

    pub(crate) fn fetcher(&self, origin: &Origin) -> Addr<Fetcher> {
        if let Some(known) = self.fetchers.get(origin).filter(|f| f.connected()) {
            return known.clone();
        }
        if self.fetchers.len() > SWEEP_ABOVE {
            self.fetchers.retain(|_, fetcher| fetcher.connected());
        }
        let mut entry = self.fetchers.entry(origin.clone()).or_insert_with(|| self.start(origin));
        if !entry.connected() {
            *entry = self.start(origin);
            metrics::RESTARTS.count(["fetcher"]);
        }
        entry.clone()
    }

    /// Another node was refused by a site, or has come to it. Its Fetcher here, if there is one, asks for its share again.
    pub(crate) fn site_changed(&self, origin: &str) {
        let known = self.fetchers.iter().find(|known| known.key().as_str() == origin);
        if let Some(fetcher) = known {
            fetcher.do_send(Notice::SiteChanged);
        }
    }

    /// Has every Fetcher look again what may start: other settings hold.
    pub(crate) fn look_again(&self) {
        for fetcher in self.fetchers.iter() {
            fetcher.do_send(Notice::LookAgain);
        }
    }

    fn start(&self, origin: &Origin) -> Addr<Fetcher> {
        let (context, origin) = (self.context.clone(), origin.clone());
        Fetcher::start_in_arbiter(&self.arbiter, move |_| Fetcher::new(context, origin))
    }
}
