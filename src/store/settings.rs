//! What an operator may set of the store.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{DatabaseUrl, Keep};

/// The section `[database]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseSettings {
    /// Where accounts, keys and usage are.
    pub url: DatabaseUrl,
    /// The same database without a pooler in between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_url: Option<DatabaseUrl>,
    /// The longest that a request waits for the store.
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    /// How long what is old is kept.
    pub keep: Keep,
}
