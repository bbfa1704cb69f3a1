//! Signing up: an account exists when its owner has used the link that was mailed, and not before.

use crate::visitor::token;
use crate::{PASSWORD, Place, on_both};

on_both!(
    a_person_signs_up_confirms_the_address_and_logs_in,
    without_confirmation_there_is_neither_log_in_nor_key,
    a_link_works_once_and_not_for_ever,
    the_password_that_counts_is_the_one_of_the_link_that_was_used,
    signing_up_again_changes_nothing_about_an_account,
    a_weak_password_is_told_why,
    the_mail_is_sent_again_with_the_password_that_was_chosen,
);

const ADA: &str = "ada@example.org";

async fn a_person_signs_up_confirms_the_address_and_logs_in(place: Place) {
    let service = place.service("").await;
    let mut ada = service.visitor();
    assert_eq!(ada.get("/signup").await.status, 200);
    let answer = ada.sign_up(" Ada@Example.org ", PASSWORD).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let mail = service.mail.last_to(ADA, 1).await;
    assert!(mail.subject.contains("Confirm") && mail.headers.contains("From: "), "{mail:?}");
    let link = mail.link("/verify");
    // Mail scanners open links, too; only the button confirms.
    let page = ada.get(&link).await;
    assert!(page.status == 200 && page.body.contains(ADA), "{}", page.body);
    assert_eq!(ada.log_in(ADA, PASSWORD).await.status, 422);
    let forgot = ada.post("/verify", &[("token", token(&link)), ("password", "")]).await;
    assert_eq!(forgot.status, 422);
    assert!(
        forgot.body.contains("Type the password") && !forgot.body.contains("Somebody else"),
        "{}",
        forgot.body
    );
    assert_eq!(ada.confirm(&link).await.status, 303);
    assert_eq!(ada.log_in(ADA, PASSWORD).await.to.as_deref(), Some("/overview"));
    assert!(ada.get("/account").await.body.contains(ADA));
    let listed = service.app.command(&["account", "list"]);
    assert!(listed.contains("ada@example.org\tfree\tverified"), "{listed}");
}

async fn without_confirmation_there_is_neither_log_in_nor_key(place: Place) {
    let service = place.service("").await;
    let mut ada = service.visitor();
    ada.sign_up(ADA, PASSWORD).await;
    service.mail.to(ADA, 1).await;
    let (unconfirmed, wrong) = (ada.log_in(ADA, PASSWORD).await, ada.log_in(ADA, "another password").await);
    assert_eq!((unconfirmed.status, &unconfirmed.body), (422, &wrong.body));
    assert!(!ada.is_in().await);
    let made = service.app.run(&["key", "create", "--email", ADA, "--name", "laptop"]);
    assert_eq!(made.status.code(), Some(1), "{}", String::from_utf8_lossy(&made.stderr));
}

async fn a_link_works_once_and_not_for_ever(place: Place) {
    let service = place.service("").await;
    let mut ada = service.visitor();
    ada.sign_up(ADA, PASSWORD).await;
    let link = service.mail.last_to(ADA, 1).await.link("/verify");
    service.place.change("UPDATE links SET expires_at = 1").await;
    assert_eq!(ada.get(&link).await.status, 410);
    assert_eq!(ada.post("/verify", &[("token", token(&link))]).await.status, 410);
    assert_eq!(ada.log_in(ADA, PASSWORD).await.status, 422);

    ada.sign_up(ADA, PASSWORD).await;
    let link = service.mail.last_to(ADA, 2).await.link("/verify");
    assert_eq!(ada.confirm(&link).await.status, 303);
    assert_eq!(ada.post("/verify", &[("token", token(&link))]).await.status, 410);
    for junk in ["", "0", &"0".repeat(64), "../../etc/passwd", "\u{0}"] {
        assert_eq!(ada.post("/verify", &[("token", junk)]).await.status, 410, "{junk:?}");
        assert_eq!(
            ada.post("/reset", &[("token", junk), ("password", PASSWORD)]).await.status,
            410,
            "{junk:?}"
        );
    }
    // A link that verifies is none that resets.
    ada.sign_up("grace@example.org", PASSWORD).await;
    let link = service.mail.last_to("grace@example.org", 1).await.link("/verify");
    let reset = ada.post("/reset", &[("token", token(&link)), ("password", "another password")]).await;
    assert_eq!(reset.status, 410);
}

