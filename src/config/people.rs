//! The sections `[accounts]` and `[dashboard]`, and what is odd about those for people.

use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use super::Config;
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

/// The section `[dashboard]`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DashboardSettings {
    /// Where people get a larger plan; without one no page speaks of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgrade_url: Option<String>,
}

impl Config {
    /// What keeps people from logging in, or mails from arriving.
    pub(super) fn people_warnings(&self) -> Vec<String> {
        let (url, is_public) = (self.server.public_url.as_deref(), !self.server.listen.ip().is_loopback());
        let mut found = Vec::new();
        if url.is_none() && is_public {
            found.push("server.public_url is not set: links in mails lead to this machine".to_owned());
        }
        if is_public && !url.is_some_and(|url| url.starts_with("https://")) {
            found.push(
                "server.public_url is no https address: browsers may keep nobody logged in without TLS"
                    .to_owned(),
            );
        }
        // The service speaks plain HTTP, so there is a proxy before it.
        if url.is_some_and(|url| url.starts_with("https://")) && self.server.trusted_proxies.is_empty() {
            found.push(
                "server.trusted_proxies is empty: tries to log in of all clients behind the proxy count as one"
                    .to_owned(),
            );
        }
        let in_clear = |url: &Url| url.scheme() == "smtp" && url.query().is_none() && !is_loopback(url);
        if self.mail.server().and_then(|url| Url::parse(url).ok()).is_some_and(|url| in_clear(&url)) {
            found.push("mail.smtp_url has no TLS: links in mails can be read on their way".to_owned());
        }
        if url.is_some() && self.mail.server().is_none() {
            found.push(
                "mail.smtp_url is not set: mails go to the log, and nobody but you gets them".to_owned(),
            );
        }
        found
    }
}

/// Addresses are not read as such in URLs of mail servers: to the standard these hold names alone.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use crate::config::tests::load;

    #[test]
    fn warns_of_settings_that_lock_people_out() {
        let warnings = |toml: &str| load(toml).unwrap().warnings().len();
        assert_eq!(warnings("server.listen = \"0.0.0.0:80\""), 2);
        let behind_tls = "server.listen = \"0.0.0.0:80\"\nserver.public_url = \"https://a.example\"";
        assert_eq!(warnings(behind_tls), 2);
        let whole = "server.trusted_proxies = [\"10.0.0.0/8\"]\nmail.smtp_url = \"smtp://mail.example\"";
        assert_eq!(warnings(&format!("{behind_tls}\n{whole}")), 1, "mails in clear");
        let safe = whole.replace("smtp://mail.example", "smtp://mail.example?tls=required");
        assert_eq!(warnings(&format!("{behind_tls}\n{safe}")), 0);
        assert_eq!(warnings("mail.smtp_url = \"smtp://127.0.0.1:25\""), 0);
        let config = load("mail.smtp_url = \"smtps://ada:secret@mail.example\"").unwrap();
        assert!(!format!("{config:?}{}", toml::to_string(&config).unwrap()).contains("secret"));
    }
}
