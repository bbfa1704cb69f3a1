//! The `[llm]` section. Defaults live in `config/default.toml` alone.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::settings::{ByteSize, masked};

/// Which model writes descriptions, and what it may cost. Without `base_url` none is used.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]
pub struct LlmSettings {
    #[serde(default)]
    pub base_url: Option<String>,
    #[serde(default)]
    pub model: Option<String>,
    #[serde(default, serialize_with = "masked")]
    pub api_key: Option<SecretString>,
    #[serde(default)]
    pub prompts: Option<PathBuf>,
    pub max_concurrency: usize,
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    pub retries: u8,
    pub max_calls: usize,
    pub max_tokens: usize,
    pub context_max_chars: usize,
    pub cache_bytes: ByteSize,
    #[serde(with = "humantime_serde")]
    pub cache_ttl: Duration,
}

impl LlmSettings {
    /// The endpoint, unless no model is to be used.
    pub fn endpoint(&self) -> Option<&str> {
        self.base_url.as_deref().map(str::trim).filter(|url| !url.is_empty())
    }
}
