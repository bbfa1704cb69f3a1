//! A real HTTP server on loopback that answers as a test wants and remembers who asked what, and when.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use actix_web::dev::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};

/// One request as the site saw it.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    pub(crate) path: String,
    pub(crate) at: Instant,
    pub(crate) if_none_match: Option<String>,
    pub(crate) accept: String,
    headers: Vec<(String, String)>,
}

impl Hit {
    /// The first header of this name, which is in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }
}

#[derive(Default)]
struct Log {
    hits: Vec<Hit>,
    running: usize,
    most_at_once: usize,
}

/// How the site answers one request.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    delay: Duration,
}

impl Reply {
    pub(crate) fn html(body: impl Into<String>) -> Self {
        Self::bytes("text/html; charset=utf-8", body.into())
    }

    pub(crate) fn text(body: impl Into<String>) -> Self {
        Self::bytes("text/plain; charset=utf-8", body.into())
    }

    pub(crate) fn bytes(kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, headers: Vec::new(), body: body.into(), delay: Duration::ZERO }
            .header("content-type", kind)
    }

    pub(crate) fn status(status: u16) -> Self {
        Self { status, ..Self::text("no") }
    }

    pub(crate) fn moved(to: impl Into<String>) -> Self {
        Self::status(301).header("location", &to.into())
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// The answer, when its time has come.
    pub(crate) async fn give(self) -> HttpResponse {
        tokio::time::sleep(self.delay).await;
        let mut response = HttpResponse::build(StatusCode::from_u16(self.status).unwrap());
        for (name, value) in self.headers {
            response.insert_header((name, value));
        }
        response.body(self.body)
    }
}

/// A page with a title, a paragraph of its own and links, in a layout with navigation and footer.
pub(crate) fn page(title: &str, links: &[&str]) -> Reply {
    let items = each(links, |l| format!("<li><a href=\"{l}\">About {l}</a></li>"));
    // What differs by numbers alone describes no page.
    let reader: String = title
        .chars()
        .map(|c| c.to_digit(10).map_or(c, |digit| char::from(b"abcdefghij"[digit as usize])))
        .collect();
    Reply::html(format!(
        "<!doctype html><html lang=en><head><title>{title}</title></head><body><nav><a href=/>Start</a></nav>\
         <main><h1>{title}</h1><p>This page is about {title} and nothing else; it says what {title} is good for, \
         how {title} came to be, and what a reader of {reader} should know before the next step.</p>\
         <ul>{items}</ul></main><footer>Imprint</footer></body></html>"
    ))
}

/// What `write` makes of each item, one after the other.
pub(crate) fn each<T>(items: impl IntoIterator<Item = T>, write: impl Fn(T) -> String) -> String {
    items.into_iter().map(write).collect::<Vec<_>>().concat()
}

/// A home page that links to `count` pages `/docs/N.html`; those exist, everything else is 404.
pub(crate) fn numbered(path: &str, count: usize) -> Reply {
    if path == "/" {
        let links: Vec<String> = (0..count).map(|n| format!("/docs/{n}.html")).collect();
        return page("Home", &links.iter().map(String::as_str).collect::<Vec<_>>());
    }
    match path.strip_prefix("/docs/").and_then(|p| p.strip_suffix(".html")?.parse::<usize>().ok()) {
        Some(n) if n < count => page(&format!("Chapter {n}"), &[]),
        _ => Reply::status(404),
    }
}

/// The running site; it stops when dropped.
pub(crate) struct FakeSite {
    pub(crate) address: SocketAddr,
    log: Arc<Mutex<Log>>,
    handle: ServerHandle,
}

impl FakeSite {
    /// Serves what `answer` says for a path with its query.
    pub(crate) fn start(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let log: Arc<Mutex<Log>> = Arc::default();
        let answer: Arc<dyn Fn(&str) -> Reply + Send + Sync> = Arc::new(answer);
        let shared = log.clone();
        let server = HttpServer::new(move || {
            let (log, answer) = (shared.clone(), answer.clone());
            App::new().default_service(web::to(move |request: HttpRequest| {
                serve(request, log.clone(), answer.clone())
            }))
        });
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let address = server.addrs()[0];
        let server = server.run();
        let handle = server.handle();
        actix::spawn(server);
        Self { address, log, handle }
    }

    /// Stops the site at once, for what comes after it.
    pub(crate) async fn stopped(self) {
        self.handle.stop(false).await;
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub(crate) fn hits(&self) -> Vec<Hit> {
        self.log.lock().unwrap().hits.clone()
    }

    /// How often `path` was asked for.
    pub(crate) fn count(&self, path: &str) -> usize {
        self.hits().iter().filter(|h| h.path == path).count()
    }

    pub(crate) fn most_at_once(&self) -> usize {
        self.log.lock().unwrap().most_at_once
    }

    /// The shortest time between two requests.
    pub(crate) fn shortest_gap(&self) -> Duration {
        let hits = self.hits();
        hits.windows(2).map(|w| w[1].at - w[0].at).min().unwrap_or(Duration::MAX)
    }
}

impl Drop for FakeSite {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

async fn serve(
    request: HttpRequest,
    log: Arc<Mutex<Log>>,
    answer: Arc<dyn Fn(&str) -> Reply + Send + Sync>,
) -> HttpResponse {
    let path = request.uri().to_string();
    let header = |name: &str| request.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
    {
        let mut log = log.lock().unwrap();
        log.hits.push(Hit {
            path: path.clone(),
            at: Instant::now(),
            if_none_match: header("if-none-match"),
            accept: header("accept").unwrap_or_default(),
            headers: request
                .headers()
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()))
                .collect(),
        });
        log.running += 1;
        log.most_at_once = log.most_at_once.max(log.running);
    }
    let reply = answer(&path);
    let known = header("if-none-match");
    let etag = reply.headers.iter().find(|(name, _)| *name == "etag").map(|(_, value)| value);
    let unchanged = known.is_some() && known.as_ref() == etag;
    let response = reply.give().await;
    log.lock().unwrap().running -= 1;
    if unchanged { HttpResponse::NotModified().finish() } else { response }
}
