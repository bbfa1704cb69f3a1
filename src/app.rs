//! The service as a whole: built from its settings, bound, run until it is told to stop.

use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{self, Bytes};
use actix_web::{App, HttpRequest, HttpServer};
use anyhow::Context;
use metrics_exporter_prometheus::PrometheusHandle;
use metrics_process::Collector;
use tokio::net::TcpSocket;
use tracing::Span;
use tracing_actix_web::TracingLogger;
use url::Url;
use wayfile_actors::ledger::KeyHash;
use wayfile_actors::{Engine, KeyGuards, Pass, Validator};
use wayfile_core::plan::{Endpoint, Plans};

use crate::auth::{ApiKey, Hasher};
use crate::config::{Config, ServerSettings};
use crate::dashboard::people::People;
use crate::dashboard::session::CookieStyle;
use crate::dashboard::throttle::Throttle;
use crate::error::{ApiError, Code};
use crate::gate::{self, Gate};
use crate::mail::{Bell, Links, Post, Postman, Rounds};
use crate::openapi;
use crate::routes::metrics::Scrape;
use crate::routes::{self, frame};
use crate::store::{Ledger, Store, Upkeep};
use crate::telemetry::RequestSpan;

/// After the drain, runs have this long to write their files, and answers to reach their clients.
const LAST_MOMENT: Duration = Duration::from_secs(10);
/// How often the recorder puts its histograms in order.
const UPKEEP: Duration = Duration::from_secs(5);

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// Where `/metrics` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exposition {
    /// On the main listener.
    Shared,
    /// On a listener of its own.
    Apart,
}

/// What the routes work with.
pub(crate) struct Service {
    pub(crate) engine: Engine,
    pub(crate) validator: Validator,
    pub(crate) guards: KeyGuards,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) plans: Plans,
    /// The longest that a run takes.
    pub(crate) deadline: Duration,
    pub(crate) gate: Gate,
    pub(crate) openapi: Bytes,
    /// Where people and programs reach the service.
    pub(crate) base: Url,
}

impl Service {
    /// Where a path of the service is reached from outside.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base.as_str().trim_end_matches('/'))
    }

    /// Work may begin.
    ///
    /// # Errors
    /// 503: the service is shutting down.
    pub(crate) fn enter(&self) -> Result<gate::Pass, ApiError> {
        self.gate.enter().ok_or_else(|| ApiError::new(Code::ShuttingDown))
    }

    /// The key is good and its rate has room; its limits are told with whatever is answered.
    ///
    /// # Errors
    /// 401, 429, 503.
    pub(crate) async fn admit(&self, request: &HttpRequest, endpoint: Endpoint) -> Result<Pass, ApiError> {
        let key = routes::credentials::key(request)?;
        let key = ApiKey::parse(key).map_err(|_| ApiError::new(Code::Unauthorized))?;
        self.admit_key(request, key.hash(), endpoint).await
    }

    /// As [`Service::admit`], for a key that nobody sent: its owner's session picked it.
    ///
    /// # Errors
    /// 401, 429, 503.
    pub(crate) async fn admit_key(
        &self,
        request: &HttpRequest,
        key: KeyHash,
        endpoint: Endpoint,
    ) -> Result<Pass, ApiError> {
        let admitted = self.guards.enter(key, endpoint).await;
        match &admitted {
            Ok(pass) => {
                Span::current().record("key.id", pass.key().0);
                frame::tell_figures(request, pass.figures());
            }
            Err(refusal) => refusal.figures().into_iter().for_each(|f| frame::tell_figures(request, f)),
        }
        Ok(admitted?)
    }

    /// Whether the store answers.
    ///
    /// # Errors
    /// 503: it does not.
    pub(crate) async fn store_answers(&self) -> Result<(), ApiError> {
        Ok(self.ledger.store().ping().await?)
    }
}

/// A bound service.
pub(crate) struct Application {
    address: SocketAddr,
    servers: Vec<Server>,
    engine: Engine,
    ledger: Arc<Ledger>,
    gate: Gate,
    drain_timeout: Duration,
    recorder: PrometheusHandle,
    _upkeep: Upkeep,
    _rounds: Rounds,
}

