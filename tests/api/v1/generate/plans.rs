//! What a plan includes.

use std::time::Duration;

use insta::assert_json_snapshot;
use serde_json::json;

use crate::fake_site::{FakeSite, numbered};
use crate::run;
use crate::test_app::{self, TestApp};

#[test]
fn the_free_plan_has_no_full_file_and_says_how_to_get_it() {
    run(async {
        let (app, site) = (TestApp::start(), FakeSite::start(|path| numbered(path, 3)));
        let key = app.key("free");
        let body = json!({"url": site.url(), "fileType": "llms-full"});
        let refused = app.generate(&key, &body).header("x-request-id", "test").send().await.unwrap();
        let (status, body) = test_app::json(refused).await;
        assert_eq!(status, 403);
        assert_json_snapshot!("not_in_plan", body);
        assert_eq!(site.hits().len(), 0);
        let (status, less) =
            test_app::json(app.generate(&key, &json!({"url": site.url()})).send().await.unwrap()).await;
        assert_eq!((status, &less["fileType"], &less["llmsFullTxt"]), (200, &json!("llms"), &json!(null)));
        assert!(less["note"].as_str().unwrap().contains("Upgrade to the starter plan"), "{}", less["note"]);
    });
}

#[test]
fn a_plan_caps_the_pages_of_both_files() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 12));
        let app = TestApp::with("[plans.starter]\nindex_pages = 6\nfull_pages = 4");
        let key = app.key("starter");
        let (_, answer) =
            test_app::json(app.generate(&key, &json!({"url": site.url()})).send().await.unwrap()).await;
        let index = answer["llmsTxt"].as_str().unwrap();
        assert_eq!(
            index.lines().filter(|line| line.starts_with("- [") && line.contains("/docs/")).count(),
            6
        );
        let full = answer["llmsFullTxt"].as_str().unwrap();
        assert_eq!(full.matches("\nSource: ").count(), 4, "{full}");
        assert!(answer["note"].as_str().unwrap().contains("beyond the page limit"));
    });
}

/// A site whose pages take their time.
fn slow() -> FakeSite {
    FakeSite::start(|path| numbered(path, 3).after(Duration::from_millis(600)))
}

async fn after<T>(ms: u64, work: impl Future<Output = T>) -> T {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    work.await
}

#[test]
fn more_crawls_at_once_than_the_plan_has_wait_and_are_then_refused() {
    run(async {
        let (one, two) = (slow(), slow());
        let app = TestApp::with("[crawl]\nqueue_wait = \"200ms\"");
        let key = app.key("free");
        let ask = |site: &FakeSite| app.generate(&key, &json!({"url": site.url()})).send();
        let first = ask(&one);
        let joins = after(300, ask(&one));
        let other = after(1_200, ask(&two));
        let (first, joins, other) = tokio::join!(first, joins, other);
        assert_eq!((first.unwrap().status().as_u16(), joins.unwrap().status().as_u16()), (200, 200));
        let other = other.unwrap();
        // The first has been running for more than a second by then, and nobody knows how much longer it will.
        let wait: u64 = other.headers()["retry-after"].to_str().unwrap().parse().unwrap();
        assert!(wait >= 2, "{wait}");
        let (status, body) = test_app::json(other).await;
        assert_eq!((status, body["code"].as_str()), (429, Some("too_many_crawls")));
        let usage = app.get("/api/v1/usage").header("x-api-key", &key).send().await.unwrap();
        assert_eq!(test_app::json(usage).await.1["generate"]["used"], 2);
    });
}

#[test]
fn a_crawl_keeps_its_slot_when_the_request_that_began_it_leaves() {
    run(async {
        let (one, two) = (slow(), slow());
        let app = TestApp::with("[crawl]\nqueue_wait = \"200ms\"");
        let key = app.key("free");
        let ask = |site: &FakeSite| app.generate(&key, &json!({"url": site.url()})).send();
        let first = tokio::time::timeout(Duration::from_millis(500), ask(&one));
        let joins = after(250, ask(&one));
        let other = after(900, ask(&two));
        let (first, joins, other) = tokio::join!(first, joins, other);
        assert!(first.is_err(), "it left");
        assert_eq!(joins.unwrap().status(), 200);
        assert_eq!(other.unwrap().status(), 429, "the crawl of the other site runs still");
        assert_eq!(ask(&two).await.unwrap().status(), 200, "it is free when that has ended");
    });
}

#[test]
fn a_caller_may_ask_for_fewer_pages() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 12));
        let app = TestApp::with("[plans.starter]\nindex_pages = 10\nfull_pages = 4");
        let key = app.key("starter");
        let ask = async |more: serde_json::Value| {
            let mut body = json!({"url": site.url()});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            test_app::json(app.generate(&key, &body).send().await.unwrap()).await
        };
        let count = |answer: &serde_json::Value, file: &str, mark: &str| {
            answer[file].as_str().unwrap().matches(mark).count()
        };
        let (_, few) = ask(json!({"maxPages": 3})).await;
        assert_eq!(
            (count(&few, "llmsTxt", "\n- [Chapter"), count(&few, "llmsFullTxt", "\nSource: ")),
            (3, 3)
        );
        let (_, some) = ask(json!({"include": ["/docs/1*"], "exclude": ["/docs/11.html"]})).await;
        assert_eq!(count(&some, "llmsTxt", "\n- [Chapter"), 2, "{some}");
        for (more, param) in [
            (json!({"maxPages": 11}), "maxPages"),
            (json!({"maxPages": 0}), "maxPages"),
            (json!({"maxPages": "3"}), "maxPages"),
            (json!({"include": "/docs/**"}), "include"),
            (json!({"exclude": ["/[a"]}), "exclude"),
            (json!({"exclude": vec!["/a"; 21]}), "exclude"),
        ] {
            let (status, answer) = ask(more.clone()).await;
            assert_eq!((status, &answer["param"]), (400, &json!(param)), "{more}: {answer}");
        }
        assert_eq!(app.used(&key).await.0, 2);
    });
}
