//! What the request headers ask of the answer: how fresh it is, and whether it is streamed.

use actix_web::HttpRequest;
use actix_web::http::header::{Accept, CACHE_CONTROL, Header, HeaderName, Quality};
use wayfile_actors::Freshness;

/// Whether what was fetched lately will do: `Cache-Control: no-cache` says no.
pub(crate) fn freshness(request: &HttpRequest) -> Freshness {
    if header_says(request, CACHE_CONTROL, "no-cache") { Freshness::Now } else { Freshness::Lately }
}

/// Whether `Accept` names a stream of events, and does not say that it is not wanted (RFC 9110 section 12.4.2).
pub(crate) fn wants_events(request: &HttpRequest) -> bool {
    Accept::parse(request).is_ok_and(|accepted| {
        let is_stream = |kind: &str| kind == "text/event-stream";
        accepted.iter().any(|one| is_stream(one.item.essence_str()) && one.quality > Quality::ZERO)
    })
}

/// Whether one of a header's comma-separated values is `word`, parameters aside.
pub(crate) fn header_says(request: &HttpRequest, header: HeaderName, word: &str) -> bool {
    let values = request.headers().get_all(header).filter_map(|value| value.to_str().ok());
    let mut words = values.flat_map(|value| value.split(',')).filter_map(|one| one.split(';').next());
    words.any(|one| one.trim().eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::ACCEPT;
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_stream_is_sent_to_who_wants_one() {
        let wants = |accept: &str| {
            wants_events(&TestRequest::default().insert_header((ACCEPT, accept)).to_http_request())
        };
        for accept in ["text/event-stream", "application/json, Text/Event-Stream;q=0.5"] {
            assert!(wants(accept), "{accept}");
        }
        for accept in ["text/event-stream;q=0, application/json", "*/*", "application/json", "nonsense"] {
            assert!(!wants(accept), "{accept}");
        }
    }
}
