//! What went wrong, out of what the libraries say.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::time::Duration;

use rustls::{CertificateError, Error as TlsError};

use super::resolve;
use crate::error::FetchError;

/// Why an exchange that may take `limit` failed.
pub(super) fn describe(error: &reqwest::Error, limit: Duration) -> FetchError {
    let in_connecting = error.is_connect();
    if error.is_timeout() && !in_connecting {
        return FetchError::TimedOut(limit);
    }
    if error.is_dns() {
        let fault = causes(error).find_map(|cause| cause.downcast_ref::<io::Error>());
        return fault.map_or(FetchError::Dns, resolve::fault);
    }
    if has_io_error(error, ErrorKind::ConnectionRefused) {
        return FetchError::Refused;
    }
    // What is no handshake at all, as from a port that speaks plain HTTP, is invalid data to the TLS library. A connection
    // that ends later says nothing against its TLS.
    if let Some(fault) = causes(error).find_map(|cause| cause.downcast_ref::<TlsError>()) {
        return FetchError::Tls(tls_fault(fault));
    }
    if in_connecting && has_io_error(error, ErrorKind::UnexpectedEof) {
        return FetchError::Tls("the connection ended in the middle");
    }
    let cause = causes(error).last().map(ToString::to_string).unwrap_or_default();
    if cannot_be_unpacked(error) {
        return FetchError::NotAPage(format!("a body that cannot be unpacked ({cause})"));
    }
    if in_connecting { FetchError::Connect(cause) } else { FetchError::Broken(cause) }
}

/// A fault of TLS as the owner of a site would put it; the library's own words are names of its code.
fn tls_fault(fault: &TlsError) -> &'static str {
    use CertificateError as Certificate;
    match fault {
        TlsError::InvalidCertificate(why) => match why {
            Certificate::NotValidForName | Certificate::NotValidForNameContext { .. } => {
                "the certificate is for another name"
            }
            Certificate::Expired | Certificate::ExpiredContext { .. } => "the certificate has expired",
            Certificate::NotValidYet | Certificate::NotValidYetContext { .. } => {
                "the certificate is not valid yet"
            }
            Certificate::Revoked => "the certificate was revoked",
            Certificate::UnknownIssuer => "the certificate is signed by nobody who is trusted here",
            _ => "the certificate does not hold; it may be signed by itself",
        },
        TlsError::InvalidMessage(_) => "what answers there speaks no TLS",
        TlsError::AlertReceived(_) => "the server refused it",
        TlsError::PeerIncompatible(_) | TlsError::NoApplicationProtocol => {
            "the server knows no version or cipher of TLS that is safe"
        }
        _ => "what the server sent does not hold",
    }
}

/// Whether the body came and its coding does not hold, or asks for more memory than it may have: the same bytes would
/// come again. What the decoder says stands by itself; what broke the connection is an error of the client's.
fn cannot_be_unpacked(error: &reqwest::Error) -> bool {
    let said = error.source().filter(|_| error.is_decode()).and_then(|e| e.downcast_ref::<io::Error>());
    // A body that ends too soon may be whole the next time.
    said.is_some_and(|said| said.kind() != ErrorKind::UnexpectedEof)
}

fn has_io_error(error: &reqwest::Error, wanted: ErrorKind) -> bool {
    causes(error).any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == wanted))
}

/// An error and all it was caused by; an I/O error by itself skips the one that it holds.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(Some(error as &(dyn Error + 'static)), |&cause| {
        let held = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        held.map(|held| held as _).or_else(|| cause.source())
    })
}
