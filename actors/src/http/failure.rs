//! What went wrong, out of what the libraries say.

use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;

use h2::Reason;
use hyper_util::client::legacy;

use super::resolve::Unresolved;
use crate::error::FetchError;

/// Whatever a library says went wrong.
type Cause = dyn Error + 'static;

/// Why an exchange that may take `limit` failed.
pub(super) fn describe(error: &Cause, limit: Duration) -> FetchError {
    let in_connecting = error.downcast_ref::<legacy::Error>().is_some_and(legacy::Error::is_connect);
    if has_io_error(error, ErrorKind::TimedOut) && !in_connecting {
        return FetchError::TimedOut(limit);
    }
    if causes(error).any(<Cause>::is::<Unresolved>) {
        return FetchError::Dns;
    }
    if has_io_error(error, ErrorKind::ConnectionRefused) {
        return FetchError::Refused;
    }
    let cause = causes(error).last().map(ToString::to_string).unwrap_or_default();
    // What is no handshake at all, as from a port that speaks plain HTTP, is invalid data to the TLS library.
    let no_handshake = in_connecting && has_io_error(error, ErrorKind::InvalidData);
    // A connection that ends in the middle says nothing against its TLS.
    let is_cut = !in_connecting && has_io_error(error, ErrorKind::UnexpectedEof);
    if no_handshake || !is_cut && ["certificate", "TLS", "tls"].iter().any(|word| cause.contains(word)) {
        return FetchError::Tls(cause);
    }
    if cannot_be_unpacked(error) {
        return FetchError::NotAPage(format!("a body that cannot be unpacked ({cause})"));
    }
    if in_connecting { FetchError::Connect(cause) } else { FetchError::Broken(cause) }
}

/// Whether the site says that it has not looked at the request (RFC 9113 section 8.7): its server is about to close the
/// connection, as many do after a number of requests, or had no room for one more.
pub(super) fn was_not_looked_at(error: &Cause) -> bool {
    let said = causes(error).find_map(|cause| cause.downcast_ref::<h2::Error>());
    said.filter(|said| said.is_remote()).is_some_and(|said| match said.reason() {
        Some(Reason::NO_ERROR) => said.is_go_away(),
        Some(Reason::REFUSED_STREAM) => said.is_reset(),
        _ => false,
    })
}

/// Whether the body came and its coding does not hold, or asks for more memory than it may have: the same bytes would
/// come again. What the decoder says stands by itself; what broke the connection is an error of the client's.
fn cannot_be_unpacked(error: &Cause) -> bool {
    let said = error.downcast_ref::<std::io::Error>();
    // A body that ends too soon may be whole the next time.
    said.is_some_and(|said| said.kind() != ErrorKind::UnexpectedEof)
}

fn has_io_error(error: &Cause, wanted: ErrorKind) -> bool {
    causes(error).any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == wanted))
}

/// An error and all it was caused by; an I/O error by itself skips the one that it holds.
fn causes(error: &Cause) -> impl Iterator<Item = &Cause> {
    std::iter::successors(Some(error), |&cause| {
        let held = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        held.map(|held| held as &Cause).or_else(|| cause.source())
    })
}
