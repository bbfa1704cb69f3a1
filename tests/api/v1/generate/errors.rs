//! What is refused, and why.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::fake_site::{FakeSite, Reply, page};
use crate::run;
use crate::test_app::{self, TestApp};

async fn refused(app: &TestApp, key: &str, body: &str) -> (u16, Value) {
    let request = app.post("/api/v1/generate").header("x-api-key", key).header("x-request-id", "test");
    let request = request.header("content-type", "application/json").body(body.to_owned());
    test_app::json(request.send().await.unwrap()).await
}

#[test]
fn a_bad_request_is_told_what_is_wrong_with_it() {
    run(async {
        let app = TestApp::start();
        let key = app.key("pro");
        let long = format!(r#"{{"url": "docs.rs", "instructions": "{}"}}"#, "é".repeat(4001));
        for (name, body) in [
            ("no_json", "{\"url\": "),
            ("no_object", "[1]"),
            ("missing_url", "{}"),
            ("empty_url", r#"{"url": " "}"#),
            ("url_is_a_number", r#"{"url": 7}"#),
            ("url_is_none", r#"{"url": "ftp://docs.rs"}"#),
            ("file_type", r#"{"url": "docs.rs", "fileType": "pdf"}"#),
            ("null_url", r#"{"url": null, "fileType": null, "instructions": null}"#),
            ("url_twice", r#"{"url": "docs.rs", "url": "docs.rs"}"#),
            ("unknown_field", r#"{"url": "docs.rs", "fileTipe": "llms"}"#),
            ("long_instructions", &long),
            ("private_address", r#"{"url": "http://10.0.0.1/"}"#),
        ] {
            let (status, answer) = refused(&app, &key, body).await;
            assert_eq!(status, 400, "{name}");
            assert_json_snapshot!(name, answer);
        }
    });
}

#[test]
fn a_deadline_that_passes_before_the_home_page_answers_is_no_fault_of_the_site() {
    run(async {
        let app = TestApp::with("[crawl]\ndeadline = \"1s\"");
        let site = FakeSite::start(|path| page(path, &[]).after(std::time::Duration::from_secs(20)));
        let key = app.key("pro");
        let late = app.generate(&key, &json!({"url": site.url()})).send().await.unwrap();
        assert!(late.headers().contains_key("retry-after"));
        let (status, body) = test_app::json(late).await;
        assert_eq!((status, body["code"].as_str()), (503, Some("out_of_time")), "{body}");
        assert_eq!(app.used(&key).await, (0, 0));
    });
}

#[test]
fn without_opened_networks_an_address_that_is_not_public_is_refused_in_any_spelling() {
    run(async {
        let app = TestApp::with("[crawl]\nallow_networks = []");
        let key = app.key("pro");
        for url in [
            "localhost",
            "http://2130706433/",
            "http://[::1]/",
            "http://0x7f.1/",
            "redis",
            "a.internal",
            "docs.rs:22",
        ] {
            let (status, answer) = refused(&app, &key, &json!({"url": url}).to_string()).await;
            assert_eq!((status, answer["code"].as_str()), (400, Some("address_not_public")), "{url}");
            assert_eq!(answer["param"], "url");
        }
    });
}

#[test]
fn the_form_of_a_body_is_checked_before_its_content() {
    run(async {
        let app = TestApp::start();
        let key = app.key("pro");
        let ask = || app.post("/api/v1/generate").header("x-api-key", &key).header("x-request-id", "test");
        let form = ask().header("content-type", "application/x-www-form-urlencoded").body("url=docs.rs");
        let (status, answer) = test_app::json(form.send().await.unwrap()).await;
        assert_eq!(status, 415);
        assert_json_snapshot!("unsupported_media_type", answer);
        let large = format!(r#"{{"url": "docs.rs", "instructions": "{}"}}"#, "a".repeat(200_000));
        let large = ask().header("content-type", "application/json; charset=utf-8").body(large);
        let (status, answer) = test_app::json(large.send().await.unwrap()).await;
        assert_eq!(status, 413);
        assert_json_snapshot!("body_too_large", answer);
    });
}

#[test]
fn a_site_that_refuses_fails_or_is_not_there_costs_nothing() {
    run(async {
        let app = TestApp::start();
        let key = app.key("pro");
        let closed = FakeSite::start(|path| match path {
            "/robots.txt" => Reply::text("User-agent: *\nDisallow: /\n"),
            _ => page("Closed", &[]),
        });
        let login = FakeSite::start(|path| Reply::status(if path == "/robots.txt" { 404 } else { 403 }));
        let broken = FakeSite::start(|path| Reply::status(if path == "/robots.txt" { 404 } else { 500 }));
        let empty = FakeSite::start(|path| match path {
            "/" => Reply::bytes("image/png", "no page"),
            _ => Reply::status(404),
        });
        for (url, expected) in [
            (closed.url(), (403, "site_refused")),
            (login.url(), (403, "site_refused")),
            (broken.url(), (500, "site_unreachable")),
            (empty.url(), (500, "nothing_to_read")),
            ("http://127.0.0.1:9/".to_owned(), (500, "site_unreachable")),
            ("no-such-host.invalid".to_owned(), (500, "site_unreachable")),
        ] {
            let (status, answer) = refused(&app, &key, &json!({"url": url}).to_string()).await;
            assert_eq!((status, answer["code"].as_str().unwrap()), expected, "{url}: {answer}");
        }
        let usage = app.get("/api/v1/usage").header("x-api-key", &key).send().await.unwrap();
        assert_eq!(test_app::json(usage).await.1["generate"]["used"], 0);
    });
}
