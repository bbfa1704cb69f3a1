//! The endpoint as crawls see it: answers from memory first, then permits, budget, time and breaker.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use moka::sync::Cache;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use super::breaker::Breaker;
use super::budget::Budget;
use super::client::{Message, ModelClient, ModelError, SamplingParams};
use super::error::{ModelResult, NoAnswer};
use crate::metrics;
use crate::permits::{Owner, Pool};
use crate::settings::LlmSettings;

/// The first pause before another try; each further one is twice as long, and all are jittered.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest wait that an endpoint may ask for: a day's quota is asked after again and again.
const MAX_WAIT: Duration = Duration::from_mins(5);
/// A request with less time than this is not begun.
const LEAST_TIME: Duration = Duration::from_millis(50);

/// What an entry costs beside its text, in bytes.
const OVERHEAD: usize = 128;

/// What all model requests of one crawl share: permits, budget, deadline and cancellation.
#[derive(Debug, Clone)]
pub(crate) struct RequestContext {
    pub(crate) owner: Owner,
    pub(crate) budget: Arc<Budget>,
    /// The deadline: later answers are of no use.
    pub(crate) until: Instant,
    /// Cancelled with the last caller.
    pub(crate) cancel: CancellationToken,
}

pub(super) struct Model {
    client: ModelClient,
    permits: Pool,
    breaker: Mutex<Breaker>,
    answers: Answers,
    /// The endpoint takes `temperature` and `max_tokens`, as far as is known; some refuse them.
    takes_options: AtomicBool,
    retries: u8,
}

impl Model {
    pub(super) fn new(base_url: &str, settings: &LlmSettings) -> Result<Self, ModelError> {
        Ok(Self {
            client: ModelClient::new(base_url, settings)?,
            permits: Pool::new("model", settings.max_concurrency),
            breaker: Mutex::default(),
            answers: answers(settings.cache_bytes.0, settings.cache_ttl),
            takes_options: AtomicBool::new(true),
            retries: settings.retries,
        })
    }

    /// What the model says to a conversation. What it said to the same before costs nothing.
    pub(super) async fn ask(
        &self,
        messages: &[Message],
        params: SamplingParams,
        context: &RequestContext,
    ) -> ModelResult<String> {
        let key = key(&self.client.model, messages, params);
        if let Some(known) = self.answers.get(&key) {
            metrics::MODEL_REQUESTS.count(["remembered"]);
            return Ok(known);
        }
        let answer = context.cancel.run_until_cancelled(self.try_hard(messages, params, context));
        let answer = answer.await.unwrap_or(Err(NoAnswer::OutOfTime))?;
        self.answers.insert(key, answer.clone());
        Ok(answer)
    }

    async fn try_hard(
        &self,
        messages: &[Message],
        params: SamplingParams,
        context: &RequestContext,
    ) -> ModelResult<String> {
        let answer_tokens = params.max_tokens.unwrap_or_default();
        let (mut sent, mut is_refused) = (params, false);
        let (mut tries, mut refusal) = (0, None);
        loop {
            if !self.takes_options.load(Ordering::Relaxed) {
                sent = SamplingParams::default();
            }
            let error = match self.try_once(messages, sent, answer_tokens, context).await {
                Ok(answer) => {
                    // It refused the options and answers without: from now on it is never asked with.
                    self.takes_options.fetch_and(!is_refused, Ordering::Relaxed);
                    return Ok(answer);
                }
                // Some endpoints know no options: the same without tells.
                Err(NoAnswer::Status(400 | 422)) if sent != SamplingParams::default() => {
                    (sent, is_refused) = (SamplingParams::default(), true);
                    continue;
                }
                Err(error) => error,
            };
            if tries == self.retries || !error.is_transient() {
                // For what was refused before its time was over, the refusal is the reason.
                let error = refusal.filter(|_| error == NoAnswer::OutOfTime).unwrap_or(error);
                if error == NoAnswer::Busy {
                    self.breaker.lock().failed(Instant::now());
                }
                return Err(error);
            }
            refusal = Some(error);
            let pause = FIRST_PAUSE * 2_u32.pow(u32::from(tries.min(5)));
            tokio::time::sleep(pause.mul_f64(0.5 + fastrand::f64())).await;
            tries += 1;
        }
    }

