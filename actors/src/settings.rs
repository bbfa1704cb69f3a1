//! Sections of the configuration file. Defaults live in `config/default.toml` alone.
#![allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use parking_lot::RwLock;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The `[crawl]` section.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrawlSettings {
    pub user_agent: String,
    #[serde(with = "humantime_serde")]
    pub deadline: Duration,
    pub per_domain_concurrency: usize,
    #[serde(with = "humantime_serde")]
    pub per_domain_delay: Duration,
    pub max_crawls: usize,
    #[serde(with = "humantime_serde")]
    pub queue_wait: Duration,
    pub max_fetches: usize,
    pub page_max_bytes: ByteSize,
    pub page_work: usize,
    pub max_sitemaps: usize,
    #[serde(with = "humantime_serde")]
    pub page_timeout: Duration,
    pub retries: u8,
    pub gone_tries: u32,
    #[serde(with = "humantime_serde")]
    pub gone_after: Duration,
    #[serde(with = "humantime_serde")]
    pub max_backoff: Duration,
    #[serde(with = "humantime_serde")]
    pub max_crawl_delay: Duration,
    pub cache_bytes: ByteSize,
    #[serde(with = "humantime_serde")]
    pub cache_ttl: Duration,
    #[serde(with = "humantime_serde")]
    pub robots_ttl: Duration,
    pub full_max_bytes: ByteSize,
    pub index_max_chars: usize,
    pub allow_networks: Vec<IpNet>,
}

/// The `[validate]` section.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidateSettings {
    #[serde(with = "humantime_serde")]
    pub deadline: Duration,
    pub max_validations: usize,
    #[serde(with = "humantime_serde")]
    pub queue_wait: Duration,
    pub max_links: usize,
}

/// The `[browser]` section: which browser opens pages that only scripts fill, and how much of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BrowserSettings {
    pub path: Option<PathBuf>,
    pub user: String,
    pub concurrency: usize,
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    pub pages_per_crawl: usize,
    pub requests_per_page: usize,
    pub memory: ByteSize,
}

/// The `[llm]` section: which model writes descriptions, and what it may cost. Without `base_url` none is used.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LlmSettings {
    pub base_url: Option<String>,
    pub model: Option<String>,
    #[serde(serialize_with = "masked")]
    pub api_key: Option<SecretString>,
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

/// Settings that may change while the process runs. Clones share the value; who took it keeps it as it was.
#[derive(Debug)]
pub struct Live<T>(Arc<RwLock<Arc<T>>>);

impl<T> Live<T> {
    /// Begins with a value.
    pub fn new(value: T) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(value))))
    }

    /// The value that holds now.
    pub fn get(&self) -> Arc<T> {
        self.0.read().clone()
    }

    /// Puts another in its place.
    pub fn set(&self, value: T) {
        *self.0.write() = Arc::new(value);
    }
}

impl<T> Clone for Live<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// A number of bytes, written `512KiB`, `5MiB`, `1GiB` or as plain bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize(pub usize);

/// A text that is no size.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is no size; write it like 512KiB, 5MiB or 1GiB")]
pub struct ByteSizeError(String);

impl FromStr for ByteSize {
    type Err = ByteSizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ByteSizeError(text.to_owned());
        let (number, unit) = match text.find(|c: char| !c.is_ascii_digit()) {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        let shift = match unit.trim() {
            "" | "B" => 0,
            "KiB" => 10,
            "MiB" => 20,
            "GiB" => 30,
            _ => return Err(error()),
        };
        let number: usize = number.parse().map_err(|_| error())?;
        number.checked_mul(1 << shift).map(Self).ok_or_else(error)
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
        match units.into_iter().find(|(shift, _)| self.0 != 0 && self.0.trailing_zeros() >= *shift) {
            Some((shift, unit)) => write!(f, "{}{unit}", self.0 >> shift),
            None => write!(f, "{}", self.0),
        }
    }
}

impl Serialize for ByteSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ByteSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum SettingText {
            Number(usize),
            Text(String),
        }
        match SettingText::deserialize(deserializer)? {
            SettingText::Number(bytes) => Ok(Self(bytes)),
            SettingText::Text(text) => text.parse().map_err(de::Error::custom),
        }
    }
}

/// Writes a secret: whether there is one, and never what it is.
pub fn masked<S: Serializer>(secret: &Option<SecretString>, serializer: S) -> Result<S::Ok, S::Error> {
    match secret.as_ref().filter(|secret| !secret.expose_secret().is_empty()) {
        Some(_) => serializer.serialize_str("***"),
        None => serializer.serialize_none(),
    }
}

/// What `config/default.toml` says.
#[cfg(test)]
pub(crate) fn defaults() -> CrawlSettings {
    #[derive(Deserialize)]
    struct Defaults {
        crawl: CrawlSettings,
    }
    let Defaults { crawl } = toml::from_str(include_str!("../../config/default.toml")).unwrap();
    crawl
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_they_are_written() {
        for (text, bytes) in
            [("0", 0), ("1000", 1000), ("5MiB", 5 << 20), ("512KiB", 512 << 10), ("1GiB", 1 << 30)]
        {
            let size: ByteSize = text.parse().unwrap();
            assert_eq!(size, ByteSize(bytes));
            assert_eq!(size.to_string(), text);
        }
        for bad in ["", "MiB", "5MB", "-1", "99999999999999999999", "99999999999999GiB"] {
            assert!(bad.parse::<ByteSize>().is_err(), "{bad}");
        }
    }
}
