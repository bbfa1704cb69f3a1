//! Names become addresses here, and names that lead inside do not.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use std::vec::IntoIter;

use hyper_util::client::legacy::connect::dns::Name;
use tower_service::Service;
use wayfile_core::site::public::AddressPolicy;

/// A look-up that takes longer counts as a name that does not resolve.
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

/// A name led nowhere, or to where it must not.
#[derive(Debug, thiserror::Error)]
#[error("the name does not resolve")]
pub(super) struct Unresolved;

/// Refuses a name if any of its addresses is not public: a mixed answer is an attack or a split horizon.
#[derive(Clone)]
pub(super) struct PublicResolver {
    lookup: Arc<dyn Lookup>,
    policy: Arc<AddressPolicy>,
}

impl PublicResolver {
    pub(super) fn new(lookup: Arc<dyn Lookup>, policy: Arc<AddressPolicy>) -> Self {
        Self { lookup, policy }
    }
}

impl Service<Name> for PublicResolver {
    type Response = IntoIter<SocketAddr>;
    type Error = Unresolved;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Unresolved>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Unresolved>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let (found, policy) = (self.lookup.lookup(name.as_str().to_owned()), self.policy.clone());
        Box::pin(async move {
            let addresses = found.await.map_err(|_| Unresolved)?;
            if addresses.is_empty() || addresses.iter().any(|a| policy.ip(*a).is_err()) {
                return Err(Unresolved);
            }
            // The port is the connector's to set.
            let addresses: Vec<_> = addresses.into_iter().map(|a| SocketAddr::new(a, 0)).collect();
            Ok(addresses.into_iter())
        })
    }
}
