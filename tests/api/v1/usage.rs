//! `GET /api/v1/usage` and the limits that every answer tells.

use serde_json::json;

use crate::fake_site::{FakeSite, numbered};
use crate::run;
use crate::test_app::{self, TestApp};

#[test]
fn a_run_that_went_well_is_counted_and_one_that_failed_is_not() {
    run(async {
        let (app, site) = (TestApp::start(), FakeSite::start(|path| numbered(path, 2)));
        let key = app.key("starter");
        let made = app.generate(&key, &json!({"url": site.url()})).send().await.unwrap();
        assert_eq!(made.status(), 200);
        let limits = made.headers()["ratelimit"].to_str().unwrap().to_owned();
        assert!(limits.contains("\"month\";r=99;t="), "{limits}");
        assert!(made.headers()["ratelimit-policy"].to_str().unwrap().contains("\"month\";q=100;w="));
        let failed = app.generate(&key, &json!({"url": "http://127.0.0.1:9/"})).send().await.unwrap();
        assert_eq!(failed.status(), 500);
        let limits = failed.headers()["ratelimit"].to_str().unwrap();
        assert!(limits.contains("\"month\";r=99;t="), "what was given back is not told: {limits}");
        let refused = app.generate(&key, &json!({"url": "http://10.0.0.1/"})).send().await.unwrap();
        assert_eq!(refused.status(), 400);
        assert!(refused.headers().contains_key("ratelimit"));
        let usage = app.get("/api/v1/usage").header("x-api-key", &key).send().await.unwrap();
        let (_, mut usage) = test_app::json(usage).await;
        assert!(usage["resetsAt"].take().as_str().unwrap().ends_with("-01T00:00:00Z"));
        assert_eq!(
            usage,
            json!({
                "plan": "starter", "resetsAt": null,
                "generate": {"quota": 100, "used": 1, "remaining": 99},
                "validate": {"quota": 1000, "used": 0, "remaining": 1000},
            })
        );
    });
}

#[test]
fn rate_limited_requests_get_retry_after() {
    run(async {
        let app = TestApp::with("[plans.free]\nrequests_per_minute = 3");
        let key = app.key("free");
        let ask = || app.get("/api/v1/usage").header("x-api-key", &key).send();
        for _ in 0..3 {
            assert_eq!(ask().await.unwrap().status(), 200);
        }
        let refused = ask().await.unwrap();
        let wait: u64 = refused.headers()["retry-after"].to_str().unwrap().parse().unwrap();
        assert!((1..=20).contains(&wait), "{wait}");
        assert!(refused.headers()["ratelimit"].to_str().unwrap().starts_with("\"minute\";r=0;"));
        let (status, body) = test_app::json(refused).await;
        assert_eq!((status, body["code"].as_str()), (429, Some("rate_limited")));
        assert!(body["message"].as_str().unwrap().contains("3 requests a minute"), "{body}");
    });
}

#[test]
fn a_month_that_is_used_up_is_told_apart_from_the_rate() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 1));
        let app = TestApp::with("[plans.free]\ngenerate_per_month = 2");
        let key = app.key("free");
        let ask = || app.generate(&key, &json!({"url": site.url()})).send();
        for _ in 0..2 {
            assert_eq!(ask().await.unwrap().status(), 200);
        }
        let refused = ask().await.unwrap();
        assert!(refused.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap() > 0);
        let (status, body) = test_app::json(refused).await;
        assert_eq!((status, body["code"].as_str()), (429, Some("quota_exceeded")));
        assert!(body["message"].as_str().unwrap().contains("2 generate requests a month"), "{body}");
    });
}
