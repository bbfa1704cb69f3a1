//! SIGTERM: running requests end, new ones are refused, and then the process is gone.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fake_site::{FakeSite, numbered};
use crate::run;
use crate::test_app::{self, TestApp};

const TIMEOUT: Duration = Duration::from_secs(20);

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
        let ended = app.ended_within(TIMEOUT).await.expect("the service did not end");
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
        assert!(answer["note"].as_str().unwrap().contains("run was stopped"), "{}", answer["note"]);
        assert!(app.ended_within(TIMEOUT).await.expect("the service did not end").success());
    });
}

#[test]
fn a_run_that_has_nothing_by_then_may_be_tried_again() {
    run(async {
        let mut app = TestApp::with("[server]\ndrain_timeout = \"300ms\"");
        let site = FakeSite::start(|path| numbered(path, 3).after(Duration::from_secs(20)));
        let key = app.key("pro");
        let running = app.generate(&key, &json!({"url": site.url()})).send();
        let telling = async {
            tokio::time::sleep(Duration::from_millis(800)).await;
            app.signal("TERM");
        };
        let (running, ()) = tokio::join!(running, telling);
        let running = running.unwrap();
        assert!(running.headers().contains_key("retry-after"));
        // A unit that was refunded is told beside the refusal.
        assert!(running.headers()["ratelimit"].to_str().unwrap().contains("\"month\";r=500;"));
        let (status, body) = test_app::json(running).await;
        assert_eq!((status, body["code"].as_str()), (503, Some("shutting_down")), "{body}");
        assert!(app.ended_within(TIMEOUT).await.expect("the service did not end").success());
    });
}

#[test]
fn a_running_validation_ends_with_what_it_has() {
    run(async {
        let mut app = TestApp::with("[server]\ndrain_timeout = \"300ms\"");
        let site = FakeSite::start(|path| numbered(path, 1).after(Duration::from_secs(20)));
        let key = app.key("pro");
        let text = format!("# Tide\n\n> Keeps levels.\n\n## Docs\n\n- [Start]({}docs/0.html)\n", site.url());
        let running = app.validate(&key, &json!({"content": text})).send();
        let telling = async {
            tokio::time::sleep(Duration::from_millis(800)).await;
            app.signal("TERM");
        };
        let (running, ()) = tokio::join!(running, telling);
        let (status, answer) = test_app::json(running.unwrap()).await;
        assert_eq!((status, &answer["linkStats"]["unknown"]), (200, &json!(1)));
        assert!(app.ended_within(TIMEOUT).await.expect("the service did not end").success());
    });
}

#[test]
fn a_client_that_drips_its_request_is_turned_away_when_the_drain_time_is_over() {
    run(async {
        let mut app = TestApp::with("[server]\ndrain_timeout = \"1s\"");
        let key = app.key("pro");
        let mut client = connect(&app).await;
        let head = format!(
            "POST /api/v1/generate HTTP/1.1\r\nhost: a\r\nx-api-key: {key}\r\ncontent-type: application/json\r\n\
             content-length: 1000\r\n\r\n{{"
        );
        client.write_all(head.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        app.signal("TERM");
        let (mut reading, mut writing) = client.into_split();
        let dripping = tokio::spawn(async move {
            while writing.write_all(b" ").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        let mut answer = String::new();
        reading.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("\"shutting_down\""), "{answer}");
        let told = Instant::now();
        assert!(app.ended_within(TIMEOUT).await.expect("the service did not end").success());
        assert!(told.elapsed() < Duration::from_secs(8), "{:?}", told.elapsed());
        dripping.abort();
    });
}

#[test]
fn a_client_that_does_not_read_its_answer_is_cut_off_when_the_drain_time_is_over() {
    run(async {
        let mut app = TestApp::with("[server]\ndrain_timeout = \"1s\"");
        // Far more answers than the buffers between hold; none of them is ever read.
        let mut client = connect(&app).await;
        let asking = async {
            loop {
                client.write_all(b"GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
            }
        };
        assert!(tokio::time::timeout(Duration::from_secs(3), asking).await.is_err(), "it was never held up");
        app.signal("TERM");
        let told = Instant::now();
        assert!(app.ended_within(TIMEOUT).await.expect("the service did not end").success());
        assert!(told.elapsed() < Duration::from_secs(8), "{:?}", told.elapsed());
        assert!(app.log().contains("lose them"), "{}", app.log());
    });
}

async fn connect(app: &TestApp) -> TcpStream {
    TcpStream::connect(app.url.trim_start_matches("http://")).await.unwrap()
}
