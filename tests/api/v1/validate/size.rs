//! 512,000 bytes of text pass, however JSON spells them; one more does not.

use serde_json::Value;

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
