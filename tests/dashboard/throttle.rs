//! Who tries too often waits: by account, by address of a mail, by where the tries come from.

use crate::visitor::{Answer, Visitor};
use crate::{PASSWORD, Place, on_both};

on_both!(
    guessing_a_password_becomes_slow_whether_there_is_an_account_or_not,
    many_guesses_at_once_are_counted_before_any_is_answered,
    who_guesses_from_elsewhere_keeps_no_owner_out,
    a_mailbox_is_not_flooded,
    a_range_of_addresses_sends_so_many_forms_and_no_header_hides_it,
    an_account_makes_so_many_keys_a_minute,
);

const ADA: &str = "ada@example.org";
/// Waits that no test sits out.
const STRICT: &str =
    "accounts.free_tries = 3\naccounts.first_wait = \"10m\"\naccounts.first_mail_wait = \"10m\"";

fn waits(answer: &Answer) {
    assert_eq!(answer.status, 429, "{}", answer.body);
    let wait: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=600).contains(&wait), "{wait}");
    assert!(answer.body.contains("Try again in"), "{}", answer.body);
}

async fn guessing_a_password_becomes_slow_whether_there_is_an_account_or_not(place: Place) {
    let service = place.service(STRICT).await;
    let mut ada = service.person(ADA).await;
    for email in [ADA, "nobody@example.org"] {
        let mut guesser = service.visitor();
        for _ in 0..3 {
            assert_eq!(guesser.log_in(email, "a wrong password").await.status, 422);
        }
        waits(&guesser.log_in(email, "a wrong password").await);
        // The right one is not told from a wrong one, either; and nothing but the password has to be typed again.
        let refused = guesser.log_in(email, PASSWORD).await;
        waits(&refused);
        assert!(refused.body.contains(&format!("value=\"{email}\"")), "{}", refused.body);
        assert!(!refused.body.contains(PASSWORD));
    }
    // Whoever is logged in stays so, and has as many tries of their own, but does not guess from there.
    assert!(ada.is_in().await);
    let change = [("current", "a wrong password"), ("new", "another password")];
    for _ in 0..3 {
        assert_eq!(ada.post("/account/password", &change).await.status, 422);
    }
    waits(&ada.post("/account/delete", &[("password", "a wrong password")]).await);
    waits(&ada.post("/account/password", &change).await);
    // Another account is not held up by it.
    assert_eq!(service.visitor().log_in("grace@example.org", PASSWORD).await.status, 422);
}

async fn many_guesses_at_once_are_counted_before_any_is_answered(place: Place) {
    let service = place.service(STRICT).await;
    let guesses = (0..12).map(|_| {
        let mut guesser = service.visitor();
        async move { guesser.log_in(ADA, "a wrong password").await.status }
    });
    let answers = futures_util::future::join_all(guesses).await;
    assert_eq!(answers.iter().filter(|status| **status == 422).count(), 3, "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == 429).count(), 9, "{answers:?}");
    // A right password in time makes earlier tries forgotten.
    service.person("grace@example.org").await;
    for _ in 0..3 {
        let mut grace = service.visitor();
        grace.log_in("grace@example.org", "a wrong password").await;
        assert_eq!(grace.log_in("grace@example.org", PASSWORD).await.status, 303);
    }
}

async fn who_guesses_from_elsewhere_keeps_no_owner_out(place: Place) {
    let service = place.service(&format!("{STRICT}\nserver.trusted_proxies = [\"127.0.0.0/8\"]")).await;
    service.person(ADA).await;
    let log_in = async |from: &str, password: &str| {
        let mut visitor = service.visitor();
        let form = visitor.form("/login", &[("email", ADA), ("password", password)]);
        visitor.send(form.header("sec-fetch-site", "none").header("x-forwarded-for", from)).await
    };
    for n in 0..3 {
        assert_eq!(log_in(&format!("203.0.113.{n}"), "a wrong password").await.status, 422);
    }
    waits(&log_in("203.0.113.9", PASSWORD).await);
    assert_eq!(log_in("198.51.100.7", PASSWORD).await.status, 303);
    waits(&log_in("203.0.113.9", PASSWORD).await);
}

async fn a_mailbox_is_not_flooded(place: Place) {
    let service = place.service(STRICT).await;
    service.person(ADA).await;
    for email in [ADA, "nobody@example.org"] {
        let mut flooder = service.visitor();
        let mut sent = 0;
        while flooder.post("/forgot", &[("email", email)]).await.status == 200 {
            sent += 1;
        }
        assert_eq!(sent, if email == ADA { 2 } else { 3 }, "the mail of the sign-up counts, too");
        waits(&flooder.post("/forgot", &[("email", email)]).await);
        waits(&flooder.sign_up(email, PASSWORD).await);
    }
}

async fn a_range_of_addresses_sends_so_many_forms_and_no_header_hides_it(place: Place) {
    let settings = "accounts.forms_per_minute = 4\naccounts.free_tries = 100";
    let direct = place.app(settings);
    let try_from = {
        let visitor = Visitor::new(&direct);
        async move |hops: String| {
            let mut visitor = visitor.copy();
            let email = format!("a{}@example.org", fastrand::u64(..));
            let form = visitor.form("/forgot", &[("email", &email)]).header("sec-fetch-site", "none");
            visitor.send(form.header("x-forwarded-for", hops)).await
        }
    };
    for n in 0..4 {
        assert_eq!(try_from(format!("203.0.{n}.1")).await.status, 200);
    }
    waits(&try_from("198.51.100.9".to_owned()).await);

    // Behind a proxy of ours it is the client that counts, by the range it is in.
    drop(direct);
    let proxied = place.app(&format!("{settings}\nserver.trusted_proxies = [\"127.0.0.0/8\"]"));
    let mut visitor = Visitor::new(&proxied);
    let mut from = async |hops: &str| {
        let email = format!("a{}@example.org", fastrand::u64(..));
        let form = visitor.form("/forgot", &[("email", &email)]).header("sec-fetch-site", "none");
        visitor.send(form.header("x-forwarded-for", hops)).await
    };
    for n in 0..4 {
        let made_up = format!("8.8.{n}.8, 203.0.113.{n}, 127.0.0.9");
        assert_eq!(from(&made_up).await.status, 200);
    }
    waits(&from("9.9.9.9, 203.0.113.77").await);
    assert_eq!(from("9.9.9.9, 203.0.114.77").await.status, 200, "the neighbour is somebody else");
    for n in 0..4 {
        assert_eq!(from(&format!("2001:db8:0:1::{n}")).await.status, 200);
    }
    waits(&from("2001:db8:0:1:ffff::1").await);
    assert_eq!(from("2001:db8:0:2::1").await.status, 200);
}

async fn an_account_makes_so_many_keys_a_minute(place: Place) {
    let service = place.service("accounts.forms_per_minute = 8\nplans.free.keys = 3").await;
    let (mut ada, mut grace) = (service.person(ADA).await, service.person("grace@example.org").await);
    let mut taken = Vec::new();
    let refused = loop {
        let answer = ada.post("/keys", &[("name", &format!("key {}", taken.len()))]).await;
        if !matches!(answer.status, 201 | 422) {
            break answer;
        }
        taken.push(answer.status);
        assert!(taken.len() < 60, "nobody holds it up");
    };
    waits(&refused);
    assert!(taken.len() >= 8 && taken.iter().filter(|status| **status == 201).count() == 3, "{taken:?}");
    assert_eq!(grace.post("/keys", &[("name", "hers")]).await.status, 201);
    assert_eq!(ada.get("/keys").await.status, 200);
}
