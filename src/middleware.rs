//! The outermost middleware: the request's id, errors in one form, rate-limit headers, metrics.

use std::time::Instant;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest};
use uuid::Uuid;
use wayfile_actors::metrics;
use wayfile_core::limits::Figures;

use crate::error::{ApiError, ApiResult};
use crate::paths;

const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// A client's id is kept up to this length; a longer one is replaced.
const REQUEST_ID_MAX_CHARS: usize = 128;

#[derive(Debug, Clone)]
pub(crate) struct RequestId(String);

impl RequestId {
    pub(crate) fn new() -> Self {
        Self(Uuid::now_v7().to_string())
    }

    /// The client's own, when it is sane: it ends up in logs and headers.
    fn of(headers: &HeaderMap) -> Self {
        let own = headers.get(X_REQUEST_ID).and_then(|value| value.to_str().ok());
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        let own = own.filter(|id| (1..=REQUEST_ID_MAX_CHARS).contains(&id.len()) && id.bytes().all(is_plain));
        own.map_or_else(Self::new, |id| Self(id.to_owned()))
    }

    pub(crate) fn get(request: &HttpRequest) -> Self {
        request.extensions().get::<Self>().cloned().unwrap_or_else(|| Self(String::new()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Has a key's limits told with the answer to this request, whatever it will be.
pub(crate) fn tell_figures(request: &HttpRequest, figures: &Figures) {
    request.extensions_mut().insert(*figures);
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrived(pub(crate) Instant);

/// Has the time of a request that waited for another one counted from now on.
pub(crate) fn arrives_now(request: &HttpRequest) {
    request.extensions_mut().insert(Arrived(Instant::now()));
}

pub(crate) async fn wrap(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let (id, arrived) = (RequestId::of(request.headers()), Instant::now());
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(Arrived(arrived));
    let response = next.call(request).await?;
    let status = response.status();
    let mut response = match error_of(&response) {
        // Nothing of the old answer stays: its headers speak of its body.
        Some(error) => response.into_response(error.response(id.as_str())),
        None => response.map_into_boxed_body(),
    };
    let figures = response.request().extensions().get::<Figures>().copied();
    if let Some(figures) = figures {
        for (name, text) in [(RATE_LIMIT_POLICY, figures.policy()), (RATE_LIMIT, figures.state())] {
            if let Ok(value) = HeaderValue::try_from(text) {
                response.headers_mut().insert(name, value);
            }
        }
    }
    if let Ok(value) = HeaderValue::from_str(id.as_str()) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    let route = response.request().match_pattern();
    metrics::http_request(
        known(route.as_deref()),
        METHODS.into_iter().find(|known| *known == response.request().method()).unwrap_or(OTHER),
        status.as_u16(),
        arrived.elapsed(),
    );
    Ok(response)
}

/// The error that an answer stands for: ours, or what the framework said without a body of ours.
pub(crate) fn error_of<B: MessageBody>(response: &ServiceResponse<B>) -> Option<ApiError> {
    let status = response.status();
    // A redirect may travel as an error, too.
    if !(status.is_client_error() || status.is_server_error()) {
        return None;
    }
    if let Some(error) = response.response().error() {
        let own = error.as_error::<ApiError>().cloned();
        return Some(own.unwrap_or_else(|| ApiError::of_status(status)));
    }
    let bare = matches!(response.response().body().size(), BodySize::None | BodySize::Sized(0));
    let kind = response.headers().get(CONTENT_TYPE);
    let plain = kind.is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"));
    (bare || plain).then(|| ApiError::of_status(status))
}

/// Methods that metrics tell apart.
const METHODS: [&str; 3] = ["GET", "POST", "HEAD"];
/// What has no place in the closed list of a label's values.
pub(crate) const OTHER: &str = "other";

/// A label must come from a closed list: paths that nothing matches are one.
fn known(route: Option<&str>) -> &'static str {
    let route = route.unwrap_or_default();
    paths::all().find(|path| *path == route).unwrap_or(OTHER)
}

/// The answer to whatever has no route.
pub(crate) async fn nothing_here() -> ApiResult<actix_web::HttpResponse> {
    Err(ApiError::of_status(StatusCode::NOT_FOUND))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(X_REQUEST_ID, HeaderValue::from_str(text).unwrap());
        RequestId::of(&headers).0
    }

    #[test]
    fn a_sane_id_is_kept_and_another_is_replaced() {
        assert_eq!(id("order-7.a:b_c"), "order-7.a:b_c");
        for odd in ["", "a b", "<script>", &"a".repeat(REQUEST_ID_MAX_CHARS + 1)] {
            assert_ne!(id(odd), *odd);
        }
    }
}