async fn the_password_that_counts_is_the_one_of_the_link_that_was_used(place: Place) {
    let service = place.service("").await;
    let (mut stranger, mut ada) = (service.visitor(), service.visitor());
    stranger.sign_up(ADA, "a password of the stranger").await;
    service.mail.to(ADA, 1).await;
    ada.sign_up(ADA, PASSWORD).await;
    let mails = service.mail.to(ADA, 2).await;
    let links: Vec<String> = mails.iter().map(|mail| mail.link("/verify")).collect();
    // Opening what the stranger began gives the stranger nothing: its password is not Ada's.
    let refused = ada.confirm(&links[0]).await;
    assert!(refused.status == 422 && refused.body.contains("Somebody else"), "{}", refused.body);
    assert_eq!(stranger.log_in(ADA, "a password of the stranger").await.status, 422);
    assert_eq!(ada.confirm(&links[1]).await.status, 303);
    // What the stranger began came to nothing.
    assert_eq!(ada.post("/verify", &[("token", token(&links[0]))]).await.status, 410);
    assert_eq!(stranger.log_in(ADA, "a password of the stranger").await.status, 422);
    assert_eq!(ada.log_in(ADA, PASSWORD).await.status, 303);
}

async fn signing_up_again_changes_nothing_about_an_account(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person(ADA).await;
    let mut stranger = service.visitor();
    assert_eq!(stranger.sign_up(ADA, "a password of the stranger").await.status, 200);
    let mail = service.mail.last_to(ADA, 2).await;
    assert!(mail.subject.contains("already"), "{mail:?}");
    assert!(!mail.text.contains("token="), "{}", mail.text);
    assert_eq!(stranger.log_in(ADA, "a password of the stranger").await.status, 422);
    assert!(ada.is_in().await);
    assert_eq!(stranger.log_in(ADA, PASSWORD).await.status, 303);
}

async fn the_mail_is_sent_again_with_the_password_that_was_chosen(place: Place) {
    let service = place.service("").await;
    let mut ada = service.visitor();
    let answer = ada.sign_up(ADA, PASSWORD).await;
    assert!(answer.body.contains("action=\"/signup/again\""), "{}", answer.body);
    let first = service.mail.last_to(ADA, 1).await.link("/verify");
    assert_eq!(ada.post("/signup/again", &[("email", ADA)]).await.status, 200);
    let second = service.mail.last_to(ADA, 2).await.link("/verify");
    assert_ne!(first, second);
    let confirmed = ada.confirm(&second).await;
    assert_eq!(
        (confirmed.status, confirmed.to.as_deref()),
        (303, Some("/overview")),
        "and no third password"
    );
    assert!(ada.is_in().await);
    assert_eq!(ada.get(&first).await.status, 410);
    // Nobody signed up with this one: the answer is the same, and no mail goes out.
    assert_eq!(ada.post("/signup/again", &[("email", "eve@example.org")]).await.status, 200);
    assert_eq!(ada.post("/signup/again", &[("email", "eve")]).await.status, 400);
}

async fn a_weak_password_is_told_why(place: Place) {
    let service = place.service("").await;
    let mut ada = service.visitor();
    for (password, why) in [
        ("short", "at least 10 characters"),
        (&"long ".repeat(26), "at most 128 characters"),
        ("password1234", "first that others try"),
        ("ADA@example.org", "must not be the e-mail address"),
    ] {
        let answer = ada.sign_up(ADA, password).await;
        assert_eq!(answer.status, 422, "{password}");
        assert!(answer.body.contains(why), "{password}: {}", answer.body);
        assert!(!answer.body.contains(&format!("value=\"{password}\"")), "a password is never shown again");
    }
    let answer = ada.sign_up("ada", PASSWORD).await;
    assert!(answer.status == 422 && answer.body.contains("no e-mail address"), "{}", answer.body);
    assert_eq!(service.place.count("SELECT count(*) FROM mails").await, 0);
}
