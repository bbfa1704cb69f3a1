//! The client, and one exchange with it.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::join;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, IF_MODIFIED_SINCE, IF_NONE_MATCH, InvalidHeaderValue, LOCATION, USER_AGENT,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, RequestBuilder, Response};
use tokio::task::yield_now;
use tokio::time::timeout;
use wayfile_core::page::is_marked_as_bot_challenge;
use wayfile_core::site::address_policy::AddressPolicy;
use wayfile_core::url::SiteUrl;

use super::answer::{self, Answer, PageBody, Reply, Validators, Want};
use super::failure::describe;
use super::own::SiteHeaders;
use super::probe;
use super::resolve::{self, Lookup, PublicResolver};
use super::{CONNECT_TIMEOUT, POOL_IDLE, install_tls_provider};
use crate::error::{FetchError, FetchResult};
use crate::metrics;
use crate::permits::{Owner, Permit, Pool};
use crate::settings::CrawlSettings;

/// A refused or moved answer's body is read up to this size, so that its connection can be used again.
const DRAIN_BYTES: usize = 64 << 10;
/// And no longer than this: what such an answer says stands in its head.
const DRAIN_TIME: Duration = Duration::from_millis(250);
/// Sitemaps that are larger than a page may be, in memory at once in this process.
pub(super) const LARGE_SITEMAPS: usize = 4;
/// One more waits so long for its turn; then what has come of it counts.
const LARGE_SITEMAP_WAIT: Duration = Duration::from_secs(5);
const MAX_HEADERS: usize = 128;

/// What all Fetchers share. Cheap to clone.
#[derive(Clone)]
pub struct HttpClient {
    decoding: Client,
    /// Leaves bodies as they came, for validations: they tell how a body was encoded.
    plain: Arc<LazyClient>,
    headers: HeaderMap,
    pub(crate) policy: Arc<AddressPolicy>,
    lookup: Arc<dyn Lookup>,
    own: Arc<SiteHeaders>,
    page_max_bytes: usize,
    large_sitemaps: Pool,
    page_timeout: Duration,
}

/// Made for the first who needs it: a client loads the system's certificates.
type LazyClient = LazyLock<reqwest::Result<Client>, Box<dyn FnOnce() -> reqwest::Result<Client> + Send>>;

/// Holds its permit for as long as anybody has it.
struct LargeSitemap {
    body: Vec<u8>,
    _permit: Permit,
}

