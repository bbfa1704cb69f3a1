//! The playground: the same run as the API's, charged to the key that was picked.

use serde_json::Value;

use crate::fake_site::{FakeSite, numbered};
use crate::keys::{make, number};
use crate::visitor::Visitor;
use crate::{Place, on_both};

on_both!(
    a_run_counts_for_the_key_that_was_picked,
    a_refusal_is_told_on_the_page_and_costs_nothing,
    a_script_hears_the_run_or_one_error,
    a_key_that_is_revoked_can_no_longer_be_picked,
    a_text_is_judged_as_it_was_typed,
);

const ADA: &str = "ada@example.org";

async fn a_run_counts_for_the_key_that_was_picked(place: Place) {
    let service = place.service("").await;
    let (mut ada, site) = (service.person(ADA).await, FakeSite::start(|path| numbered(path, 3)));
    let key = make(&mut ada, "laptop").await;
    let id = number(&mut ada).await;
    let made = ada.post("/playground/generate", &[("key", &id), ("url", &site.url())]).await;
    assert!(made.status == 200 && made.body.contains("listed in this file"), "{}", made.body);
    assert!(
        made.body.contains("the free plan does not include llms-full.txt"),
        "the plan holds, and a note says so"
    );
    assert!(
        made.body.contains("download=\"llms.txt\" href=\"data:text/plain;charset=utf-8,%23%20"),
        "{}",
        made.body
    );
    // A new plan holds at once.
    service.app.command(&["account", "plan", "--email", ADA, "--plan", "pro"]);
    let form = [("key", id.as_str()), ("url", &site.url()), ("fileType", "llms-full")];
    let made = ada.post("/playground/generate", &form).await;
    assert!(made.status == 200 && made.body.contains("id=\"llms-full.txt\""), "{}", made.body);
    let seen = ada.post("/playground/validate", &[("key", &id), ("url", &site.url())]).await;
    assert!(seen.status == 200 && seen.body.contains(">missing<"), "{}", seen.body);
    assert_eq!(service.app.used(&key).await, (2, 1));
    let usage = ada.get("/usage").await.body;
    assert!(
        usage.contains("<strong>2</strong> of 500") && usage.contains("<strong>1</strong> of 5,000"),
        "{usage}"
    );
}

async fn a_refusal_is_told_on_the_page_and_costs_nothing(place: Place) {
    let service = place.service("[plans.free]\ngenerate_per_month = 1\n").await;
    let (mut ada, site) = (service.person(ADA).await, FakeSite::start(|path| numbered(path, 1)));
    let key = make(&mut ada, "laptop").await;
    let id = number(&mut ada).await;
    let url = site.url();
    let long = "x".repeat(4_001);
    for (fields, status, told) in [
        (vec![("url", "")], 400, "is empty"),
        (vec![("url", "no address")], 400, "is no address"),
        (vec![("url", "http://10.0.0.1/")], 400, "cannot be fetched"),
        (vec![("url", "http://127.0.0.1:9/")], 500, "cannot be reached"),
        (vec![("url", &url), ("fileType", "pdf")], 400, "fileType"),
        (vec![("url", &url), ("fileType", "llms-full")], 403, "does not include"),
        (vec![("url", &url), ("instructions", &long)], 400, "longer than 4000"),
    ] {
        let mut form = vec![("key", id.as_str())];
        form.extend(fields);
        let answer = ada.post("/playground/generate", &form).await;
        assert_eq!(answer.status, status, "{told}: {}", answer.body);
        assert!(
            answer.body.contains(told) && answer.body.contains("role=\"alert\""),
            "{told}: {}",
            answer.body
        );
        let of_field = "aria-describedby=\"instructions-hint instructions-error\" aria-invalid=\"true\"";
        assert_eq!(answer.body.contains(of_field), told == "longer than 4000", "{told}");
    }
    assert_eq!(service.app.used(&key).await.0, 0);
    let form = [("key", id.as_str()), ("url", &url)];
    assert_eq!(ada.post("/playground/generate", &form).await.status, 200);
    let spent = ada.post("/playground/generate", &form).await;
    assert!(spent.status == 429 && spent.body.contains("quota of 1 generate requests"), "{}", spent.body);
    assert_eq!(service.app.used(&key).await.0, 1);
}

