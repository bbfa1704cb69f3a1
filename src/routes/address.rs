//! The `url` of a request: parsed, and checked before anything is fetched.

use tracing::Span;
use wayfile_core::url::Seed;

use crate::error::{ApiError, ApiResult, Code, sentence};
use crate::service::Service;

/// Understands what a client named as its site.
/// Errors: 400: it is empty or no address.
pub(crate) fn parse(url: &str) -> ApiResult<Seed> {
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
pub(crate) fn check(service: &Service, seed: &Seed) -> ApiResult<()> {
    Span::current().record("site.domain", seed.url.host());
    service.engine.check_address(seed).map_err(|error| {
        ApiError::about(Code::AddressNotPublic, "url", sentence(&format!("{error}, so it cannot be fetched")))
    })
}
