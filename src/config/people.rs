//! The sections `[accounts]` and `[mail]`.

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};

use crate::store::Lifetime;

/// The section `[accounts]`: people who sign up and log in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountsSettings {
    /// A session ends when it was not used for this long.
    #[serde(with = "humantime_serde")]
    pub session_idle: Duration,
    /// A session ends after this long in any case.
    #[serde(with = "humantime_serde")]
    pub session_longest: Duration,
    /// The link that verifies an address works for this long.
    #[serde(with = "humantime_serde")]
    pub verify_within: Duration,
    /// The link to reset a password works for this long.
    #[serde(with = "humantime_serde")]
    pub reset_within: Duration,
    /// Passwords that wait to be hashed; whoever comes then is told to come back.
    pub hash_queue: usize,
    /// Tries to log in to one account, or mails to one address, before the first wait.
    pub free_tries: u32,
    /// The first wait between tries to log in; each is twice as long as the one before.
    #[serde(with = "humantime_serde")]
    pub first_wait: Duration,
    /// The first wait between mails to one address; each is twice as long as the one before.
    #[serde(with = "humantime_serde")]
    pub first_mail_wait: Duration,
    /// No wait is longer, and after as long a silence all is forgotten.
    #[serde(with = "humantime_serde")]
    pub longest_wait: Duration,
    /// Forms a minute from one range of addresses (/24, or /64 of IPv6); also their burst.
    pub forms_per_minute: u32,
}

impl AccountsSettings {
    /// How long a session lasts.
    #[must_use]
    pub fn lifetime(&self) -> Lifetime {
        Lifetime { idle: self.session_idle, longest: self.session_longest }
    }
}

/// The section `[mail]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    /// Where mails are handed over; without one their text goes to the log.
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

/// The address may hold a password: it is never shown, only whether there is one.
#[expect(clippy::ref_option, reason = "serde calls it with a reference to the field")]
fn masked<S: Serializer>(url: &Option<SecretString>, serializer: S) -> Result<S::Ok, S::Error> {
    match url.as_ref().filter(|url| !url.expose_secret().is_empty()) {
        Some(_) => serializer.serialize_str("***"),
        None => serializer.serialize_none(),
    }
}
