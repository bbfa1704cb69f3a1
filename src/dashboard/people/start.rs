//! What the pages of people work with, made of the settings.

use std::net::SocketAddr;

use anyhow::Context;
use url::Url;

use super::People;
use crate::auth::Hasher;
use crate::config::{AccountsSettings, ServerSettings};
use crate::dashboard::session::CookieStyle;
use crate::dashboard::throttle::Throttle;
use crate::mail::MailSignal;
use crate::store::Store;

impl People {
    /// `base`: see [`public_url`]; `bound`: where the service listens.
    ///
    /// # Errors
    /// Not even one password can be hashed.
    pub(crate) fn start(
        store: Store,
        throttle: Throttle,
        server: &ServerSettings,
        settings: AccountsSettings,
        base: &Url,
        bound: SocketAddr,
        mail_signal: MailSignal,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            store,
            hasher: Hasher::start()?,
            throttle,
            cookie: cookie_style(base, bound),
            origin: server.public_url.is_some().then(|| base.origin().ascii_serialization()),
            trusted_proxies: server.trusted_proxies.clone(),
            settings,
            mail_signal,
        })
    }
}

/// Where people reach the dashboard: as configured, or where the service listens.
///
/// # Errors
/// The configured one is no address.
pub(crate) fn public_url(settings: &ServerSettings, bound: SocketAddr) -> anyhow::Result<Url> {
    let listened = || {
        let everywhere = bound.ip().is_unspecified();
        if everywhere { format!("http://localhost:{}", bound.port()) } else { format!("http://{bound}") }
    };
    let url = settings.public_url.clone().unwrap_or_else(listened);
    Url::parse(&url).with_context(|| format!("server.public_url is {url:?}, which is no address"))
}

/// Without TLS a cookie that asks for it would not be kept everywhere; on loopback there is no eavesdropper.
fn cookie_style(base: &Url, bound: SocketAddr) -> CookieStyle {
    if base.scheme() != "http" || !bound.ip().is_loopback() {
        return CookieStyle::Secure;
    }
    tracing::warn!("sessions are kept in a cookie without `Secure`: the service is on loopback, without TLS");
    CookieStyle::Loopback
}
