//! The line to one domain: its connections, and one exchange over them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_LENGTH, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION, USER_AGENT,
};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpInfo;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::timeout;
use tower_http::decompression::{Decompression, DecompressionBody};
use tower_service::Service;
use wayfile_core::url::SiteUrl;

use super::answer::{self, Answer, Reply, Validators, Want};
use super::connect::Connector;
use super::failure::{describe, was_not_looked_at};
use super::gate::Gate;
use super::probe;
use super::{Caps, HttpClient};
use crate::error::FetchError;
use crate::metrics;

/// A refused or moved answer's body is read up to this size, so that its connection can be used again.
const DRAIN_BYTES: usize = 64 << 10;
/// And no longer than this: what such an answer says stands in its head.
const DRAIN_TIME: Duration = Duration::from_millis(250);
/// Header lines an answer may have.
const MAX_HEADERS: usize = 128;
/// Size of an HTTP/2 answer's headers.
const MAX_HEADER_BYTES: u32 = 64 << 10;
/// How often a request goes out again that the site sent back without having looked at it.
const SENT_BACK: usize = 2;
/// A connection that nobody uses is closed after this time.
const POOL_IDLE: Duration = Duration::from_secs(30);

type Body = DecompressionBody<Incoming>;

/// One domain's connections.
pub(crate) struct Line {
    http: HttpClient,
    client: Client<Connector, Empty<Bytes>>,
    gate: Arc<Gate>,
}

