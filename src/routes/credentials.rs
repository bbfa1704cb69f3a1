//! The API key of a request, from either of two headers.

use actix_web::HttpRequest;
use actix_web::http::header::AUTHORIZATION;

use wayfile_actors::ledger::KeyHash;

use crate::auth::ApiKey;
use crate::error::{ApiError, ApiResult, Code};

const X_API_KEY: &str = "x-api-key";
const SCHEME: &str = "bearer";

/// What the key that was sent is found by.
/// Errors: 401: there is none, there are several that differ, or no key looks like it. 400: a header came more than once.
pub(crate) fn key(request: &HttpRequest) -> ApiResult<KeyHash> {
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

    fn shown(headers: &[(&str, &str)]) -> Option<String> {
        let request = headers.iter().fold(TestRequest::default(), |r, header| r.append_header(*header));
        sent(&request.to_http_request()).ok().map(str::to_owned)
    }

    #[test]
    fn either_header_names_the_key() {
        assert_eq!(shown(&[("x-api-key", "k")]).as_deref(), Some("k"));
        for scheme in ["Bearer", "bearer", "BEARER"] {
            assert_eq!(shown(&[("authorization", &format!("{scheme} k"))]).as_deref(), Some("k"));
        }
        assert_eq!(shown(&[("x-api-key", "k"), ("authorization", "Bearer k")]).as_deref(), Some("k"));
    }

    #[test]
    fn refuses_no_key_other_schemes_and_two_keys() {
        assert_eq!(shown(&[]), None);
        assert_eq!(shown(&[("authorization", "Basic k")]), None);
        assert_eq!(shown(&[("x-api-key", "a"), ("authorization", "Bearer b")]), None);
        assert_eq!(shown(&[("x-api-key", "a"), ("x-api-key", "b")]), None);
    }

    #[test]
    fn a_header_that_is_there_twice_is_refused_even_if_both_are_the_same() {
        let code = |headers: [(&str, &str); 2]| {
            let request = headers.iter().fold(TestRequest::default(), |r, header| r.append_header(*header));
            sent(&request.to_http_request()).unwrap_err().code
        };
        assert_eq!(code([("x-api-key", "k"), ("x-api-key", "k")]), Code::InvalidHeader);
        assert_eq!(code([("authorization", "Bearer k"), ("authorization", "bearer k")]), Code::InvalidHeader);
        assert_eq!(code([("x-api-key", "a"), ("x-api-key", "b")]), Code::Unauthorized);
    }
}