impl Application {
    /// Opens the store, starts the engine and binds the listeners; port 0 takes any that is free.
    ///
    /// # Errors
    /// The store cannot be opened, the settings make no client, an address is taken.
    pub(crate) async fn build(config: Config, recorder: PrometheusHandle) -> anyhow::Result<Self> {
        let post = Post::new(&config.mail)?;
        let listener = bind(config.server.listen)?;
        let address = listener.local_addr()?;
        let store = Store::open(&config.database.url).await?;
        let ledger = Ledger::start(store.clone(), &node(config.server.listen)).await?;
        let upkeep = ledger.keep_up(config.database.keep.clone());
        let (queue_wait, deadline) = (config.crawl.queue_wait, config.crawl.deadline);
        let (plans, settings, metrics) = (config.plans, config.server.clone(), config.metrics.clone());
        let (accounts, mail, validate) =
            (config.accounts.clone(), config.mail.clone(), config.validate.clone());
        let engine = config.start_engine()?;
        let gate = Gate::default();
        let bell = Bell::default();
        let base = public_url(&settings, address)?;
        let links = Links::new(base.clone(), &accounts);
        let people = web::Data::new(People {
            store: store.clone(),
            hasher: Hasher::start(accounts.hash_queue)?,
            throttle: Throttle::new(&accounts),
            cookie: cookie_style(&base, address),
            origin: settings.public_url.is_some().then(|| base.origin().ascii_serialization()),
            trusted_proxies: settings.trusted_proxies.clone(),
            settings: accounts,
            bell: bell.clone(),
        });
        let rounds = Postman { store, post, links, settings: mail, bell }.start();
        let service = web::Data::new(Service {
            engine: engine.clone(),
            validator: engine.validator(validate),
            guards: KeyGuards::start(plans, queue_wait, ledger.clone())?,
            ledger: ledger.clone(),
            plans,
            deadline,
            gate: gate.clone(),
            openapi: openapi::document(settings.public_url.as_deref()).into(),
            base,
        });
        let process = Collector::new("wayfile_");
        process.describe();
        let scrape = web::Data::new(Scrape { recorder: recorder.clone(), process });
        let exposition = if metrics.listen.is_some() { Exposition::Apart } else { Exposition::Shared };
        let server = serve(listener, {
            let scrape = scrape.clone();
            move |paths| {
                paths.app_data(service.clone()).app_data(scrape.clone()).app_data(people.clone());
                routes::mount(paths, exposition);
            }
        })?;
        let mut servers = vec![server];
        if let Some(apart) = metrics.listen {
            let listener = bind(apart)?;
            let address = listener.local_addr()?;
            let server = serve(listener, move |paths| {
                paths.app_data(scrape.clone());
                routes::mount_metrics(paths);
            })?;
            tracing::info!(%address, "metrics are served on a listener of their own");
            servers.push(server);
        }
        let drain_timeout = settings.drain_timeout;
        Ok(Self {
            address,
            servers,
            engine,
            ledger,
            gate,
            drain_timeout,
            recorder,
            _upkeep: upkeep,
            _rounds: rounds,
        })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop`, then drains: new requests are refused, running ones end, at the latest with what they
    /// have when the drain time is over.
    ///
    /// # Errors
    /// A listener failed.
    pub(crate) async fn run(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let handles: Vec<_> = self.servers.iter().map(Server::handle).collect();
        let mut serving = actix::spawn(futures_util::future::try_join_all(self.servers));
        let recorder = self.recorder;
        let upkeep = actix::spawn(async move {
            let mut tick = tokio::time::interval(UPKEEP);
            loop {
                tick.tick().await;
                recorder.run_upkeep();
            }
        });
        tracing::info!(address = %self.address, "listening");
        tokio::select! {
            ended = &mut serving => return ended.map_err(io::Error::other)?.map(drop),
            () = stop => {}
        }
        self.gate.close();
        tracing::info!("shutting down: running requests may end, new ones are refused");
        if !self.gate.is_empty_within(self.drain_timeout).await {
            tracing::warn!("the drain time is over: running crawls end with what they have");
            self.engine.close();
            self.gate.is_empty_within(LAST_MOMENT).await;
        }
        for handle in handles {
            handle.stop(true).await;
        }
        upkeep.abort();
        if let Err(error) = self.ledger.end().await {
            tracing::warn!(%error, "what this server still held is refunded later");
        }
        tracing::info!("stopped");
        serving.await.map_err(io::Error::other)?.map(drop)
    }
}

/// The server's name in the store: the same after a restart, and another for every listener.
fn node(listen: SocketAddr) -> String {
    let machine = nix::unistd::gethostname()
        .map_or_else(|_| "unnamed".into(), |name| name.to_string_lossy().into_owned());
    format!("{machine} {listen}")
}

/// Where people reach the dashboard: as configured, or where the service listens.
fn public_url(settings: &ServerSettings, bound: SocketAddr) -> anyhow::Result<Url> {
    let listened = || match bound.ip().is_unspecified() {
        true => format!("http://localhost:{}", bound.port()),
        false => format!("http://{bound}"),
    };
    let url = settings.public_url.clone().unwrap_or_else(listened);
    Url::parse(&url).with_context(|| format!("server.public_url is {url:?}, which is no address"))
}

/// Without TLS a cookie that asks for it would not be kept everywhere; on loopback nobody listens in.
fn cookie_style(base: &Url, bound: SocketAddr) -> CookieStyle {
    if base.scheme() != "http" || !bound.ip().is_loopback() {
        return CookieStyle::Secure;
    }
    tracing::warn!("sessions are kept in a cookie without `Secure`: the service is on loopback, without TLS");
    CookieStyle::Loopback
}

/// Takes an address, so that it is known before anything is built on it.
fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    let bound = socket.bind(address).and_then(|()| socket.listen(BACKLOG)?.into_std());
    bound.with_context(|| format!("{address} cannot be listened on"))
}

/// A server on `listener`.
fn serve<F>(listener: TcpListener, mount: F) -> anyhow::Result<Server>
where
    F: Fn(&mut web::ServiceConfig) + Clone + Send + 'static,
{
    let server = HttpServer::new(move || {
        App::new()
            .default_service(web::to(frame::nothing_here))
            .configure(mount.clone())
            .wrap(Compress::default())
            .wrap(TracingLogger::<RequestSpan>::new())
            .wrap(from_fn(frame::frame))
    });
    let server = server
        .disable_signals()
        .shutdown_timeout(LAST_MOMENT.as_secs())
        // A client that hangs up while it waits is noticed, and its run stops.
        .h1_allow_half_closed(false)
        .listen(listener)?;
    Ok(server.run())
}
