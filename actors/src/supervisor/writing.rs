//! What a model writes for one crawl: which pages wait for it, how it is asked, what came, what it cost.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use actix::prelude::*;
use tokio_util::sync::CancellationToken;
use wayfile_core::llms_txt::compose::Index;
use wayfile_core::llms_txt::describe::{Evidence, ModelTexts, Subject, Unfit};
use wayfile_core::url::SiteUrl;

use super::Supervisor;
use crate::crawl_report::ModelShare;
use crate::permits::Owner;
use crate::progress::Event;
use crate::settings::LlmSettings;
use crate::summarizer::{Budget, Describe, NoAnswer, RequestContext, Summarize, Summarizer};

/// Characters of a page that are sent to the model: its beginning says what it is about.
pub(super) const PAGE_MAX_CHARS: usize = 4_000;
/// Descriptions that the summary is made of, at most: the first pages are the ones that matter.
const SUMMARY_ENTRIES: usize = 60;

#[derive(Clone)]
pub(crate) struct ModelHandle {
    pub(crate) summarizer: Addr<Summarizer>,
    pub(crate) settings: Arc<LlmSettings>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SummaryState {
    Ahead,
    Asked,
    Done,
}

pub(super) struct Writing {
    pub(super) model: ModelHandle,
    context: RequestContext,
    /// Descriptions that are of use: links the index may have.
    wanted: usize,
    asked: usize,
    running: usize,
    waiting: VecDeque<(SiteUrl, Subject)>,
    /// The home page: the summary is about it, and the index has no link to it.
    pub(super) home: Option<Subject>,
    /// Name and description of each page that was described, in the order of their addresses.
    entries: BTreeMap<SiteUrl, String>,
    written: ModelTexts,
    summary: SummaryState,
    unused: BTreeMap<&'static str, usize>,
}

impl Writing {
    pub(super) fn new(model: ModelHandle, until: Instant, cancel: CancellationToken) -> Self {
        let budget = Arc::new(Budget::new(model.settings.max_calls, model.settings.max_tokens));
        Self {
            model,
            context: RequestContext { owner: Owner::new(), budget, until, cancel },
            wanted: 0,
            asked: 0,
            running: 0,
            waiting: VecDeque::new(),
            home: None,
            entries: BTreeMap::new(),
            written: ModelTexts::default(),
            summary: SummaryState::Ahead,
            unused: BTreeMap::new(),
        }
    }

    /// A caller can use so many descriptions. Pages that came before stay undescribed.
    pub(super) fn want(&mut self, descriptions: usize) {
        self.wanted = self.wanted.max(descriptions);
    }

    /// Whether what is said of another page may be of use.
    pub(super) fn wants_more(&self) -> bool {
        self.asked + self.waiting.len() < self.wanted
    }

    pub(super) fn take(&mut self, url: SiteUrl, subject: Subject) {
        if self.wants_more() {
            self.waiting.push_back((url, subject));
        }
    }

    /// A site of one page has a link to it after all.
    pub(super) fn take_home_as_link(&mut self, url: &SiteUrl) {
        if self.asked == 0
            && self.waiting.is_empty()
            && let Some(home) = self.home.clone()
        {
            self.take(url.clone(), home);
        }
    }

    /// The next page to ask for, unless enough are under way.
    pub(super) fn next(&mut self) -> Option<(SiteUrl, Describe)> {
        if self.running >= self.model.settings.max_concurrency {
            return None;
        }
        let (url, subject) = self.waiting.pop_front()?;
        self.asked += 1;
        self.running += 1;
        let site = self.site_name(url.host());
        Some((url, Describe { subject, site, context: self.context.clone() }))
    }

    pub(super) fn described(&mut self, url: SiteUrl, name: &str, answer: Result<String, NoAnswer>) {
        self.running -= 1;
        match answer {
            Ok(text) => {
                self.entries.insert(url.clone(), format!("{name}: {text}"));
                self.written.descriptions.insert(url, text);
            }
            Err(error) => *self.unused.entry(error.kind()).or_default() += 1,
        }
    }

    pub(super) fn has_described_all(&self) -> bool {
        self.running == 0 && self.waiting.is_empty()
    }

    pub(super) fn is_finished(&self) -> bool {
        self.has_described_all() && self.summary == SummaryState::Done
    }

