//! `/healthz`, `/readyz` and `wayfile health`.

use serde_json::json;

use crate::run;
use crate::test_app::{self, TestApp};

#[test]
fn a_running_service_is_healthy_and_ready() {
    run(async {
        let app = TestApp::start();
        for path in ["/healthz", "/readyz"] {
            let response = app.get(path).send().await.unwrap();
            assert_eq!(test_app::json(response).await, (200, json!({"status": "ok"})));
            let head = app.client.head(format!("{}{path}", app.url)).send().await.unwrap();
            assert_eq!(head.status(), 200);
            assert!(head.bytes().await.unwrap().is_empty());
        }
    });
}

#[test]
fn whoever_asks_whether_it_is_ready_has_nothing_written() {
    run(async {
        let app = TestApp::start();
        let log = format!("{}-wal", app.store().display());
        let bytes = || std::fs::metadata(&log).unwrap().len();
        let before = bytes();
        for _ in 0..300 {
            assert_eq!(app.get("/readyz").send().await.unwrap().status(), 200);
        }
        // A change is a page of 4 KiB at least; the service itself writes one every few seconds.
        let pages = bytes().saturating_sub(before) >> 12;
        assert!(pages < 100, "{pages} pages were written");
    });
}
