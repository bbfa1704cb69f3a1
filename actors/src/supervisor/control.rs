//! The control of a crawl: a made-up address that is asked for once, when two pages turn out to show the same.
//!
//! A site with an answer for every address gives it in the place of each page it does not have. The first such answer looks
//! like a page; the second one repeats it, and then it is worth a request to know why.

use std::collections::HashMap;

use actix::prelude::*;
use wayfile_core::site::control::{are_none, made_up};
use wayfile_core::site::frontier::{NOT_FOUND, Outcome};
use wayfile_core::site::url::SiteUrl;

use super::Supervisor;
use crate::guard::guard_task;
use crate::http::Want;
use crate::messages::Show;
use crate::visit::{NoPage, ask};

/// What is known of the answer for every address.
#[derive(Debug, Default)]
pub(super) struct Control {
    asked: bool,
    /// Asked for and not there.
    pub(super) is_awaited: bool,
    /// Pages that repeat others, by the page that was kept.
    repeats: HashMap<SiteUrl, Vec<SiteUrl>>,
    /// The page that turned out to be that answer.
    pub(super) unmasked: Option<SiteUrl>,
}

/// What a made-up address gave.
#[derive(Message)]
#[rtype(result = "()")]
struct Controlled(Option<Shown>);

/// A page that was made up, and the one that was kept and shows the same.
struct Shown {
    at: SiteUrl,
    canonical: Option<SiteUrl>,
    kept: SiteUrl,
}

impl Supervisor {
    /// What becomes of a page that shows what `kept` shows.
    pub(super) fn repeated(&mut self, url: &SiteUrl, kept: SiteUrl, ctx: &mut Context<Self>) -> Outcome {
        let Some(site) = self.site.as_mut().filter(|site| site.url != kept) else {
            return Outcome::Duplicate(kept);
        };
        if site.control.unmasked.as_ref() == Some(&kept) {
            return Outcome::Failed(NOT_FOUND.to_owned());
        }
        let is_first = !std::mem::replace(&mut site.control.asked, true);
        if is_first || site.control.is_awaited {
            site.control.repeats.entry(kept.clone()).or_default().push(url.clone());
        }
        if is_first {
            self.control(url, ctx);
        }
        Outcome::Duplicate(kept)
    }

    /// Asks for an address beside `url` that nobody linked to.
    fn control(&mut self, url: &SiteUrl, ctx: &mut Context<Self>) {
        let Some(site) = &mut self.site else { return };
        let made_up = made_up(url, fastrand::u64(..)).filter(|made_up| site.scope.contains(made_up));
        let Some(at) = made_up else { return };
        site.control.is_awaited = true;
        let (visitor, scope) = (self.visitor.clone(), site.scope.clone());
        let (assembler, supervisor) = (self.assembler.clone(), ctx.address());
        actix::spawn(async move {
            let looking = guard_task("supervisor", async {
                let visit = visitor.visit(at.clone(), Want::Soft404Probe, Some(&scope)).await?;
                // Whoever is sent elsewhere is told that there is nothing here.
                if visit.url != at || visit.page.is_empty() {
                    return Ok::<_, NoPage>(None);
                }
                let kept =
                    ask(&assembler, Show { title: visit.page.title, markdown: visit.page.markdown }).await?;
                Ok(kept.map(|kept| Shown { at, canonical: visit.page.canonical, kept }))
            });
            // An error is an answer, too: there is nothing, and the site says so.
            if let Some(shown) = visitor.cancel.run_until_cancelled(Box::pin(looking)).await {
                supervisor.do_send(Controlled(shown.unwrap_or_default()));
            }
        });
    }
}

impl Handler<Controlled> for Supervisor {
    type Result = ();

    fn handle(&mut self, Controlled(shown): Controlled, ctx: &mut Self::Context) {
        let Some(site) = &mut self.site else { return };
        site.control.is_awaited = false;
        if let Some(Shown { at, canonical, kept }) = shown {
            let repeats = site.control.repeats.remove(&kept).unwrap_or_default();
            let pages: Vec<&SiteUrl> = repeats.iter().chain([&kept]).collect();
            if are_none(&at, canonical.as_ref(), &site.url, &pages) {
                site.frontier.take_back(&kept, &repeats);
                for url in repeats.iter().chain([&kept]) {
                    site.report.add_no_page(url.clone());
                }
                site.control.unmasked = Some(kept);
            }
        }
        // Nobody looks at what repeats what any more.
        site.control.repeats = HashMap::new();
        self.pump(ctx);
    }
}