    /// `is_over`: no page will come any more, so without a word of any there is nothing to summarise.
    pub(super) fn ask_for_summary(&mut self, host: &str, is_over: bool) -> Option<Summarize> {
        if self.summary != SummaryState::Ahead {
            return None;
        }
        let mut evidence = Evidence::default();
        let mut parts = Vec::new();
        if let Some(home) = self.home.as_ref().filter(|home| !home.text.trim().is_empty()) {
            evidence = home.evidence.clone();
            parts.push(home.text.clone());
        }
        let mut part = String::new();
        for entry in self.entries.values().take(SUMMARY_ENTRIES) {
            evidence.add(entry);
            if part.chars().count() + entry.chars().count() > PAGE_MAX_CHARS && !part.is_empty() {
                parts.push(std::mem::take(&mut part));
            }
            part.push_str(entry);
            part.push('\n');
        }
        parts.extend(Some(part).filter(|part| !part.is_empty()));
        if parts.is_empty() {
            if is_over {
                self.summary = SummaryState::Done;
            }
            return None;
        }
        self.summary = SummaryState::Asked;
        let name = self.site_name(host);
        evidence.add(&name);
        Some(Summarize { parts, name, evidence, context: self.context.clone() })
    }

    pub(super) fn summarized(&mut self, answer: Result<String, NoAnswer>) {
        self.summary = SummaryState::Done;
        match answer {
            Ok(text) => self.written.summary = Some(text),
            Err(error) => *self.unused.entry(error.kind()).or_default() += 1,
        }
    }

    /// What was written so far; nothing that is still under way is waited for.
    pub(super) fn close(&mut self) -> ModelTexts {
        self.context.cancel.cancel();
        let late = self.running + self.waiting.len() + usize::from(self.summary == SummaryState::Asked);
        if late > 0 {
            *self.unused.entry(NoAnswer::OutOfTime.kind()).or_default() += late;
        }
        self.written.clone()
    }

    pub(super) fn count(&self) -> usize {
        self.written.descriptions.len()
    }

    pub(super) fn share(&self, index: Option<&Index>) -> ModelShare {
        let mut unused = self.unused.clone();
        let repeated = index.map_or(0, |index| index.repeated);
        if repeated > 0 {
            *unused.entry(Unfit::Repetition.kind()).or_default() += repeated;
        }
        let cost = self.context.budget.spent();
        ModelShare {
            summary: self.written.summary.is_some(),
            written: index.map_or(0, |index| index.written),
            links: index.map_or(0, |index| index.links),
            calls: cost.calls,
            tokens: cost.tokens,
            unused,
        }
    }

    fn site_name(&self, host: &str) -> String {
        self.home.as_ref().map_or_else(|| host.to_owned(), |home| home.name.clone())
    }
}

impl Supervisor {
    /// Has the model describe what it may be asked for now.
    pub(super) fn describe(&mut self, ctx: &mut Context<Self>) {
        while let Some((url, ask)) = self.writing.as_mut().and_then(Writing::next) {
            let name = ask.subject.name.clone();
            let Some(writing) = &self.writing else { return };
            let answer = writing.model.summarizer.send(ask);
            ctx.spawn(answer.into_actor(self).map(move |answer, act, ctx| {
                let answer = answer.unwrap_or(Err(NoAnswer::Internal));
                if let Some(writing) = &mut act.writing {
                    writing.described(url, &name, answer);
                }
                act.tell(Event::Described);
                act.pump(ctx);
            }));
        }
    }

    /// Has the model say what the site is, once.
    pub(super) fn summarize(&mut self, ctx: &mut Context<Self>) {
        let (Some(site), Some(writing)) = (&self.site, &mut self.writing) else { return };
        let is_over = site.is_finished() && writing.has_described_all();
        let Some(ask) = writing.ask_for_summary(site.url.host(), is_over) else {
            if is_over && writing.is_finished() {
                self.assemble(ctx);
            }
            return;
        };
        let answer = writing.model.summarizer.send(ask);
        ctx.spawn(answer.into_actor(self).map(|answer, act, ctx| {
            if let Some(writing) = &mut act.writing {
                writing.summarized(answer.unwrap_or(Err(NoAnswer::Internal)));
            }
            act.wrap_up(ctx);
        }));
    }
}
