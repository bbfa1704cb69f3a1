//! Validation: what a site's `llms.txt` is worth, or a text that is sent.
//!
//! A plain handle, no actor: it probes addresses through the domains' Fetchers, where its requests go first while
//! the domain's gap holds, with permits of its own. Bounded by `max_validations`, by the links of a sample and by
//! its deadline: what is not known by then is left out. Core makes the checks and the scores.

mod file;
mod links;
mod pages;
mod prober;
mod site;

use std::sync::Arc;
use std::time::SystemTime;

use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};
use wayfile_core::llms_txt::lint::report::Report;
use wayfile_core::llms_txt::lint::served::{FileSeen, Observed};
use wayfile_core::llms_txt::lint::source::Source;
use wayfile_core::llms_txt::lint::{Linted, lint};
use wayfile_core::site::globs::Globs;
use wayfile_core::url::{Seed, SiteUrl};

use crate::context::EngineContext;
use crate::error::FetchError;
use crate::job::Freshness;
use crate::messages::Asker;
use crate::metrics;
use crate::panics::guard;
use crate::permits::{Owner, Permit, Pool};
use crate::settings::ValidateSettings;
use crate::visit::Visitor;
use prober::{Probed, Prober};

/// Whether the links of a file are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkChecks {
    /// A sample of them is tried.
    Try,
    /// None is tried.
    Leave,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "what each one says is its meaning")]
pub enum ValidateError {
    #[error("{0}: the address is not public, so it cannot be fetched")]
    NotPublic(SiteUrl),
    #[error("too many validations are running; try again in a moment")]
    Busy,
    #[error("the service is shutting down; try again in a moment")]
    Closing,
    #[error("an internal fault stopped the validation")]
    Internal,
}

/// Starts validations. Cheap to clone; may be used from any thread.
#[derive(Clone)]
pub struct Validator {
    context: Arc<EngineContext>,
    visitor: Visitor,
    settings: ValidateSettings,
    ignored: Arc<Globs>,
    running: Pool,
}

impl Validator {
    pub(crate) fn new(context: Arc<EngineContext>, visitor: Visitor, settings: ValidateSettings) -> Self {
        let running = Pool::new("validation", settings.max_validations);
        Self { context, visitor, settings, ignored: Arc::default(), running }
    }

    /// The same validator, which leaves links alone that `ignored` names.
    #[must_use]
    pub fn ignoring(self, ignored: Globs) -> Self {
        Self { ignored: Arc::new(ignored), ..self }
    }

    /// Validates a text that lies, or will lie, at `base`, if that is known. Fetches nothing but a sample of its links, when
    /// they are to be tried; relative ones lead nowhere without a base.
    /// Errors: [`ValidateError::Busy`] or [`ValidateError::Internal`].
    pub async fn text(
        &self,
        text: Vec<u8>,
        base: Option<SiteUrl>,
        links: LinkChecks,
    ) -> Result<Report, ValidateError> {
        let _permit = self.permit().await?;
        let linted = self.checked(text, base.clone()).await?;
        let tried = match links {
            LinkChecks::Leave => None,
            LinkChecks::Try => {
                let (prober, _stop_when_dropped) = self.prober(Freshness::Lately);
                Some(links::try_all(&prober, &linted.links(base.as_ref())).await)
            }
        };
        metrics::VALIDATIONS.count(["text"]);
        Ok(Report::of_content(linted, tried.as_deref()))
    }

    /// Validates the file that covers the address `seed`. A file that is missing or cannot be reached is an answer.
    /// `freshness`: whether robots.txt and sitemaps that were read lately will do; everything else is asked for in any case.
    /// The report, and the file as it came; empty if none did.
    /// Errors: [`ValidateError`]: the address is not public, the service is full or closing, or a fault of ours.
    pub async fn site(
        &self,
        seed: Seed,
        links: LinkChecks,
        freshness: Freshness,
    ) -> Result<(Report, Vec<u8>), ValidateError> {
        // Only the caller's own address: where a site sends us is the site's affair, and an answer.
        let public = self.context.client.policy.url(&seed.url);
        public.map_err(|_| ValidateError::NotPublic(seed.url.clone()))?;
        let _permit = self.permit().await?;
        let (prober, _stop_when_dropped) = self.prober(freshness);
        let (asked, found) = file::find(&prober, &seed).await;
        let (answer, file) = match found {
            Ok(Probed { answer, hops }) => (Some(answer.clone()), FileSeen::Came { answer, hops }),
            Err(FetchError::Cancelled) if prober.is_closing() => return Err(ValidateError::Closing),
            Err(error) => (None, FileSeen::Unreachable(error.to_string())),
        };
        let mut observed = Observed {
            asked,
            file,
            soft_404: None,
            shut_out: None,
            has_full: None,
            described: None,
            coverage: None,
            links: (links == LinkChecks::Try).then(Vec::new),
            pages: Vec::new(),
            now: SystemTime::now(),
        };
        let linted = match answer.as_ref().filter(|answer| answer.status == 200) {
            Some(answer) => Some(self.checked(answer.body.clone(), Some(observed.asked.clone())).await?),
            None => None,
        };
        if let Some(answer) = answer {
            site::probe_site(&prober, &answer, linted.as_ref(), links, &mut observed).await;
        }
        metrics::VALIDATIONS.count(["site"]);
        let judge = move || (Report::of_site(seed.url, linted, &observed), observed.file);
        let (report, file) = self.on_a_core(judge).await?;
        let file = match file {
            FileSeen::Came { answer, .. } if answer.status == 200 => Arc::unwrap_or_clone(answer).body,
            _ => Vec::new(),
        };
        Ok((report, file))
    }

    async fn checked(&self, bytes: Vec<u8>, site: Option<SiteUrl>) -> Result<Linted, ValidateError> {
        let small = bytes.len() <= SMALL;
        let check = move || lint(&Source::decode(&bytes), site.as_ref());
        if small {
            guard("validator", check).map_err(|_| ValidateError::Internal)
        } else {
            self.on_a_core(check).await
        }
    }

    /// Does what takes time that grows with what a site or a caller sends, where nothing else waits for it.
    async fn on_a_core<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ValidateError> {
        let done = self.context.composing.run("validator", CancellationToken::new(), |_| Ok(work()));
        done.await.map_err(|_| ValidateError::Internal)
    }

    async fn permit(&self) -> Result<Permit, ValidateError> {
        self.running.take(Owner::new(), self.settings.queue_wait).await.ok_or(ValidateError::Busy)
    }

    /// The prober of one validation, and what stops it when its caller leaves.
    fn prober(&self, freshness: Freshness) -> (Prober, DropGuard) {
        let cancel = CancellationToken::new();
        let visitor = Visitor { asker: Asker::new(cancel.clone()), freshness, ..self.visitor.clone() };
        let until = Instant::now() + self.settings.deadline;
        (Prober { validator: self.clone(), visitor, until }, cancel.drop_guard())
    }
}

/// A text up to this size is checked in less time (0.1 ms) than it takes to hand it to another thread and back.
const SMALL: usize = 32 << 10;
