//! The crawl's limits, as the configuration file writes them. Defaults live in `config/default.toml` alone.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Decoded size of a sitemap; a longer one is cut. The protocol allows as much.
pub(crate) const SITEMAP_MAX_BYTES: usize = 50 << 20;

/// The `[crawl]` section.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrawlSettings {
    /// How every request names us, with a contact URL.
    pub user_agent: String,
    /// A generate run answers within this time, with what it has.
    #[serde(with = "humantime_serde")]
    pub deadline: Duration,
    /// Requests at once to one domain, over all crawls.
    pub per_domain_concurrency: usize,
    /// Gap between two starts of requests to one domain, over all crawls.
    #[serde(with = "humantime_serde")]
    pub per_domain_delay: Duration,
    /// Crawls at once in this process.
    pub max_crawls: usize,
    /// How long a crawl waits for its turn in a full service.
    #[serde(with = "humantime_serde")]
    pub queue_wait: Duration,
    /// Requests at once in this process, over all domains.
    pub max_fetches: usize,
    /// Decoded size of a page; a longer one is dropped and counted, never cut.
    pub page_max_bytes: ByteSize,
    /// Steps that reading one page may take (a step: a byte read or written, a node looked at); one that takes more is
    /// dropped and counted as too complex.
    pub page_work: usize,
    /// Sitemap files read in one crawl.
    pub max_sitemaps: usize,
    /// Time for one request from connect to the last byte.
    #[serde(with = "humantime_serde")]
    pub page_timeout: Duration,
    /// Further tries of a request that failed in passing (time-out, reset, 429, 5xx).
    pub retries: u8,
    /// Requests in a row that a domain leaves without an answer before it counts as gone...
    pub gone_tries: u32,
    /// ...and the time over which it does so at least. Pages of it that still wait are then lost at once.
    #[serde(with = "humantime_serde")]
    pub gone_after: Duration,
    /// Cap for `Retry-After` and for the gap that refusals teach.
    #[serde(with = "humantime_serde")]
    pub max_backoff: Duration,
    /// Cap for `Crawl-delay`; the note says when it bites.
    #[serde(with = "humantime_serde")]
    pub max_crawl_delay: Duration,
    /// Memory for fetched pages.
    pub cache_bytes: ByteSize,
    /// For how long a fetched page is taken as fresh.
    #[serde(with = "humantime_serde")]
    pub cache_ttl: Duration,
    /// For how long robots.txt is taken as fresh (RFC 9309 section 2.4: at most 24 hours).
    #[serde(with = "humantime_serde")]
    pub robots_ttl: Duration,
    /// Size of `llms-full.txt`; it stops before.
    pub full_max_bytes: ByteSize,
    /// Length of `llms.txt`: what fits one fetch of the agents that read it.
    pub index_max_chars: usize,
    /// Private networks that may be fetched all the same. Empty for a public service.
    pub allow_networks: Vec<IpNet>,
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
///
/// # Errors
/// The serializer's own.
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
