//! What a crawl asks for: each a task of its own, which tells the Supervisor what came of it.
//!
//! On the Supervisor's context they would all be polled whenever one of them has news.

use actix::prelude::*;
use wayfile_core::url::SiteUrl;

use super::order::InOrder;
use super::sitemap_queue::SitemapTask;
use super::{HOLD_UP_TIMEOUT, Supervisor};
use crate::error::FetchResult;
use crate::http::Want;
use crate::panics::guard_task;
use crate::visit::{NoPage, ReadSitemap, Visit};

#[derive(Debug)]
pub(super) enum Answer {
    Page(Box<(SiteUrl, Result<Visit, NoPage>)>),
    Sitemap(SitemapTask, FetchResult<ReadSitemap>),
    /// `None`: the site says that there is no page, by an error or a redirect.
    MadeUp(Option<MadeUpMatch>),
}

/// The made-up address that was answered with a page, and the kept page that shows the same.
#[derive(Debug)]
pub(super) struct MadeUpMatch {
    pub(super) at: SiteUrl,
    pub(super) canonical: Option<SiteUrl>,
    pub(super) kept: SiteUrl,
}

#[derive(Message)]
#[rtype(result = "()")]
struct Answered {
    number: u64,
    answer: Answer,
}

impl Supervisor {
    pub(super) fn visit(&mut self, url: SiteUrl, ctx: &mut Context<Self>) {
        let Some(site) = &self.site else { return };
        let (visitor, scope) = (self.visitor.clone(), site.scope.clone());
        self.ask_for(ctx, async move {
            // Boxed, because what waits for a large future holds it twice.
            let visiting = Box::pin(visitor.visit(url.clone(), Want::Page, Some(&scope)));
            let visited = guard_task("supervisor", visiting).await;
            Answer::Page(Box::new((url, visited)))
        });
    }

    /// Asks for something beside all that is under way; its answer has its turn after those of what was asked for before.
    pub(super) fn ask_for(&mut self, ctx: &Context<Self>, asking: impl Future<Output = Answer> + 'static) {
        let Some(site) = &mut self.site else { return };
        let (number, supervisor, cancel) =
            (site.order.ask(), ctx.address(), self.visitor.asker.cancel.clone());
        actix::spawn(async move {
            if let Some(answer) = cancel.run_until_cancelled(asking).await {
                supervisor.do_send(Answered { number, answer });
            }
        });
    }

    /// Takes in the next answer, when the one before is settled.
    pub(super) fn proceed(&mut self, ctx: &mut Context<Self>) {
        let Some(site) = self.site.as_mut().filter(|site| !site.settling) else { return };
        if let Some(answer) = site.order.pop() {
            site.settling = true;
            match answer {
                Answer::Page(page) => {
                    let (asked, visited) = *page;
                    self.on_visited(&asked, visited, ctx);
                }
                Answer::Sitemap(task, read) => self.on_sitemap(task, read, ctx),
                Answer::MadeUp(shown) => self.made_up_answered(shown, ctx),
            }
        } else if let Some(late) = site.order.holds_up() {
            hold_up_ends(ctx, move |order| order.go_on_without(late));
        }
    }

    /// What came is settled: asks for more, and takes in what came next.
    pub(super) fn go_on(&mut self, ctx: &mut Context<Self>) {
        if let Some(site) = &mut self.site {
            site.settling = false;
        }
        self.pump(ctx);
        self.proceed(ctx);
    }
}

/// Lets an answer hold up others for a while, and then changes their order.
fn hold_up_ends(ctx: &mut Context<Supervisor>, change: impl FnOnce(&mut InOrder<Answer>) + 'static) {
    ctx.run_later(HOLD_UP_TIMEOUT, |act, ctx| {
        if let Some(site) = &mut act.site {
            change(&mut site.order);
        }
        act.proceed(ctx);
    });
}

impl Handler<Answered> for Supervisor {
    type Result = ();

    fn handle(&mut self, Answered { number, answer }: Answered, ctx: &mut Self::Context) {
        // It holds one of the few permits of the process, which others wait for.
        if matches!(answer, Answer::Sitemap(_, Ok(_))) {
            hold_up_ends(ctx, move |order| order.hurry(number));
        }
        if let Some(site) = &mut self.site {
            site.order.arrived(number, answer);
        }
        self.proceed(ctx);
    }
}
