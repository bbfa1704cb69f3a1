//! What the request headers ask of the answer: how fresh it is, and whether it is streamed.

use actix_web::HttpRequest;
use actix_web::http::header::{ACCEPT, CACHE_CONTROL};
use wayfile_actors::Freshness;

use crate::middleware::header_says;

/// Whether what was fetched lately will do: `Cache-Control: no-cache` says no.
pub(crate) fn freshness(request: &HttpRequest) -> Freshness {
    if header_says(request, CACHE_CONTROL.as_str(), "no-cache") { Freshness::Now } else { Freshness::Lately }
}

pub(crate) fn wants_events(request: &HttpRequest) -> bool {
    header_says(request, ACCEPT.as_str(), "text/event-stream")
}
