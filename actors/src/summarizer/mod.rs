//! The Summarizer: one per process, and only where a model is configured.
//!
//! Owns the model's client, the permits for it, the breaker and the answers given lately. Bounded by
//! `llm.max_concurrency`, each crawl by its budget and its time. It never fails a crawl: what the model does not
//! write well or in time, the page's own words stand for.

mod breaker;
mod budget;
mod client;
mod error;
mod executor;
mod model;
mod prompts;

use std::future::Future;
use std::sync::Arc;

use actix::prelude::*;
use llm_chain::chains::map_reduce::MapReduceChainError;
use llm_chain::chains::sequential::SequentialChainError;
use llm_chain::frame::FormatAndExecuteError;
use llm_chain::output::Output;
use llm_chain::traits::ExecutorError;
use wayfile_core::llms_txt::describe::{self, Evidence, Subject};

use crate::metrics::{self, Held};
use crate::settings::LlmSettings;
use error::ModelResult;
use executor::Sender;
use model::Model;
use prompts::parameters;

pub(crate) use budget::Budget;
pub use client::ModelError;
pub(crate) use error::NoAnswer;
pub(crate) use model::RequestContext;
pub use prompts::{Prompts, PromptsError};

/// Requests that the summary of one site may take.
const SUMMARY_REQUESTS: usize = 16;
/// Requests that one description may take.
const DESCRIPTION_REQUESTS: usize = 8;

/// Supervisor to Summarizer: one sentence on a page.
#[derive(Message)]
#[rtype(result = "ModelResult<String>")]
pub(crate) struct Describe {
    pub(crate) subject: Subject,
    pub(crate) site: String,
    pub(crate) context: RequestContext,
}

/// Supervisor to Summarizer: one sentence on the site.
#[derive(Message)]
#[rtype(result = "ModelResult<String>")]
pub(crate) struct Summarize {
    /// What its pages are about, the home page first; none empty.
    pub(crate) parts: Vec<String>,
    pub(crate) name: String,
    /// What may be said of it.
    pub(crate) evidence: Evidence,
    pub(crate) context: RequestContext,
}

pub(crate) struct Summarizer {
    writer: Arc<TextWriter>,
    _alive: Held,
}

/// Asks the model for descriptions and summaries, and checks what it answers. Shared by all requests.
struct TextWriter {
    model: Arc<Model>,
    prompts: Prompts,
    context_chars: usize,
}

/// Whether the model, if the settings name one, can be asked with these prompts.
pub fn can_be_asked(settings: &LlmSettings, prompts: Prompts) -> Result<(), ModelError> {
    match settings.endpoint() {
        Some(endpoint) => TextWriter::new(endpoint, settings, prompts).map(drop),
        None => Ok(()),
    }
}

impl Summarizer {
    pub(crate) fn new(endpoint: &str, settings: &LlmSettings, prompts: Prompts) -> Result<Self, ModelError> {
        let writer = TextWriter::new(endpoint, settings, prompts)?;
        Ok(Self { writer: Arc::new(writer), _alive: metrics::ACTORS.hold("summarizer") })
    }
}

impl Actor for Summarizer {
    type Context = Context<Self>;
}

impl Handler<Describe> for Summarizer {
    type Result = ResponseFuture<ModelResult<String>>;

    fn handle(&mut self, ask: Describe, _: &mut Self::Context) -> Self::Result {
        let writer = self.writer.clone();
        Box::pin(on_worker(async move { writer.describe(ask).await }))
    }
}

impl Handler<Summarize> for Summarizer {
    type Result = ResponseFuture<ModelResult<String>>;

    fn handle(&mut self, ask: Summarize, _: &mut Self::Context) -> Self::Result {
        let writer = self.writer.clone();
        Box::pin(on_worker(async move { writer.summarize(ask).await }))
    }
}

/// Runs `work` on the runtime's workers; a panic loses one answer.
async fn on_worker(work: impl Future<Output = ModelResult<String>> + Send + 'static) -> ModelResult<String> {
    let done = tokio::spawn(work).await.unwrap_or_else(|_| {
        metrics::PANICS.count(["summarizer"]);
        Err(NoAnswer::Internal)
    });
    metrics::MODEL_TEXTS.count([done.as_ref().map_or_else(|error| error.kind(), |_| "ok")]);
    done
}

impl TextWriter {
    fn new(endpoint: &str, settings: &LlmSettings, prompts: Prompts) -> Result<Self, ModelError> {
        Ok(Self {
            model: Arc::new(Model::new(endpoint, settings)?),
            prompts: prompts.fit(settings.context_max_chars)?,
            context_chars: settings.context_max_chars,
        })
    }

    async fn describe(&self, ask: Describe) -> ModelResult<String> {
        let Describe { subject, site, context } = ask;
        let sender = self.sender(context, DESCRIPTION_REQUESTS);
        let parameters = parameters(&subject.text, &subject.name, &site);
        let output = self.prompts.describe.run(parameters, &sender).await.map_err(|error| match error {
            SequentialChainError::FormatAndExecuteError(error) => reason(error),
            SequentialChainError::NoSteps => NoAnswer::Internal,
        })?;
        self.checked(output, &subject.name, &subject.evidence).await
    }

    /// Maps the home page and the descriptions to what each part offers, and reduces that to what the site is.
    async fn summarize(&self, ask: Summarize) -> ModelResult<String> {
        let Summarize { parts, name, evidence, context } = ask;
        let sender = self.sender(context, SUMMARY_REQUESTS);
        let common = parameters("", &name, &name);
        // The library takes what the first step made from the end.
        let parts = parts.into_iter().rev().map(llm_chain::Parameters::new_with_text).collect();
        let output = self.prompts.summary.run(parts, common, &sender).await.map_err(|error| match error {
            MapReduceChainError::FormatAndExecuteError(error) => reason(error),
            _ => NoAnswer::Internal,
        })?;
        self.checked(output, &name, &evidence).await
    }

    fn sender(&self, context: RequestContext, max_requests: usize) -> Sender {
        Sender::new(self.model.clone(), context, self.context_chars, max_requests)
    }

    /// What was answered, if it can be said of what is called `name`.
    async fn checked(&self, output: Output, name: &str, evidence: &Evidence) -> ModelResult<String> {
        let said = output.to_immediate().await.map_err(|_| NoAnswer::Internal)?;
        let said = said.primary_textual_output().ok_or(NoAnswer::Unreadable)?;
        describe::check(&said, name, &self.prompts.wording, evidence).map_err(NoAnswer::Unfit)
    }
}

fn reason(error: FormatAndExecuteError) -> NoAnswer {
    match error {
        FormatAndExecuteError::Execute(ExecutorError::InnerError(inner)) => {
            inner.downcast::<NoAnswer>().map_or(NoAnswer::Internal, |own| *own)
        }
        _ => NoAnswer::Internal,
    }
}
