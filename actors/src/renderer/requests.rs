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
use super::{Lease, Render, RendererState};
use crate::error::FetchError;
use crate::http::{Lookup, PageBody, SystemLookup, Want};
use crate::job::Freshness;
use crate::messages::{Asker, Fetch, Fetched};
use crate::metrics;
use crate::panics::ask;

/// A request that waits for us.
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

/// What the browser is told in answer to a request.
pub(super) struct Fulfilment {
    session: Arc<str>,
    method: &'static str,
    params: Value,
    /// The Markdown of the page's site that it brings.
    pub(super) markdown: Option<SiteUrl>,
}

impl Fulfilment {
    pub(super) fn tell(self, connection: &Connection) {
        connection.tell(Some(&self.session), self.method, self.params);
    }

    fn refuse(session: Arc<str>, paused: &Paused, reason: &str) -> Self {
        let params = json!({ "requestId": paused.request_id, "errorReason": reason });
        Self { session, method: "Fetch.failRequest", params, markdown: None }
    }

    /// Any page may read it: there is nothing here that one may see and another may not, no cookie and no session.
    fn fulfil(
        session: Arc<str>,
        paused: &Paused,
        status: u16,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Self {
        let origin = paused.request.header("origin").unwrap_or("*");
        let shared = [
            ("access-control-allow-origin", origin),
            ("access-control-allow-credentials", "true"),
            ("access-control-expose-headers", "*"),
        ];
        let headers: Vec<Value> = shared
            .iter()
            .chain(headers)
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        let body = if paused.request.method == "HEAD" { String::new() } else { BASE64.encode(body) };
        let params = json!({ "requestId": paused.request_id, "responseCode": status,
            "responseHeaders": headers, "body": body });
        Self { session, method: "Fetch.fulfillRequest", params, markdown: None }
    }
}

pub(super) struct Requests {
    shared: Arc<RendererState>,
    page: Arc<PageBody>,
    freshness: Freshness,
    asker: Asker,
    lease: Arc<Lease>,
    /// The page itself was asked for.
    pub(super) is_shown: bool,
    made: usize,
    waiting: FuturesUnordered<BoxFuture<'static, Fulfilment>>,
}

impl Requests {
    pub(super) fn new(shared: Arc<RendererState>, render: &Render) -> Self {
        let Render { page, freshness, asker, lease } = render;
        Self {
            shared,
            page: page.clone(),
            freshness: *freshness,
            asker: asker.clone(),
            lease: lease.clone(),
            is_shown: false,
            made: 0,
            waiting: FuturesUnordered::new(),
        }
    }

    /// None is waited for.
    pub(super) fn is_idle(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The next answer that has come; never, when none is waited for.
    pub(super) async fn next(&mut self) -> Fulfilment {
        match self.waiting.next().await {
            Some(answer) => answer,
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
        let Ok(paused) = Paused::deserialize(&params) else { return None };
        let verdict = decide(&Request {
            method: &paused.request.method,
            kind: &paused.resource_type,
            url: &paused.request.url,
            is_main: paused.frame_id == frame,
            is_service_worker: paused.request.header("service-worker").is_some(),
        });
        let (result, answer) = match verdict {
            RequestVerdict::Navigate(url) if !self.is_shown && url == self.page.url => {
                self.is_shown = true;
                let kind = self.page.content_type.as_deref().unwrap_or("text/html");
                let answer =
                    Fulfilment::fulfil(session, &paused, 200, &[("content-type", kind)], &self.page.body);
                ("page", answer)
            }
            RequestVerdict::Navigate(url) => {
                metrics::BROWSER_REQUESTS.count(["navigation"]);
                Fulfilment::refuse(session, &paused, "Aborted").tell(connection);
                return (url != self.page.url).then_some(url);
            }
            RequestVerdict::Preflight => {
                let asked = paused.request.header("access-control-request-headers").unwrap_or("*");
                let allowed = [
                    ("access-control-allow-methods", "GET, HEAD"),
                    ("access-control-allow-headers", asked),
                    ("access-control-max-age", "600"),
                ];
                ("preflight", Fulfilment::fulfil(session, &paused, 204, &allowed, &[]))
            }
            RequestVerdict::Refuse(why) => {
                (why.kind(), Fulfilment::refuse(session, &paused, "BlockedByClient"))
            }
            RequestVerdict::Load(_) if self.made >= self.shared.settings.requests_per_page => {
                ("over_limit", Fulfilment::refuse(session, &paused, "BlockedByClient"))
            }
            RequestVerdict::Load(url) => {
                self.made += 1;
                self.load(session, paused, url);
                return None;
            }
        };
        metrics::BROWSER_REQUESTS.count([result]);
        answer.tell(connection);
        None
    }

    fn load(&self, session: Arc<str>, paused: Paused, url: SiteUrl) {
        let shared = self.shared.clone();
        let is_new = self.lease.loaded.lock().insert(url.clone());
        let freshness = if is_new { self.freshness } else { Freshness::Lately };
        let fetch = Fetch { url, want: Want::Resource, freshness, asker: self.asker.clone() };
        let origin = self.page.url.origin();
        self.waiting.push(Box::pin(async move {
            if is_ours(&shared.own, &fetch.url).await {
                metrics::BROWSER_REQUESTS.count([RequestRefusal::Address.kind()]);
                return Fulfilment::refuse(session, &paused, "BlockedByClient");
            }
            metrics::BROWSER_REQUESTS.count(["loaded"]);
            let fetcher = shared.registry.fetcher(&fetch.url.origin());
            match ask(&fetcher, fetch).await {
                Ok(Fetched::Page { page, .. }) => {
                    let kind = page.content_type.as_deref().map(|kind| ("content-type", kind));
                    let of = BodyKind::of(page.content_type.as_deref(), &page.url, &page.body);
                    let is_markdown = of == BodyKind::Markdown && page.url.origin() == origin;
                    let markdown = is_markdown.then(|| page.url.clone());
                    Fulfilment {
                        markdown,
                        ..Fulfilment::fulfil(session, &paused, 200, kind.as_slice(), &page.body)
                    }
                }
                Ok(Fetched::Moved(target)) => {
                    Fulfilment::fulfil(session, &paused, 302, &[("location", target.as_str())], &[])
                }
                Err(FetchError::Status(status)) => Fulfilment::fulfil(session, &paused, status, &[], &[]),
                Ok(Fetched::Seen(_) | Fetched::Rules(_)) | Err(_) => {
                    Fulfilment::refuse(session, &paused, "Failed")
                }
            }
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
