//! `Idempotency-Key`: one run, however often the request is sent.

use serde_json::json;

use crate::fake_site::{FakeSite, numbered};
use crate::run;
use crate::test_app::{self, TestApp};

#[test]
fn the_same_request_is_answered_again_at_no_cost_and_another_is_refused() {
    run(async {
        let (app, site) = (TestApp::start(), FakeSite::start(|path| numbered(path, 3)));
        let key = app.key("pro");
        let body = json!({"url": site.url()});
        let ask = || app.generate(&key, &body).header("idempotency-key", "order-7");
        let first = ask().send().await.unwrap();
        assert!(!first.headers().contains_key("idempotent-replayed"));
        let first = test_app::json(first).await;
        let again = ask().header("cache-control", "no-cache").send().await.unwrap();
        assert_eq!(again.headers()["idempotent-replayed"], "true");
        assert_eq!(test_app::json(again).await, first);
        assert_eq!(site.count("/docs/1.html"), 1);
        let streamed =
            ask().header("accept", "text/event-stream").send().await.unwrap().text().await.unwrap();
        assert!(streamed.starts_with("event: done\n"), "{streamed}");

        let other = app
            .generate(&key, &json!({"url": site.url(), "fileType": "llms"}))
            .header("idempotency-key", "order-7");
        let (status, refused) = test_app::json(other.send().await.unwrap()).await;
        assert_eq!((status, refused["code"].as_str()), (409, Some("idempotency_key_reused")));

        let stranger = app.key("pro");
        let theirs =
            app.generate(&stranger, &body).header("idempotency-key", "order-7").send().await.unwrap();
        assert!(!theirs.headers().contains_key("idempotent-replayed"), "a name is of one API key");
        let usage = app.get("/api/v1/usage").header("x-api-key", &key).send().await.unwrap();
        assert_eq!(test_app::json(usage).await.1["generate"]["used"], 1);
    });
}

#[test]
fn the_second_waits_for_the_first() {
    run(async {
        let (app, site) = (
            TestApp::start(),
            FakeSite::start(|path| numbered(path, 3).after(std::time::Duration::from_millis(300))),
        );
        let key = app.key("business");
        let body = json!({"url": site.url()});
        let ask = || app.generate(&key, &body).header("idempotency-key", "once").send();
        let (one, two) = tokio::join!(ask(), ask());
        let (one, two) = (one.unwrap(), two.unwrap());
        let replayed = [&one, &two].map(|r| r.headers().contains_key("idempotent-replayed"));
        assert_ne!(replayed[0], replayed[1]);
        assert_eq!(test_app::json(one).await, test_app::json(two).await);
        let usage = app.get("/api/v1/usage").header("x-api-key", &key).send().await.unwrap();
        assert_eq!(test_app::json(usage).await.1["generate"]["used"], 1);
    });
}

#[test]
fn a_stream_behind_another_request_says_that_it_waits() {
    run(async {
        let slow =
            |path: &str| std::time::Duration::from_secs(if path.starts_with("/docs/") { 4 } else { 0 });
        let (app, site) =
            (TestApp::start(), FakeSite::start(move |path| numbered(path, 8).after(slow(path))));
        let key = app.key("business");
        let body = json!({"url": site.url()});
        let ask = || app.generate(&key, &body).header("idempotency-key", "once");
        let is_over = std::cell::Cell::new(false);
        let first = async {
            let answer = ask().send().await.unwrap();
            is_over.set(true);
            test_app::json(answer).await
        };
        let second = async {
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            let streamed = ask().header("accept", "text/event-stream").send().await.unwrap();
            assert!(!is_over.get(), "it began to stream when the first was over");
            streamed.text().await.unwrap()
        };
        let ((status, files), streamed) = tokio::join!(first, second);
        assert_eq!(status, 200, "{files}");
        let done = streamed.strip_prefix("event: done\ndata: ").unwrap_or_else(|| panic!("{streamed}"));
        assert_eq!(serde_json::from_str::<serde_json::Value>(done.trim()).unwrap(), files);
        let usage = app.get("/api/v1/usage").header("x-api-key", &key).send().await.unwrap();
        assert_eq!(test_app::json(usage).await.1["generate"]["used"], 1);
    });
}

#[test]
fn waiter_that_must_run_gets_the_full_deadline() {
    run(async {
        let settings = "[crawl]\ndeadline = \"10s\"\nper_domain_concurrency = 1\ncache_bytes = \"0\"";
        let (app, site) = (
            TestApp::with(settings),
            FakeSite::start(|path| numbered(path, 12).after(std::time::Duration::from_millis(450))),
        );
        let key = app.key("business");
        let body = json!({"url": site.url()});
        let ask = || app.generate(&key, &body).header("idempotency-key", "once").send();
        let first = async {
            let left = tokio::time::timeout(std::time::Duration::from_secs(5), ask()).await;
            assert!(left.is_err(), "the first was over before its client left");
        };
        let second = async {
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            test_app::json(ask().await.unwrap()).await
        };
        let ((), (status, answer)) = tokio::join!(first, second);
        assert_eq!((status, &answer["note"]), (200, &json!(null)), "{answer}");
    });
}

#[test]
fn a_run_that_failed_is_not_kept() {
    run(async {
        let app = TestApp::start();
        let key = app.key("pro");
        let ask =
            || app.generate(&key, &json!({"url": "http://127.0.0.1:9/"})).header("idempotency-key", "x");
        for _ in 0..2 {
            let response = ask().send().await.unwrap();
            assert!(!response.headers().contains_key("idempotent-replayed"));
            assert_eq!(response.status(), 500);
        }
        for round in 0..20 {
            let ask = async |url: &str| {
                let ask =
                    app.generate(&key, &json!({"url": url})).header("idempotency-key", format!("r{round}"));
                ask.send().await.unwrap().status()
            };
            assert_eq!(ask("http://127.0.0.1:9/").await, 500);
            assert_eq!(ask("http://127.0.0.1:9/corrected").await, 500, "it came when the first had failed");
        }
        let long = app.generate(&key, &json!({"url": "docs.rs"})).header("idempotency-key", "x".repeat(256));
        let (status, refused) = test_app::json(long.send().await.unwrap()).await;
        assert_eq!((status, refused["code"].as_str()), (400, Some("invalid_header")));
    });
}
