//! Mails are delivered in the background, again and again if need be, and outlive a restart.

use std::time::Duration;

use crate::mail_server::MailServer;
use crate::visitor::Visitor;
use crate::{PASSWORD, Place, on_both};

on_both!(
    a_mail_that_is_turned_away_is_tried_again,
    a_mail_is_given_up_after_so_many_tries,
    an_address_that_no_mail_can_be_written_to_is_refused,
    a_mailbox_that_is_not_there_is_tried_once,
    a_mail_says_what_it_is_made_of_and_nothing_of_the_machine,
    links_lead_to_where_people_reach_the_service,
    a_restart_loses_no_mail,
    without_a_server_the_link_is_in_the_log,
    a_server_that_does_not_answer_holds_nobody_up,
    a_delivery_that_stalls_holds_up_no_other,
);

const ADA: &str = "ada@example.org";

async fn a_mail_that_is_turned_away_is_tried_again(place: Place) {
    let service = place.service("mail.tries = 5").await;
    service.mail.refuse(3);
    let mut ada = service.visitor();
    assert_eq!(ada.sign_up(ADA, PASSWORD).await.status, 200);
    let link = service.mail.last_to(ADA, 1).await.link("/verify");
    assert_eq!(service.mail.refused(), 3);
    assert_eq!(ada.confirm(&link).await.status, 303);
    assert_eq!(ada.log_in(ADA, PASSWORD).await.status, 303);
}

async fn a_mail_is_given_up_after_so_many_tries(place: Place) {
    let service = place.service("mail.tries = 2").await;
    service.mail.refuse(2);
    let mut ada = service.visitor();
    ada.sign_up(ADA, PASSWORD).await;
    while service.place.count("SELECT count(*) FROM mails").await > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!((service.mail.refused(), service.mail.mails().len()), (2, 0));
    // The next one is delivered after it.
    ada.sign_up("grace@example.org", PASSWORD).await;
    service.mail.to("grace@example.org", 1).await;
    let log = service.app.log();
    assert!(log.contains("a mail is given up") && !log.contains(ADA), "no address is logged: {log}");
}

async fn an_address_that_no_mail_can_be_written_to_is_refused(place: Place) {
    let service = place.service("").await;
    for email in ["a..b@example.org", "a@-example.org", "a\u{202e}b@example.org"] {
        let answer = service.visitor().sign_up(email, PASSWORD).await;
        assert!(
            answer.status == 422 && answer.body.contains("no e-mail address"),
            "{email}: {}",
            answer.body
        );
    }
    assert_eq!(service.place.count("SELECT count(*) FROM mails").await, 0);
}

async fn a_mailbox_that_is_not_there_is_tried_once(place: Place) {
    let service = place.service("mail.tries = 5").await;
    assert_eq!(service.visitor().sign_up("gone@example.org", PASSWORD).await.status, 200);
    while service.mail.refused() == 0 || service.place.count("SELECT count(*) FROM mails").await > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let log = service.app.log();
    assert!(service.mail.refused() == 1 && log.contains("a mail is given up"), "{log}");
}

async fn a_mail_says_what_it_is_made_of_and_nothing_of_the_machine(place: Place) {
    let service = place.service("mail.from = \"Wayfile <hello@wayfile.example>\"").await;
    service.visitor().sign_up(ADA, PASSWORD).await;
    let headers = service.mail.last_to(ADA, 1).await.headers;
    let id = headers.lines().find_map(|line| line.strip_prefix("Message-ID: <")).unwrap();
    assert!(id.ends_with("@wayfile.example>") && headers.contains("MIME-Version: 1.0"), "{headers}");
}

async fn links_lead_to_where_people_reach_the_service(place: Place) {
    let mail = MailServer::start().await;
    let settings = "server.public_url = \"https://wayfile.example:8443\"";
    let app = place.app(&format!("{settings}\nmail.smtp_url = {:?}", mail.url()));
    // Whatever host a request names, links in mails do not follow it.
    let mut ada = Visitor::new(&app);
    let form = ada.form("/signup", &[("email", ADA), ("password", PASSWORD)]);
    let form = form.header("sec-fetch-site", "none").header("x-forwarded-host", "evil.example");
    assert_eq!(ada.send(form).await.status, 200);
    let text = mail.last_to(ADA, 1).await.text;
    assert!(text.contains("\nhttps://wayfile.example:8443/verify?token="), "{text}");
    assert!(!text.contains("evil.example"), "{text}");
}

async fn a_restart_loses_no_mail(place: Place) {
    let mail = MailServer::start().await;
    mail.refuse(1);
    let settings = |wait: &str| format!("mail.smtp_url = {:?}\nmail.first_wait = {wait:?}", mail.url());
    let app = place.app(&settings("1h"));
    assert_eq!(Visitor::new(&app).sign_up(ADA, PASSWORD).await.status, 200);
    while mail.refused() < 1 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    drop(app);
    // It was killed between two tries, or in one; an hour later its successor goes on.
    place.change("UPDATE mails SET due_at = 1").await;
    let app = place.app(&settings("1h"));
    let link = mail.last_to(ADA, 1).await.link("/verify");
    let mut ada = Visitor::new(&app);
    assert_eq!(ada.confirm(&link).await.status, 303);
    assert_eq!(ada.log_in(ADA, PASSWORD).await.status, 303);
}

async fn without_a_server_the_link_is_in_the_log(place: Place) {
    let app = place.app("");
    let mut ada = Visitor::new(&app);
    ada.sign_up(ADA, PASSWORD).await;
    let link = loop {
        let told = app.log().lines().find_map(|line| {
            let event: serde_json::Value = serde_json::from_str(line).ok()?;
            let text = event["message"].as_str()?.to_owned();
            text.lines().find(|line| line.contains("/verify?token=")).map(str::to_owned)
        });
        match told {
            Some(link) => break link,
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    let path = link.strip_prefix(&app.url).unwrap();
    assert_eq!(ada.confirm(path).await.status, 303);
    assert_eq!(ada.log_in(ADA, PASSWORD).await.status, 303);
}

async fn a_server_that_does_not_answer_holds_nobody_up(place: Place) {
    // It takes the connection and never says a word.
    let silent = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("smtp://{}", silent.local_addr().unwrap());
    let app = place.app(&format!("mail.smtp_url = {url:?}\nmail.timeout = \"1h\""));
    let mut ada = Visitor::new(&app);
    for path in ["/signup", "/forgot", "/forgot"] {
        let answer = ada.post(path, &[("email", ADA), ("password", PASSWORD)]).await;
        assert_eq!(answer.status, 200, "{path}");
    }
    assert_eq!(ada.log_in(ADA, PASSWORD).await.status, 422);
    // There is nobody to write to of a forgotten password, so that only the sign-up's mail waits for the server.
    while place.count("SELECT count(*) FROM mails").await != 1 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn a_delivery_that_stalls_holds_up_no_other(place: Place) {
    let service = place.service("mail.timeout = \"1h\"\naccounts.forms_per_minute = 100").await;
    service.mail.stall("slow@example.org");
    service.visitor().sign_up("slow@example.org", PASSWORD).await;
    while service.mail.stalled() < 1 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for n in 0..3 {
        let email = format!("ada{n}@example.org");
        service.visitor().sign_up(&email, PASSWORD).await;
        service.mail.to(&email, 1).await;
    }
    assert_eq!(service.mail.stalled(), 1);
}
