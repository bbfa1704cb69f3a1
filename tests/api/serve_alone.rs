//! With SQLite one process serves, and its file is its owner's alone.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use crate::run;
use crate::test_app::{TestApp, json};

const TIMEOUT: Duration = Duration::from_secs(20);

#[test]
fn behind_the_end_all_of_the_store_is_in_its_file() {
    run(async {
        let mut app = TestApp::start();
        app.key("free");
        app.signal("TERM");
        app.ended_within(TIMEOUT).await.unwrap();
        let beside = std::fs::metadata(format!("{}-wal", app.store().display()));
        assert_eq!(beside.map_or(0, |log| log.len()), 0, "{}", app.log());
        let copy = app.store().with_file_name("copy.db");
        std::fs::copy(app.store(), &copy).unwrap();
        let copied = TestApp::with(&format!("[database]\nurl = \"sqlite://{}\"", copy.display()));
        assert!(copied.command(&["account", "list"]).contains("verified"));
    });
}

#[test]
fn a_second_service_on_the_same_file_is_refused_and_commands_work_meanwhile() {
    run(async {
        let mut app = TestApp::start();
        let refused = app.run(&["serve"]);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{said}");
        assert!(said.contains("another `wayfile serve` runs on") && said.contains("PostgreSQL"), "{said}");
        app.key("free");
        for beside in ["", "-wal", ".serve.lock"] {
            let file = format!("{}{beside}", app.store().display());
            assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
        }
        // One that is refused leaves nothing behind, and what is written to a file that is gone is not taken for kept.
        std::fs::remove_file(app.store()).unwrap();
        assert_eq!(app.run(&["serve"]).status.code(), Some(1));
        assert!(!app.store().exists());
        let since = std::time::Instant::now();
        loop {
            let (status, body) = json(app.get("/readyz").send().await.unwrap()).await;
            if status == 503 && body.to_string().contains("its file was deleted or replaced") {
                break;
            }
            assert!(since.elapsed() < TIMEOUT, "{body}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // However it ends, the next one may start.
        app.signal("KILL");
        app.ended_within(TIMEOUT).await.unwrap();
        let next = TestApp::with(&format!("[database]\nurl = \"sqlite://{}\"", app.store().display()));
        next.key("free");
    });
}
