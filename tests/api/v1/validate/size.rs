//! 512,000 bytes of text pass, however JSON spells them; one more does not.

use std::time::Duration;

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::run;
use crate::test_app::{self, TestApp};

const MAX_CONTENT: usize = 512_000;

async fn send(app: &TestApp, key: &str, content: &str) -> (u16, Value) {
    let body = format!("{{\"content\": \"{content}\", \"checkLinks\": false}}");
    let request = app.post("/api/v1/validate").header("x-api-key", key);
    let request = request.header("content-type", "application/json").body(body);
    test_app::json(request.send().await.unwrap()).await
}

#[test]
fn the_text_counts_and_not_its_spelling() {
    run(async {
        let app = TestApp::start();
        let key = app.key("pro");
        // As it is written, and the bytes that it is when read.
        for (written, bytes) in [("a", 1), ("\\n", 1), ("\\u0061", 1), ("\u{e9}", 2), ("\\ud83c\\udf0a", 4)] {
            let fits = written.repeat(MAX_CONTENT / bytes);
            let (status, answer) = send(&app, &key, &fits).await;
            assert_eq!((status, &answer["mode"]), (200, &Value::from("content")), "{written}");
            assert_eq!(answer["contentLength"], MAX_CONTENT / bytes, "{written}");
            let (status, answer) = send(&app, &key, &format!("{fits}b")).await;
            assert_eq!((status, answer["code"].as_str()), (413, Some("body_too_large")), "{written}");
            assert_eq!(answer["param"], "content");
        }
        let (status, _) = send(&app, &key, &" ".repeat(MAX_CONTENT * 7)).await;
        assert_eq!(status, 413);
        assert_eq!(app.used(&key).await, (0, 5));
    });
}

#[test]
fn hostile_texts_get_an_answer() {
    run(async {
        let app = TestApp::start();
        let key = app.key("pro");
        let many = |piece: &str| piece.repeat(MAX_CONTENT / 5 / piece.len().max(1));
        for content in [
            String::new(),
            "\\ufeff# Tide".to_owned(),
            "# Tide\\r\\n\\r\\n> x\\r\\n".to_owned(),
            "\\u0000\\u0000".to_owned(),
            many("[](x)"),
            many("\\n# a"),
            many("["),
            many("> "),
        ] {
            let (status, answer) = send(&app, &key, &content).await;
            assert_eq!(status, 200, "{answer}");
        }
    });
}

#[test]
fn large_bodies_wait_for_room_and_small_ones_do_not() {
    /// As many as there is room for.
    const STALLED: usize = 64;
    run(async {
        let app = TestApp::start();
        let keys = [app.key("business"), app.key("business")];
        let address = app.url.trim_start_matches("http://");
        let mut stalled = Vec::new();
        for key in keys.iter().cycle().take(STALLED) {
            let mut client = TcpStream::connect(address).await.unwrap();
            let head = format!(
                "POST /api/v1/validate HTTP/1.1\r\nhost: a\r\nx-api-key: {key}\r\n\
                 content-type: application/json\r\ncontent-length: 3000000\r\n\r\n{{"
            );
            client.write_all(head.as_bytes()).await.unwrap();
            stalled.push(client);
        }
        // Each has to have reached its turn.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let large = "a".repeat(100_000);
        let mut waiting = std::pin::pin!(send(&app, &keys[0], &large));
        assert!(timeout(Duration::from_millis(500), &mut waiting).await.is_err(), "there was room");
        assert_eq!(send(&app, &keys[1], "# Tide").await.0, 200);
        drop(stalled);
        assert_eq!(timeout(Duration::from_secs(10), waiting).await.unwrap().0, 200);
    });
}
