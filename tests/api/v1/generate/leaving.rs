//! A client that hangs up stops its crawl within a second and pays nothing.

use std::time::Duration;

use serde_json::json;

use crate::fake_site::{FakeSite, numbered};
use crate::run;
use crate::test_app::{self, TestApp};

async fn leaves(accept: &'static str) {
    let (app, site) =
        (TestApp::start(), FakeSite::start(|path| numbered(path, 300).after(Duration::from_millis(30))));
    let key = app.key("business");
    let asking = app.generate(&key, &json!({"url": site.url()})).header("accept", accept);
    let left =
        tokio::time::timeout(Duration::from_millis(800), async { asking.send().await.unwrap().text().await })
            .await;
    assert!(left.is_err(), "the crawl was over before its client left");
    tokio::time::sleep(Duration::from_secs(1)).await;
    let then = site.hits().len();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(site.hits().len(), then, "requests went on after the client had left");
    let usage = app.get("/api/v1/usage").header("x-api-key", &key).send().await.unwrap();
    assert_eq!(test_app::json(usage).await.1["generate"]["used"], 0);
}

#[test]
fn from_a_plain_answer() {
    run(leaves("application/json"));
}

#[test]
fn from_a_stream() {
    run(leaves("text/event-stream"));
}
