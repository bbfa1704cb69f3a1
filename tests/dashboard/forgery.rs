//! Forged requests: what changes something is refused unless it comes from a page of the service.

use reqwest::Method;

use crate::visitor::Visitor;
use crate::{PASSWORD, Place, on_both};

on_both!(a_form_from_elsewhere_changes_nothing, a_form_from_here_is_taken_however_its_browser_says_so);

const ADA: &str = "ada@example.org";
const POSTS: [&str; 12] = [
    "/signup",
    "/verify",
    "/login",
    "/logout",
    "/forgot",
    "/reset",
    "/account/password",
    "/account/delete",
    "/keys",
    "/keys/1/revoke",
    "/playground/generate",
    "/playground/validate",
];

async fn a_form_from_elsewhere_changes_nothing(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person(ADA).await;
    let fields = [
        ("email", ADA),
        ("password", PASSWORD),
        ("current", PASSWORD),
        ("new", "another password"),
        ("token", "00"),
    ];
    let elsewhere: [&[(&str, &str)]; 6] = [
        &[],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site"), ("origin", &service.app.url)],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "https://evil.example"), ("referer", &service.app.url)],
    ];
    let mails = service.mail.mails().len();
    for path in POSTS {
        for headers in elsewhere {
            let form = headers
                .iter()
                .fold(ada.form(path, &fields), |form, (name, value)| form.header(*name, *value));
            let answer = ada.send(form).await;
            assert_eq!(answer.status, 403, "{path} {headers:?}: {}", answer.body);
            assert!(answer.body.contains("Another site sent this"), "{}", answer.body);
        }
    }
    assert!(ada.is_in().await, "still logged in, with the old password");
    assert_eq!(service.mail.mails().len(), mails);
    // No other method gets round it, either.
    for method in [Method::PUT, Method::PATCH, Method::DELETE] {
        let answer = ada.send(ada.request(method, "/account")).await;
        assert_eq!(answer.status, 403, "{}", answer.body);
    }
}

async fn a_form_from_here_is_taken_however_its_browser_says_so(place: Place) {
    let service = place.service("").await;
    service.person(ADA).await;
    let own = service.app.url.clone();
    let headers = [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "none"), ("origin", own.as_str())];
    for (name, value) in headers {
        let mut ada = service.visitor();
        let form = ada.form("/login", &[("email", ADA), ("password", PASSWORD)]).header(name, value);
        assert_eq!(ada.send(form).await.status, 303, "{name}: {value}");
    }
    // Where the origin is configured, only that one counts.
    drop(service.app);
    let app = service.place.app("server.public_url = \"https://wayfile.example\"");
    for (origin, status) in [("https://wayfile.example", 303), (app.url.as_str(), 403)] {
        let mut ada = Visitor::new(&app);
        let form = ada.form("/login", &[("email", ADA), ("password", PASSWORD)]).header("origin", origin);
        assert_eq!(ada.send(form).await.status, status, "{origin}");
    }
}
