//! The service as a whole: built from its settings, bound, run until it is told to stop.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::web;
use metrics_exporter_prometheus::PrometheusHandle;
use metrics_process::Collector;
use tokio::time::Instant;
use wayfile_actors::settings::Live;
use wayfile_actors::{Engine, KeyGuards, SiteAccess};
use wayfile_core::plan::Plans;

use crate::auth::Hasher;
use crate::config::Config;
use crate::dashboard;
use crate::dashboard::people::{CookieStyle, People};
use crate::dashboard::throttle::Throttle;
use crate::listen;
use crate::mail::{MailSignal, MailTransport, MailWorker};
use crate::openapi;
use crate::readiness::Readiness;
use crate::reload::Reloader;
use crate::routes;
use crate::routes::health::Scrape;
use crate::service::Service;
use crate::shutdown_gate::ShutdownGate;
use crate::store::{Ledger, ServeLock, Store};
use crate::tasks::Task;
use crate::telemetry;

/// After the drain, runs have this long to write their files.
const LAST_MOMENT: Duration = Duration::from_secs(10);
/// An answer that was ready only then has this long to reach its client.
const LAST_BYTES: Duration = Duration::from_secs(2);

pub(crate) struct Application {
    pub(crate) address: SocketAddr,
    servers: Vec<Server>,
    engine: Engine,
    ledger: Arc<Ledger>,
    shutdown: ShutdownGate,
    drain_timeout: Duration,
    tasks: Vec<Task>,
    _alone: Option<ServeLock>,
    plans: Live<Plans>,
}

impl Application {
    /// Opens the store, starts the engine and binds the listeners; port 0 takes any that is free.
    pub(crate) async fn build(mut config: Config, recorder: PrometheusHandle) -> anyhow::Result<Self> {
        let transport = MailTransport::new(&config.mail)?;
        let listener = listen::bind(config.server.listen)?;
        let address = listener.local_addr()?;
        let alone = ServeLock::take(&config.database.url)?;
        let store = Store::open(&config.database).await?;
        let ledger = Ledger::start(store.clone(), &node(config.server.listen)).await?;
        let mut running = ledger.keep_up();
        running.push(telemetry::keep_up(&recorder, &ledger.tasks));
        // Port 0 is another by now.
        config.server.listen = address;
        let coordination = ledger.coordination();
        let engine = config.clone().start_engine_with(SiteAccess::default(), coordination.clone())?;
        let Config { server: settings, metrics, crawl, validate, plans, accounts, mail, dashboard, .. } =
            config;
        let plans = Live::new(plans);
        let shutdown = ShutdownGate::default();
        let mail_signal = MailSignal::default();
        let base = settings.base(address)?;
        let worker = MailWorker {
            store: store.clone(),
            transport,
            base: base.clone(),
            verify_within: accounts.verify_within,
            reset_within: accounts.reset_within,
            settings: mail,
            mail_signal: mail_signal.clone(),
        };
        running.push(worker.start(&ledger.tasks));
        let people = web::Data::new(People {
            store,
            hasher: Hasher::start()?,
            throttle: Throttle::new(&accounts, ledger.shared_states()),
            cookie: CookieStyle::of(&base, address),
            origin: settings.public_url.is_some().then(|| base.origin().ascii_serialization()),
            trusted_proxies: settings.trusted_proxies,
            settings: accounts,
            mail_signal,
        });
        let (readiness, looks) = Readiness::start(ledger.clone(), engine.clone());
        running.push(looks);
        let service = web::Data::new(Service {
            engine: engine.clone(),
            validator: engine.validator(validate),
            guards: KeyGuards::start(plans.clone(), crawl.queue_wait, ledger.clone(), coordination)?,
            ledger: ledger.clone(),
            plans: plans.clone(),
            deadline: crawl.deadline,
            shutdown: shutdown.clone(),
            readiness,
            openapi: openapi::document(settings.public_url.as_deref()).into(),
            base,
            upgrade_url: dashboard.upgrade_url,
        });
        let process = Collector::new("wayfile_");
        process.describe();
        let scrape = web::Data::new(Scrape { recorder, process });
        let is_exposed = metrics.listen.is_none();
        let drain_timeout = settings.drain_timeout;
        let shutdown_timeout = drain_timeout + LAST_MOMENT + LAST_BYTES;
        let rate = settings.min_read_rate.0;
        let server = listen::serve(listener, shutdown_timeout, rate, {
            let scrape = scrape.clone();
            move |paths| {
                paths.app_data(service.clone()).app_data(scrape.clone()).app_data(people.clone());
                routes::mount(paths);
                paths.configure(dashboard::configure);
                if is_exposed {
                    routes::mount_metrics(paths);
                }
            }
        })?;
        let apart = metrics.listen.map(|listen| serve_metrics(listen, shutdown_timeout, rate, scrape));
        let servers = std::iter::once(server).chain(apart.transpose()?).collect();
        Ok(Self {
            address,
            servers,
            engine,
            ledger,
            shutdown,
            drain_timeout,
            tasks: running,
            _alone: alone,
            plans,
        })
    }

