//! Nobody learns from an answer whether an address has an account: neither from its text nor from the work behind it.

use std::time::Duration;

use crate::visitor::{Answer, Visitor};
use crate::{PASSWORD, Place, TestService, on_both};

on_both!(known_and_unknown_addresses_get_the_same_answer_for_the_same_work);

const KNOWN: &str = "ada@example.org";
const UNKNOWN: &str = "eve@example.org";
const LINE_PATIENCE: u32 = 2_000;

/// Password hashes that a request took, as the service's log tells.
async fn hashes(service: &TestService, answer: &Answer) -> usize {
    let id = answer.header("x-request-id");
    for _ in 0..LINE_PATIENCE {
        let log = service.app.log();
        let own: Vec<&str> = log.lines().filter(|line| line.contains(id)).collect();
        // The last line of a request; what it did is told before.
        if ["answered", "refused"]
            .iter()
            .any(|end| own.iter().any(|line| line.contains(&format!("a request was {end}"))))
        {
            return own.iter().filter(|line| line.contains("a password was hashed")).count();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the request {id} is not in the log: {}", service.app.log())
}

async fn known_and_unknown_addresses_get_the_same_answer_for_the_same_work(place: Place) {
    let service = place.service("").await;
    service.person(KNOWN).await;
    // Made by the operator: known, and without a password so far.
    let bare = "grace@example.org";
    service.app.command(&["account", "create", "--email", bare, "--plan", "free"]);
    for (path, password, work) in [
        ("/signup", PASSWORD, 1),
        ("/login", "a wrong password", 1),
        ("/forgot", "", 0),
        ("/signup/again", "", 0),
    ] {
        let mut answers = Vec::new();
        for email in [KNOWN, UNKNOWN, bare] {
            let fields = [("email", email), ("password", password)];
            let answer: Answer = Visitor::new(&service.app).post(path, &fields).await;
            assert_eq!(hashes(&service, &answer).await, work, "{path} {email}");
            let mut headers = answer.headers.clone();
            for different in ["x-request-id", "date"] {
                headers.remove(different);
            }
            answers.push((answer.status, headers, answer.body.replace(email, "ADDRESS")));
        }
        assert!(answers.windows(2).all(|two| two[0] == two[1]), "{path}: {answers:#?}");
    }
    // The stranger who reads the mails of the unknown address is the only one who could tell.
    let mails = service.mail.to(KNOWN, 4).await;
    assert!(mails.iter().any(|mail| mail.subject.contains("new password")), "{mails:?}");
    assert!(service.mail.last_to(UNKNOWN, 1).await.subject.contains("Confirm"));
}
