//! Sessions: begun by a password, told by a cookie, ended by log-out, time and a new password.

use crate::visitor::token;
use crate::{PASSWORD, Place, TestService, on_both};

on_both!(
    a_planted_cookie_becomes_no_session,
    a_session_that_was_ended_stays_ended,
    confirming_another_address_ends_the_session_before,
    a_session_ends_with_its_time,
    a_new_password_ends_all_other_sessions_and_renews_this_one,
    a_reset_password_ends_all_sessions,
    an_account_made_by_the_operator_gets_its_password_by_mail,
    a_link_to_reset_works_once_and_not_for_ever,
    the_cookie_is_for_this_host_alone,
    after_logging_in_one_is_where_one_wanted_to_be,
    only_hashes_are_stored_and_no_secret_is_logged,
);

const ADA: &str = "ada@example.org";
const OTHER: &str = "another password, harbour 8";

async fn a_planted_cookie_becomes_no_session(place: Place) {
    let service = place.service("").await;
    service.person(ADA).await;
    let planted = format!("wayfile={}", "a1".repeat(32));
    let mut victim = service.visitor();
    victim.cookie = Some(planted.clone());
    assert_eq!(victim.log_in(ADA, PASSWORD).await.status, 303);
    let first = victim.cookie.clone().unwrap();
    assert_ne!(first, planted);
    let mut attacker = service.visitor();
    attacker.cookie = Some(planted);
    assert!(!attacker.is_in().await && victim.is_in().await);
    // Logging in again begins another session and ends the one before.
    victim.log_in(ADA, PASSWORD).await;
    attacker.cookie = Some(first);
    assert!(!attacker.is_in().await && victim.is_in().await);
    for junk in ["wayfile=", "wayfile=x", "wayfile=%00", "__Host-wayfile=x"] {
        attacker.cookie = Some(junk.to_owned());
        assert!(!attacker.is_in().await, "{junk}");
    }
}

async fn confirming_another_address_ends_the_session_before(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person(ADA).await;
    let mut before = ada.copy();
    ada.sign_up("grace@example.org", PASSWORD).await;
    let link = service.mail.last_to("grace@example.org", 1).await.link("/verify");
    assert_eq!(ada.confirm(&link).await.status, 303);
    assert!(ada.is_in().await && !before.is_in().await);
}

async fn a_session_that_was_ended_stays_ended(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person(ADA).await;
    let mut thief = ada.copy();
    let out = ada.post("/logout", &[]).await;
    assert_eq!((out.status, out.to.as_deref()), (303, Some("/")));
    assert_eq!(ada.cookie, None, "the browser forgets it");
    assert!(!thief.is_in().await);
    assert_eq!(ada.post("/logout", &[]).await.status, 303, "there is nothing left to end");
}

async fn a_session_ends_with_its_time(place: Place) {
    let service = place.service("accounts.session_idle = \"1h\"\naccounts.session_longest = \"10h\"").await;
    let mut ada = service.person(ADA).await;
    let hour = 3_600_000_000_i64;
    let left = "SELECT (expires_at - seen_at) / 1000000 FROM sessions";
    assert_eq!(service.place.count(left).await, 3_600, "idle");
    // Half an hour later it is used again, and its idle time begins anew.
    service
        .place
        .change("UPDATE sessions SET seen_at = seen_at - 1800000000, expires_at = expires_at - 1800000000")
        .await;
    assert!(ada.is_in().await);
    assert_eq!(service.place.count(left).await, 3_600);
    // Begun nine hours and a half ago, it has half an hour left however much it is used.
    service
        .place
        .change("UPDATE sessions SET created_at = created_at - 34200000000, seen_at = seen_at - 60000000")
        .await;
    assert!(ada.is_in().await);
    let age = service.place.count("SELECT expires_at - created_at FROM sessions").await;
    assert_eq!(age, 10 * hour);
    service.place.change("UPDATE sessions SET expires_at = 1").await;
    assert!(!ada.is_in().await);
}

async fn a_new_password_ends_all_other_sessions_and_renews_this_one(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person(ADA).await;
    let mut elsewhere = service.visitor();
    elsewhere.log_in(ADA, PASSWORD).await;
    let mut old = ada.copy();
    let wrong = ada.post("/account/password", &[("current", OTHER), ("new", OTHER)]).await;
    assert!(wrong.status == 422 && wrong.body.contains("not the password"), "{}", wrong.body);
    let weak = ada.post("/account/password", &[("current", PASSWORD), ("new", "password1234")]).await;
    assert_eq!(weak.status, 422);
    assert!(elsewhere.is_in().await, "nothing was changed");

    let link = forgotten(&service, 1).await;
    let changed = ada.post("/account/password", &[("current", PASSWORD), ("new", OTHER)]).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_ne!(ada.cookie, old.cookie);
    assert!(ada.is_in().await && !old.is_in().await && !elsewhere.is_in().await);
    assert_eq!(elsewhere.log_in(ADA, PASSWORD).await.status, 422);
    assert_eq!(elsewhere.log_in(ADA, OTHER).await.status, 303);
    assert!(service.mail.last_to(ADA, 3).await.subject.contains("was changed"));
    let late = elsewhere.post("/reset", &[("token", token(&link)), ("password", PASSWORD)]).await;
    assert_eq!(late.status, 410, "a link that was open ends, too");
}

/// The link of the mail that resets a password, after `before` other mails.
async fn forgotten(service: &TestService, before: usize) -> String {
    let asked = service.visitor().post("/forgot", &[("email", ADA)]).await;
    assert_eq!(asked.status, 200);
    service.mail.last_to(ADA, before + 1).await.link("/reset")
}

