//! A crawl's sitemaps: read beside its pages, and taken in step by step.

use std::time::Duration;

use actix::prelude::*;

use super::asking::Answer;
use super::sitemap_queue::SitemapTask;
use super::{Supervisor, outcomes};
use crate::error::FetchResult;
use crate::panics::guard;
use crate::progress::Event;
use crate::visit::ReadSitemap;

/// Entries that are taken in at once, in about a millisecond: the actors of one thread, which keep the gaps between
/// requests, wait for each other.
const STEP: usize = 500;

impl Supervisor {
    pub(super) fn read_sitemap(&mut self, task: SitemapTask, ctx: &Context<Self>) {
        let visitor = self.visitor.clone();
        self.ask_for(ctx, async move {
            let read = visitor.sitemap(task.url.clone()).await;
            Answer::Sitemap(task, read)
        });
    }

    pub(super) fn on_sitemap(
        &mut self,
        task: SitemapTask,
        read: FetchResult<ReadSitemap>,
        ctx: &mut Context<Self>,
    ) {
        let Some(site) = &mut self.site else { return };
        match read {
            Ok(read) => {
                if read.0.truncated {
                    self.report.cut_sitemaps += 1;
                    let what = "read in part, a limit or a broken end cost the rest";
                    site.note(|| outcomes::sitemap(task.url.clone(), what));
                }
                return self.take_in(task, read, 0, ctx);
            }
            Err(error) => {
                site.sitemaps.missed();
                if !task.guessed {
                    self.report.broken_sitemaps += 1;
                    site.note(|| outcomes::sitemap(task.url, error));
                }
            }
        }
        self.tell(Event::Discovered);
        self.go_on(ctx);
    }

    fn take_in(&mut self, task: SitemapTask, read: ReadSitemap, from: usize, ctx: &mut Context<Self>) {
        let sitemap = &read.0;
        let Some(site) = &mut self.site else { return };
        let step = sitemap.entries.iter().skip(from).take(STEP);
        // A panic half-way leaves the frontier with what it had taken in.
        let _ = guard("supervisor", || site.frontier.offer_sitemap(from, step));
        let next = from + STEP;
        if next < sitemap.entries.len() {
            ctx.run_later(Duration::ZERO, move |act, ctx| act.take_in(task, read, next, ctx));
            return;
        }
        site.sitemaps.found(&task, read.0.children);
        self.tell(Event::Discovered);
        self.go_on(ctx);
    }
}
