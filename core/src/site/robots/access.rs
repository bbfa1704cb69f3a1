//! What the answer to the request for robots.txt means, before a line of it is read.

use std::time::Duration;

/// How to go on after a robots.txt was asked for (RFC 9309 section 2.3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// There is one: its body decides.
    Parse,
    /// There is none: everything may be fetched.
    Free,
    /// The host cannot say at present: nothing may be fetched.
    Closed {
        /// How long the host asks to be left alone (`Retry-After`).
        wait: Option<Duration>,
    },
}

impl Access {
    /// Judges the status of the last answer, after redirects. A redirect that is left is one too many, which
    /// counts as none being there.
    pub const fn from_status(status: u16, retry_after: Option<Duration>) -> Self {
        match status {
            200..=299 => Self::Parse,
            429 => Self::Closed { wait: retry_after },
            300..=499 => Self::Free,
            _ => Self::Closed { wait: retry_after },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_decides() {
        let wait = Some(Duration::from_secs(7));
        assert_eq!(Access::from_status(200, wait), Access::Parse);
        for status in [301, 401, 403, 404, 410] {
            assert_eq!(Access::from_status(status, wait), Access::Free);
        }
        for status in [429, 500, 503, 599, 0] {
            assert_eq!(Access::from_status(status, wait), Access::Closed { wait });
        }
    }
}
