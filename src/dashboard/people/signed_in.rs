//! Who a request comes from: the session of its cookie.

use actix_web::dev::Payload;
use actix_web::http::header::{COOKIE, HeaderMap};
use actix_web::http::uri::PathAndQuery;
use actix_web::http::{Method, StatusCode};
use actix_web::{FromRequest, HttpRequest, HttpResponse, ResponseError, web};
use futures_util::future::LocalBoxFuture;
use jiff::{SignedDuration, Timestamp};

use super::{LOG_IN, People, next};
use crate::auth::Secret;
use crate::dashboard::{MaybeSignedIn, SignedIn, see};
use crate::error::{ApiError, ApiResult};

/// How precise it is known when a session was last used: a write for every request would be waste.
const SEEN_STEP: SignedDuration = SignedDuration::from_mins(1);

/// Redirects a request without a session to the log-in page, and from there back to its address.
#[derive(Debug, thiserror::Error)]
#[error("nobody is signed in")]
pub(crate) struct LogInFirst {
    next: Option<String>,
}

impl ResponseError for LogInFirst {
    fn status_code(&self) -> StatusCode {
        StatusCode::SEE_OTHER
    }

    fn error_response(&self) -> HttpResponse {
        let next = self.next.iter().map(|next| ("next", next));
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(next).finish();
        let place = if query.is_empty() { LOG_IN.to_owned() } else { format!("{LOG_IN}?{query}") };
        see(&place)
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
        Box::pin(async move { Ok(found.await?.0.ok_or_else(|| LogInFirst { next: wanted(&request) })?) })
    }
}

/// The address to go back to after the log-in; forms are not sent again.
fn wanted(request: &HttpRequest) -> Option<String> {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let path = request.uri().path_and_query().map(PathAndQuery::as_str)?;
    next::local(path).filter(|_| is_read)
}

/// The first secret in a cookie of exactly this name. Browsers protect the prefix `__Host-` letter by letter, so a name
/// must not be decoded: `%5F%5FHost-` is anybody's.
fn held(headers: &HeaderMap, name: &str) -> Option<Secret> {
    let lines = headers.get_all(COOKIE).filter_map(|line| line.to_str().ok());
    let cookies = lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dashboard::session::CookieStyle;

    #[test]
    fn a_cookie_counts_by_the_letters_of_its_name() {
        let (ada, eve) = (Secret::generate().unwrap(), Secret::generate().unwrap());
        let (ours, planted) = (ada.expose(), eve.expose());
        let mut headers = HeaderMap::new();
        let line = format!("%5F%5FHost-wayfile={planted}; __Host-wayfile=junk; __Host-wayfile={ours}");
        headers.insert(COOKIE, line.parse().unwrap());
        let found = held(&headers, CookieStyle::Secure.name());
        assert_eq!(found.map(|secret| secret.hash()), Some(ada.hash()));
        headers.insert(COOKIE, format!("%5F%5FHost-wayfile={planted}").parse().unwrap());
        assert!(held(&headers, CookieStyle::Secure.name()).is_none());
    }
}