/// Sends the form as the page's script does.
async fn listen(person: &mut Visitor, fields: &[(&str, &str)]) -> (u16, String, String) {
    let request = person.form("/playground/generate", fields).header("sec-fetch-site", "same-origin");
    let answer = person.send(request.header("accept", "text/event-stream")).await;
    (answer.status, answer.header("content-type").to_owned(), answer.body)
}

async fn a_script_hears_the_run_or_one_error(place: Place) {
    let service = place.service("").await;
    let (mut ada, site) = (service.person(ADA).await, FakeSite::start(|path| numbered(path, 3)));
    let key = make(&mut ada, "laptop").await;
    let (id, url) = (number(&mut ada).await, site.url());
    let (status, kind, body) = listen(&mut ada, &[("key", &id), ("url", &url)]).await;
    assert_eq!((status, kind.as_str()), (200, "text/event-stream"));
    let (first, last) = (body.lines().next(), body.trim_end().rsplit("\n\n").next().unwrap());
    assert_eq!(first, Some("event: accepted"));
    let done: Value = serde_json::from_str(last.strip_prefix("event: done\ndata: ").unwrap()).unwrap();
    assert_eq!(done["fileType"], "llms");
    assert!(body.contains("event: page"), "{body}");

    let (status, kind, body) = listen(&mut ada, &[("key", &id), ("url", "10.0.0.1")]).await;
    assert_eq!((status, kind.as_str()), (400, "application/json"));
    let error: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((error["code"].as_str(), error["param"].as_str()), (Some("address_not_public"), Some("url")));
    assert_eq!(service.app.used(&key).await.0, 1);
    // Without a session there is a way to get one, and no run.
    let (status, _, _) = listen(&mut service.visitor(), &[("key", &id), ("url", &url)]).await;
    assert_eq!(status, 303);
}

async fn a_key_that_is_revoked_can_no_longer_be_picked(place: Place) {
    let service = place.service("").await;
    let (mut ada, site) = (service.person(ADA).await, FakeSite::start(|path| numbered(path, 1)));
    make(&mut ada, "laptop").await;
    let (id, url) = (number(&mut ada).await, site.url());
    service.app.command(&["key", "revoke", "--email", ADA, "--name", "laptop"]);
    let refused = ada.post("/playground/generate", &[("key", &id), ("url", &url)]).await;
    assert_eq!(refused.status, 400);
    assert!(ada.get("/playground").await.body.contains("First make a key"));
    assert!(site.hits().is_empty());
}

async fn a_text_is_judged_as_it_was_typed(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person(ADA).await;
    make(&mut ada, "laptop").await;
    let id = number(&mut ada).await;
    // Browsers send two characters for each line end; no check may blame the author.
    let text = "# Tide\r\n\r\n> Keeps levels of harbours.\r\n\r\n## Docs\r\n\r\n- [Guide](https://tide.dev/guide): How to begin\r\n";
    let form = [("key", id.as_str()), ("content", text)];
    let judged = ada.post("/playground/validate", &form).await;
    assert!(judged.status == 200 && judged.body.contains(">valid<"), "{}", judged.body);
    assert!(
        judged.body.contains("Form: 100 of 100") && !judged.body.contains("Links tried"),
        "{}",
        judged.body
    );
    let both = [("key", id.as_str()), ("content", text), ("url", "docs.rs")];
    assert!(ada.post("/playground/validate", &both).await.body.contains("exclude each other"));
    let neither = ada.post("/playground/validate", &[("key", &id)]).await;
    assert!(neither.status == 400 && neither.body.contains("are missing"), "{}", neither.body);
    let long = "a".repeat(512_001);
    let refused = ada.post("/playground/validate", &[("key", &id), ("content", &long)]).await;
    assert!(refused.status == 413 && refused.body.contains("512001 bytes"), "{}", refused.status);
}
