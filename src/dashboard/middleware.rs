//! What surrounds every page: who may change anything, errors as pages, and what browsers are told.
//!
//! What changes something must come from a page of ours. Browsers say so themselves: `Sec-Fetch-Site`, and older ones
//! `Origin`. Other sites can set neither, so no token in a form is needed.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, web};

use super::error_page;
use super::people::People;
use crate::error::{ApiError, ApiResult, Code};
use crate::routes::preferences::header_says;
use crate::service::Service;
use crate::shutdown_gate::InFlight;

/// Our own files and nothing else; no script or style inside a page, so that markup that slips through stays dead.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const ALWAYS: [(HeaderName, &str); 4] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // A link in a mail holds a secret, and so does the address of its page.
    (REFERRER_POLICY, "same-origin"),
    (X_FRAME_OPTIONS, "DENY"),
];
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The middleware of every page.
pub(super) async fn wrap(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let response = match begin(&request) {
        Ok(_in_flight) => next.call(request).await?.map_into_boxed_body(),
        Err(error) => request.error_response(error),
    };
    let mut response = error_page::instead(response).await;
    be_strict(response.headers_mut());
    Ok(response)
}

/// The answer to whatever has no route: a page for browsers, the API's body for programs.
/// Errors: 404 for programs.
pub(super) async fn nothing_here(request: HttpRequest) -> ApiResult {
    let error = ApiError::new(Code::NotFound);
    let browses = header_says(&request, ACCEPT, "text/html") && !request.path().starts_with("/api");
    let page = if browses { error_page::page(&error, &request, None) } else { None };
    let mut page = page.ok_or(error)?;
    be_strict(page.headers_mut());
    Ok(page)
}

/// Errors: 503: the service shuts down: it waits for what is under way, and begins nothing new. 403: the request would change
/// something and comes from elsewhere.
fn begin(request: &ServiceRequest) -> ApiResult<Option<InFlight>> {
    let inside = request.app_data::<web::Data<Service>>().map(|service| service.enter()).transpose()?;
    let own = request.app_data::<web::Data<People>>().and_then(|people| people.origin.as_deref());
    if request.method().is_safe() || comes_from_us(request.headers(), own) {
        return Ok(inside);
    }
    Err(ApiError::new(Code::CrossSite))
}

/// Neither framing nor what a page has no use for; and no caching, since it is private or about to change.
fn be_strict(headers: &mut HeaderMap) {
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// `own`: the service's origin where it is configured; without one it is what the request says it was sent to.
fn comes_from_us(headers: &HeaderMap, own: Option<&str>) -> bool {
    let all = |name: HeaderName, is_ours: &dyn Fn(&str) -> bool| {
        let mut values = headers.get_all(name).map(|value| value.to_str().is_ok_and(is_ours)).peekable();
        values.peek().is_some().then(|| values.all(|ours| ours))
    };
    // `none`: the person, not a page, began it.
    let by_site = all(SEC_FETCH_SITE, &|site| matches!(site, "same-origin" | "none"));
    by_site
        .or_else(|| all(ORIGIN, &|origin| own.map_or_else(|| is_host(headers, origin), |own| own == origin)))
        == Some(true)
}

fn is_host(headers: &HeaderMap, origin: &str) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).filter(|host| !host.is_empty());
    let named = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    host.is_some() && host == named
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(own: Option<&str>, sent: &[(HeaderName, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("wayfile.example"));
        for (name, value) in sent {
            headers.append(name.clone(), HeaderValue::from_static(value));
        }
        comes_from_us(&headers, own)
    }

    #[test]
    fn sec_fetch_site_decides() {
        for ours in ["same-origin", "none"] {
            assert!(passes(None, &[(SEC_FETCH_SITE, ours)]), "{ours}");
        }
        for other in ["cross-site", "same-site", "", "Same-Origin, none"] {
            assert!(!passes(None, &[(SEC_FETCH_SITE, other)]), "{other}");
            let and_origin = [(SEC_FETCH_SITE, other), (ORIGIN, "https://wayfile.example")];
            assert!(!passes(None, &and_origin), "{other}");
        }
        assert!(!passes(None, &[(SEC_FETCH_SITE, "same-origin"), (SEC_FETCH_SITE, "cross-site")]));
    }

    #[test]
    fn an_older_browser_is_judged_by_its_origin() {
        assert!(passes(None, &[(ORIGIN, "https://wayfile.example")]));
        assert!(passes(Some("https://public.example"), &[(ORIGIN, "https://public.example")]));
        for other in
            ["null", "", "https://evil.example", "https://wayfile.example.evil.example", "wayfile.example"]
        {
            assert!(!passes(None, &[(ORIGIN, other)]), "{other}");
        }
        // Where the origin is configured, the host that a request names proves nothing.
        assert!(!passes(Some("https://public.example"), &[(ORIGIN, "https://wayfile.example")]));
        assert!(!passes(Some("https://public.example"), &[(ORIGIN, "http://public.example")]));
    }

    #[test]
    fn requests_without_origin_are_refused() {
        assert!(!passes(None, &[]) && !passes(Some("https://public.example"), &[]));
    }
}
