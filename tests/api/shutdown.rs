//! SIGTERM: running requests end, new ones are refused, and then the process is gone.

use std::time::Duration;

use serde_json::json;

use crate::fake_site::{FakeSite, numbered};
use crate::run;
use crate::test_app::{self, TestApp};

const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn running_requests_end_and_new_ones_are_refused() {
    run(async {
        let mut app = TestApp::start();
        let site = FakeSite::start(|path| numbered(path, 8).after(Duration::from_millis(250)));
        let key = app.key("pro");
        let running = app.generate(&key, &json!({"url": site.url()})).send();
        let meanwhile = async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            app.signal("TERM");
            tokio::time::sleep(Duration::from_millis(200)).await;
            let refused = app.generate(&key, &json!({"url": site.url()})).send().await.unwrap();
            let ready = app.get("/readyz").send().await.unwrap();
            let page = app.get("/login").send().await.unwrap();
            (refused, ready, page, app.get("/healthz").send().await.unwrap().status())
        };
        let (running, (refused, ready, page, health)) = tokio::join!(running, meanwhile);
        let (status, answer) = test_app::json(running.unwrap()).await;
        assert_eq!((status, &answer["note"]), (200, &json!(null)));
        assert!(refused.headers().contains_key("retry-after") && refused.headers().contains_key("ratelimit"));
        for response in [refused, ready] {
            let (status, body) = test_app::json(response).await;
            assert_eq!((status, body["code"].as_str()), (503, Some("shutting_down")));
        }
        assert_eq!(
            (page.status().as_u16(), &page.headers()["content-type"] == "text/html; charset=utf-8"),
            (503, true)
        );
        assert_eq!(health, 200);
        let ended = app.ended_within(PATIENCE).await.expect("the service did not end");
        assert!(ended.success(), "{ended}");
    });
}

#[test]
fn when_the_drain_time_is_over_running_requests_end_with_what_they_have() {
    run(async {
        let mut app = TestApp::with("[server]\ndrain_timeout = \"300ms\"");
        let site = FakeSite::start(|path| numbered(path, 300).after(Duration::from_millis(50)));
        let key = app.key("pro");
        let running = app.generate(&key, &json!({"url": site.url()})).send();
        let telling = async {
            tokio::time::sleep(Duration::from_millis(800)).await;
            app.signal("TERM");
        };
        let (running, ()) = tokio::join!(running, telling);
        let (status, answer) = test_app::json(running.unwrap()).await;
        assert_eq!(status, 200);
        assert!(answer["note"].as_str().unwrap().contains("time was up"), "{}", answer["note"]);
        assert!(app.ended_within(PATIENCE).await.expect("the service did not end").success());
    });
}
