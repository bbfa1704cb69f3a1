//! What is refused, and why.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::run;
use crate::test_app::{self, TestApp};

async fn refused(app: &TestApp, key: &str, body: &str) -> (u16, Value) {
    let request = app.post("/api/v1/validate").header("x-api-key", key).header("x-request-id", "test");
    let request = request.header("content-type", "application/json").body(body.to_owned());
    test_app::json(request.send().await.unwrap()).await
}

#[test]
fn a_bad_request_is_told_what_is_wrong_with_it_and_costs_nothing() {
    run(async {
        let app = TestApp::with("[crawl]\nallow_networks = []");
        let key = app.key("pro");
        for (name, body) in [
            ("neither", "{}"),
            ("both", r##"{"url": "docs.rs", "content": "# Tide"}"##),
            ("empty_url", r#"{"url": " "}"#),
            ("url_is_none", r#"{"url": "ftp://docs.rs"}"#),
            ("content_is_a_list", r#"{"content": []}"#),
            ("check_links_is_a_text", r#"{"url": "docs.rs", "checkLinks": "no"}"#),
            ("unknown_field", r#"{"url": "docs.rs", "checklinks": false}"#),
            ("half_a_character", r#"{"content": "\ud800"}"#),
            ("private_address", r#"{"url": "http://127.0.0.1/"}"#),
        ] {
            let (status, answer) = refused(&app, &key, body).await;
            assert_eq!(status, 400, "{name}");
            assert_json_snapshot!(name, answer);
        }
        for url in ["localhost", "http://2130706433/llms.txt", "http://[::1]/", "redis", "docs.rs:22"] {
            let (status, answer) = refused(&app, &key, &json!({"url": url}).to_string()).await;
            assert_eq!((status, answer["code"].as_str()), (400, Some("address_not_public")), "{url}");
        }
        assert_eq!(app.used(&key).await, (0, 0));
    });
}

#[test]
fn refuses_missing_keys_other_methods_and_other_types() {
    run(async {
        let app = TestApp::start();
        let key = app.key("free");
        assert_eq!(refused(&app, "", r#"{"url": "docs.rs"}"#).await.0, 401);
        let form = app.post("/api/v1/validate").header("x-api-key", &key).body("url=docs.rs");
        assert_eq!(test_app::json(form.send().await.unwrap()).await.0, 415);
        let response = app.get("/api/v1/validate").send().await.unwrap();
        assert_eq!(response.headers()["allow"], "POST");
        assert_eq!(test_app::json(response).await.0, 405);
    });
}
