//! What a run answers.

use serde_json::json;

use crate::fake_site::{FakeSite, numbered};
use crate::run;
use crate::test_app::{self, TestApp};

#[test]
fn both_files_come_in_one_answer() {
    run(async {
        let (app, site) = (TestApp::start(), FakeSite::start(|path| numbered(path, 5)));
        let key = app.key("starter");
        let body = json!({"url": site.url(), "instructions": "Quote the source.\n\n## Not a heading"});
        let response = app.generate(&key, &body).send().await.unwrap();
        let (status, answer) = test_app::json(response).await;
        assert_eq!(status, 200);
        let names: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["domain", "fileType", "llmEnhanced", "llmsFullTxt", "llmsTxt", "note", "url"]);
        assert_eq!(
            (&answer["url"], &answer["domain"], &answer["fileType"], &answer["llmEnhanced"], &answer["note"]),
            (&json!(site.url()), &json!("127.0.0.1"), &json!("both"), &json!(false), &json!(null))
        );
        let index = answer["llmsTxt"].as_str().unwrap();
        assert!(
            index.contains("Instructions for LLM Agents") && index.contains("Quote the source."),
            "{index}"
        );
        assert!(!index.lines().any(|line| line.starts_with("## Not")), "{index}");
        assert_eq!(index.lines().filter(|line| line.contains("/docs/")).count(), 5);
        assert!(answer["llmsFullTxt"].as_str().unwrap().contains("Chapter 4"));
    });
}

#[test]
fn only_the_requested_files_are_made() {
    run(async {
        let (app, site) = (TestApp::start(), FakeSite::start(|path| numbered(path, 2)));
        let key = app.key("pro");
        for (file_type, index, full) in [("llms", true, false), ("llms-full", false, true)] {
            let body = json!({"url": site.url(), "fileType": file_type});
            let (_, answer) = test_app::json(app.generate(&key, &body).send().await.unwrap()).await;
            assert_eq!(answer["fileType"], file_type);
            assert_eq!((answer["llmsTxt"].is_string(), answer["llmsFullTxt"].is_string()), (index, full));
        }
    });
}

#[test]
fn no_cache_refetches() {
    run(async {
        let (app, site) = (TestApp::start(), FakeSite::start(|path| numbered(path, 2)));
        let key = app.key("pro");
        let ask = || app.generate(&key, &json!({"url": site.url()}));
        ask().send().await.unwrap();
        ask().send().await.unwrap();
        assert_eq!(site.count("/docs/1.html"), 1);
        ask().header("cache-control", "no-cache").send().await.unwrap();
        assert_eq!(site.count("/docs/1.html"), 2);
    });
}
