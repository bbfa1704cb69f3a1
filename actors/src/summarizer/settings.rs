//! The `[llm]` section. Defaults live in `config/default.toml` alone.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::settings::{ByteSize, masked};

/// Which model writes descriptions, and what it may cost. Without `base_url` none is used.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LlmSettings {
    /// Where `chat/completions` lies.
    #[serde(default)]
    pub base_url: Option<String>,
    /// The name of the model at that endpoint.
    #[serde(default)]
    pub model: Option<String>,
    /// Sent as a bearer token.
    #[serde(default, serialize_with = "masked")]
    pub api_key: Option<SecretString>,
    /// A file of prompts that stands in for the compiled-in `config/prompts.toml`.
    #[serde(default)]
    pub prompts: Option<PathBuf>,
    /// Requests at once in this process, over all crawls.
    pub max_concurrency: usize,
    /// Time for one request, from connect to the last byte.
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    /// Further tries of a request that failed in passing.
    pub retries: u8,
    /// Requests one crawl may make.
    pub max_calls: usize,
    /// Tokens one crawl may use, prompts and answers together.
    pub max_tokens: usize,
    /// Text of a request that fits the model, prompt included, in characters.
    pub context_max_chars: usize,
    /// Memory for answers.
    pub cache_bytes: ByteSize,
    /// For how long an answer is kept.
    #[serde(with = "humantime_serde")]
    pub cache_ttl: Duration,
}

impl LlmSettings {
    /// The endpoint, unless no model is to be used.
    #[must_use]
    pub fn endpoint(&self) -> Option<&str> {
        self.base_url.as_deref().map(str::trim).filter(|url| !url.is_empty())
    }
}
