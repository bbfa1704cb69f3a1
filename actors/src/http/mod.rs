//! The one client that strangers' addresses are fetched with.
//!
//! Nothing it does reaches an address that is not public: literals are refused before the request, names
//! by the resolver when any answer is private, redirects are never followed here but handed back to be
//! checked like any other address, and the address that was dialled is checked once more after the fact.

mod answer;
mod look;
mod resolve;

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_LENGTH, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LOCATION,
};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use wayfile_core::site::public::AddressPolicy;
use wayfile_core::site::url::SiteUrl;

pub(crate) use answer::retry_after;
pub use answer::{Answer, PageBody, Reply, Validators, Want};
pub use look::Look;
pub(crate) use look::wait_asked_by;
pub use resolve::{Looking, Lookup, SystemLookup};

use crate::error::FetchError;
use crate::metrics;
use crate::settings::CrawlSettings;

/// A refused or moved answer's body is read up to this size, so that its connection can be used again.
const DRAIN_BYTES: usize = 64 << 10;
/// Header lines an answer may have.
const MAX_HEADERS: usize = 128;
/// Size of an HTTP/2 answer's headers.
const MAX_HEADER_BYTES: u32 = 64 << 10;
/// A connection that nobody uses is closed after this time.
const POOL_IDLE: Duration = Duration::from_secs(30);

/// The crawl client. Cheap to clone.
#[derive(Clone)]
pub struct HttpClient {
    client: Client,
    /// Leaves bodies as they came, so that their coding can be told.
    plain: Client,
    policy: Arc<AddressPolicy>,
    lookup: Arc<dyn Lookup>,
    caps: Caps,
}

#[derive(Debug, Clone, Copy)]
struct Caps {
    page: usize,
    sitemap: usize,
    timeout: Duration,
}

