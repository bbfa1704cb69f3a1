//! `/llms.txt`, `/llms-full.txt` and `/robots.txt` of the service itself.

use serde_json::json;

use crate::run;
use crate::test_app::{self, TestApp};

#[test]
fn the_service_describes_its_api_for_agents() {
    run(async {
        let app = TestApp::start();
        let base = app.url.trim_end_matches('/').to_owned();
        for (path, holds) in [
            ("/llms.txt", format!("]({base}/openapi.json): ")),
            ("/llms-full.txt", format!("curl {base}/api/v1/generate ")),
            ("/robots.txt", "\nDisallow: /runs\n".to_owned()),
        ] {
            let answer = app.get(path).send().await.unwrap();
            assert_eq!(answer.status(), 200, "{path}");
            assert_eq!(answer.headers()["content-type"], "text/plain; charset=utf-8");
            assert!(answer.headers().contains_key("etag"));
            let text = answer.text().await.unwrap();
            assert!(text.contains(&holds) && !text.contains("{base}"), "{path}: {text}");
        }
        let landing = app.get("/").send().await.unwrap().text().await.unwrap();
        assert!(landing.contains("<link rel=\"describedby\" type=\"text/plain\" href=\"/llms.txt\">"));
    });
}

#[test]
fn its_own_validator_finds_the_file_and_nothing_wrong_with_its_form() {
    run(async {
        let app = TestApp::start();
        let key = app.key("pro");
        let answer = app.validate(&key, &json!({"url": app.url})).send().await.unwrap();
        let (status, answer) = test_app::json(answer).await;
        assert_eq!(
            (status, &answer["score"], &answer["status"]),
            (200, &json!(100), &json!("valid")),
            "{answer:#}"
        );
        let failing: Vec<_> =
            answer["checks"].as_array().unwrap().iter().filter(|c| c["pass"] == false).collect();
        // There is no TLS in front.
        let expected = ["https-links", "served-over-https"];
        assert!(
            failing.iter().all(|check| expected.contains(&check["id"].as_str().unwrap())),
            "{failing:#?}"
        );
    });
}
