//! A run as a stream of events.

use serde_json::{Value, json};

use crate::fake_site::{FakeSite, Reply, numbered, page};
use crate::run;
use crate::test_app::{self, TestApp};

/// The events of a finished stream: name and data.
fn events(text: &str) -> Vec<(String, Value)> {
    let blocks = text.split("\n\n").filter(|block| !block.is_empty() && !block.starts_with(':'));
    let event = |block: &str| {
        let (name, data) = block.split_once('\n').unwrap();
        let data = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        (name.strip_prefix("event: ").unwrap().to_owned(), data)
    };
    blocks.map(event).collect()
}

#[test]
fn a_stream_tells_how_it_goes_and_ends_with_the_same_answer() {
    run(async {
        let (app, site) = (TestApp::start(), FakeSite::start(|path| numbered(path, 6)));
        let key = app.key("pro");
        let body = json!({"url": site.url()});
        let response = app.generate(&key, &body).header("accept", "text/event-stream").send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-type"]),
            (200, &"text/event-stream".parse().unwrap())
        );
        assert!(
            response.headers().contains_key("x-request-id") && response.headers().contains_key("ratelimit")
        );
        let heard = events(&response.text().await.unwrap());
        let names: Vec<&str> = heard.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!((names[0], *names.last().unwrap()), ("accepted", "done"), "{names:?}");
        assert_eq!(names.iter().filter(|name| **name == "page").count(), 7);
        assert!(names.contains(&"discovered"));
        let (_, progress) = &heard[names.iter().rposition(|name| *name == "page").unwrap()];
        assert_eq!((&progress["fetched"], &progress["failed"]), (&json!(7), &json!(0)));
        assert_eq!(progress["expected"], 7, "it counts towards what is fetched");
        assert_eq!((&progress["outcome"], &progress["reason"]), (&json!("kept"), &Value::Null));
        let plain = test_app::json(app.generate(&key, &body).send().await.unwrap()).await.1;
        assert_eq!(heard.last().unwrap().1, plain);
    });
}

#[test]
fn every_page_is_told_with_its_outcome_and_reason() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => {
                page("Home", &["/docs/a.html", "/docs/gone.html", "/docs/moved.html", "/docs/hidden.html"])
            }
            "/docs/a.html" => page("Chapter", &[]),
            "/docs/moved.html" => Reply::moved("/docs/a.html"),
            "/docs/hidden.html" => page("Hidden", &[]).header("x-robots-tag", "noindex"),
            _ => Reply::status(404),
        });
        let app = TestApp::start();
        let key = app.key("pro");
        let request = app.generate(&key, &json!({"url": site.url()})).header("accept", "text/event-stream");
        let heard = events(&request.send().await.unwrap().text().await.unwrap());
        let told = |path: &str| {
            let url = format!("{}{path}", site.url());
            let page = heard.iter().find(|(name, data)| name == "page" && data["url"] == url.as_str());
            let (_, data) = page.unwrap_or_else(|| panic!("{path}: {heard:?}"));
            (data["outcome"].clone(), data["reason"].as_str().unwrap_or_default().to_owned())
        };
        assert_eq!(told("docs/a.html"), (json!("kept"), String::new()));
        assert_eq!(told("docs/gone.html"), (json!("lost"), "the site answered 404".to_owned()));
        let same = format!("the same page as {}docs/a.html", site.url());
        assert_eq!(told("docs/moved.html"), (json!("duplicate"), same));
        let hidden = "page that asks not to be indexed".to_owned();
        assert_eq!(told("docs/hidden.html"), (json!("leftOut"), hidden));
    });
}

#[test]
fn a_run_that_fails_after_its_start_ends_the_stream_with_the_error() {
    run(async {
        let app = TestApp::start();
        let key = app.key("pro");
        let body = json!({"url": "http://127.0.0.1:9/"});
        let request =
            app.generate(&key, &body).header("accept", "text/event-stream").header("x-request-id", "test");
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        let heard = events(&response.text().await.unwrap());
        let (name, error) = heard.last().unwrap();
        assert_eq!(name, "error");
        assert_eq!(
            (&error["statusCode"], &error["code"], &error["requestId"]),
            (&json!(500), &json!("site_unreachable"), &json!("test"))
        );
    });
}

#[test]
fn errors_before_admission_are_plain_answers() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 3).after(std::time::Duration::from_millis(500)));
        let other = FakeSite::start(|path| numbered(path, 3));
        let app = TestApp::with("[crawl]\nmax_crawls = 1\nqueue_wait = \"50ms\"");
        let key = app.key("business");
        let ask = |url: String| {
            app.generate(&key, &json!({"url": url})).header("accept", "text/event-stream").send()
        };
        let bad = ask("ftp://nowhere".to_owned()).await.unwrap();
        assert_eq!(test_app::json(bad).await.0, 400);
        let late = async {
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
            ask(other.url()).await
        };
        let (running, full) = tokio::join!(ask(site.url()), late);
        assert_eq!(running.unwrap().status(), 200);
        let full = full.unwrap();
        assert!(full.headers().contains_key("retry-after"));
        // One run goes on; the one that found no room has its unit back.
        let limits = full.headers()["ratelimit"].to_str().unwrap();
        let month = limits.split("\"month\";r=").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
        let policy = full.headers()["ratelimit-policy"].to_str().unwrap();
        let quota = policy.split("\"month\";q=").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
        assert_eq!(month.parse::<u64>().unwrap() + 1, quota.parse::<u64>().unwrap(), "{limits} of {policy}");
        let (status, body) = test_app::json(full).await;
        assert_eq!((status, body["code"].as_str()), (503, Some("busy")));
    });
}