/// The settings do not make a client: the user agent is no header value, or the TLS roots are missing.
#[derive(Debug, thiserror::Error)]
#[error("the crawl client cannot be made: {0}")]
pub struct ClientError(#[from] reqwest::Error);

impl HttpClient {
    /// Builds the client; `lookup` turns names into addresses ([`SystemLookup`] outside tests).
    ///
    /// # Errors
    /// [`ClientError`] when the settings make no client.
    pub fn new(settings: &CrawlSettings, lookup: Arc<dyn Lookup>) -> Result<Self, ClientError> {
        let policy = Arc::new(AddressPolicy::new(settings.allow_networks.clone()));
        let builder = || {
            Client::builder()
                .user_agent(&settings.user_agent)
                .no_proxy()
                .referer(false)
                .redirect(Policy::none())
                .dns_resolver(Arc::new(resolve::PublicResolver::new(lookup.clone(), policy.clone())))
                .connect_timeout(settings.connect_timeout)
                .pool_max_idle_per_host(settings.per_domain_concurrency)
                .pool_idle_timeout(POOL_IDLE)
                .http1_max_headers(MAX_HEADERS)
                .http2_max_header_list_size(MAX_HEADER_BYTES)
        };
        let plain = builder().no_gzip().no_brotli().no_zstd().no_deflate().build()?;
        let client = builder().build()?;
        let caps = Caps {
            page: settings.page_max_bytes.0,
            sitemap: settings.sitemap_max_bytes.0,
            timeout: settings.page_timeout,
        };
        Ok(Self { client, plain, policy, lookup, caps })
    }

    /// What may be fetched.
    pub(crate) fn policy(&self) -> &AddressPolicy {
        &self.policy
    }

    /// Fetches one address, following nothing.
    ///
    /// # Errors
    /// [`FetchError`]: the address is not public, nobody answered, the exchange broke, took longer than the
    /// page time-out, or the body is over its cap.
    pub async fn get(
        &self,
        url: &SiteUrl,
        want: Want,
        known: Option<&Validators>,
    ) -> Result<Reply, FetchError> {
        let exchange = async {
            self.check(url).await?;
            let started = Instant::now();
            let request = match want {
                Want::Look(look) => self
                    .plain
                    .request(look.method(), url.as_url().clone())
                    .header(ACCEPT_ENCODING, look.codings()),
                _ => self.client.get(url.as_url().clone()),
            };
            let request = request.headers(request_headers(want, known));
            let response = request.send().await.map_err(|e| self.describe(&e))?;
            let latency = started.elapsed();
            self.check_peer(url, &response)?;
            let answer = self.read(url, want, latency, response).await?;
            Ok(Reply { answer, latency })
        };
        tokio::time::timeout(self.caps.timeout, exchange)
            .await
            .unwrap_or(Err(FetchError::TimedOut(self.caps.timeout)))
    }

    /// Refuses what can be refused before anything is dialled. A name with an unusual port is looked up
    /// here, because the resolver below is never told the port.
    async fn check(&self, url: &SiteUrl) -> Result<(), FetchError> {
        self.policy.url(url).map_err(|_| FetchError::NotPublic)?;
        let usual = matches!(url.as_url().port(), None | Some(80 | 443));
        if usual || url.ip().is_some() {
            return Ok(());
        }
        let addresses = self.lookup.lookup(url.host().to_owned()).await.map_err(|_| FetchError::Dns)?;
        self.policy.resolved(url, &addresses).map_err(|_| FetchError::Dns)
    }

    /// The last line of defence: its counter must stay 0.
    fn check_peer(&self, url: &SiteUrl, response: &Response) -> Result<(), FetchError> {
        match response.remote_addr() {
            Some(peer) if self.policy.resolved(url, &[peer.ip()]).is_err() => {
                metrics::private_peer();
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
    ) -> Result<Answer, FetchError> {
        let status = response.status();
        if status.is_redirection() && status != StatusCode::NOT_MODIFIED {
            let target =
                response.headers().get(LOCATION).and_then(|v| std::str::from_utf8(v.as_bytes()).ok());
            let target = target.and_then(|v| url.join(v).ok()).ok_or(FetchError::BadRedirect)?;
            drain(&mut response).await;
            return Ok(Answer::Moved(target));
        }
        if let Want::Look(look) = want {
            let mut seen = look::seen(url.clone(), latency, &response);
            let body = self.body(want, response).await?;
            look::fill(&mut seen, look, body, self.caps.page);
            return Ok(Answer::Seen(seen));
        }
        if status == StatusCode::NOT_MODIFIED {
            return Ok(Answer::NotModified);
        }
        if !status.is_success() {
            let retry_after = answer::retry_after(response.headers());
            drain(&mut response).await;
            return Ok(Answer::Failed { status: status.as_u16(), retry_after });
        }
        answer::check_type(want, response.headers())?;
        let mut page = answer::page(url.clone(), response.headers());
        page.body = self.body(want, response).await?.into();
        Ok(Answer::Page(page))
    }

    /// Reads at most the cap, counted after decoding: a compressed body cannot be larger than it says.
    async fn body(&self, want: Want, mut response: Response) -> Result<Vec<u8>, FetchError> {
        let cap = match want {
            Want::Home | Want::Page => self.caps.page,
            Want::Sitemap => self.caps.sitemap,
            Want::Robots => wayfile_core::site::robots::ROBOTS_MAX_BYTES,
            Want::Look(look) => look.max_bytes().min(self.caps.page),
        };
        let announced =
            response.headers().get(CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<u64>().ok());
        let announced = usize::try_from(announced.unwrap_or(0)).unwrap_or(usize::MAX);
        if announced > cap && !want.may_be_cut() {
            return Err(FetchError::TooLarge(cap));
        }
        let mut body = Vec::with_capacity(announced.min(cap));
        while let Some(chunk) = response.chunk().await.map_err(|e| self.describe(&e))? {
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
        Ok(body)
    }

    fn describe(&self, error: &reqwest::Error) -> FetchError {
        if error.is_timeout() && !error.is_connect() {
            return FetchError::TimedOut(self.caps.timeout);
        }
        if error.is_dns() {
            return FetchError::Dns;
        }
        if is_refused(error) {
            return FetchError::Refused;
        }
        let cause = root_cause(error);
        if cause.contains("certificate") || cause.contains("TLS") || cause.contains("tls") {
            return FetchError::Tls(cause);
        }
        if error.is_connect() { FetchError::Connect(cause) } else { FetchError::Broken(cause) }
    }
}

fn request_headers(want: Want, known: Option<&Validators>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static(want.accept()));
    if let Some(known) = known {
        if let Some(etag) = &known.etag {
            headers.insert(IF_NONE_MATCH, etag.clone());
        }
        if let Some(modified) = &known.last_modified {
            headers.insert(IF_MODIFIED_SINCE, modified.clone());
        }
    }
    headers
}

async fn drain(response: &mut Response) {
    let mut left = DRAIN_BYTES;
    while let Ok(Some(chunk)) = response.chunk().await {
        match left.checked_sub(chunk.len()) {
            Some(rest) => left = rest,
            None => break,
        }
    }
}

fn is_refused(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let refused = |error: &std::io::Error| error.kind() == std::io::ErrorKind::ConnectionRefused;
        if error.downcast_ref().is_some_and(refused) {
            return true;
        }
        cause = error.source();
    }
    false
}

fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
