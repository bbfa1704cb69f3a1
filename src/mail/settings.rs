//! What an operator may set of mails.

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use wayfile_actors::settings::masked;

/// The section `[mail]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    /// Where mails are handed over; without one their text goes to the log. It may hold a password.
    #[serde(default, serialize_with = "masked")]
    pub smtp_url: Option<SecretString>,
    /// Who they are from.
    pub from: String,
    /// One delivery to the server takes no longer.
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    /// Tries of one mail.
    pub tries: u32,
    /// The wait after the first try that failed; each is twice as long as the one before, up to an hour.
    #[serde(with = "humantime_serde")]
    pub first_wait: Duration,
}

impl MailSettings {
    /// The mail server, unless mails go to the log.
    #[must_use]
    pub fn server(&self) -> Option<&str> {
        self.smtp_url.as_ref().map(|url| url.expose_secret().trim()).filter(|url| !url.is_empty())
    }
}