impl Line {
    pub(super) fn new(http: HttpClient) -> Self {
        let gate = Arc::<Gate>::default();
        let connector = Connector::new(http.resolver(), http.tls.clone(), gate.clone(), http.caps.connect);
        let client = Client::builder(TokioExecutor::new())
            .timer(TokioTimer::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(POOL_IDLE)
            .pool_max_idle_per_host(http.caps.idle)
            .http1_max_headers(MAX_HEADERS)
            .http2_max_header_list_size(MAX_HEADER_BYTES)
            .build(connector);
        Self { http, client, gate }
    }

    /// What every request to the domain passes.
    pub(crate) fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Fetches one address, following nothing.
    ///
    /// # Errors
    /// [`FetchError`]: the address is not public, nobody answered, the exchange broke, took longer than the
    /// page time-out, or the body is over its cap.
    pub(crate) async fn get(
        &self,
        url: &SiteUrl,
        want: Want,
        known: Option<&Validators>,
    ) -> Result<Reply, FetchError> {
        let limit = self.caps().timeout;
        let exchange = async {
            self.http.check(url).await?;
            let request = self.request(url, want, known)?;
            let started = Instant::now();
            let response = self.send(request, want).await?;
            let latency = started.elapsed();
            self.check_peer(url, &response)?;
            let answer = self.read(url, want, latency, response).await?;
            Ok(Reply { answer, latency })
        };
        timeout(limit, exchange).await.unwrap_or(Err(FetchError::TimedOut(limit)))
    }

    fn caps(&self) -> &Caps {
        &self.http.caps
    }

    fn request(
        &self,
        url: &SiteUrl,
        want: Want,
        known: Option<&Validators>,
    ) -> Result<Request<Empty<Bytes>>, FetchError> {
        let uri: Uri = url.as_str().parse().map_err(|e| FetchError::Broken(format!("{e}")))?;
        let mut request = Request::new(Empty::new());
        *request.uri_mut() = uri;
        let headers = request.headers_mut();
        headers.insert(ACCEPT, HeaderValue::from_static(want.accept()));
        headers.insert(USER_AGENT, self.http.user_agent.clone());
        for (name, value) in self.http.own.of(url) {
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
            *request.method_mut() = probe.method();
        }
        Ok(request)
    }

    async fn send(&self, request: Request<Empty<Bytes>>, want: Want) -> Result<Response<Body>, FetchError> {
        let unpacking = Decompression::new(self.client.clone());
        let mut client = match want {
            // Left as it came, so that its coding can be told.
            Want::Probe(_) => unpacking.no_gzip().no_br().no_zstd().no_deflate(),
            _ => unpacking,
        };
        for _ in 0..SENT_BACK {
            match client.call(request.clone()).await {
                Err(error) if was_not_looked_at(&error) => {}
                answer => return answer.map_err(|e| describe(&e, self.caps().timeout)),
            }
        }
        client.call(request).await.map_err(|e| describe(&e, self.caps().timeout))
    }

    /// The last line of defence: its counter must stay 0.
    fn check_peer(&self, url: &SiteUrl, response: &Response<Body>) -> Result<(), FetchError> {
        match response.extensions().get::<HttpInfo>() {
            Some(peer) if self.http.policy.resolved(url, &[peer.remote_addr().ip()]).is_err() => {
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
        mut response: Response<Body>,
    ) -> Result<Answer, FetchError> {
        let status = response.status();
        if status.is_redirection() && status != StatusCode::NOT_MODIFIED {
            let target =
                response.headers().get(LOCATION).and_then(|v| std::str::from_utf8(v.as_bytes()).ok());
            let target = target.and_then(|v| url.join(v).ok()).ok_or(FetchError::BadRedirect)?;
            drain(response.body_mut()).await;
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
            probe::fill(&mut seen, probe, body, self.caps().page);
            return Ok(Answer::Seen(seen));
        }
        if status == StatusCode::NOT_MODIFIED {
            return Ok(Answer::NotModified);
        }
        if want != Want::Robots && answer::is_challenge(response.headers()) {
            return Err(FetchError::BotChallenge);
        }
        if !status.is_success() {
            let retry_after = answer::retry_after(response.headers());
            drain(response.body_mut()).await;
            return Ok(Answer::Failed { status: status.as_u16(), retry_after });
        }
        answer::check_type(want, response.headers())?;
        let mut page = answer::page(url.clone(), response.headers());
        page.body = self.body(want, response).await?.into();
        Ok(Answer::Page(page))
    }

    /// Reads at most the cap, counted after decoding: a compressed body cannot be larger than it says.
    async fn body(&self, want: Want, mut response: Response<Body>) -> Result<Vec<u8>, FetchError> {
        let cap = match want {
            Want::Home | Want::Page | Want::Soft404Probe | Want::Resource => self.caps().page,
            Want::Sitemap => self.caps().sitemap,
            Want::Robots => wayfile_core::site::robots::ROBOTS_MAX_BYTES,
            Want::Probe(probe) => probe.max_bytes().min(self.caps().page),
        };
        let announced = announced(response.headers());
        if announced > cap && !want.may_be_cut() {
            return Err(FetchError::TooLarge(cap));
        }
        let mut body = Vec::with_capacity(announced.min(cap));
        while let Some(chunk) = chunk(response.body_mut()).await {
            let chunk = chunk.map_err(|e| describe(&*e, self.caps().timeout))?;
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
}

/// The length that an answer tells.
fn announced(headers: &HeaderMap) -> usize {
    let announced = headers.get(CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<u64>().ok());
    usize::try_from(announced.unwrap_or(0)).unwrap_or(usize::MAX)
}

/// The next piece of a body; what follows bodies is passed over.
async fn chunk(body: &mut Body) -> Option<Result<Bytes, Box<dyn std::error::Error + Send + Sync>>> {
    loop {
        match body.frame().await? {
            Ok(frame) => {
                if let Ok(data) = frame.into_data() {
                    return Some(Ok(data));
                }
            }
            Err(error) => return Some(Err(error)),
        }
    }
}

/// Reads what is left of a body that nobody needs, as long as that is cheaper than a new connection.
async fn drain(body: &mut Body) {
    let reading = async {
        let mut left = DRAIN_BYTES;
        while let Some(Ok(chunk)) = chunk(body).await {
            match left.checked_sub(chunk.len()) {
                Some(rest) => left = rest,
                None => break,
            }
        }
    };
    // Without its end the connection is closed with the answer.
    let _ = timeout(DRAIN_TIME, reading).await;
}
