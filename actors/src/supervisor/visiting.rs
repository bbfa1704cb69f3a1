//! A crawl's visits: each a task of its own, which tells the Supervisor what came of it.
//!
//! On the Supervisor's context they would all be polled whenever one of them has news.

use actix::prelude::*;
use wayfile_core::url::SiteUrl;

use super::Supervisor;
use crate::guard::guard_task;
use crate::http::Want;
use crate::visit::{NoPage, Visit};

#[derive(Message)]
#[rtype(result = "()")]
struct Visited {
    number: u64,
    url: SiteUrl,
    result: Result<Visit, NoPage>,
}

impl Supervisor {
    /// Asks for a page, beside all others that are under way.
    pub(super) fn visit(&mut self, url: SiteUrl, ctx: &mut Context<Self>) {
        let Some(site) = &mut self.site else { return };
        let (visitor, scope, supervisor) = (self.visitor.clone(), site.scope.clone(), ctx.address());
        let number = site.order.ask();
        actix::spawn(async move {
            // Boxed, because what waits for a large future holds it twice.
            let visiting = Box::pin(visitor.visit(url.clone(), Want::Page, Some(&scope)));
            let visiting = guard_task("supervisor", visiting);
            if let Some(result) = visitor.asker.cancel.run_until_cancelled(visiting).await {
                supervisor.do_send(Visited { number, url, result });
            }
        });
    }
}

impl Handler<Visited> for Supervisor {
    type Result = ();

    fn handle(&mut self, visited: Visited, ctx: &mut Self::Context) {
        if let Some(site) = &mut self.site {
            site.order.arrived(visited.number, (visited.url, visited.result));
        }
        self.proceed(ctx);
    }
}
