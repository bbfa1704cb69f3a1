//! Settings that change while the service runs: on SIGHUP, or because `wayfile config reload` asks on this machine.
//!
//! The command finds the service by the address it listens on, at a socket without a file; only the service's own
//! user and root is answered there.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::signal::unix::Signal;
use tokio::time::timeout;
use wayfile_actors::Engine;
use wayfile_actors::settings::Live;
use wayfile_core::plan::Plans;

use crate::config::{Changes, Config};

/// The longest that one side waits for the other.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of an answer: every key there is, and the errors of all, are far below.
const ANSWER_MAX_BYTES: u64 = 1 << 20;

pub(crate) struct Reloader {
    pub(crate) running: Config,
    pub(crate) engine: Engine,
    pub(crate) plans: Live<Plans>,
    pub(crate) address: SocketAddr,
}

impl Reloader {
    /// Reads the settings anew whenever it is told to. Settings that cannot be used change nothing.
    pub(crate) async fn run(mut self, mut told: Signal, read: impl Fn() -> anyhow::Result<Config>) {
        let asked = UnixListener::bind(socket(self.address));
        let asked = asked.inspect_err(|error| {
            tracing::warn!(%error, "`wayfile config reload` cannot reach this service; SIGHUP does");
        });
        let asked = asked.ok();
        loop {
            tokio::select! {
                told = told.recv() => match told {
                    Some(()) => drop(self.reload(&read)),
                    None => return,
                },
                stream = next(asked.as_ref()) => {
                    let outcome = self.reload(&read);
                    if let Err(error) = answer(stream, &outcome).await {
                        tracing::warn!(%error, "who asked for a reload did not hear of it");
                    }
                }
            }
        }
    }

    fn reload(&mut self, read: impl Fn() -> anyhow::Result<Config>) -> Result<Changes, String> {
        let taken = read().and_then(|read| self.running.take_up(&read));
        let (config, changes) = taken.map_err(|error| {
            let error = format!("{error:#}");
            tracing::error!(error, "the settings cannot be used, and those from before hold");
            error
        })?;
        self.engine.take_up(config.crawl.clone());
        self.plans.set(config.plans);
        self.running = config;
        tracing::info!(
            changed = changes.taken_up.join(", "),
            need_restart = changes.need_restart.join(", "),
            "the settings were read again"
        );
        Ok(changes)
    }
}

/// Has the service that listens at `address` on this machine read its settings again.
/// Errors: There is none, it does not answer, or its settings cannot be used.
pub(crate) async fn ask(address: SocketAddr) -> anyhow::Result<Changes> {
    let stream = UnixStream::connect(socket(address)).await.with_context(|| {
        format!("no service listens on {address} on this machine; send SIGHUP to the process that is meant")
    })?;
    let mut answer = Vec::new();
    let reading = stream.take(ANSWER_MAX_BYTES);
    tokio::pin!(reading);
    timeout(TIMEOUT, reading.read_to_end(&mut answer)).await.context("the service does not answer")??;
    let outcome: Result<Changes, String> =
        serde_json::from_slice(&answer).context("the service answers to its own user and to root alone")?;
    outcome
        .map_err(|error| anyhow::anyhow!("the settings cannot be used, and those from before hold: {error}"))
}

fn socket(address: SocketAddr) -> String {
    format!("\0wayfile {address}")
}

/// The next one who asks and may.
async fn next(asked: Option<&UnixListener>) -> UnixStream {
    let Some(asked) = asked else { return std::future::pending().await };
    loop {
        match asked.accept().await {
            Ok((stream, _)) if may_ask(&stream) => return stream,
            Ok(_) => {}
            // No descriptor is free, for one: later there may be.
            Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
        }
    }
}

fn may_ask(stream: &UnixStream) -> bool {
    let own = nix::unistd::geteuid().as_raw();
    stream.peer_cred().is_ok_and(|peer| peer.uid() == own || peer.uid() == 0)
}

async fn answer(mut stream: UnixStream, outcome: &Result<Changes, String>) -> io::Result<()> {
    let answer = serde_json::to_vec(outcome)?;
    timeout(TIMEOUT, stream.write_all(&answer)).await?
}
