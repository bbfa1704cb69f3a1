//! Request bodies, read within a time and a size, and the fields that several have.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::web::{self, Bytes};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;
use tracing::Span;
use wayfile_core::url::Seed;

use crate::error::{ApiError, ApiResult, Code, sentence};
use crate::service::Service;

/// A client sends its body within this time, or its connection is closed.
const TIMEOUT: Duration = Duration::from_secs(15);
/// Bytes of a body that waits for no room.
const SMALL: usize = 64 << 10;
/// Larger bodies that are in memory at once, over all keys: 200 MB of the largest ones.
const MAX_LARGE: usize = 64;
static LARGE: Semaphore = Semaphore::const_new(MAX_LARGE);

/// A body, and its room in memory: held as long as what was read of it.
pub(crate) struct Received {
    pub(crate) bytes: Bytes,
    pub(crate) room: Option<SemaphorePermit<'static>>,
}

pub(crate) const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

/// A JSON body as [`read`] reads it, until the service stops: a client that still sends when the drain is over is turned away.
/// A large one waits for room first.
/// Errors: 400, 408, 413, 415, 503.
pub(crate) async fn receive(
    service: &Service,
    request: &HttpRequest,
    payload: web::Payload,
    cap: usize,
) -> ApiResult<Received> {
    let received = async {
        let room = if cap.min(announced(request).unwrap_or(cap)) > SMALL {
            let busy = |_| ApiError::new(Code::Busy);
            timeout(TIMEOUT, LARGE.acquire()).await.map_err(busy)?.ok()
        } else {
            None
        };
        Ok(Received { bytes: read(request, payload, JSON, cap).await?, room })
    };
    tokio::select! {
        biased;
        body = received => body,
        () = service.shutdown.over() => Err(ApiError::new(Code::ShuttingDown)),
    }
}

/// How long the body is, as the client says.
fn announced(request: &HttpRequest) -> Option<usize> {
    request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok())
}

/// Reads a body of at most `cap` bytes.
/// Errors: 415 for anything but a plain body of this kind, 413 above the cap, 408 when it does not arrive, 400 when it breaks
/// off.
pub(crate) async fn read(
    request: &HttpRequest,
    payload: web::Payload,
    kind: &str,
    cap: usize,
) -> ApiResult<Bytes> {
    check_type(request, kind)?;
    let too_large = || {
        let message = format!("The request's body is larger than {cap} bytes.");
        ApiError::saying(Code::BodyTooLarge, message)
    };
    if announced(request).is_some_and(|bytes| bytes > cap) {
        return Err(too_large());
    }
    let read = timeout(TIMEOUT, payload.to_bytes_limited(cap)).await;
    let read = read.map_err(|_| ApiError::new(Code::RequestTimeout))?.map_err(|_| too_large())?;
    read.map_err(|_| ApiError::new(Code::BadRequest))
}

fn check_type(request: &HttpRequest, kind: &str) -> ApiResult<()> {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let essence = header(CONTENT_TYPE).and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    let coded = header(CONTENT_ENCODING).is_some_and(|coding| !coding.eq_ignore_ascii_case("identity"));
    if essence.eq_ignore_ascii_case(kind) && !coded {
        return Ok(());
    }
    let mut error = ApiError::new(Code::UnsupportedMediaType);
    if kind == FORM {
        error.message = format!("A form is sent as `content-type: {FORM}`.");
    }
    Err(error)
}

/// Reads the JSON object that a request is.
/// Errors: 400: it is no JSON, no object, or a field of it cannot be used; the message names the field.
pub(crate) fn parse<T: DeserializeOwned>(body: &[u8]) -> ApiResult<T> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let parsed = serde_path_to_error::deserialize(&mut json);
    let parsed = parsed.map_err(|error| refused(&error.path().to_string(), error.inner()))?;
    json.end().map_err(|error| refused("", &error))?;
    Ok(parsed)
}

fn refused(path: &str, error: &serde_json::Error) -> ApiError {
    if !error.is_data() {
        return ApiError::saying(Code::InvalidJson, format!("The body is no JSON: {error}."));
    }
    let told = error.to_string();
    let told = told.split_once(" at line ").map_or(&*told, |(told, _)| told);
    let named = told.split('`').nth(1).unwrap_or_default();
    let field = path.split('[').next().unwrap_or_default();
    if told.starts_with("unknown field") {
        ApiError::about(Code::UnknownField, named, sentence(&told))
    } else if told.starts_with("duplicate field") {
        ApiError::about(
            Code::InvalidField,
            named,
            format!("`{named}` is there more than once; send it once."),
        )
    } else if field.is_empty() || field == "." {
        ApiError::new(Code::InvalidJson)
    } else {
        // What it wants, by the names that JSON has for it.
        let told = told
            .replace("expected f64", "expected a number")
            .replace("expected a sequence", "expected an array");
        ApiError::about(Code::InvalidField, field, format!("`{field}`: {told}."))
    }
}

