//! Who is signed in, the cookie of a session, and the page that a log-in leads back to.

use std::net::SocketAddr;
use std::time::Duration;

use actix_web::cookie::time::Duration as CookieDuration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::dev::Payload;
use actix_web::error::InternalError;
use actix_web::http::Method;
use actix_web::http::header::{COOKIE, HeaderMap};
use actix_web::http::uri::PathAndQuery;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::future::LocalBoxFuture;
use jiff::{SignedDuration, Timestamp};
use url::form_urlencoded::Serializer;
use url::{Position, Url};

use super::{LOG_IN, People};
use crate::auth::Secret;
use crate::dashboard::see;
use crate::error::{ApiError, ApiResult};
use crate::store::Session;

/// How precise it is known when a session was last used: a write for every request would be waste.
const SEEN_STEP: SignedDuration = SignedDuration::from_mins(1);
/// Octets of a path that is remembered.
const MAX_LENGTH: usize = 512;
/// Stands where the service's own origin would: only the rest counts.
const BASE: &str = "http://wayfile.invalid/";

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

impl FromRequest for MaybeSignedIn {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, ApiResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let Some(people) = request.app_data::<web::Data<People>>() else { return Ok(Self(None)) };
            Ok(Self(find(&request, people).await?))
        })
    }
}

impl FromRequest for SignedIn {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, found) = (request.clone(), MaybeSignedIn::from_request(request, payload));
        Box::pin(async move { found.await?.0.ok_or_else(|| log_in_first(&request)) })
    }
}

/// Redirects a request without a session to the log-in page, and from there back to its address; forms are not sent again.
fn log_in_first(request: &HttpRequest) -> actix_web::Error {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let here = request.uri().path_and_query().map(PathAndQuery::as_str).filter(|_| is_read);
    let place = here.and_then(local_path).map(|next| {
        let query = Serializer::new(String::new()).append_pair("next", &next).finish();
        format!("{LOG_IN}?{query}")
    });
    InternalError::from_response("nobody is signed in", see(place.as_deref().unwrap_or(LOG_IN))).into()
}

/// The first secret in a cookie of exactly this name. Browsers protect the prefix `__Host-` letter by letter, so a name
/// must not be decoded: `%5F%5FHost-` is anybody's. Beside it there may be cookies of others, of any bytes (RFC 6265 section 5.4).
fn held(headers: &HeaderMap, name: &str) -> Option<Secret> {
    let cookies = headers.get_all(COOKIE).flat_map(|line| line.as_bytes().split(|&byte| byte == b';'));
    let cookies = cookies.filter_map(|cookie| std::str::from_utf8(cookie).ok()?.trim().split_once('='));
    cookies.filter(|(own, _)| *own == name).find_map(|(_, value)| Secret::parse(value))
}

async fn find(request: &HttpRequest, people: &People) -> ApiResult<Option<SignedIn>> {
    let Some(secret) = held(request.headers(), people.cookie.name()) else { return Ok(None) };
    let (id, now) = (secret.hash(), Timestamp::now());
    let Some(session) = people.store.session(id, now).await? else { return Ok(None) };
    if now.duration_since(session.seen) >= SEEN_STEP {
        people.store.touch_session(id, session.created, people.settings.lifetime(), now).await?;
    }
    Ok(Some(session))
}

/// The path and query that `wanted` names here; none when it leads elsewhere.
pub(super) fn local_path(wanted: &str) -> Option<String> {
    if wanted.len() > MAX_LENGTH || !wanted.starts_with('/') {
        return None;
    }
    let base = Url::parse(BASE).ok()?;
    let url = base.join(wanted).ok()?;
    // As browsers read it: `//` and `/\` name another host. A path that still begins so would do it the next time.
    let stays = url.origin() == base.origin() && !url.path().starts_with("//");
    stays.then(|| url[Position::BeforePath..Position::AfterQuery].to_owned())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn a_cookie_counts_by_the_letters_of_its_name() {
        let (ada, eve) = (Secret::generate().unwrap(), Secret::generate().unwrap());
        let (ours, planted) = (ada.expose(), eve.expose());
        let mut headers = HeaderMap::new();
        let line = format!("%5F%5FHost-wayfile={planted}; __Host-wayfile=junk; __Host-wayfile={ours}");
        headers.insert(COOKIE, line.parse().unwrap());
        let found = held(&headers, CookieStyle::Secure.name());
        assert_eq!(found.map(|secret| secret.hash()), Some(ada.hash()));
        // Others on the same host write theirs as they like.
        let beside = [b"city=Z\xfcrich; ".as_slice(), line.as_bytes()].concat();
        headers.insert(COOKIE, HeaderValue::from_bytes(&beside).unwrap());
        assert!(held(&headers, CookieStyle::Secure.name()).is_some());
        headers.insert(COOKIE, format!("%5F%5FHost-wayfile={planted}").parse().unwrap());
        assert!(held(&headers, CookieStyle::Secure.name()).is_none());
    }

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

    #[test]
    fn redirects_after_login_stay_on_this_host() {
        assert_eq!(local_path("/keys?page=2#top").as_deref(), Some("/keys?page=2"));
        assert_eq!(local_path("/a/../usage").as_deref(), Some("/usage"));
        for elsewhere in [
            "",
            "keys",
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "/a/..//evil.example",
            "/.//evil.example",
            &format!("/{}", "a".repeat(600)),
        ] {
            assert_eq!(local_path(elsewhere), None, "{elsewhere}");
        }
    }
}
