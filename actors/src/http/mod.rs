//! The one client that strangers' addresses are fetched with.
//!
//! Nothing it does reaches an address that is not public: literals are refused before the request, names
//! by the resolver when any answer is private, redirects are never followed here but handed back to be
//! checked like any other address, and the address that was dialled is checked once more after the fact.

mod answer;
mod client;
mod failure;
mod folder;
mod own;
mod probe;
mod resolve;
#[cfg(test)]
mod tests;

use std::time::Duration;

use rustls::crypto::ring;

pub(crate) use answer::{Answer, PageBody, Reply, Validators, Want, retry_after, wait_asked_by};
pub use client::{ClientError, HttpClient};
pub use folder::Folder;
pub use own::{HeaderError, SiteHeaders};
pub(crate) use probe::Probe;
pub use resolve::{Looking, Lookup, SystemLookup};

/// Redirects that are followed for one address (RFC 9309 section 2.3.1.2 asks for at least five of robots.txt).
pub(crate) const MAX_REDIRECTS: usize = 5;
/// Time to open a connection, TLS included.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// An idle connection is closed after this time.
pub(crate) const POOL_IDLE: Duration = Duration::from_secs(30);

/// Makes ring the process's provider for TLS. Every reqwest client asks for one when it is built; later calls change nothing.
pub fn install_tls_provider() {
    // An error says that there is one already.
    let _ = ring::default_provider().install_default();
}
