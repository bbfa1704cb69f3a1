//! The domain's part of what all nodes may ask its site.

use std::time::Instant;

use actix::prelude::*;
use wayfile_core::nodes::clock::SharedClock;
use wayfile_core::nodes::share::Granted;
use wayfile_core::site::pace::RequestKind;

use super::{Fetcher, Notice};
use crate::ledger::LedgerError;
use crate::metrics;

impl Fetcher {
    /// Asks the others when it is time to. When it will be, if that is known.
    pub(super) fn share(&mut self, now: Instant, ctx: &mut Context<Self>) -> Option<Instant> {
        let (wanted, running) = (self.turns.wanted(now), self.turns.pace.running());
        let (gap, used) = (self.turns.pace.gap(RequestKind::Page), self.last_used);
        let next = self.turns.pace.turn(RequestKind::Page, now).unwrap_or(now);
        let due = self.turns.membership.ask_at(now, wanted, running, gap, used, next)?;
        if due > now {
            return Some(due);
        }
        let ask = self.turns.membership.asks(self.turns.pace.ask(wanted, now), next, now);
        let (coordination, origin) = (self.context.coordination.clone(), self.origin.clone());
        let (fetcher, leaves) = (ctx.address(), wanted + running == 0);
        tokio::spawn(async move {
            let grant = coordination.site(origin.as_str(), ask).await;
            let outcome = match &grant {
                Ok((grant, _)) if grant.again.is_some() => "waits",
                Ok(_) => "granted",
                Err(_) => "failed",
            };
            metrics::SHARES.count([outcome]);
            metrics::SHARE_SECONDS.record([], now.elapsed());
            fetcher.do_send(Notice::ShareGranted { grant, leaves });
        });
        None
    }

    pub(super) fn share_granted(&mut self, grant: Result<(Granted, SharedClock), LedgerError>, leaves: bool) {
        let now = Instant::now();
        match grant {
            Ok((grant, clock)) => {
                let closed_until = self.turns.membership.takes(&grant, &clock, leaves, now);
                self.turns.pace.obey_others(grant.gap, closed_until);
            }
            Err(error) => {
                tracing::warn!(%error, "a site waits: what nodes share of it cannot be asked for");
                self.turns.membership.fails(now);
            }
        }
    }
}