/// A field that must be there.
/// Errors: 400: it is not, or it is null.
pub(crate) fn required<T>(name: &str, value: Option<T>) -> ApiResult<T> {
    value.ok_or_else(|| ApiError::about(Code::MissingField, name, format!("`{name}` is missing.")))
}

/// A number from 0 on. `3.0` is a whole number to JSON Schema, too.
pub(crate) fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(deserializer)? else { return Ok(None) };
    let whole = (number.fract() == 0.0).then(|| number.to_string().parse().ok()).flatten();
    whole.map(Some).ok_or_else(|| D::Error::custom(format!("{number} is no whole number from 0 on")))
}

/// Understands what a client named as its site.
/// Errors: 400: it is empty or no address.
pub(crate) fn site(url: &str) -> ApiResult<Seed> {
    if url.trim().is_empty() {
        let message = "`url` is empty; name a site, such as docs.rs.";
        return Err(ApiError::about(Code::MissingField, "url", message));
    }
    Seed::parse(url).map_err(|error| {
        let message = format!("`url` is no address of a site: {error}. Send a domain or an http(s) address.");
        ApiError::about(Code::InvalidField, "url", message)
    })
}

/// The address may be fetched, as far as it tells by itself; the request's span gets its domain.
/// Errors: 400: it is not public.
pub(crate) fn check_site(service: &Service, seed: &Seed) -> ApiResult<()> {
    Span::current().record("site.domain", seed.url.host());
    service.engine.check_address(seed).map_err(|error| {
        ApiError::about(Code::AddressNotPublic, "url", sentence(&format!("{error}, so it cannot be fetched")))
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    struct Asked {
        url: Option<String>,
        #[serde(default, deserialize_with = "count")]
        max_pages: Option<usize>,
        include: Option<Vec<String>>,
    }

    fn error_of(body: &str) -> (&'static str, Option<String>) {
        let error = parse::<Asked>(body.as_bytes()).unwrap_err();
        (error.code.name(), error.param)
    }

    #[test]
    fn a_body_is_one_object_and_names_each_field_once() {
        for twice in [r#"{"url": "a.org", "url": "b.org"}"#, r#"{"url": "a.org", "\u0075rl": "a.org"}"#] {
            assert_eq!(error_of(twice), ("invalid_field", Some("url".to_owned())));
        }
        for no_object in ["[]", "7", "null", "", "{} {}", "{\"url\":"] {
            assert_eq!(error_of(no_object), ("invalid_json", None), "{no_object}");
        }
    }

    #[test]
    fn the_field_that_is_wrong_is_named() {
        let named = |name: &str| Some(name.to_owned());
        assert_eq!(error_of(r#"{"ulr": "a.org"}"#), ("unknown_field", named("ulr")));
        assert_eq!(error_of(r#"{"url": 7}"#), ("invalid_field", named("url")));
        assert_eq!(error_of(r#"{"maxPages": 1.5}"#), ("invalid_field", named("maxPages")));
        assert_eq!(error_of(r#"{"maxPages": -1}"#), ("invalid_field", named("maxPages")));
        assert_eq!(error_of(r#"{"include": ["a", 7]}"#), ("invalid_field", named("include")));
        for (body, told) in [
            (r#"{"url": 7}"#, "`url`: invalid type: integer `7`, expected a string."),
            (r#"{"maxPages": "3"}"#, "`maxPages`: invalid type: string \"3\", expected a number."),
            (r#"{"include": "a"}"#, "`include`: invalid type: string \"a\", expected an array."),
        ] {
            assert_eq!(parse::<Asked>(body.as_bytes()).unwrap_err().message, told);
        }
    }

    #[test]
    fn null_is_not_set() {
        let asked: Asked = parse(br#"{"url": null, "maxPages": null, "include": null}"#).unwrap();
        assert_eq!((&asked.max_pages, &asked.include), (&None, &None));
        assert_eq!(required("url", asked.url).unwrap_err().code, Code::MissingField);
        assert_eq!(parse::<Asked>(br#"{"maxPages": 3.0}"#).unwrap().max_pages, Some(3));
    }
}
