//! The sections `[accounts]` and `[dashboard]`.

use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::store::Lifetime;

/// The section `[accounts]`: people who sign up and log in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]
pub struct AccountsSettings {
    #[serde(with = "humantime_serde")]
    pub session_idle: Duration,
    #[serde(with = "humantime_serde")]
    pub session_longest: Duration,
    #[serde(with = "humantime_serde")]
    pub verify_within: Duration,
    #[serde(with = "humantime_serde")]
    pub reset_within: Duration,
    pub free_tries: u32,
    #[serde(with = "humantime_serde")]
    pub first_wait: Duration,
    #[serde(with = "humantime_serde")]
    pub first_mail_wait: Duration,
    #[serde(with = "humantime_serde")]
    pub longest_wait: Duration,
    pub forms_per_minute: u32,
}

impl AccountsSettings {
    /// How long a session lasts.
    pub fn lifetime(&self) -> Lifetime {
        Lifetime { idle: self.session_idle, longest: self.session_longest }
    }
}

/// The section `[dashboard]`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "config/default.toml says what each setting is, and its unit")]
pub struct DashboardSettings {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgrade_url: Option<String>,
}

/// Whether mails are handed to this server without TLS, over a network.
pub(super) fn is_in_clear(mail_server: &Url) -> bool {
    mail_server.scheme() == "smtp" && mail_server.query().is_none() && !is_loopback(mail_server)
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