impl AsRef<[u8]> for LargeSitemap {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

/// There is no client.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "what each one says is its meaning")]
pub enum ClientError {
    /// The user agent is no header value.
    #[error("the crawl client cannot be made: {0}")]
    UserAgent(#[from] InvalidHeaderValue),
    /// The system's certificates are missing.
    #[error("the crawl client cannot be made: {0}")]
    Tls(#[from] reqwest::Error),
}

impl HttpClient {
    /// Builds the client; `lookup` turns names into addresses ([`SystemLookup`](super::SystemLookup) outside tests).
    /// Errors: [`ClientError`] when the user agent makes no header, or the system has no trusted certificates.
    pub fn new(settings: &CrawlSettings, lookup: Arc<dyn Lookup>) -> Result<Self, ClientError> {
        Self::with_builder(settings, lookup, Client::builder)
    }

    /// As [`HttpClient::new`], with what `builder` sets before.
    pub(super) fn with_builder(
        settings: &CrawlSettings,
        lookup: Arc<dyn Lookup>,
        builder: impl Fn() -> ClientBuilder + Send + 'static,
    ) -> Result<Self, ClientError> {
        install_tls_provider();
        let policy = Arc::new(AddressPolicy::new(settings.allow_networks.clone()));
        let resolver = PublicResolver { lookup: lookup.clone(), policy: policy.clone() };
        let connections = settings.per_domain_concurrency;
        let builder = move || {
            builder()
                .no_proxy()
                .http1_only()
                .http1_max_headers(MAX_HEADERS)
                .referer(false)
                .redirect(Policy::none())
                .dns_resolver(resolver.clone())
                .connect_timeout(CONNECT_TIMEOUT)
                .pool_idle_timeout(POOL_IDLE)
                .pool_max_idle_per_host(connections)
        };
        let decoding = builder().build()?;
        let user_agent = HeaderValue::from_str(&settings.user_agent)?;
        Ok(Self {
            decoding,
            plain: Arc::new(LazyLock::new(Box::new(move || {
                builder().no_gzip().no_brotli().no_deflate().build()
            }))),
            headers: HeaderMap::from_iter([(USER_AGENT, user_agent)]),
            policy,
            lookup,
            own: Arc::default(),
            page_max_bytes: settings.page_max_bytes.0,
            large_sitemaps: Pool::new("large_sitemap", LARGE_SITEMAPS),
            page_timeout: settings.page_timeout,
        })
    }

    /// The same client, which sends `own` to the site that they are for.
    #[must_use]
    pub fn with_headers(self, own: SiteHeaders) -> Self {
        Self { own: Arc::new(own), ..self }
    }

    /// Fetches one address, following nothing; asks whether it changed where its page is `known`. `sent` is called when the request has been written to an open
    /// connection, or a new one is being opened for it.
    /// Errors: [`FetchError`]: the address is not public, there was no answer, the exchange broke, took longer than the page
    /// time-out, or the body is over its cap.
    pub(crate) async fn get(
        &self,
        url: &SiteUrl,
        want: Want,
        known: Option<&PageBody>,
        sent: impl FnOnce(),
    ) -> FetchResult<Reply> {
        let limit = self.page_timeout;
        let exchange = async {
            self.check(url).await?;
            let request = self.request(url, want, known.map(|page| &page.validators))?;
            let started = Instant::now();
            // The connection's task is woken by the first poll of the request, and runs while this one yields.
            let told = async {
                yield_now().await;
                sent();
            };
            let (response, ()) = join(request.send(), told).await;
            let response = response.map_err(|e| describe(&e, limit))?;
            let latency = started.elapsed();
            self.check_peer(url, &response)?;
            if response.status() == StatusCode::NOT_MODIFIED
                && let Some(page) = known
            {
                return Ok(Reply { answer: Answer::Page(page.clone()), latency });
            }
            let answer = self.read(url, want, latency, response).await?;
            Ok(Reply { answer, latency })
        };
        timeout(limit, exchange).await.unwrap_or(Err(FetchError::TimedOut(limit)))
    }

    /// Refuses what can be refused before anything is dialled. A name with an unusual port is looked up
    /// here, because the resolver is never told the port.
    async fn check(&self, url: &SiteUrl) -> FetchResult<()> {
        self.policy.url(url).map_err(|_| FetchError::NotPublic)?;
        let usual = matches!(url.as_url().port(), None | Some(80 | 443));
        if usual || url.ip().is_some() {
            return Ok(());
        }
        let looked_up = self.lookup.lookup(url.host().to_owned()).await;
        let addresses = looked_up.map_err(|error| resolve::fault(&error))?;
        self.policy.resolved(url, &addresses).map_err(|_| FetchError::Dns)
    }

    fn request(&self, url: &SiteUrl, want: Want, known: Option<&Validators>) -> FetchResult<RequestBuilder> {
        let (client, method) = match want {
            Want::Probe(probe) => {
                let plain = LazyLock::force(&self.plain).as_ref();
                (plain.map_err(|e| describe(e, self.page_timeout))?, probe.method())
            }
            _ => (&self.decoding, Method::GET),
        };
        let mut headers = self.headers.clone();
        headers.insert(ACCEPT, HeaderValue::from_static(want.accept()));
        for (name, value) in self.own.of(url) {
            headers.append(name.clone(), value.clone());
        }
        if let Some(etag) = known.and_then(|known| known.etag.as_ref()) {
            headers.insert(IF_NONE_MATCH, etag.clone());
        }
        if let Some(modified) = known.and_then(|known| known.last_modified.as_ref()) {
            headers.insert(IF_MODIFIED_SINCE, modified.clone());
        }
        if let Want::Probe(probe) = want {
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(probe.codings()));
        }
        Ok(client.request(method, url.as_url().clone()).headers(headers))
    }

    /// The last line of defence: its counter must stay 0.
    fn check_peer(&self, url: &SiteUrl, response: &Response) -> FetchResult<()> {
        match response.remote_addr() {
            Some(peer) if self.policy.resolved(url, &[peer.ip()]).is_err() => {
                metrics::PRIVATE_PEERS.count([]);
                Err(FetchError::Dns)
            }
            _ => Ok(()),
        }
    }

    async fn read(
        &self,
        url: &SiteUrl,
        want: Want,
        latency: Duration,
        mut response: Response,
    ) -> FetchResult<Answer> {
        let status = response.status();
        if status.is_redirection() && status != StatusCode::NOT_MODIFIED {
            let target =
                response.headers().get(LOCATION).and_then(|v| std::str::from_utf8(v.as_bytes()).ok());
            let target = target.and_then(|v| url.join(v).ok()).ok_or(FetchError::BadRedirect)?;
            drain(&mut response).await;
            return Ok(Answer::Moved(target));
        }
        if let Want::Probe(probe) = want {
            let mut seen = probe::seen(url.clone(), latency, status, response.headers());
            let body = if status.is_success() {
                self.body(want, response).await?
            } else {
                // What comes at once may tell why; the status alone decides.
                timeout(DRAIN_TIME, self.body(want, response))
                    .await
                    .ok()
                    .and_then(Result::ok)
                    .unwrap_or_default()
            };
            probe::fill(&mut seen, probe, body.into(), self.page_max_bytes);
            return Ok(Answer::Seen(seen));
        }
        let is_challenge = want != Want::Robots
            && is_marked_as_bot_challenge(|name| response.headers().get(name)?.to_str().ok());
        // A part of a page that nobody asked for is no page.
        if is_challenge || !status.is_success() || status == StatusCode::PARTIAL_CONTENT {
            let retry_after = answer::retry_after(response.headers());
            drain(&mut response).await;
            return Ok(Answer::Failed { status: status.as_u16(), retry_after, is_challenge });
        }
        answer::check_type(want, response.headers())?;
        let mut page = answer::page(url.clone(), response.headers());
        page.body = self.body(want, response).await?;
        Ok(Answer::Page(page))
    }

    /// Reads at most the cap, counted after decoding: a compressed body cannot be larger than it says.
    async fn body(&self, want: Want, mut response: Response) -> FetchResult<Bytes> {
        let mut cap = want.max_bytes(self.page_max_bytes);
        let announced = usize::try_from(response.content_length().unwrap_or(0)).unwrap_or(usize::MAX);
        if announced > cap && !want.may_be_cut() {
            return Err(FetchError::TooLarge(cap));
        }
        let mut body = Vec::with_capacity(announced.min(cap).min(self.page_max_bytes));
        let mut large = None;
        while let Some(chunk) = response.chunk().await.map_err(|e| describe(&e, self.page_timeout))? {
            let is_large = want == Want::Sitemap && body.len() + chunk.len() > self.page_max_bytes;
            if is_large && large.is_none() {
                let max_wait = LARGE_SITEMAP_WAIT.min(self.page_timeout / 2);
                large = self.large_sitemaps.take(Owner::new(), max_wait).await;
                cap = if large.is_some() { cap } else { cap.min(self.page_max_bytes) };
            }
            let room = cap - body.len();
            if chunk.len() > room {
                if want.may_be_cut() {
                    body.extend(chunk.iter().take(room));
                    break;
                }
                return Err(FetchError::TooLarge(cap));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(match large {
            Some(permit) => Bytes::from_owner(LargeSitemap { body, _permit: permit }),
            None => body.into(),
        })
    }
}

/// Reads what is left of a body that is not needed, as long as that is cheaper than a new connection.
async fn drain(response: &mut Response) {
    let reading = async {
        let mut left = DRAIN_BYTES;
        while let Ok(Some(chunk)) = response.chunk().await {
            match left.checked_sub(chunk.len()) {
                Some(rest) => left = rest,
                None => break,
            }
        }
    };
    // Without its end the connection is closed with the answer.
    let _ = timeout(DRAIN_TIME, reading).await;
}
