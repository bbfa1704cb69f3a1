//! Admission of a request with a key, from either of two headers: the store is asked before its body is read.

use actix_web::HttpRequest;
use actix_web::http::header::AUTHORIZATION;
use tracing::Span;
use wayfile_actors::ledger::KeyHash;
use wayfile_actors::{Admission, Refusal};
use wayfile_core::plan::Endpoint;

use crate::auth::ApiKey;
use crate::error::{ApiError, ApiResult, Code};
use crate::middleware;
use crate::service::Service;

const X_API_KEY: &str = "x-api-key";
const SCHEME: &str = "bearer";

/// The request's key is good and its rate has room. Its limits are told with the answer.
/// Errors: 401, 429, 503.
pub(crate) async fn admit(
    service: &Service,
    request: &HttpRequest,
    endpoint: Endpoint,
) -> ApiResult<Admission> {
    admit_key(service, request, key(request)?, endpoint).await
}

/// As [`admit`], for a key that the owner of a session has picked.
/// Errors: 401, 429, 503.
pub(crate) async fn admit_key(
    service: &Service,
    request: &HttpRequest,
    key: KeyHash,
    endpoint: Endpoint,
) -> ApiResult<Admission> {
    let admitted = service.guards.admit(key, endpoint).await;
    match &admitted {
        Ok(admission) => {
            Span::current().record("key.id", admission.record.key.0);
            middleware::tell_figures(request, &admission.figures);
        }
        Err(Refusal::AtLimit { figures, .. }) => middleware::tell_figures(request, figures),
        Err(_) => {}
    }
    Ok(admitted?)
}

/// What the key that was sent is found by.
/// Errors: 401: there is none, there are several that differ, or no key looks like it. 400: a header came more than once.
fn key(request: &HttpRequest) -> ApiResult<KeyHash> {
    let key = ApiKey::parse(sent(request)?).ok_or_else(|| ApiError::new(Code::Unauthorized))?;
    Ok(key.hash())
}

fn sent(request: &HttpRequest) -> ApiResult<&str> {
    let headers = request.headers();
    let own = headers.get_all(X_API_KEY).map(|value| value.to_str().ok().map(str::trim));
    let bearer = headers.get_all(AUTHORIZATION).map(|value| value.to_str().ok().and_then(bearer));
    let mut sent = own.chain(bearer);
    let refused = || ApiError::new(Code::Unauthorized);
    let first = sent.next().flatten().ok_or_else(refused)?;
    if !sent.all(|other| other == Some(first)) {
        return Err(refused());
    }
    let repeated =
        [X_API_KEY, AUTHORIZATION.as_str()].into_iter().find(|name| headers.get_all(*name).count() > 1);
    repeated.map_or(Ok(first), |header| Err(ApiError::repeated(header)))
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, key) = value.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case(SCHEME).then(|| key.trim())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn key_sent(headers: &[(&str, &str)]) -> Result<String, Code> {
        let request = headers.iter().fold(TestRequest::default(), |r, header| r.append_header(*header));
        sent(&request.to_http_request()).map(str::to_owned).map_err(|error| error.code)
    }

    #[test]
    fn either_header_names_the_key() {
        let key = || Ok("k".to_owned());
        assert_eq!(key_sent(&[("x-api-key", "k")]), key());
        for scheme in ["Bearer", "bearer", "BEARER"] {
            assert_eq!(key_sent(&[("authorization", &format!("{scheme} k"))]), key());
        }
        assert_eq!(key_sent(&[("x-api-key", "k"), ("authorization", "Bearer k")]), key());
    }

    #[test]
    fn no_key_other_schemes_two_keys_and_a_header_that_came_twice_are_refused() {
        let refused: [(&[_], Code); 6] = [
            (&[], Code::Unauthorized),
            (&[("authorization", "Basic k")], Code::Unauthorized),
            (&[("x-api-key", "a"), ("authorization", "Bearer b")], Code::Unauthorized),
            (&[("x-api-key", "a"), ("x-api-key", "b")], Code::Unauthorized),
            (&[("x-api-key", "k"), ("x-api-key", "k")], Code::InvalidHeader),
            (&[("authorization", "Bearer k"), ("authorization", "bearer k")], Code::InvalidHeader),
        ];
        for (headers, code) in refused {
            assert_eq!(key_sent(headers), Err(code), "{headers:?}");
        }
    }
}
