//! Names become addresses here, and names that lead inside do not.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use wayfile_core::site::address_policy::AddressPolicy;

use crate::error::FetchError;

/// A look-up may take as long.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The answer of a look-up.
pub type Looking = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Turns a name into all of its addresses.
pub trait Lookup: Send + Sync {
    /// Looks `name` up.
    fn lookup(&self, name: String) -> Looking;
}

/// The machine's own resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup(&self, name: String) -> Looking {
        Box::pin(async move {
            let found = tokio::time::timeout(TIMEOUT, tokio::net::lookup_host((name, 0))).await??;
            Ok(found.map(|a| a.ip()).collect())
        })
    }
}

/// What resolvers of glibc, of musl and of the BSDs say when they could not ask (`EAI_AGAIN`). The standard library gives no
/// number of it, and the texts are the same whatever language the system speaks: we choose none.
const TRY_AGAIN: [&str; 2] = ["Temporary failure in name resolution", "Try again"];

/// What a look-up that failed in this way says of the name: one that took too long or could not be made says nothing.
pub(super) fn fault(error: &io::Error) -> FetchError {
    if error.kind() == io::ErrorKind::TimedOut {
        return FetchError::TimedOut(TIMEOUT);
    }
    let told = error.to_string();
    if TRY_AGAIN.iter().any(|text| told.ends_with(text)) {
        FetchError::Connect("the name cannot be looked up at the moment".to_owned())
    } else {
        FetchError::Dns
    }
}

/// Refuses a name if any of its addresses is not public: a mixed answer is an attack or a split horizon.
#[derive(Clone)]
pub(super) struct PublicResolver {
    pub(super) lookup: Arc<dyn Lookup>,
    pub(super) policy: Arc<AddressPolicy>,
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (found, policy) = (self.lookup.lookup(name.as_str().to_owned()), self.policy.clone());
        Box::pin(async move {
            let addresses = found.await?;
            if addresses.is_empty() || addresses.iter().any(|a| policy.ip(*a).is_err()) {
                // The same whether a name leads nowhere or to where it must not.
                return Err("the name does not resolve".into());
            }
            // The port is the client's to set.
            Ok(Box::new(addresses.into_iter().map(|a| SocketAddr::new(a, 0))) as Addrs)
        })
    }
}
