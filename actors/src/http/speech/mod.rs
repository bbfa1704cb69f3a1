//! Where requests begin among the bytes that are written, and how many heads come back for each.

mod frames;
mod one;
mod two;

use one::One;
use two::Two;

/// Interim answers (1xx) that one request may get. A site sends one or two; each costs us as much as an answer.
const MAX_INTERIM: usize = 32;

/// More heads came than the requests can have answers.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than {MAX_INTERIM} interim answers to one request")]
pub(super) struct Flood;

/// What is spoken on a connection.
pub(super) enum Speech {
    /// HTTP/1.
    One(One),
    /// HTTP/2.
    Two(Two),
}

impl Speech {
    pub(super) fn new(is_http2: bool) -> Self {
        if is_http2 { Self::Two(Two::default()) } else { Self::One(One::default()) }
    }

    /// How many of the bytes that are to be written come before the next request that was not yet let through.
    pub(super) fn before_request(&self, bytes: &[u8]) -> usize {
        match self {
            Self::One(one) => one.before_request(bytes),
            Self::Two(two) => two.before_request(bytes),
        }
    }

    /// The request at the beginning of what is to be written was let through.
    pub(super) fn request_begins(&mut self) {
        match self {
            Self::One(one) => one.request_begins(),
            Self::Two(two) => two.request_begins(),
        }
    }

    /// These bytes were written.
    pub(super) fn wrote(&mut self, bytes: &[u8]) {
        if let Self::Two(two) = self {
            two.wrote(bytes);
        }
    }

    /// These bytes came.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<(), Flood> {
        match self {
            Self::One(one) => one.read(bytes),
            Self::Two(two) => two.read(bytes),
        }
    }
}
