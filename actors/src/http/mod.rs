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
mod tls;

pub use answer::{Answer, PageBody, Reply, Validators, Want};
pub(crate) use answer::{retry_after, wait_asked_by};
pub use client::{ClientError, HttpClient};
pub use folder::Folder;
pub use own::{HeaderError, SiteHeaders};
pub use probe::Probe;
pub use resolve::{Looking, Lookup, SystemLookup};
pub use tls::install_tls_provider;
