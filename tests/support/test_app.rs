//! The real binary, serving on a free port with a store of its own.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use reqwest::{Client, RequestBuilder, Response};
use serde_json::Value;
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_wayfile");
/// A debug build on a busy machine starts within this time.
const START: Duration = Duration::from_mins(1);

/// Loopback may be fetched, at full speed, and no test runs into a limit that it does not set itself.
const SETTINGS: &str = r#"
[server]
listen = "127.0.0.1:0"
[crawl]
allow_networks = ["127.0.0.0/8"]
per_domain_delay = "0s"
[plans.free]
requests_per_minute = 60000
[plans.starter]
requests_per_minute = 60000
[plans.pro]
requests_per_minute = 60000
[plans.business]
requests_per_minute = 60000
crawls_at_once = 100
"#;

/// The running service; it is killed when dropped.
pub(crate) struct TestApp {
    pub(crate) url: String,
    pub(crate) client: Client,
    child: Child,
    folder: TempDir,
    log: Arc<Mutex<Vec<String>>>,
}

impl TestApp {
    pub(crate) fn start() -> Self {
        Self::with("")
    }

    /// `settings`: lines of TOML that go over those of all tests; a section may be named again.
    pub(crate) fn with(settings: &str) -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("wayfile.toml"), merged(settings, &folder)).unwrap();
        let mut child = wayfile(&folder, &["serve"]).stderr(Stdio::piped()).spawn().unwrap();
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let address = listening(&mut child, log.clone()).recv_timeout(START);
        let address = address.unwrap_or_else(|error| panic!("{error}: {:?}", log.lock().unwrap()));
        let url = format!("http://{address}");
        wayfile_actors::http::install_tls_provider();
        let client =
            Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { url, client, child, folder, log }
    }

    /// Writes other settings into its file, as [`TestApp::with`] does; it hears of them when it is told to.
    pub(crate) fn set(&self, settings: &str) {
        std::fs::write(self.folder.path().join("wayfile.toml"), merged(settings, &self.folder)).unwrap();
    }

    /// Where its store is, unless the settings name another place.
    pub(crate) fn store(&self) -> PathBuf {
        self.folder.path().join("wayfile.db")
    }

    /// Runs another command on the same settings.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        wayfile(&self.folder, args).output().unwrap()
    }

    /// A key of a new account with `plan`.
    pub(crate) fn key(&self, plan: &str) -> String {
        let email = format!("{plan}-{}@example.org", fastrand::u64(..));
        self.command(&["account", "create", "--email", &email, "--plan", plan]);
        let printed = self.command(&["key", "create", "--email", &email, "--name", "test"]);
        printed.lines().last().unwrap().to_owned()
    }

    /// Standard output of a command that must go well.
    pub(crate) fn command(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.url))
    }

    pub(crate) fn post(&self, path: &str) -> RequestBuilder {
        self.client.post(format!("{}{path}", self.url))
    }

    /// `POST /api/v1/generate` with a key.
    pub(crate) fn generate(&self, key: &str, body: &Value) -> RequestBuilder {
        self.ask("/api/v1/generate", key, body)
    }

    /// `POST /api/v1/validate` with a key.
    pub(crate) fn validate(&self, key: &str, body: &Value) -> RequestBuilder {
        self.ask("/api/v1/validate", key, body)
    }

    fn ask(&self, path: &str, key: &str, body: &Value) -> RequestBuilder {
        let request = self.post(path).header("x-api-key", key);
        request.header("content-type", "application/json").body(body.to_string())
    }

    /// What the key used of this month's quotas: generations and validations.
    pub(crate) async fn used(&self, key: &str) -> (u64, u64) {
        let usage = self.get("/api/v1/usage").header("x-api-key", key).send().await.unwrap();
        let (_, usage) = json(usage).await;
        (usage["generate"]["used"].as_u64().unwrap(), usage["validate"]["used"].as_u64().unwrap())
    }

    /// Sends a signal to the service.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.process()]).status();
        assert!(sent.unwrap().success());
    }

    /// The number of its process.
    pub(crate) fn process(&self) -> String {
        self.child.id().to_string()
    }

    /// How the service ended, if it does within `timeout`.
    pub(crate) async fn ended_within(&mut self, timeout: Duration) -> Option<std::process::ExitStatus> {
        let until = Instant::now() + timeout;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        None
    }

    /// Bytes of memory that it holds right now.
    pub(crate) fn memory(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
    }

    /// Everything logged so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().join("\n")
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("the service's log:\n{}", self.log());
        }
    }
}

/// Status and body of an answer that must be JSON.
pub(crate) async fn json(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    assert_eq!(response.headers()["content-type"], "application/json");
    (status, serde_json::from_slice(&response.bytes().await.unwrap()).unwrap())
}

fn wayfile(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    let path: PathBuf = folder.path().join("wayfile.toml");
    command.args(args).arg("--config").arg(path).current_dir(folder.path());
    // The machine's own settings must not reach a test.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WAYFILE")) {
        command.env_remove(name);
    }
    command.env("WAYFILE_LOG", "debug");
    command
}

fn merged(settings: &str, folder: &TempDir) -> String {
    let mut all: toml::Table = SETTINGS.parse().unwrap();
    let store = format!("[database]\nurl = \"sqlite://{}\"", folder.path().join("wayfile.db").display());
    for over in [store.as_str(), settings] {
        merge(&mut all, over.parse().unwrap());
    }
    all.to_string()
}

fn merge(under: &mut toml::Table, over: toml::Table) {
    for (name, value) in over {
        match (under.get_mut(&name), value) {
            (Some(toml::Value::Table(under)), toml::Value::Table(over)) => merge(under, over),
            (_, value) => drop(under.insert(name, value)),
        }
    }
}

/// Hears where the service listens; keeps its log.
fn listening(child: &mut Child, log: Arc<Mutex<Vec<String>>>) -> Receiver<String> {
    let (tell, heard) = channel();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            let event: Value = serde_json::from_str(&line).unwrap_or_default();
            log.lock().unwrap().push(line);
            if event["message"] == "listening" {
                let _ = tell.send(event["address"].as_str().unwrap().to_owned());
            }
        }
    });
    heard
}
