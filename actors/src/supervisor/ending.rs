//! The end of a crawl: its files are written, and its callers answered.

use std::sync::Arc;

use actix::prelude::*;
use tokio_util::sync::CancellationToken;
use wayfile_core::llms_txt::describe::ModelTexts;
use wayfile_core::url::SiteUrl;

use super::Supervisor;
use super::callers::CallerAnswers;
use super::writing::Writing;
use crate::crawl_report::ModelShare;
use crate::error::{CrawlError, FetchError, SiteFault};
use crate::job::{Generated, OutputOptions};
use crate::messages::{Assemble, Assembled, WrittenFiles};
use crate::metrics;
use crate::panics::ask;
use crate::progress::Event;

impl Supervisor {
    /// Has the files written, for all callers and once.
    pub(super) fn assemble(&mut self, ctx: &mut Context<Self>) {
        let Some(mut site) = self.site.take() else { return };
        self.listing = None;
        self.callers.tell(&Event::Assembling(self.progress(&site)));
        let written: Option<ModelTexts> = self.writing.as_mut().map(Writing::close);
        self.visitor.asker.cancel.cancel();
        site.frontier.sweep();
        self.outcomes = Arc::new(site.take_outcomes(self.report.out_of_time));
        let counts = site.frontier.counts();
        (self.stats.pages, self.stats.failed) = (counts.kept, counts.failures());
        self.report.count(counts);
        self.report.unread_sitemaps = site.sitemaps.unread();
        let dropped = site.take_dropped();
        let (url, home, structure) = (site.url, site.home, site.frontier.into_structure());
        if self.stats.pages == 0 {
            return self.finish(&Err(self.nothing(&url, home.err())), ctx);
        }
        let (outputs, waiting) = (self.callers.outputs(), CancellationToken::new());
        let ask_for = Assemble {
            site: url.clone(),
            home: home.ok(),
            structure,
            dropped,
            outputs: outputs.clone(),
            settings: self.context.settings(),
            written,
            cancel: waiting.clone(),
        };
        // With this actor the last one goes who waits for them.
        let stop_when_dropped = waiting.drop_guard();
        let assembling = ask(&self.assembler, ask_for);
        ctx.spawn(assembling.into_actor(self).map(move |files, act, ctx| {
            drop(stop_when_dropped);
            match files {
                Ok(Assembled { files, pages }) => {
                    act.pages = pages;
                    let generated = outputs.into_iter().zip(files);
                    let generated =
                        generated.map(|(output, files)| act.generated(&url, output, files)).collect();
                    act.finish(&Ok(generated), ctx);
                }
                Err(_) => act.finish(&Err(CrawlError::Internal), ctx),
            }
        }));
    }

    /// Why no page counts: what the home page failed with, else what happened to most.
    fn nothing(&self, site: &SiteUrl, home: Option<FetchError>) -> CrawlError {
        match home {
            Some(error) => CrawlError::at_home(site.as_str(), &error),
            None if self.report.out_of_time => self.cut_short(),
            None => {
                let why = self.report.reasons().unwrap_or_else(|| "no page was found".to_owned());
                CrawlError::NothingThere(SiteFault { site: site.to_string(), why })
            }
        }
    }

    /// The time is up: without files, unless these are being written. What they are made of came in time.
    pub(super) fn time_is_up(&mut self, ctx: &mut Context<Self>) {
        let is_written = self.site.is_none() && self.listing.is_none();
        if !is_written {
            self.give_up(ctx);
        }
    }

    pub(super) fn give_up(&mut self, ctx: &mut Context<Self>) {
        self.finish(&Err(self.cut_short()), ctx);
    }

    /// Why a crawl that was ended early has nothing: that says nothing of its site.
    fn cut_short(&self) -> CrawlError {
        if self.context.closing.is_cancelled() {
            return CrawlError::Closing;
        }
        CrawlError::OutOfTime(self.key.seed.url.to_string())
    }

    fn generated(
        &mut self,
        url: &SiteUrl,
        output: OutputOptions,
        files: WrittenFiles,
    ) -> (OutputOptions, Generated) {
        let (cut, links) = files.index.as_ref().map_or((0, 0), |index| (index.left_out, index.links));
        let full = links >= output.index_pages;
        (self.report.index_over_limit, self.report.index_cut) = if full { (cut, 0) } else { (0, cut) };
        self.report.index_alike = files.index.as_ref().map_or(0, |index| index.alike);
        self.report.full_cut =
            files.full.as_ref().filter(|full| full.cut_by_size).map_or(0, |full| full.left_out);
        self.report.full_listings = files.full.as_ref().map_or(0, |full| full.listings);
        let share = self.writing.as_ref().map(|writing| writing.share(files.index.as_ref()));
        let llm_enhanced = share.as_ref().is_some_and(ModelShare::counts);
        self.report.model = share;
        let generated = Generated {
            domain: url.host().to_owned(),
            url: url.clone(),
            file_type: output.file_type,
            llms_txt: files.index.map(|index| Arc::new(index.text)),
            llms_full_txt: files.full.map(|full| Arc::new(full.text)),
            llm_enhanced,
            note: self.report.note(),
            is_complete: self.report.is_complete(),
            stats: self.stats,
            report: self.outcomes.clone(),
            pages: self.pages.clone(),
        };
        (output, generated)
    }

    pub(super) fn finish(&mut self, answered: &CallerAnswers, ctx: &mut Context<Self>) {
        self.listing = None;
        self.slot = None;
        if self.permit.is_some() {
            let outcome = match &answered {
                Ok(_) if self.report.out_of_time => "partial",
                Ok(_) => "ok",
                Err(CrawlError::Cancelled) => "cancelled",
                Err(_) => "failed",
            };
            metrics::CRAWLS.count([outcome]);
            metrics::CRAWL_SECONDS.record([], self.started.elapsed());
        }
        if matches!(answered, Err(CrawlError::Cancelled)) {
            let site = self.key.seed.url.host();
            let took_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
            tracing::info!(site.domain = site, took_ms, "a run was cancelled: nobody waits for it any more");
        }
        self.callers.answer(answered);
        self.visitor.asker.cancel.cancel();
        ctx.stop();
    }
}
