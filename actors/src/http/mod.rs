//! The one client that strangers' addresses are fetched with.
//!
//! Nothing it does reaches an address that is not public: literals are refused before the request, names
//! by the resolver when any answer is private, redirects are never followed here but handed back to be
//! checked like any other address, and the address that was dialled is checked once more after the fact.

mod answer;
mod look;
mod resolve;
mod tls;

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_LENGTH, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LOCATION,
};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use tokio::time::timeout;
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
/// And no longer than this: what such an answer says stands in its head.
const DRAIN_TIME: Duration = Duration::from_millis(250);
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

/// There is no client.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The settings make none: the user agent is no header value.
    #[error("the crawl client cannot be made: {0}")]
    Settings(#[from] reqwest::Error),
    /// The system's certificates are missing.
    #[error("the crawl client cannot be made: {0}")]
    Tls(#[from] rustls::Error),
}

impl HttpClient {
    /// Builds the client; `lookup` turns names into addresses ([`SystemLookup`] outside tests).
    ///
    /// # Errors
    /// [`ClientError`] when the settings make no client, or the system trusts nobody.
    pub fn new(settings: &CrawlSettings, lookup: Arc<dyn Lookup>) -> Result<Self, ClientError> {
        let policy = Arc::new(AddressPolicy::new(settings.allow_networks.clone()));
        let tls = tls::config()?;
        let builder = || {
            Client::builder()
                .tls_backend_preconfigured(tls.clone())
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
        timeout(self.caps.timeout, exchange).await.unwrap_or(Err(FetchError::TimedOut(self.caps.timeout)))
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
            look::fill(&mut seen, look, body, self.caps.page);
            return Ok(Answer::Seen(seen));
        }
        if status == StatusCode::NOT_MODIFIED {
            return Ok(Answer::NotModified);
        }
        if want != Want::Robots && answer::is_challenge(response.headers()) {
            return Err(FetchError::Wall);
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
        if has_io_error(error, ErrorKind::ConnectionRefused) {
            return FetchError::Refused;
        }
        let cause = causes(error).last().map(ToString::to_string).unwrap_or_default();
        // What is no handshake at all, as from a port that speaks plain HTTP, is invalid data to the TLS library.
        let no_handshake = error.is_connect() && has_io_error(error, ErrorKind::InvalidData);
        if no_handshake || ["certificate", "TLS", "tls"].iter().any(|word| cause.contains(word)) {
            return FetchError::Tls(cause);
        }
        if cannot_be_unpacked(error) {
            return FetchError::NotAPage(format!("a body that cannot be unpacked ({cause})"));
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

/// Reads what is left of a body that nobody needs, as long as that is cheaper than a new connection.
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

/// Whether the body came and its coding does not hold, or asks for more memory than it may have: the same bytes would
/// come again. Behind the library's own errors stands what the decoder said, or what broke the connection.
fn cannot_be_unpacked(error: &reqwest::Error) -> bool {
    let cause = causes(error).find(|cause| !cause.is::<reqwest::Error>());
    let said = cause.and_then(|cause| cause.downcast_ref::<std::io::Error>());
    // A body that ends too soon may be whole the next time.
    error.is_decode() && said.is_some_and(|said| said.kind() != ErrorKind::UnexpectedEof)
}

fn has_io_error(error: &reqwest::Error, wanted: ErrorKind) -> bool {
    causes(error).any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == wanted))
}

/// An error and all it was caused by; an I/O error by itself skips the one that it holds.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    let first = error as &(dyn std::error::Error + 'static);
    std::iter::successors(Some(first), |cause| {
        let held = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        held.map(|held| held as &(dyn std::error::Error + 'static)).or_else(|| cause.source())
    })
}
