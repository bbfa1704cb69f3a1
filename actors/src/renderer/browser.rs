//! One browser process, from its start to its end.

use std::io::{self, Error};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::OptionFuture;
use nix::unistd::User;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::timeout;

use super::connection::Connection;
use super::watch::Watch;
use crate::metrics;
use crate::settings::BrowserSettings;

/// Pages that one browser opens before another takes its place: its memory grows with them.
const PAGES_PER_PROCESS: usize = 200;
/// Time for a browser to say its first word.
const START_TIME: Duration = Duration::from_secs(20);
/// Time for a browser that failed to end: its processes may hold its standard error for longer.
const END_TIME: Duration = Duration::from_secs(2);
/// What is kept of what a browser says on its standard error.
const LAST_WORDS: u64 = 4 << 10;

/// A browser without a face, that remembers nothing and asks for nothing of its own. It has no network (see
/// [`Watch`]); the switches that keep it from trying spare it the errors.
const FLAGS: [&str; 24] = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--mute-audio",
    "--password-store=basic",
    "--hide-scrollbars",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-domain-reliability",
    "--disable-quic",
    "--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider,ServiceWorkerPaymentApps",
    "--disable-blink-features=AutomationControlled",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
];

/// A browser that runs. It ends with its last holder.
#[derive(Debug)]
pub(super) struct Browser {
    pub(super) connection: Connection,
    pub(super) opened: AtomicUsize,
    /// Its standard input is what tells the watcher that we are there.
    _watcher: Child,
}

impl Browser {
    /// Starts a browser.
    /// Errors: Why there is none, with what it said itself.
    pub(super) async fn start(
        settings: &BrowserSettings,
        path: &Path,
        user: Option<&User>,
        max_bytes: usize,
    ) -> io::Result<Self> {
        metrics::BROWSER_STARTS.count([]);
        let (mut watcher, socket) = spawn(settings, path, user)?;
        let words = watcher.stderr.take().map(|stderr| tokio::spawn(last_words(stderr)));
        let connection = Connection::open(socket, max_bytes)?;
        let browser = Self { connection, opened: AtomicUsize::new(0), _watcher: watcher };
        let greeting = browser.connection.ask(None, "Browser.getVersion", json!({}));
        if let Ok(Ok(version)) = timeout(START_TIME, greeting).await {
            let version = version["product"].as_str().unwrap_or_default();
            tracing::info!(version, "a browser was started");
            let discover = json!({ "discover": true, "filter": [{ "type": "page" }] });
            browser.connection.tell(None, "Target.setDiscoverTargets", discover);
            return Ok(browser);
        }
        drop(browser);
        let words = timeout(END_TIME, OptionFuture::from(words)).await.ok().flatten();
        let words = words.and_then(Result::ok).unwrap_or_default();
        Err(Error::other(format!("it ended or did not answer; its last words: {words}")))
    }

    pub(super) fn is_fit(&self) -> bool {
        !self.connection.is_closed() && self.opened.load(Ordering::Relaxed) < PAGES_PER_PROCESS
    }
}

fn spawn(settings: &BrowserSettings, path: &Path, user: Option<&User>) -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let told = Watch {
        browser: Some(path.to_owned()),
        memory: settings.memory.0 as u64 / 1024,
        arguments: FLAGS.map(str::to_owned).into(),
        ..Watch::new(user)
    };
    let mut command = Command::from(told.command()?);
    command.stdin(Stdio::piped()).stdout(OwnedFd::from(theirs)).stderr(Stdio::piped());
    Ok((command.spawn()?, ours))
}

/// What a browser says on its standard error, up to a bound; what is beyond is read and forgotten.
async fn last_words(mut stderr: ChildStderr) -> String {
    let mut words = Vec::new();
    // A pipe that breaks has nothing more to say.
    let _ = (&mut stderr).take(LAST_WORDS).read_to_end(&mut words).await;
    let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&words).into_owned()
}
