//! The soft-404 check of a crawl: a made-up address that is asked for once, when two pages turn out to show the same.
//!
//! A site with an answer for every address gives it in the place of each page it does not have. The first such answer looks
//! like a page; the second one repeats it, and then it is worth a request to know why.

use std::collections::HashMap;

use actix::prelude::*;
use wayfile_core::site::frontier::{NOT_FOUND, Outcome};
use wayfile_core::site::soft_404::{are_soft_404, made_up};
use wayfile_core::url::SiteUrl;

use super::Supervisor;
use super::asking::{Answer, MadeUpMatch};
use crate::http::Want;
use crate::messages::Show;
use crate::panics::{ask, guard_task};
use crate::progress::{PageOutcome, Settled};
use crate::visit::NoPage;

const NO_PAGE: &str = "it shows what the site shows for any address";

/// What is known of the answer for every address.
#[derive(Debug, Default)]
pub(super) struct Soft404Check {
    asked: bool,
    /// Asked for and not there.
    pub(super) is_awaited: bool,
    /// Pages that repeat others, by the page that was kept.
    repeats: HashMap<SiteUrl, Vec<SiteUrl>>,
    /// The page that turned out to be that answer.
    pub(super) unmasked: Option<SiteUrl>,
}

impl Supervisor {
    /// What becomes of a page that shows what `kept` shows.
    pub(super) fn repeated(&mut self, url: &SiteUrl, kept: SiteUrl, ctx: &mut Context<Self>) -> Outcome {
        let Some(site) = self.site.as_mut().filter(|site| site.url != kept) else {
            return Outcome::Duplicate(kept);
        };
        if site.soft_404.unmasked.as_ref() == Some(&kept) {
            return Outcome::Failed(NOT_FOUND.to_owned());
        }
        let is_first = !std::mem::replace(&mut site.soft_404.asked, true);
        if is_first || site.soft_404.is_awaited {
            site.soft_404.repeats.entry(kept.clone()).or_default().push(url.clone());
        }
        if is_first {
            self.ask_made_up(url, ctx);
        }
        Outcome::Duplicate(kept)
    }

    /// Asks for an address beside `url` that nobody linked to.
    fn ask_made_up(&mut self, url: &SiteUrl, ctx: &mut Context<Self>) {
        let Some(site) = &mut self.site else { return };
        let made_up = made_up(url, fastrand::u64(..)).filter(|made_up| site.scope.contains(made_up));
        let Some(at) = made_up else { return };
        site.soft_404.is_awaited = true;
        let (visitor, scope, assembler) = (self.visitor.clone(), site.scope.clone(), self.assembler.clone());
        self.ask_for(ctx, async move {
            let answer = guard_task("supervisor", async {
                let visit = visitor.visit(at.clone(), Want::MadeUp, Some(&scope)).await?;
                // A redirect says that there is nothing here.
                if visit.url != at || visit.page.is_empty() {
                    return Ok::<_, NoPage>(None);
                }
                let kept =
                    ask(&assembler, Show { title: visit.page.title, markdown: visit.page.markdown }).await?;
                Ok(kept.map(|kept| MadeUpMatch { at, canonical: visit.page.canonical, kept }))
            });
            // An error means that the site answers a missing page as it should.
            Answer::MadeUp(Box::pin(answer).await.unwrap_or_default())
        });
    }

    /// `shown`: none when the site answered it with an error or a redirect.
    pub(super) fn made_up_answered(&mut self, shown: Option<MadeUpMatch>, ctx: &mut Context<Self>) {
        let Some(site) = &mut self.site else { return };
        site.soft_404.is_awaited = false;
        if let Some(MadeUpMatch { at, canonical, kept }) = shown {
            let repeats = site.soft_404.repeats.remove(&kept).unwrap_or_default();
            let pages: Vec<&SiteUrl> = repeats.iter().chain([&kept]).collect();
            if are_soft_404(&at, canonical.as_ref(), &site.url, &pages) {
                site.frontier.take_back(&kept, &repeats);
                for url in repeats.iter().chain([&kept]) {
                    site.note(|| Settled::new(url.clone(), PageOutcome::Lost, NO_PAGE));
                }
                site.soft_404.unmasked = Some(kept);
            }
        }
        site.soft_404.repeats = HashMap::new();
        self.go_on(ctx);
    }
}
