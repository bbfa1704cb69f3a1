//! What the service says when a request does not even reach a route.

use insta::assert_json_snapshot;

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
