//! What the service says when a request does not even reach a route.

use std::time::Duration;

use insta::assert_json_snapshot;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fake_site::{FakeSite, page};
use crate::run;
use crate::test_app::{TestApp, json};

#[test]
fn an_unknown_path_needs_no_key() {
    run(async {
        let app = TestApp::start();
        for path in ["/nowhere", "/api/v1/nowhere", "/api", "/docs/nowhere.js", "/%ff", "/api/v1/generate/"] {
            let response = app.get(path).header("x-request-id", "test").send().await.unwrap();
            let (status, body) = json(response).await;
            assert_eq!((status, body["code"].as_str()), (404, Some("not_found")), "{path}");
        }
        let response = app.get("/nowhere").header("x-request-id", "test").send().await.unwrap();
        assert_json_snapshot!("not_found", json(response).await.1);
    });
}

#[test]
fn a_method_that_a_path_lacks_is_told_which_it_has() {
    run(async {
        let app = TestApp::start();
        for (path, allow) in
            [("/api/v1/generate", "POST"), ("/api/v1/usage", "GET, HEAD"), ("/healthz", "GET, HEAD")]
        {
            let response = app
                .client
                .delete(format!("{}{path}", app.url))
                .header("x-request-id", "test")
                .send()
                .await
                .unwrap();
            assert_eq!(response.headers()["allow"], allow, "{path}");
            let (status, body) = json(response).await;
            assert_eq!(status, 405);
            if path == "/healthz" {
                assert_json_snapshot!("method_not_allowed", body);
            }
        }
    });
}

#[test]
fn who_takes_no_coding_that_there_is_gets_an_error_like_any_other() {
    run(async {
        let app = TestApp::start();
        let response = app.get("/nowhere").header("accept-encoding", "identity;q=0").send().await.unwrap();
        let (status, body) = json(response).await;
        assert_eq!((status, body["statusCode"].as_u64()), (400, Some(400)), "{body}");
        assert_eq!((&body["code"], &body["param"]), (&"invalid_header".into(), &"Accept-Encoding".into()));
        assert!(body["requestId"].is_string());
    });
}

#[test]
fn a_good_key_is_told_its_limits_with_a_405_too() {
    run(async {
        let app = TestApp::start();
        let key = app.key("pro");
        for path in ["/api/v1/generate", "/api/v1/usage"] {
            let ask =
                |key: &str| app.client.delete(format!("{}{path}", app.url)).header("x-api-key", key).send();
            let (known, unknown) = (ask(&key).await.unwrap(), ask("wf_unknown").await.unwrap());
            assert_eq!((known.status().as_u16(), unknown.status().as_u16()), (405, 405), "{path}");
            assert!(
                known.headers().contains_key("ratelimit-policy") && known.headers().contains_key("ratelimit")
            );
            assert!(!unknown.headers().contains_key("ratelimit"), "{path}");
        }
    });
}

#[test]
fn every_answer_has_a_request_id_and_a_sane_one_is_the_clients() {
    run(async {
        let app = TestApp::start();
        let own = app.get("/healthz").header("x-request-id", "order-7").send().await.unwrap();
        assert_eq!(own.headers()["x-request-id"], "order-7");
        let odd = app.get("/nowhere").header("x-request-id", "a b\"c").send().await.unwrap();
        let given = odd.headers()["x-request-id"].to_str().unwrap().to_owned();
        assert_eq!(given.len(), 36);
        assert_eq!(json(odd).await.1["requestId"], given.as_str());
        let none = app.get("/healthz").send().await.unwrap();
        assert_eq!(none.headers()["x-request-id"].len(), 36);
    });
}

/// What the service says to these very bytes until it hangs up, or breaks off since the client still sends.
async fn said(app: &TestApp, bytes: &[u8]) -> String {
    let mut client = TcpStream::connect(app.url.trim_start_matches("http://")).await.unwrap();
    let _ = client.write_all(bytes).await;
    let mut said = Vec::new();
    let _ = client.read_to_end(&mut said).await;
    String::from_utf8(said).unwrap()
}

#[test]
fn what_is_no_request_gets_a_bare_status_and_the_connection_ends() {
    run(async {
        let app = TestApp::start();
        for bytes in [
            "nonsense\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ] {
            let said = said(&app, bytes.as_bytes()).await;
            assert!(said.starts_with("HTTP/1.1 400 ") && said.ends_with("\r\n\r\n"), "{bytes}: {said}");
        }
        let long = "a".repeat(200_000);
        for bytes in [
            format!("GET / HTTP/1.1\r\nhost: a\r\nlong: {long}\r\n\r\n"),
            format!("GET /{long} HTTP/1.1\r\nhost: a\r\n\r\n"),
        ] {
            let said = said(&app, bytes.as_bytes()).await;
            assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{said}");
        }
        assert!(!app.log().contains("ERROR"), "{}", app.log());
    });
}

#[test]
fn a_request_whose_head_does_not_arrive_is_given_up() {
    run(async {
        let app = TestApp::start();
        let said = said(&app, b"GET /healthz HTTP/1.1\r\nhost:").await;
        assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
    });
}

#[test]
fn nonsense_behind_a_request_leaves_its_answer_whole() {
    run(async {
        let app = TestApp::start();
        let both = b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\nnonsense\r\n\r\n";
        let said = said(&app, both).await;
        assert!(said.starts_with("HTTP/1.1 200 OK\r\n") && said.contains("{\"status\":\"ok\"}"), "{said}");
        assert!(said.contains("HTTP/1.1 400 "), "{said}");
    });
}

#[test]
fn a_second_request_that_drips_is_turned_away_and_a_slow_answer_is_waited_for() {
    run(async {
        let app = TestApp::start();
        let key = app.key("pro");
        let mut client = TcpStream::connect(app.url.trim_start_matches("http://")).await.unwrap();
        client.write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        let (mut reading, mut writing) = client.into_split();
        let dripping = async {
            let begun = writing.write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\nlong: ").await;
            while begun.is_ok() && writing.write_all(b"a").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        };
        let mut said = String::new();
        let heard = tokio::time::timeout(Duration::from_mins(1), reading.read_to_string(&mut said));
        // Longer than the second request above gets.
        let site = FakeSite::start(|path| page(path, &[]).after(Duration::from_secs(6)));
        let slow = app.generate(&key, &serde_json::json!({"url": site.url()})).send();
        let ((), heard, slow) = tokio::join!(dripping, heard, slow);
        // It may end by a reset: what drips in meanwhile is not read any more.
        let _ = heard.expect("it was never turned away");
        assert!(said.starts_with("HTTP/1.1 200 OK\r\n"), "{said}");
        assert_eq!(slow.unwrap().status(), 200);
    });
}