    async fn try_once(
        &self,
        messages: &[Message],
        params: SamplingParams,
        answer_tokens: usize,
        context: &RequestContext,
    ) -> ModelResult<String> {
        let until = context.until;
        self.wait_for_turn(until).await?;
        let left = until.saturating_duration_since(Instant::now());
        let _permit = self.permits.take(context.owner, left).await.ok_or(NoAnswer::OutOfTime)?;
        // Much may have happened while this waited for its permit.
        self.wait_for_turn(until).await?;
        let chars = messages.iter().map(|message| message.content.chars().count()).sum();
        let charged = context.budget.charge(chars, answer_tokens)?;
        let started = Instant::now();
        let asked = tokio::time::timeout_at(until.into(), self.client.ask(messages, params)).await;
        let now = Instant::now();
        let (tokens, outcome) = match asked {
            Err(_) => (charged, Err(NoAnswer::OutOfTime)),
            Ok(Ok(answer)) => {
                self.breaker.lock().succeeded();
                (answer.tokens, Ok(answer.text))
            }
            Ok(Err(failed)) => {
                let mut breaker = self.breaker.lock();
                if let Some(wait) = failed.wait {
                    breaker.wait(now, wait.min(MAX_WAIT));
                }
                let may_be_the_options = params != SamplingParams::default();
                let is_told_later = matches!(failed.error, NoAnswer::Status(400 | 422)) && may_be_the_options;
                if failed.error.is_the_endpoints() && !is_told_later {
                    breaker.failed(now);
                }
                // Of what was not refused a model may have read and written all.
                (if failed.error.is_refusal() { 0 } else { charged }, Err(failed.error))
            }
        };
        context.budget.settle(charged, tokens);
        metrics::MODEL_TOKENS.add([], tokens);
        metrics::MODEL_REQUESTS.count([outcome.as_ref().map_or_else(|error| error.kind(), |_| "ok")]);
        metrics::MODEL_SECONDS.record([], now - started);
        outcome
    }

    async fn wait_for_turn(&self, until: Instant) -> ModelResult<()> {
        loop {
            let now = Instant::now();
            let wait = self.breaker.lock().turn(now)?;
            // It is this crawl that lacks the time: that tells nothing of the endpoint.
            if now + wait + LEAST_TIME > until {
                return Err(NoAnswer::OutOfTime);
            }
            if wait.is_zero() {
                return Ok(());
            }
            tokio::time::sleep(wait).await;
        }
    }
}

/// The fingerprint of a request: model, prompt and page text are all part of it.
type AnswerKey = [u8; 32];

/// Answers of the model, as they came; bounded in bytes, shared by all crawls.
type Answers = Cache<AnswerKey, String>;

fn answers(max_bytes: usize, ttl: Duration) -> Answers {
    let size = |key: &AnswerKey, text: &String| key.len() + text.len() + OVERHEAD;
    Cache::builder()
        .max_capacity(max_bytes as u64)
        .weigher(move |key, text| u32::try_from(size(key, text)).unwrap_or(u32::MAX))
        .time_to_live(ttl)
        .build()
}

/// The key of a request. Lengths stand between the parts, so that no two requests run together.
fn key(model: &str, messages: &[Message], params: SamplingParams) -> AnswerKey {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    part(model);
    part(&format!("{:?} {:?}", params.temperature, params.max_tokens));
    for message in messages {
        part(message.role);
        part(&message.content);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_request_counts() {
        let said = |content: &str| vec![Message { role: "user", content: content.to_owned() }];
        let base = key("m", &said("pots"), SamplingParams::default());
        assert_eq!(base, key("m", &said("pots"), SamplingParams::default()));
        assert_ne!(base, key("n", &said("pots"), SamplingParams::default()));
        assert_ne!(base, key("m", &said("pans"), SamplingParams::default()));
        assert_ne!(base, key("m", &said("pots"), SamplingParams { max_tokens: Some(1), temperature: None }));
    }
}
