//! One plain `chat/completions` request.
//!
//! The operator names the endpoint, so it may lie at a private address; what it answers is foreign all the same:
//! one time-out spans the exchange, bodies are capped as they come, and redirects are not followed.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, InvalidHeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use secrecy::ExposeSecret;
use serde::Serialize;
use serde_json::Value;
use url::Url;

use wayfile_core::llms_txt::describe::BROKEN_OFF;

use super::budget::tokens;
use super::error::{ModelResult, NoAnswer};
use super::prompts::PromptsError;
use crate::http::{CONNECT_TIMEOUT, POOL_IDLE, install_tls_provider, retry_after};
use crate::settings::LlmSettings;

/// Size of an answer; a longer one is dropped. A sentence is far below.
const ANSWER_MAX_BYTES: usize = 256 << 10;
/// The wait after a 429 that names none.
const DEFAULT_WAIT: Duration = Duration::from_secs(2);

/// The model cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "what each one says is its meaning")]
pub enum ModelError {
    /// It is not repeated: a password may stand there.
    #[error("llm.base_url is no http or https address; write it like https://api.example.com/v1")]
    Address,
    #[error("llm.base_url is set but llm.model is not; name the model that the endpoint serves")]
    NoModel,
    #[error("llm.api_key has characters that no HTTP header may have")]
    Key(#[from] InvalidHeaderValue),
    #[error("the model client cannot be made: {0}")]
    Client(#[from] reqwest::Error),
    #[error(transparent)]
    Prompts(#[from] PromptsError),
}

pub(super) struct ModelClient {
    client: Client,
    address: Url,
    pub(super) model: String,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Message {
    pub(super) role: &'static str,
    pub(super) content: String,
}

/// How the answer is wanted, as far as a prompt says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct SamplingParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_tokens: Option<usize>,
}

#[derive(Serialize)]
struct ChatRequest<'a> {
    model: &'a str,
    messages: &'a [Message],
    #[serde(flatten)]
    params: SamplingParams,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Completion {
    pub(super) text: String,
    pub(super) tokens: usize,
}

/// A request that gave nothing, and the wait that the endpoint asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failed {
    pub(super) error: NoAnswer,
    pub(super) wait: Option<Duration>,
}

impl From<NoAnswer> for Failed {
    fn from(error: NoAnswer) -> Self {
        Self { error, wait: None }
    }
}

impl ModelClient {
    pub(super) fn new(base_url: &str, settings: &LlmSettings) -> Result<Self, ModelError> {
        install_tls_provider();
        let address = address(base_url).ok_or(ModelError::Address)?;
        let model = settings.model.clone().filter(|model| !model.trim().is_empty());
        let model = model.ok_or(ModelError::NoModel)?;
        let mut headers = HeaderMap::new();
        let key = settings.api_key.as_ref().map(ExposeSecret::expose_secret);
        if let Some(key) = key.filter(|key| !key.is_empty()) {
            let mut value = HeaderValue::from_str(&format!("Bearer {key}"))?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let client = Client::builder()
            .default_headers(headers)
            .no_proxy()
            .referer(false)
            .redirect(Policy::none())
            .timeout(settings.timeout)
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(POOL_IDLE)
            .build()?;
        Ok(Self { client, address, model })
    }

    /// Asks once; within the time-out there is an answer or a reason.
    pub(super) async fn ask(
        &self,
        messages: &[Message],
        params: SamplingParams,
    ) -> Result<Completion, Failed> {
        let request = ChatRequest { model: &self.model, messages, params };
        let body = serde_json::to_vec(&request).map_err(|_| NoAnswer::Internal)?;
        let request = self.client.post(self.address.clone());
        let request = request.header("content-type", "application/json").header("accept", "application/json");
        let response = request.body(body).send().await.map_err(|error| reason(&error))?;
        if !response.status().is_success() {
            let wait = retry_after(response.headers());
            return Err(match response.status().as_u16() {
                429 => Failed { error: NoAnswer::Busy, wait: wait.or(Some(DEFAULT_WAIT)) },
                401 | 403 => NoAnswer::Unauthorized.into(),
                503 => Failed { error: NoAnswer::Status(503), wait },
                status => NoAnswer::Status(status).into(),
            });
        }
        let sent: usize = messages.iter().map(|message| message.content.chars().count()).sum();
        Ok(read_completion(&body_of(response).await?, sent)?)
    }
}

async fn body_of(mut response: Response) -> ModelResult<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| reason(&error))? {
        if body.len() + chunk.len() > ANSWER_MAX_BYTES {
            return Err(NoAnswer::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// `base_url` with the path of the request behind its own, unless it ends in that already.
fn address(base_url: &str) -> Option<Url> {
    let mut address = Url::parse(base_url.trim()).ok()?;
    if !matches!(address.scheme(), "http" | "https") || address.host_str().is_none() {
        return None;
    }
    let path = address.path().trim_end_matches('/').to_owned();
    if !path.ends_with("/chat/completions") {
        address.set_path(&format!("{path}/chat/completions"));
    }
    Some(address)
}

fn reason(error: &reqwest::Error) -> NoAnswer {
    match error {
        error if error.is_timeout() => NoAnswer::TimedOut,
        error if error.is_decode() => NoAnswer::Unreadable,
        _ => NoAnswer::Unreachable,
    }
}

/// Reads an answer; `sent` are the characters of the request, for endpoints that do not say what they counted.
fn read_completion(body: &[u8], sent: usize) -> ModelResult<Completion> {
    let answer: Value = serde_json::from_slice(body).map_err(|_| NoAnswer::Unreadable)?;
    let choice = &answer["choices"][0];
    let text = choice["message"]["content"].as_str().filter(|text| !text.trim().is_empty());
    let text = text.ok_or(NoAnswer::Unreadable)?;
    // A note on the way to a summary may break off; a description that does is told by its end.
    let mut text = text.to_owned();
    if choice["finish_reason"] == "length" {
        text.push(BROKEN_OFF);
    }
    let counted = answer["usage"]["total_tokens"].as_u64().and_then(|tokens| usize::try_from(tokens).ok());
    let guessed = || tokens(sent + text.chars().count());
    Ok(Completion { tokens: counted.filter(|tokens| *tokens > 0).unwrap_or_else(guessed), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_added_once() {
        for (base, whole) in [
            ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/chat/completions"),
            ("https://api.example.com/v1/", "https://api.example.com/v1/chat/completions"),
            ("https://m.example/chat/completions", "https://m.example/chat/completions"),
            ("https://m.example/v1?version=2", "https://m.example/v1/chat/completions?version=2"),
        ] {
            assert_eq!(address(base).unwrap().as_str(), whole);
        }
        for bad in ["", "api.example.com/v1", "file:///etc/passwd", "http://"] {
            assert_eq!(address(bad), None, "{bad}");
        }
    }

    #[test]
    fn answers_are_read_or_refused() {
        let said = |text: &str| read_completion(text.as_bytes(), 40);
        let whole = r#"{"choices":[{"message":{"content":"Pots."},"finish_reason":"stop"}],"usage":{"total_tokens":9}}"#;
        assert_eq!(said(whole), Ok(Completion { text: "Pots.".to_owned(), tokens: 9 }));
        let bare = r#"{"choices":[{"message":{"role":"assistant","content":"Pots."}}]}"#;
        assert_eq!(said(bare), Ok(Completion { text: "Pots.".to_owned(), tokens: 12 }));
        let cut = r#"{"choices":[{"message":{"content":"Po"},"finish_reason":"length"}]}"#;
        assert_eq!(said(cut).unwrap().text, "Po\u{2026}");
        for bad in [
            "",
            "<html>",
            "{}",
            r#"{"choices":[]}"#,
            r#"{"choices":[{"message":{"content":null}}]}"#,
            r#"{"choices":[{"message":{"content":" "}}]}"#,
        ] {
            assert_eq!(said(bad), Err(NoAnswer::Unreadable), "{bad}");
        }
    }
}
