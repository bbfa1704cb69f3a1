//! Markup in every field: it comes back as text, or not at all.

use crate::visitor::token;
use crate::{PASSWORD, Place, on_both};

on_both!(markup_in_any_field_stays_text);

const MARKUP: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>";
/// An address that mail could be sent to, and that is markup.
const ADDRESS: &str = "<b>&amp;'`{{7*7}}</b>\"@example.org";
const ODD: &str = "a&lt;b>'`{{7*7}}$x@example.org";

fn is_text(what: &str, body: &str) {
    for live in ["<script>alert", "<img src=x", "<b>", "&amp;'`", ">49<", "{{49"] {
        assert!(!body.contains(live), "{what}: {live}: {body}");
    }
}

async fn markup_in_any_field_stays_text(place: Place) {
    let service = place.service("").await;
    let mut ada = service.visitor();
    let fields: Vec<(&str, &str)> = ["email", "password", "next", "token", "current", "new"]
        .into_iter()
        .map(|name| (name, MARKUP))
        .collect();
    for path in ["/signup", "/login", "/forgot", "/verify", "/reset"] {
        let answer = ada.post(path, &fields).await;
        assert!(matches!(answer.status, 410 | 422), "{path}: {}", answer.status);
        is_text(path, &answer.body);
        for email in [ADDRESS, ODD] {
            let mut fields = fields.clone();
            fields[0].1 = email;
            is_text(path, &ada.post(path, &fields).await.body);
        }
    }
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("next", &format!("/keys?{MARKUP}"))
        .append_pair("token", MARKUP)
        .finish();
    for path in ["/login", "/verify", "/reset"] {
        is_text(path, &ada.get(&format!("{path}?{query}")).await.body);
    }

    // An odd address that is a good one goes all the way: mail, confirmation, account page.
    let odd = "o'hara&sons+`x`@example.org";
    ada.sign_up(odd, PASSWORD).await;
    let link = service.mail.last_to(odd, 1).await.link("/verify");
    let page = ada.get(&link).await;
    assert!(page.status == 200 && !page.body.contains("o'hara&sons"), "{}", page.body);
    assert_eq!(ada.post("/verify", &[("token", token(&link)), ("password", PASSWORD)]).await.status, 303);
    assert_eq!(ada.log_in(odd, PASSWORD).await.status, 303);
    let page = ada.get("/account").await;
    assert!(page.status == 200 && !page.body.contains("o'hara&sons"), "{}", page.body);
    // What a key is called, where it is shown once and where it is listed.
    for name in [MARKUP, "<b>&amp;'`{{7*7}}</b>"] {
        is_text("/keys", &ada.post("/keys", &[("name", name)]).await.body);
    }
    is_text("/keys", &ada.get("/keys").await.body);
    is_text("/playground", &ada.get("/playground").await.body);
    let wrong = [("current", MARKUP), ("new", MARKUP), ("password", MARKUP)];
    for path in ["/account/password", "/account/delete"] {
        let answer = ada.post(path, &wrong).await;
        assert_eq!(answer.status, 422, "{path}");
        is_text(path, &answer.body);
    }
}
