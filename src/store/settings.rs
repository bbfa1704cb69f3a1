//! What an operator may set of the store.
#![allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]

use std::time::Duration;

use serde::{Deserialize, Serialize};
use wayfile_actors::settings::ByteSize;

use super::DatabaseUrl;

/// The section `[database]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseSettings {
    pub url: DatabaseUrl,
    pub direct_url: Option<DatabaseUrl>,
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    pub keep: Keep,
}

/// How long what is kept is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    #[serde(with = "humantime_serde")]
    pub answers: Duration,
    pub answers_per_account: usize,
    pub answers_bytes_per_account: ByteSize,
    #[serde(with = "humantime_serde")]
    pub reservations: Duration,
    #[serde(with = "humantime_serde")]
    pub usage: Duration,
    #[serde(with = "humantime_serde")]
    pub revoked_keys: Duration,
}