async fn a_reset_password_ends_all_sessions(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person(ADA).await;
    let link = forgotten(&service, 1).await;
    let mut elsewhere = service.visitor();
    let page = elsewhere.get(&link).await;
    assert!(page.status == 200 && page.body.contains(ADA), "{}", page.body);
    assert!(ada.is_in().await, "opening the link does nothing yet");
    let weak = elsewhere.post("/reset", &[("token", token(&link)), ("password", "short")]).await;
    assert_eq!(weak.status, 422, "and the link still works");
    let reset = elsewhere.post("/reset", &[("token", token(&link)), ("password", OTHER)]).await;
    assert_eq!((reset.status, elsewhere.cookie.is_some()), (200, false), "{}", reset.body);
    assert!(!ada.is_in().await);
    assert_eq!(ada.log_in(ADA, PASSWORD).await.status, 422);
    assert_eq!(ada.log_in(ADA, OTHER).await.status, 303);
}

async fn an_account_made_by_the_operator_gets_its_password_by_mail(place: Place) {
    let service = place.service("").await;
    service.app.command(&["account", "create", "--email", ADA, "--plan", "pro"]);
    let mut ada = service.visitor();
    for none in ["", PASSWORD] {
        assert_eq!(ada.log_in(ADA, none).await.status, 422);
    }
    let link = forgotten(&service, 0).await;
    assert_eq!(ada.post("/reset", &[("token", token(&link)), ("password", OTHER)]).await.status, 200);
    assert_eq!(ada.log_in(ADA, OTHER).await.status, 303);
    assert!(ada.get("/account").await.body.contains("pro"));
}

async fn a_link_to_reset_works_once_and_not_for_ever(place: Place) {
    let service = place.service("").await;
    service.person(ADA).await;
    let (old, first, second) =
        (forgotten(&service, 1).await, forgotten(&service, 2).await, forgotten(&service, 3).await);
    let mut ada = service.visitor();
    let mut reset =
        async |link: &str| ada.post("/reset", &[("token", token(link)), ("password", OTHER)]).await.status;
    service
        .place
        .change("UPDATE links SET expires_at = 1 WHERE expires_at = (SELECT min(expires_at) FROM links)")
        .await;
    assert_eq!(reset(&old).await, 410);
    assert_eq!(reset(&first).await, 200);
    assert_eq!(reset(&first).await, 410);
    assert_eq!(reset(&second).await, 410, "the others end with it");
}

async fn the_cookie_is_for_this_host_alone(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person(ADA).await;
    let answer = ada.log_in(ADA, PASSWORD).await;
    let cookie = answer.header("set-cookie");
    let (value, rules) = cookie.split_once("; ").unwrap();
    assert_eq!(value.strip_prefix("wayfile=").unwrap().len(), 64, "256 bits");
    assert_eq!(rules, "HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000");
    assert!(service.app.log().contains("without `Secure`"), "the exception is logged");

    // The same store behind a proxy with TLS.
    drop(service.app);
    let app = service.place.app("server.public_url = \"https://wayfile.example/\"");
    let mut ada = crate::Visitor::new(&app);
    let answer = ada.log_in(ADA, PASSWORD).await;
    let (value, rules) = answer.header("set-cookie").split_once("; ").unwrap();
    assert!(value.starts_with("__Host-wayfile="), "{value}");
    assert_eq!(rules, "HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=2592000");
    assert!(!app.log().contains("without `Secure`"));
    // A cookie that any neighbour on loopback could have set is none.
    let plain = ada.cookie.clone().unwrap().replace("__Host-", "");
    assert!(ada.is_in().await);
    ada.cookie = Some(plain);
    assert!(!ada.is_in().await);
}

async fn after_logging_in_one_is_where_one_wanted_to_be(place: Place) {
    let service = place.service("").await;
    service.person(ADA).await;
    let mut ada = service.visitor();
    let sent = ada.get("/account?tab=1").await;
    assert_eq!((sent.status, sent.to.as_deref()), (303, Some("/login?next=%2Faccount%3Ftab%3D1")));
    let page = ada.get(&sent.to.unwrap()).await;
    assert!(page.body.contains("name=\"next\" value=\"/account?tab=1\""), "{}", page.body);
    for (next, place) in [
        ("/account?tab=1", "/account?tab=1"),
        ("https://evil.example/", "/overview"),
        ("//evil.example/", "/overview"),
        ("/\\evil.example/", "/overview"),
        ("", "/overview"),
    ] {
        let fields = [("email", ADA), ("password", PASSWORD), ("next", next)];
        let answer = service.visitor().post("/login", &fields).await;
        assert_eq!((answer.status, answer.to.as_deref()), (303, Some(place)), "{next}");
    }
    // What was to be sent is not sent again by somebody else.
    let lost = ada.post("/account/delete", &[("password", PASSWORD)]).await;
    assert_eq!((lost.status, lost.to.as_deref()), (303, Some("/login")));
}

async fn only_hashes_are_stored_and_no_secret_is_logged(place: Place) {
    let service = place.service("").await;
    let ada = service.person(ADA).await;
    let value = ada.cookie.unwrap().split_once('=').unwrap().1.to_owned();
    let link = forgotten(&service, 1).await;
    let texts = crate::account::everything_stored(&service.place).await;
    assert!(texts.iter().any(|text| text.contains(ADA)), "it is looked at the right place");
    let log = service.app.log();
    assert!(log.contains("a mail was handed over"), "{log}");
    for secret in [value.as_str(), token(&link), PASSWORD] {
        assert!(!texts.iter().any(|text| text.contains(secret)), "{secret}");
        assert!(!log.contains(secret), "{secret}");
    }
    assert!(!log.contains(ADA), "addresses of account holders are in no log");
}
