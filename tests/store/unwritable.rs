//! SQLite cannot be written: its disk is full, or somebody else holds its lock.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection};

use crate::fake_site::{FakeSite, numbered};
use crate::run;
use crate::test_app::{TestApp, json as answer_of};

/// A busy machine notices within this time.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Set where everything that tests need must be there.
const REQUIRE: &str = "WAYFILE_TESTS_REQUIRE";

/// A disk of its own, in memory.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// None where no disk may be mounted, and a line says so.
    fn mount() -> Option<Self> {
        let disk = Self(tempfile::tempdir().unwrap());
        let mut mount = Command::new("mount");
        let mounted = mount.args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(disk.0.path()).output();
        if mounted.is_ok_and(|mounted| mounted.status.success()) {
            return Some(disk);
        }
        assert!(std::env::var_os(REQUIRE).is_none(), "no disk may be mounted");
        eprintln!("skipped: no disk may be mounted");
        None
    }

    fn filler(&self) -> PathBuf {
        self.0.path().join("filler")
    }

    /// Leaves not one byte.
    fn fill(&self) {
        let mut filler = std::fs::File::create(self.filler()).unwrap();
        for size in [4096, 1] {
            while filler.write_all(&vec![7; size]).is_ok() {}
        }
    }

    fn empty(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).status();
    }
}

async fn ready(app: &TestApp) -> (u16, Value) {
    answer_of(app.get("/readyz").send().await.unwrap()).await
}

/// Waits until `/readyz` says `status`; what it says with it.
async fn ready_is(app: &TestApp, status: u16) -> String {
    let since = Instant::now();
    loop {
        let (told, body) = ready(app).await;
        if told == status {
            return body["message"].as_str().unwrap_or_default().to_owned();
        }
        assert!(since.elapsed() < TIMEOUT, "{told} {body}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn count(url: &str, of: &'static str) -> i64 {
    sqlx::any::install_default_drivers();
    sqlx::query_scalar(of).fetch_one(&mut AnyConnection::connect(url).await.unwrap()).await.unwrap()
}

async fn lock(file: &Path) -> AnyConnection {
    sqlx::any::install_default_drivers();
    let mut holder = AnyConnection::connect(&format!("sqlite://{}", file.display())).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut holder).await.unwrap();
    holder
}

#[test]
fn a_full_disk_is_told_and_what_was_ready_is_answered() {
    let Some(disk) = SmallDisk::mount() else { return };
    run("sqlite://unused.db".to_owned(), None, |_| async move {
        let url = format!("sqlite://{}", disk.0.path().join("wayfile.db").display());
        let app = TestApp::with(&format!("[database]\nurl = \"{url}\""));
        let site = FakeSite::start(|path| numbered(path, 3).after(Duration::from_secs(1)));
        let key = app.key("pro");
        let generate = |name| app.generate(&key, &json!({"url": site.url()})).header("idempotency-key", name);
        // Pages fetched lately would be there at once, and no run would be under way.
        let slow = |name| generate(name).header("cache-control", "no-cache");
        let text = json!({"content": "# Tide", "checkLinks": false});
        assert_eq!(generate("before").send().await.unwrap().status(), 200);
        assert_eq!(ready(&app).await.0, 200);

        // It fills up while runs are under way.
        let filling = async {
            let since = Instant::now();
            while count(&url, "SELECT count(*) FROM reservations WHERE state = 'held'").await < 2 {
                assert!(since.elapsed() < TIMEOUT, "no two runs are under way");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            disk.fill();
        };
        let (one, two, ()) = tokio::join!(slow("one").send(), slow("two").send(), filling);
        for run in [one, two] {
            let (status, files) = answer_of(run.unwrap()).await;
            assert_eq!(status, 200, "{files}");
            assert!(files["llmsTxt"].as_str().is_some_and(|text| text.starts_with("# ")), "{files}");
        }
        assert!(ready_is(&app, 503).await.contains("its disk is full"));
        let refused = app.validate(&key, &text).send().await.unwrap();
        assert!(refused.headers().contains_key("retry-after"));
        assert_eq!(answer_of(refused).await.1["code"], "store_unavailable");
        assert_eq!(app.get("/healthz").send().await.unwrap().status(), 200);
        let again = generate("before").send().await.unwrap();
        assert_eq!(again.headers()["idempotent-replayed"], "true", "to read needs no room");

        disk.empty();
        ready_is(&app, 200).await;
        let since = Instant::now();
        while count(&url, "SELECT CAST(sum(settled) AS BIGINT) FROM day_usage").await != 3 {
            assert!(since.elapsed() < TIMEOUT, "used: {:?}", app.used(&key).await);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(app.used(&key).await, (3, 0));
        // Nothing of what failed stays in the way: whatever connection is taken, answers are kept again.
        for name in ["a", "b", "c", "d"] {
            assert_eq!(generate(name).send().await.unwrap().status(), 200);
            let again = generate(name).send().await.unwrap();
            assert_eq!(again.headers()["idempotent-replayed"], "true", "{name}");
        }
        assert_eq!(app.used(&key).await, (7, 0));
    });
}

#[test]
fn a_file_that_may_not_grow_is_as_a_disk_that_fails() {
    run("sqlite://unused.db".to_owned(), None, |_| async move {
        let app = TestApp::start();
        let key = app.key("pro");
        let text = json!({"content": "# Tide", "checkLinks": false});
        let files_of = |bytes: &str| {
            let limit = Command::new("prlimit")
                .args(["--pid", &app.process(), &format!("--fsize={bytes}:unlimited")])
                .status();
            assert!(limit.unwrap().success());
        };
        files_of("0");
        assert!(ready_is(&app, 503).await.contains("its disk"));
        let refused = answer_of(app.validate(&key, &text).send().await.unwrap()).await;
        assert_eq!(
            (refused.0, refused.1["code"].as_str()),
            (503, Some("store_unavailable")),
            "{}",
            refused.1
        );
        files_of("unlimited");
        ready_is(&app, 200).await;
        assert_eq!(app.validate(&key, &text).send().await.unwrap().status(), 200);
    });
}

#[test]
fn waiters_behind_a_lock_time_out() {
    run("sqlite://unused.db".to_owned(), None, |_| async move {
        let app = TestApp::with("[database]\ntimeout = \"2s\"");
        let key = app.key("business");
        let text = json!({"content": "# Tide", "checkLinks": false});
        let named = |name: usize| app.validate(&key, &text).header("idempotency-key", format!("{name}"));
        assert_eq!(app.validate(&key, &text).send().await.unwrap().status(), 200);
        let mut holder = lock(&app.store()).await;
        let since = Instant::now();
        let plain = join_all((0..60).map(|_| app.validate(&key, &text).send()));
        let (plain, named) = tokio::join!(plain, join_all((0..30).map(|name| named(name).send())));
        // One after the other they would have waited for minutes.
        assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
        for answer in plain.into_iter().chain(named) {
            let answer = answer.unwrap();
            assert!(answer.headers().contains_key("retry-after"));
            let (status, body) = answer_of(answer).await;
            assert_eq!((status, body["code"].as_str()), (503, Some("store_unavailable")), "{body}");
        }
        assert!(ready_is(&app, 503).await.contains("lock"));
        sqlx::query("ROLLBACK").execute(&mut holder).await.unwrap();
        ready_is(&app, 200).await;
        assert_eq!(app.used(&key).await, (0, 1), "what was refused counts nothing");
        assert_eq!(app.validate(&key, &text).send().await.unwrap().status(), 200);
    });
}
