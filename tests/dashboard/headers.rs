//! What browsers are told about every page, errors included.

use reqwest::Method;

use crate::visitor::Answer;
use crate::{PASSWORD, Place, on_both};

on_both!(every_page_is_strict_and_kept_by_nobody);

const ADA: &str = "ada@example.org";
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

fn is_strict(path: &str, answer: &Answer) {
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(answer.header(name), value, "{path}: {name}");
    }
    // What the policy forbids, the pages do not try.
    for inline in ["<style", " style=", " onclick=", "javascript:"] {
        assert!(!answer.body.contains(inline), "{path}: {inline}");
    }
    if answer.status != 303 {
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert!(answer.body.starts_with("<!doctype html>"), "{path}: {}", answer.body);
    }
}

async fn every_page_is_strict_and_kept_by_nobody(place: Place) {
    let service = place.service("").await;
    let (mut ada, mut stranger) = (service.person(ADA).await, service.visitor());
    for path in ["/", "/docs", "/signup", "/login", "/forgot"] {
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        is_strict(path, &answer);
    }
    for (path, status) in
        [("/verify", 410), ("/reset?token=0", 410), ("/logout", 405), ("/account/delete", 405)]
    {
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        is_strict(path, &answer);
    }
    is_strict("/account", &stranger.get("/account").await);
    for path in ["/account", "/overview", "/runs", "/docs", "/keys", "/usage", "/playground"] {
        let answer = ada.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        is_strict(path, &answer);
    }
    let made = ada.post("/keys", &[("name", "laptop")]).await;
    assert!(made.status == 201 && made.body.contains("wf_"), "{}", made.body);
    is_strict("/keys", &made);
    is_strict("/login", &ada.log_in(ADA, "a wrong password").await);
    is_strict("/login", &stranger.send(stranger.form("/login", &[])).await);
    let text = stranger.request(Method::POST, "/login").header("sec-fetch-site", "none").body("email=ada");
    let refused = stranger.send(text).await;
    assert_eq!(refused.status, 415);
    is_strict("/login", &refused);
    is_strict("/logout", &ada.post("/logout", &[]).await);
    let huge = "x".repeat(100_000);
    let refused = stranger.post("/login", &[("email", ADA), ("password", &huge)]).await;
    assert_eq!(refused.status, 413);
    is_strict("/login", &refused);
    // The API's paths stay as they are.
    let missing = stranger.get("/no/such/path").await;
    assert_eq!((missing.status, missing.header("content-type")), (404, "application/json"));
    assert_eq!(stranger.log_in(ADA, PASSWORD).await.status, 303);
}
