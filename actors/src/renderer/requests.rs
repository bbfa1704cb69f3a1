//! What an open page asks for: each request is paused by the browser, judged, fetched by our own client, and answered by us.

use std::net::SocketAddr;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use wayfile_core::page::BodyKind;
use wayfile_core::render::{Request, RequestRefusal, RequestVerdict, decide};
use wayfile_core::site::address_policy::AddressPolicy;
use wayfile_core::url::SiteUrl;

use super::connection::{Connection, ProtocolEvent};
use super::{Render, RendererState};
use crate::error::FetchError;
use crate::http::{Lookup, SystemLookup, Want};
use crate::job::Freshness;
use crate::messages::{Fetch, Fetched};
use crate::metrics;
use crate::panics::ask;

/// What the browser is told of a request that may not be made.
const BLOCKED: &str = "BlockedByClient";

/// A request that waits for us.
struct PausedRequest {
    connection: Connection,
    session: Arc<str>,
    paused: Paused,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Paused {
    request_id: String,
    frame_id: String,
    resource_type: String,
    request: ResourceRequest,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResourceRequest {
    url: String,
    method: String,
    #[serde(default)]
    headers: Map<String, Value>,
}

impl ResourceRequest {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?.1.as_str()
    }
}

impl PausedRequest {
    fn refuse(&self, reason: &str) {
        let params = json!({ "requestId": self.paused.request_id, "errorReason": reason });
        self.connection.tell(Some(&self.session), "Fetch.failRequest", params);
    }

    /// Any page may read it: there is nothing here that one may see and another may not, no cookie and no session.
    fn fulfil(&self, status: u16, headers: &[(&str, &str)], body: &[u8]) {
        let Paused { request_id, request, .. } = &self.paused;
        let shared = [
            ("access-control-allow-origin", request.header("origin").unwrap_or("*")),
            ("access-control-allow-credentials", "true"),
            ("access-control-expose-headers", "*"),
        ];
        let headers = shared.iter().chain(headers);
        let headers: Vec<Value> =
            headers.map(|(name, value)| json!({ "name": name, "value": value })).collect();
        let body = if request.method == "HEAD" { String::new() } else { BASE64.encode(body) };
        let params = json!({ "requestId": request_id, "responseCode": status,
            "responseHeaders": headers, "body": body });
        self.connection.tell(Some(&self.session), "Fetch.fulfillRequest", params);
    }
}

pub(super) struct Requests {
    shared: Arc<RendererState>,
    render: Render,
    /// The page itself was asked for.
    pub(super) is_shown: bool,
    made: usize,
    waiting: FuturesUnordered<BoxFuture<'static, Option<SiteUrl>>>,
}

impl Requests {
    pub(super) fn new(shared: Arc<RendererState>, render: Render) -> Self {
        Self { shared, render, is_shown: false, made: 0, waiting: FuturesUnordered::new() }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Until the next request is answered; for ever, when none is waited for. Where it brought Markdown of the page's site: its
    /// address.
    pub(super) async fn next(&mut self) -> Option<SiteUrl> {
        match self.waiting.next().await {
            Some(markdown) => markdown,
            None => std::future::pending().await,
        }
    }

    /// Takes a request that `frame`, or something in it, makes. Where the page itself goes elsewhere: where to.
    pub(super) fn take(
        &mut self,
        event: ProtocolEvent,
        frame: &str,
        connection: &Connection,
    ) -> Option<SiteUrl> {
        let ProtocolEvent { session, params, .. } = event;
        let paused = Paused::deserialize(&params).ok()?;
        let page = &self.render.page;
        let verdict = decide(&Request {
            method: &paused.request.method,
            kind: &paused.resource_type,
            url: &paused.request.url,
            is_main: paused.frame_id == frame,
            is_service_worker: paused.request.header("service-worker").is_some(),
        });
        let request = PausedRequest { connection: connection.clone(), session, paused };
        let mut leads_to = None;
        let result = match verdict {
            RequestVerdict::Navigate(url) if !self.is_shown && url == page.url => {
                self.is_shown = true;
                let kind = page.content_type.as_deref().unwrap_or("text/html");
                request.fulfil(200, &[("content-type", kind)], &page.body);
                "page"
            }
            RequestVerdict::Navigate(url) => {
                request.refuse("Aborted");
                leads_to = (url != page.url).then_some(url);
                "navigation"
            }
            RequestVerdict::Preflight => {
                let asked = request.paused.request.header("access-control-request-headers");
                let allowed = [
                    ("access-control-allow-methods", "GET, HEAD"),
                    ("access-control-allow-headers", asked.unwrap_or("*")),
                    ("access-control-max-age", "600"),
                ];
                request.fulfil(204, &allowed, &[]);
                "preflight"
            }
            RequestVerdict::Refuse(why) => {
                request.refuse(BLOCKED);
                why.kind()
            }
            RequestVerdict::Load(_) if self.made >= self.shared.settings.requests_per_page => {
                request.refuse(BLOCKED);
                "over_limit"
            }
            RequestVerdict::Load(url) => {
                self.made += 1;
                self.load(request, url);
                return None;
            }
        };
        metrics::BROWSER_REQUESTS.count([result]);
        leads_to
    }

    fn load(&self, request: PausedRequest, url: SiteUrl) {
        let Render { page, freshness, asker, lease } = &self.render;
        let is_new = lease.loaded.lock().insert(url.clone());
        let freshness = if is_new { *freshness } else { Freshness::Lately };
        let fetch = Fetch { url, want: Want::Resource, freshness, asker: asker.clone() };
        let (shared, origin) = (self.shared.clone(), page.url.origin());
        self.waiting.push(Box::pin(async move {
            if is_ours(&shared.own, &fetch.url).await {
                metrics::BROWSER_REQUESTS.count([RequestRefusal::Address.kind()]);
                request.refuse(BLOCKED);
                return None;
            }
            metrics::BROWSER_REQUESTS.count(["loaded"]);
            let fetcher = shared.registry.fetcher(&fetch.url.origin());
            match ask(&fetcher, fetch).await {
                Ok(Fetched::Page { page, .. }) => {
                    let kind = page.content_type.as_deref().map(|kind| ("content-type", kind));
                    request.fulfil(200, kind.as_slice(), &page.body);
                    let of = BodyKind::of(page.content_type.as_deref(), &page.url, &page.body);
                    let is_markdown = of == BodyKind::Markdown && page.url.origin() == origin;
                    return is_markdown.then(|| page.url.clone());
                }
                Ok(Fetched::Moved(target)) => request.fulfil(302, &[("location", target.as_str())], &[]),
                Err(FetchError::Status(status)) => request.fulfil(status, &[], &[]),
                Ok(Fetched::Seen(_) | Fetched::Rules(_)) | Err(_) => request.refuse("Failed"),
            }
            None
        }));
    }
}

/// Whether an address leads to where this service itself listens.
async fn is_ours(own: &[SocketAddr], url: &SiteUrl) -> bool {
    let port = url.port();
    if own.iter().all(|own| own.port() != port) {
        return false;
    }
    let is_private = |address: std::net::IpAddr| AddressPolicy::default().ip(address).is_err();
    match url.ip() {
        Some(ip) => is_private(ip),
        None => match SystemLookup.lookup(url.host().to_owned()).await {
            Ok(found) => found.into_iter().any(is_private),
            Err(_) => true,
        },
    }
}
