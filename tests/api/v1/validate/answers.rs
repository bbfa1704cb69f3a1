//! What a validation answers.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use crate::fake_site::{FakeSite, Reply, each, page};
use crate::run;
use crate::test_app::{self, TestApp};

const TIDE: &str = "# Tide\n\n> Tide keeps levels of harbours.\n\n## Docs\n\n";

/// A site whose file has a link that works, one that is dead and one that nobody can tell.
fn tide() -> FakeSite {
    let base = Arc::new(OnceLock::<String>::new());
    let own = base.clone();
    let site = FakeSite::start(move |path| match path {
        "/llms.txt" => {
            let links = each(["start", "gone", "shy"], |name| {
                format!("- [{name}]({}{name}): its page\n", own.get().unwrap())
            });
            Reply::text(format!("{TIDE}{links}"))
        }
        "/llms-full.txt" => Reply::text("# Tide\n\nEverything there is to say about gauges."),
        "/start" => page("Start", &[]),
        "/shy" => Reply::status(403),
        _ => Reply::status(404),
    });
    base.set(site.url()).unwrap();
    site
}

async fn validate(app: &TestApp, key: &str, body: Value) -> Value {
    let response = app.validate(key, &body).send().await.unwrap();
    let (status, answer) = test_app::json(response).await;
    assert_eq!(status, 200, "{answer}");
    answer
}

fn names(answer: &Value) -> BTreeSet<&str> {
    answer.as_object().unwrap().keys().map(String::as_str).collect()
}

const ALWAYS: [&str; 8] = [
    "mode",
    "score",
    "readinessScore",
    "status",
    "checks",
    "usesInstructionsPattern",
    "hasLlmsFull",
    "contentLength",
];

#[test]
fn a_site() {
    run(async {
        let (app, site) = (TestApp::start(), tide());
        let key = app.key("starter");
        let answer = validate(&app, &key, json!({"url": site.url()})).await;
        let of_a_site = ["url", "targetUrl", "health", "linkStats"];
        assert_eq!(names(&answer), ALWAYS.into_iter().chain(of_a_site).collect());
        assert_eq!((&answer["mode"], &answer["url"]), (&json!("url"), &json!(site.url())));
        assert_eq!(answer["targetUrl"], format!("{}llms.txt", site.url()));
        // Of two links that are decided, one is dead.
        assert_eq!((&answer["health"], &answer["hasLlmsFull"]), (&json!("degraded"), &json!(true)));
        let gone = json!([{"url": format!("{}gone", site.url()), "line": 8, "reason": "404"}]);
        assert_eq!(
            answer["linkStats"],
            json!({"checked": 2, "ok": 1, "dead": 1, "unknown": 1, "deadLinks": gone})
        );
        let check = |id: &str| answer["checks"].as_array().unwrap().iter().find(|c| c["id"] == id).unwrap();
        assert_eq!(
            check("h1-present"),
            &json!({"id": "h1-present", "tier": "structure", "pass": true, "label": check("h1-present")["label"],
                    "weight": check("h1-present")["weight"], "detail": null, "line": null, "fix": null})
        );
        let dead = check("no-dead-links");
        assert_eq!(
            (&dead["pass"], &dead["line"], &dead["tier"]),
            (&json!(false), &json!(8), &json!("readiness"))
        );
        assert!(dead["fix"].is_string() && dead["detail"].as_str().unwrap().contains("/gone"), "{dead}");
    });
}

#[test]
fn the_scores_can_be_worked_out_again() {
    run(async {
        let (app, site) = (TestApp::start(), tide());
        let key = app.key("starter");
        let answer = validate(&app, &key, json!({"url": site.url()})).await;
        for (tier, score) in [("structure", "score"), ("readiness", "readinessScore")] {
            let weigh = |passed: bool| -> u64 {
                let checks =
                    answer["checks"].as_array().unwrap().iter().filter(|check| check["tier"] == tier);
                let counted = checks.filter(|check| !passed || check["pass"] == true);
                counted.map(|check| check["weight"].as_u64().unwrap()).sum()
            };
            let all = weigh(false);
            assert!(all > 0);
            assert_eq!(answer[score], (200 * weigh(true) + all) / (2 * all), "{tier}: {answer}");
        }
    });
}

