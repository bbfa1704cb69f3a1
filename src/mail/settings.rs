//! What an operator may set of mails.

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use wayfile_actors::settings::masked;

/// The section `[mail]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    #[serde(default, serialize_with = "masked")]
    pub smtp_url: Option<SecretString>,
    pub from: String,
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    pub tries: u32,
    #[serde(with = "humantime_serde")]
    pub first_wait: Duration,
}

impl MailSettings {
    /// The mail server, unless mails go to the log.
    pub fn server(&self) -> Option<&str> {
        self.smtp_url.as_ref().map(|url| url.expose_secret().trim()).filter(|url| !url.is_empty())
    }
}
