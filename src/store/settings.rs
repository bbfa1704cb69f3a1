//! What an operator may set of the store.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{DatabaseUrl, Keep};

/// The section `[database]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]
pub struct DatabaseSettings {
    pub url: DatabaseUrl,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_url: Option<DatabaseUrl>,
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    pub keep: Keep,
}
