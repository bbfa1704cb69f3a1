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