#[test]
fn links_are_left_alone_when_the_client_says_so() {
    run(async {
        let (app, site) = (TestApp::start(), tide());
        let key = app.key("starter");
        let answer = validate(&app, &key, json!({"url": site.url(), "checkLinks": false})).await;
        assert_eq!(names(&answer), ALWAYS.into_iter().chain(["url", "targetUrl", "health"]).collect());
        assert_eq!(answer["health"], "live");
        assert_eq!((site.count("/start"), site.count("/gone"), site.count("/shy")), (0, 0, 0));
    });
}

#[test]
fn a_text_and_nothing_is_fetched_but_its_links() {
    run(async {
        let (app, site) = (TestApp::start(), tide());
        let key = app.key("starter");
        let base = site.url();
        let content =
            format!("{TIDE}- [Start]({base}start): how to begin\n- [Gone]({base}gone)\n- [Near](/near)\n");
        let answer = validate(&app, &key, json!({"content": content})).await;
        assert_eq!(names(&answer), ALWAYS.into_iter().chain(["linkStats"]).collect());
        assert_eq!((&answer["mode"], &answer["contentLength"]), (&json!("content"), &json!(content.len())));
        let gone = json!([{"url": format!("{base}gone"), "line": 8, "reason": "404"}]);
        assert_eq!(
            answer["linkStats"],
            json!({"checked": 2, "ok": 1, "dead": 1, "unknown": 0, "deadLinks": gone})
        );
        let dead = |id: &str| answer["checks"].as_array().unwrap().iter().find(|c| c["id"] == id).unwrap();
        assert_eq!(
            (&dead("no-dead-links")["pass"], &dead("links-resolve")["pass"]),
            (&json!(false), &json!(false))
        );
        assert!(site.hits().iter().all(|hit| hit.path == "/start" || hit.path == "/gone"));
        let seen = site.hits().len();
        let without = validate(&app, &key, json!({"content": content, "checkLinks": false})).await;
        assert_eq!(names(&without), ALWAYS.into_iter().collect());
        assert_eq!(site.hits().len(), seen, "nothing is fetched without checkLinks");
        assert_eq!(without["score"], answer["score"]);
    });
}

#[test]
fn a_file_that_is_missing_or_cannot_be_reached_is_an_answer_and_counts() {
    run(async {
        let app = TestApp::start();
        let key = app.key("starter");
        let (empty, inward) = (
            FakeSite::start(|_| Reply::status(404)),
            FakeSite::start(|_| Reply::moved("http://10.0.0.1/llms.txt")),
        );
        for (url, status) in [
            (empty.url(), "missing"),
            (inward.url(), "unreachable"),
            ("http://127.0.0.1:9/".to_owned(), "unreachable"),
            ("no-such-host.invalid".to_owned(), "unreachable"),
        ] {
            let answer = validate(&app, &key, json!({"url": url})).await;
            let expected = (&json!(status), &json!("dead"), &json!(0));
            assert_eq!((&answer["status"], &answer["health"], &answer["score"]), expected, "{url}");
        }
        assert_eq!(app.used(&key).await, (0, 4));
    });
}

#[test]
fn the_document_describes_what_is_answered() {
    run(async {
        let (app, site) = (TestApp::start(), tide());
        let key = app.key("starter");
        let (_, document) = test_app::json(app.get("/openapi.json").send().await.unwrap()).await;
        let schema = |name: &str| document["components"]["schemas"][name].clone();
        let answer = validate(&app, &key, json!({"url": site.url()})).await;
        let response = schema("ValidateResponse");
        assert_eq!(names(&answer), names(&response["properties"]));
        let required: BTreeSet<&str> =
            response["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        assert_eq!(required, ALWAYS.into_iter().collect());
        let several = |check: &&Value| check["occurrences"].is_array();
        let http = answer["checks"].as_array().unwrap().iter().find(several).unwrap();
        assert_eq!(http["occurrences"].as_array().unwrap().len(), 3, "{http}");
        assert_eq!(names(http), names(&schema("Check")["properties"]));
        assert_eq!(names(&http["occurrences"][0]), names(&schema("Occurrence")["properties"]));
        assert_eq!(names(&answer["linkStats"]["deadLinks"][0]), names(&schema("DeadLink")["properties"]));
        assert_eq!(names(&answer["linkStats"]), names(&schema("LinkStats")["properties"]));
    });
}