    /// What takes up settings while it runs; `running` are those that it was built from.
    pub(crate) fn reloader(&self, running: Config) -> Reloader {
        Reloader { running, engine: self.engine.clone(), plans: self.plans.clone(), address: self.address }
    }

    /// Serves until `stop`, then drains: new requests are refused, running ones end, at the latest with what they
    /// have when the drain time is over. Clients that are slow to send or to read are cut off then.
    pub(crate) async fn run(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let handles: Vec<_> = self.servers.iter().map(Server::handle).collect();
        let mut serving = actix::spawn(futures_util::future::try_join_all(self.servers));
        tracing::info!(address = %self.address, "listening");
        tokio::select! {
            ended = &mut serving => return ended.map_err(io::Error::other)?.map(drop),
            () = stop => {}
        }
        self.shutdown.close();
        tracing::info!("shutting down: running requests may end, new ones are refused");
        let over = Instant::now() + self.drain_timeout;
        if !self.shutdown.is_empty_by(over).await {
            tracing::warn!("the drain time is over: running crawls and validations end with what they have");
            self.engine.close();
            self.shutdown.end();
            self.shutdown.is_empty_by(over + LAST_MOMENT).await;
        }
        let stopped = futures_util::future::join_all(handles.iter().map(|handle| handle.stop(true)));
        let cut_off = over.max(Instant::now() + LAST_BYTES);
        if tokio::time::timeout_at(cut_off, stopped).await.is_err() {
            tracing::warn!("the drain time is over: clients that are slow to take their answers lose them");
            serving.abort();
        }
        if let Err(error) = self.ledger.end().await {
            tracing::warn!(%error, "what this server still held is refunded later");
        }
        // All of an SQLite store is in its file then, which may be copied.
        drop(self.tasks);
        let store = self.ledger.store();
        let closing = async {
            store.empty_log().await;
            store.close().await;
        };
        if tokio::time::timeout(LAST_BYTES, closing).await.is_err() {
            tracing::warn!("the store is still in use: what was written last may stand beside its file");
        }
        tracing::info!("stopped");
        match serving.await {
            Err(cut) if cut.is_cancelled() => Ok(()),
            ended => ended.map_err(io::Error::other)?.map(drop),
        }
    }
}

/// A listener for the metrics alone.
fn serve_metrics(
    listen: SocketAddr,
    shutdown_timeout: Duration,
    rate: usize,
    scrape: web::Data<Scrape>,
) -> anyhow::Result<Server> {
    let listener = listen::bind(listen)?;
    let address = listener.local_addr()?;
    let server = listen::serve(listener, shutdown_timeout, rate, move |paths| {
        paths.app_data(scrape.clone());
        routes::mount_metrics(paths);
    })?;
    tracing::info!(%address, "metrics are served on a listener of their own");
    Ok(server)
}

/// The server's name in the store: the same after a restart, and another for every listener.
fn node(listen: SocketAddr) -> String {
    let machine = nix::unistd::gethostname()
        .map_or_else(|_| "unnamed".into(), |name| name.to_string_lossy().into_owned());
    format!("{machine} {listen}")
}
