//! The one client that strangers' addresses are fetched with.
//!
//! Nothing it does reaches an address that is not public: literals are refused before the request, names
//! by the resolver when any answer is private, redirects are never followed here but handed back to be
//! checked like any other address, and the address that was dialled is checked once more after the fact.

mod answer;
mod connect;
mod failure;
mod folder;
mod gate;
mod line;
mod own;
mod probe;
mod resolve;
mod speech;
#[cfg(test)]
mod tests;
mod tls;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use http::header::InvalidHeaderValue;
use rustls::ClientConfig;
use wayfile_core::site::public::AddressPolicy;
use wayfile_core::url::SiteUrl;

pub use answer::{Answer, PageBody, Reply, Validators, Want};
pub(crate) use answer::{retry_after, wait_asked_by};
pub use folder::Folder;
pub(crate) use line::Line;
pub use own::{HeaderError, SiteHeaders};
pub use probe::Probe;
pub use resolve::{Looking, Lookup, SystemLookup};

use crate::error::FetchError;
use crate::settings::CrawlSettings;
use resolve::PublicResolver;

/// What all lines to domains share. Cheap to clone.
#[derive(Clone)]
pub struct HttpClient {
    tls: Arc<ClientConfig>,
    user_agent: HeaderValue,
    policy: Arc<AddressPolicy>,
    lookup: Arc<dyn Lookup>,
    own: Arc<SiteHeaders>,
    caps: Caps,
}

#[derive(Debug, Clone, Copy)]
struct Caps {
    page: usize,
    sitemap: usize,
    timeout: Duration,
    connect: Duration,
    /// Connections to one domain that are kept while nobody uses them.
    idle: usize,
}

/// There is no client.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The user agent is no header value.
    #[error("the crawl client cannot be made: {0}")]
    UserAgent(#[from] InvalidHeaderValue),
    /// The system's certificates are missing.
    #[error("the crawl client cannot be made: {0}")]
    Tls(#[from] rustls::Error),
}

impl HttpClient {
    /// Builds the client; `lookup` turns names into addresses ([`SystemLookup`] outside tests).
    ///
    /// # Errors
    /// [`ClientError`] when the user agent makes no header, or the system trusts nobody.
    pub fn new(settings: &CrawlSettings, lookup: Arc<dyn Lookup>) -> Result<Self, ClientError> {
        let caps = Caps {
            page: settings.page_max_bytes.0,
            sitemap: settings.sitemap_max_bytes.0,
            timeout: settings.page_timeout,
            connect: settings.connect_timeout,
            idle: settings.per_domain_concurrency,
        };
        Ok(Self {
            tls: Arc::new(tls::config()?),
            user_agent: HeaderValue::from_str(&settings.user_agent)?,
            policy: Arc::new(AddressPolicy::new(settings.allow_networks.clone())),
            lookup,
            own: Arc::default(),
            caps,
        })
    }

    /// The same client, which sends `own` to the site that they are for.
    #[must_use]
    pub fn with_headers(self, own: SiteHeaders) -> Self {
        Self { own: Arc::new(own), ..self }
    }

    /// What may be fetched.
    pub(crate) fn policy(&self) -> &AddressPolicy {
        &self.policy
    }

    /// A line to one domain.
    pub(crate) fn line(&self) -> Line {
        Line::new(self.clone())
    }

    fn resolver(&self) -> PublicResolver {
        PublicResolver::new(self.lookup.clone(), self.policy.clone())
    }

    /// Refuses what can be refused before anything is dialled. A name with an unusual port is looked up
    /// here, because the resolver is never told the port.
    async fn check(&self, url: &SiteUrl) -> Result<(), FetchError> {
        self.policy.url(url).map_err(|_| FetchError::NotPublic)?;
        let usual = matches!(url.as_url().port(), None | Some(80 | 443));
        if usual || url.ip().is_some() {
            return Ok(());
        }
        let addresses = self.lookup.lookup(url.host().to_owned()).await.map_err(|_| FetchError::Dns)?;
        self.policy.resolved(url, &addresses).map_err(|_| FetchError::Dns)
    }
}
