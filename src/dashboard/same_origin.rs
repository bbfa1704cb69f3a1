//! The guard against forged requests: what changes something must come from a page of ours.
//!
//! Browsers say so themselves: `Sec-Fetch-Site`, and older ones `Origin`. Other sites can set neither, so no token in a
//! form is needed.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use actix_web::middleware::Next;
use actix_web::{Error, web};

use super::people::People;
use crate::error::{ApiError, Code};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

pub(crate) async fn guard(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let own = request.app_data::<web::Data<People>>().and_then(|people| people.origin.as_deref());
    if request.method().is_safe() || comes_from_us(request.headers(), own) {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    Ok(request.error_response(ApiError::new(Code::CrossSite)))
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
    use actix_web::http::header::HeaderValue;

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
