//! A client that hangs up stops its validation within a second and pays nothing.

use std::time::Duration;

use serde_json::json;

use crate::fake_site::{FakeSite, each, numbered};
use crate::run;
use crate::test_app::TestApp;

#[test]
fn fetches_nothing_after_the_client_left() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 50).after(Duration::from_millis(200)));
        let app = TestApp::start();
        let key = app.key("pro");
        let links = each(0..50, |n| format!("- [Chapter {n}]({}docs/{n}.html)\n", site.url()));
        let asking = app.validate(&key, &json!({"content": format!("# Tide\n\n## Docs\n\n{links}")})).send();
        let left = tokio::time::timeout(Duration::from_millis(800), asking).await;
        assert!(left.is_err(), "the validation was over before its client left");
        tokio::time::sleep(Duration::from_secs(1)).await;
        let then = site.hits().len();
        assert!((1..50).contains(&then), "{then}");
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(site.hits().len(), then, "requests went on after the client had left");
        assert_eq!(app.used(&key).await, (0, 0));
    });
}
