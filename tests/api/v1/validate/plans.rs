//! Validations have a quota of their own and wait behind no crawl.

use std::time::Duration;

use serde_json::json;

use crate::fake_site::{FakeSite, numbered};
use crate::run;
use crate::test_app::{self, TestApp};

#[test]
fn a_month_has_so_many_and_generation_none_the_fewer() {
    run(async {
        let app = TestApp::with("[plans.free]\nvalidate_per_month = 2\ngenerate_per_month = 1");
        let key = app.key("free");
        let body = json!({"content": "# Tide", "checkLinks": false});
        for left in [1, 0] {
            let response = app.validate(&key, &body).send().await.unwrap();
            assert_eq!(response.status(), 200);
            let header = |name: &str| response.headers()[name].to_str().unwrap();
            assert!(header("ratelimit").contains(&format!("\"month\";r={left};")), "{}", header("ratelimit"));
            assert!(header("ratelimit-policy").contains("\"month\";q=2;"), "{}", header("ratelimit-policy"));
        }
        let spent = app.validate(&key, &body).send().await.unwrap();
        assert!(spent.headers().contains_key("retry-after") && spent.headers().contains_key("ratelimit"));
        let (status, answer) = test_app::json(spent).await;
        assert_eq!((status, answer["code"].as_str()), (429, Some("quota_exceeded")));
        assert!(answer["message"].as_str().unwrap().contains("2 validate requests a month"), "{answer}");
        assert_eq!(app.used(&key).await, (0, 2));
        let site = FakeSite::start(|path| numbered(path, 1));
        assert_eq!(app.generate(&key, &json!({"url": site.url()})).send().await.unwrap().status(), 200);
    });
}

#[test]
fn validations_run_while_crawls_are_full() {
    run(async {
        let slow = FakeSite::start(|path| numbered(path, 3).after(Duration::from_secs(1)));
        let app =
            TestApp::with("[crawl]\nmax_crawls = 1\nqueue_wait = \"0s\"\n[plans.free]\ncrawls_at_once = 1");
        let key = app.key("free");
        let crawl = app.generate(&key, &json!({"url": slow.url()})).send();
        let validation = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            let body = json!({"content": "# Tide", "checkLinks": false});
            app.validate(&key, &body).send().await.unwrap().status()
        };
        tokio::pin!(crawl);
        tokio::select! {
            biased;
            status = validation => assert_eq!(status, 200),
            _ = &mut crawl => panic!("the validation waited for the crawl"),
        }
        assert_eq!(crawl.await.unwrap().status(), 200);
    });
}

#[test]
fn full_service_refuses_without_cost() {
    run(async {
        let slow = FakeSite::start(|path| numbered(path, 1).after(Duration::from_secs(1)));
        let app = TestApp::with("[validate]\nmax_validations = 1\nqueue_wait = \"100ms\"");
        let key = app.key("pro");
        let running = app.validate(&key, &json!({"url": slow.url()})).send();
        let late = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            app.validate(&key, &json!({"content": "# Tide"})).send().await.unwrap()
        };
        let (running, late) = tokio::join!(running, late);
        assert_eq!(running.unwrap().status(), 200);
        assert!(late.headers().contains_key("retry-after"));
        let (status, answer) = test_app::json(late).await;
        assert_eq!((status, answer["code"].as_str()), (503, Some("busy")));
        assert_eq!(app.used(&key).await, (0, 1));
    });
}
