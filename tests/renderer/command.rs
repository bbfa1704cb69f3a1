//! The commands that open pages in a browser, each with a folder for temporary files of its own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::CHROMIUM;

/// What a run left behind: processes that know the folder, and what lies in it.
#[derive(Debug, PartialEq, Eq, Default)]
pub(crate) struct Left {
    pub(crate) processes: Vec<String>,
    pub(crate) folders: Vec<PathBuf>,
}

/// A folder for temporary files, which the browser's user may write to as well.
pub(crate) struct Place {
    folder: TempDir,
    pub(crate) settings: String,
    pub(crate) browser: String,
    /// What the commands have in the place of /etc/hosts, where a test says so.
    pub(crate) hosts: Option<PathBuf>,
}

/// What a run of `generate` gave.
pub(crate) struct Ran {
    pub(crate) ok: bool,
    pub(crate) files: String,
    pub(crate) said: String,
    pub(crate) report: Value,
    pub(crate) took: Duration,
}

impl Ran {
    /// The outcome of an address, by its path.
    pub(crate) fn outcome(&self, path: &str) -> &Value {
        let pages = self.report["pages"].as_array().unwrap();
        let is_it = |page: &&Value| {
            page["url"].as_str().unwrap().splitn(4, '/').nth(3).map(|rest| format!("/{rest}")).as_deref()
                == Some(path)
        };
        pages.iter().find(is_it).unwrap_or(&Value::Null)
    }
}

/// A program that finds `hosts` where the machine has its /etc/hosts.
fn with_hosts(hosts: &Path, program: &str) -> Command {
    let mut command = Command::new("unshare");
    if !nix::unistd::geteuid().is_root() {
        command.args(["--user", "--map-current-user", "--keep-caps"]);
    }
    let bind = r#"mount --bind "$1" /etc/hosts && shift && exec "$@""#;
    command.args(["--mount", "sh", "-c", bind, "sh"]).arg(hosts).arg(program);
    command
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o1777)).unwrap();
        let settings = "[crawl]\nallow_networks = [\"127.0.0.1/32\"]\nper_domain_delay = \"0s\"\n".to_owned();
        Self { folder, settings, browser: CHROMIUM.to_owned(), hosts: None }
    }

    /// Lines of TOML that come after those of all tests.
    pub(crate) fn with(settings: &str) -> Self {
        let mut place = Self::new();
        place.settings.push_str(settings);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let config = self.path("wayfile.toml");
        fs::write(&config, &self.settings).unwrap();
        let wayfile = env!("CARGO_BIN_EXE_wayfile");
        let mut command = match &self.hosts {
            Some(hosts) => with_hosts(hosts, wayfile),
            None => Command::new(wayfile),
        };
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WAYFILE")) {
            command.env_remove(name);
        }
        command.env("TMPDIR", self.folder.path()).args(args).arg("--config").arg(config);
        command.stdin(Stdio::null());
        command
    }

    /// `wayfile generate` with the browser, in a thread of its own: the sites are served by this one.
    pub(crate) async fn generate(&self, url: &str) -> Ran {
        let report = self.path("report.json");
        let told = report.display().to_string();
        let mut command = self.command(&["generate", url, "--browser", &self.browser, "--report", &told]);
        let began = Instant::now();
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let report = fs::read(report).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Ran {
            ok: output.status.success(),
            files: text(&output.stdout),
            said: text(&output.stderr),
            report: report.unwrap_or_default(),
            took: began.elapsed(),
        }
    }

    /// A run that is not waited for.
    pub(crate) fn begin(&self, url: &str) -> Child {
        let mut command = self.command(&["generate", url, "--browser", &self.browser]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Processes that name the folder of a profile here, and those folders.
    pub(crate) fn left(&self) -> Left {
        let mine = self.folder.path().join("wayfile-browser-").display().to_string();
        let mut left = Left::default();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            if line.contains(&mine) {
                left.processes.push(line);
            }
        }
        for entry in fs::read_dir(self.folder.path()).unwrap().flatten() {
            if entry.file_name().to_string_lossy().starts_with("wayfile-browser-") {
                left.folders.push(entry.path());
            }
        }
        left
    }

    /// What is left when `timeout` is over, or nothing.
    pub(crate) async fn left_after(&self, timeout: Duration) -> Left {
        let until = Instant::now() + timeout;
        loop {
            let left = self.left();
            if left == Left::default() || Instant::now() > until {
                return left;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until a browser runs here.
    pub(crate) async fn browser_runs(&self) {
        let until = Instant::now() + Duration::from_mins(1);
        while self.left().processes.is_empty() {
            assert!(Instant::now() < until, "no browser was started");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
