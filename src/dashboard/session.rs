//! Who is signed in, and the cookie of a session.

use std::net::SocketAddr;
use std::time::Duration;

use actix_web::cookie::time::Duration as CookieDuration;
use actix_web::cookie::{Cookie, SameSite};
use url::Url;

use crate::auth::Secret;
use crate::store::Session;

/// A signed-in person. A request without a session is sent to the log-in page.
pub(crate) type SignedIn = Session;

#[derive(Debug, Clone)]
pub(crate) struct MaybeSignedIn(pub(crate) Option<SignedIn>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CookieStyle {
    /// Browsers send it over TLS only, to this very host.
    Secure,
    /// For loopback without TLS, where some browsers keep no other.
    Loopback,
}

impl CookieStyle {
    /// Of a service that is reached at `base` and listens at `bound`. Without TLS a cookie that asks for it would not be kept
    /// everywhere; on loopback there is no eavesdropper.
    pub(crate) fn of(base: &Url, bound: SocketAddr) -> Self {
        if base.scheme() != "http" || !bound.ip().is_loopback() {
            return Self::Secure;
        }
        tracing::warn!(
            "sessions are kept in a cookie without `Secure`: the service is on loopback, without TLS"
        );
        Self::Loopback
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Secure => "__Host-wayfile",
            Self::Loopback => "wayfile",
        }
    }

    /// The cookie that holds `session`, which lasts no longer than `longest`.
    pub(crate) fn holding(self, session: &Secret, longest: Duration) -> Cookie<'static> {
        self.cookie(session.expose().to_owned(), longest)
    }

    pub(crate) fn gone(self) -> Cookie<'static> {
        self.cookie(String::new(), Duration::ZERO)
    }

    fn cookie(self, value: String, longest: Duration) -> Cookie<'static> {
        let cookie = Cookie::build(self.name(), value).path("/").http_only(true).same_site(SameSite::Lax);
        let seconds = i64::try_from(longest.as_secs()).unwrap_or(i64::MAX);
        cookie.secure(self == Self::Secure).max_age(CookieDuration::seconds(seconds)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_belongs_to_this_host_alone_and_no_script_reads_it() {
        let secret = Secret::generate().unwrap();
        let hour = Duration::from_hours(1);
        let (value, secure) = (secret.expose(), CookieStyle::Secure.holding(&secret, hour));
        let written = format!("__Host-wayfile={value}; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=3600");
        assert_eq!(secure.to_string(), written);
        let plain = CookieStyle::Loopback.holding(&secret, hour);
        assert_eq!(
            plain.to_string(),
            format!("wayfile={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age=3600")
        );
        assert!(CookieStyle::Secure.gone().to_string().contains("Max-Age=0"));
    }
}
