//! Keys: either header, 401 for the rest, revoked at once, an upgrade counts at once.

use insta::assert_json_snapshot;

use crate::run;
use crate::test_app::{TestApp, json};

const USAGE: &str = "/api/v1/usage";

#[test]
fn either_header_lets_a_key_in() {
    run(async {
        let app = TestApp::start();
        let key = app.key("starter");
        for (name, value) in [("x-api-key", key.clone()), ("authorization", format!("bearer {key}"))] {
            let response = app.get(USAGE).header(name, value).send().await.unwrap();
            assert_eq!(response.status(), 200, "{name}");
        }
    });
}

#[test]
fn bad_keys_get_401() {
    run(async {
        let app = TestApp::start();
        let (key, other) = (app.key("free"), app.key("free"));
        let unknown = "wf_000000000000000000000000000000004pZgWW";
        let attempts = [
            app.get(USAGE),
            app.get(USAGE).header("x-api-key", "junk"),
            app.get(USAGE).header("x-api-key", unknown),
            app.get(USAGE).header("authorization", format!("Basic {key}")),
            app.get(USAGE).header("x-api-key", &key).header("authorization", format!("Bearer {other}")),
            app.post("/api/v1/generate").body("no json at all"),
        ];
        for attempt in attempts {
            let response = attempt.header("x-request-id", "test").send().await.unwrap();
            let (status, body) = json(response).await;
            assert_eq!(status, 401);
            assert_json_snapshot!("unauthorized", body);
        }
    });
}

#[test]
fn a_header_that_belongs_there_once_is_refused_when_it_comes_twice() {
    run(async {
        let app = TestApp::start();
        let key = app.key("free");
        let bearer = format!("Bearer {key}");
        let body = serde_json::json!({"content": "# A", "checkLinks": false});
        for (name, value) in
            [("x-api-key", key.as_str()), ("authorization", &bearer), ("idempotency-key", "a")]
        {
            let ask = app.validate(&key, &body).header(name, value);
            // The key itself is there already as x-api-key.
            let ask = if name == "x-api-key" { ask } else { ask.header(name, value) };
            let (status, body) = json(ask.send().await.unwrap()).await;
            assert_eq!((status, body["code"].as_str()), (400, Some("invalid_header")), "{name}");
            assert_eq!(body["param"].as_str().unwrap().to_lowercase(), name);
        }
    });
}

#[test]
fn a_revoked_key_is_refused_by_the_very_next_request_and_an_upgrade_counts_at_once() {
    run(async {
        let app = TestApp::start();
        app.command(&["account", "create", "--email", "ada@example.org", "--plan", "free"]);
        let printed = app.command(&["key", "create", "--email", "ada@example.org", "--name", "one"]);
        let key = printed.lines().last().unwrap();
        let plan = async || {
            let (status, body) = json(app.get(USAGE).header("x-api-key", key).send().await.unwrap()).await;
            (status, body["plan"].as_str().map(str::to_owned))
        };
        assert_eq!(plan().await, (200, Some("free".to_owned())));
        app.command(&["account", "plan", "--email", "ada@example.org", "--plan", "pro"]);
        assert_eq!(plan().await, (200, Some("pro".to_owned())));
        app.command(&["key", "revoke", "--email", "ada@example.org", "--name", "one"]);
        assert_eq!(plan().await, (401, None));
        assert!(!app.log().contains(key) && !app.log().contains("ada@"), "the log holds what it must not");
    });
}

#[test]
fn a_key_that_was_good_a_moment_ago_is_refused_whatever_its_request_holds() {
    run(async {
        let app = TestApp::start();
        app.command(&["account", "create", "--email", "ada@example.org", "--plan", "free"]);
        let text = serde_json::json!({"content": "# A", "checkLinks": false});
        let bodies =
            [text.clone(), serde_json::json!({"content": 7}), serde_json::json!({"url": "localhost"})];
        for (name, after) in ["one", "two", "three"].into_iter().zip(&bodies) {
            let printed = app.command(&["key", "create", "--email", "ada@example.org", "--name", name]);
            let key = printed.lines().last().unwrap();
            // The first one has the key looked at, the second is charged by itself.
            for _ in 0..2 {
                assert_eq!(app.validate(key, &text).send().await.unwrap().status(), 200);
            }
            app.command(&["account", "plan", "--email", "ada@example.org", "--plan", "pro"]);
            let response = app.validate(key, &text).send().await.unwrap();
            let policy = response.headers()["ratelimit-policy"].to_str().unwrap().to_owned();
            assert!(policy.contains("\"month\";q=5000;"), "{policy}");
            app.command(&["key", "revoke", "--email", "ada@example.org", "--name", name]);
            let (status, body) = json(app.validate(key, after).send().await.unwrap()).await;
            assert_eq!((status, body["code"].as_str()), (401, Some("unauthorized")), "{after}");
            app.command(&["account", "plan", "--email", "ada@example.org", "--plan", "free"]);
        }
    });
}
