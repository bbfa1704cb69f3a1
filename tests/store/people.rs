//! People behind accounts: passwords, sessions, links, mails, and what stays when somebody goes.

use std::time::Duration;

use jiff::Timestamp;
use wayfile::auth::{PasswordHash, Secret, SecretHash};
use wayfile::store::{Credentials, Lifetime, LinkKind, MailKind, SignedUp, Store, StoreError};
use wayfile_actors::ledger::QuotaLedger;
use wayfile_core::calendar::Day;
use wayfile_core::plan::Plan;

use crate::quota::{reserve, state};
use crate::{Place, at, email, key, on_both};

on_both!(
    a_password_that_was_changed_meanwhile_begins_no_session,
    a_link_is_spent_by_exactly_one_of_many_who_use_it_at_once,
    each_mail_is_taken_by_exactly_one_server,
    the_number_of_a_mail_is_given_once,
    mails_do_not_pile_up_without_bound,
    a_mail_that_nobody_can_read_holds_no_other_up,
    an_unverified_account_holds_no_keys,
    a_run_that_outlives_its_account_is_still_counted,
    what_has_ended_is_thrown_away,
    an_account_has_so_many_sessions,
);

const DAY: Duration = Duration::from_hours(24);
const LASTS: Lifetime = Lifetime { idle: DAY, longest: DAY };

fn hash(text: &str) -> PasswordHash {
    text.to_owned().into()
}

fn fresh() -> SecretHash {
    Secret::generate().unwrap().hash()
}

/// An account with a password.
async fn credentials(store: &Store, now: Timestamp) -> Credentials {
    store.create_account(&email("ada"), Plan::Free, Some(now), now).await.unwrap();
    assert!(
        store.credentials(&email("ada")).await.unwrap().is_none(),
        "nobody can log in without a password"
    );
    store.set_password(&email("ada"), &hash("first")).await.unwrap();
    store.credentials(&email("ada")).await.unwrap().unwrap()
}

async fn a_password_that_was_changed_meanwhile_begins_no_session(place: Place) {
    let (store, now) = (place.open().await, Timestamp::now());
    let shown = credentials(&store, now).await;
    let (first, second) = (fresh(), fresh());
    assert!(store.begin_session(&shown, first, LASTS, now).await.unwrap());
    assert!(store.change_password(&shown, &hash("second"), second, LASTS, now).await.unwrap());
    assert!(store.session(first, now).await.unwrap().is_none());
    assert_eq!(store.session(second, now).await.unwrap().unwrap().account, shown.account);
    // Somebody showed the old password just before.
    assert!(!store.begin_session(&shown, fresh(), LASTS, now).await.unwrap());
    assert!(!store.change_password(&shown, &hash("third"), fresh(), LASTS, now).await.unwrap());
    store.set_password(&email("ada"), &hash("fourth")).await.unwrap();
    assert!(store.session(second, now).await.unwrap().is_none());
    let missing = store.set_password(&email("nobody"), &hash("x")).await.unwrap_err();
    assert!(matches!(missing, StoreError::NoAccount(_)), "{missing}");
}

async fn a_link_is_spent_by_exactly_one_of_many_who_use_it_at_once(place: Place) {
    let (store, now) = (place.open().await, Timestamp::now());
    let (link, later) = (fresh(), now + DAY);
    store.make_link(LinkKind::Verify, &email("ada"), Some(&hash("x")), link, later).await.unwrap();
    let opened = async |kind| store.link(kind, link, now).await.unwrap().map(|link| link.email);
    assert_eq!(opened(LinkKind::Verify).await, Some(email("ada")));
    assert_eq!(opened(LinkKind::Reset).await, None);
    let uses: Vec<_> = (0..10)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.sign_up(link, Plan::Free, now).await.unwrap() })
        })
        .collect();
    let mut made = Vec::new();
    for one in uses {
        made.extend(one.await.unwrap());
    }
    assert_eq!(made, [SignedUp::Now]);
    let reset = fresh();
    store.make_link(LinkKind::Reset, &email("ada"), None, reset, later).await.unwrap();
    let uses: Vec<_> = (0..10)
        .map(|n| {
            let store = store.clone();
            tokio::spawn(
                async move { store.reset_password(reset, &hash(&format!("{n}")), now).await.unwrap() },
            )
        })
        .collect();
    let mut done = 0;
    for one in uses {
        done += usize::from(one.await.unwrap());
    }
    assert_eq!(done, 1);
    // An account that is there stays as it is.
    let late = fresh();
    store.make_link(LinkKind::Verify, &email("ada"), Some(&hash("late")), late, later).await.unwrap();
    assert_eq!(store.sign_up(late, Plan::Free, now).await.unwrap(), Some(SignedUp::Before));
    let known = store.credentials(&email("ada")).await.unwrap().unwrap();
    assert_ne!(known.password_hash.expose(), "late");
}

async fn each_mail_is_taken_by_exactly_one_server(place: Place) {
    let (store, now) = (place.open().await, Timestamp::now());
    for name in ["ada", "grace", "joan"] {
        store.queue_mail(MailKind::SignUp, &email(name), Some(&hash(name)), now).await.unwrap();
    }
    let servers: Vec<_> = (0..6)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.next_mail(now, now + DAY).await.unwrap() })
        })
        .collect();
    let mut taken = Vec::new();
    for server in servers {
        taken.extend(server.await.unwrap());
    }
    while let Some(mail) = store.next_mail(now, now + DAY).await.unwrap() {
        taken.push(mail);
    }
    let mut to: Vec<String> = taken.iter().map(|mail| mail.email.to_string()).collect();
    to.sort();
    assert_eq!(to, ["ada@example.org", "grace@example.org", "joan@example.org"]);
    // One is delivered, one is to be tried in an hour, and the server that took the third is gone.
    store.drop_mail(taken[0].id).await.unwrap();
    store.postpone_mail(taken[1].id, now + Duration::from_hours(1)).await.unwrap();
    let soon = now + Duration::from_mins(61);
    let again = store.next_mail(soon, soon + DAY).await.unwrap().unwrap();
    assert_eq!((again.id, again.tries), (taken[1].id, 2));
    assert!(store.next_mail(soon, soon + DAY).await.unwrap().is_none());
    let lost = store.next_mail(now + DAY, now + DAY + DAY).await.unwrap().unwrap();
    assert_eq!((lost.id, lost.password_hash.is_some()), (taken[2].id, true));
}

async fn the_number_of_a_mail_is_given_once(place: Place) {
    let (store, now) = (place.open().await, Timestamp::now());
    let mut numbers = Vec::new();
    for name in ["ada", "bea"] {
        store.queue_mail(MailKind::Reset, &email(name), None, now).await.unwrap();
        let mail = store.next_mail(now, now + DAY).await.unwrap().unwrap();
        store.drop_mail(mail.id).await.unwrap();
        numbers.push(mail.id);
    }
    assert!(numbers[0] < numbers[1], "{numbers:?}");
}

async fn mails_do_not_pile_up_without_bound(place: Place) {
    let (store, now) = (place.open().await, Timestamp::now());
    store.queue_mail(MailKind::Reset, &email("ada"), None, now).await.unwrap();
    let many = "INSERT INTO mails (kind, email, tries, due_at, created_at) \
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) \
                SELECT 'reset', 'ada@example.org', 0, 1, 1 FROM n";
    place.raw(many).await;
    let full = store.queue_mail(MailKind::Reset, &email("ada"), None, now).await.unwrap_err();
    assert!(matches!(full, StoreError::TooMuchMail), "{full}");
}

async fn a_mail_that_nobody_can_read_holds_no_other_up(place: Place) {
    let (store, now) = (place.open().await, Timestamp::now());
    for name in ["bert", "cleo", "ada"] {
        store.queue_mail(MailKind::Reset, &email(name), None, now).await.unwrap();
    }
    place.raw("UPDATE mails SET kind = 'from another version' WHERE email = 'bert@example.org'").await;
    place.raw("UPDATE mails SET email = 'nobody' WHERE email = 'cleo@example.org'").await;
    let mail = store.next_mail(now, now + DAY).await.unwrap().unwrap();
    assert_eq!(mail.email, email("ada"));
    assert!(
        store.next_mail(now + DAY, now + DAY + DAY).await.unwrap().is_some_and(|again| again.id == mail.id)
    );
    assert!(store.next_mail(now + DAY, now + DAY + DAY).await.unwrap().is_none(), "the others are gone");
}

async fn an_unverified_account_holds_no_keys(place: Place) {
    let (store, now) = (place.open().await, Timestamp::now());
    let account = store.create_account(&email("ada"), Plan::Pro, None, now).await.unwrap();
    let refused = store.create_key(account, "laptop", 9, now).await.unwrap_err();
    assert!(matches!(refused, StoreError::NotVerified), "{refused}");
    // Signing up verifies it, and leaves its plan alone.
    let link = fresh();
    store.make_link(LinkKind::Verify, &email("ada"), Some(&hash("x")), link, now + DAY).await.unwrap();
    assert_eq!(store.sign_up(link, Plan::Free, now).await.unwrap(), Some(SignedUp::Now));
    assert_eq!(store.account(&email("ada")).await.unwrap().plan, Plan::Pro);
    store.create_key(account, "laptop", 9, now).await.unwrap();
}

async fn a_run_that_outlives_its_account_is_still_counted(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let store = ledger.store();
    let (account, key) = key(store, Plan::Free).await;
    let (settled, _) = reserve(&ledger, &key, 10, now).await;
    let (refunded, _) = reserve(&ledger, &key, 10, now).await;
    store.delete_account(&email("ada"), now).await.unwrap();
    assert!(state(&ledger, &key, now).await.is_none(), "the key is refused");
    ledger.settle(settled, None).await.unwrap();
    ledger.refund(refunded).await.unwrap();
    let days = store.usage_by_day(account, Day::of(now)).await.unwrap();
    assert_eq!(days.iter().map(|day| day.count).sum::<u64>(), 1);
    let made = store.create_key(account, "late", 9, now).await.unwrap_err();
    assert!(matches!(made, StoreError::NotVerified), "{made}");
    let twice = store.delete_account(&email("ada"), now).await.unwrap_err();
    assert!(matches!(twice, StoreError::NoAccount(_)), "{twice}");
    assert!(store.accounts().await.unwrap().is_empty());
    // The address is free again.
    let anew = store.create_account(&email("ada"), Plan::Free, Some(now), now).await.unwrap();
    assert_ne!(anew, account);
    assert!(store.working_keys(anew).await.unwrap().is_empty());
}

async fn what_has_ended_is_thrown_away(place: Place) {
    let (store, now) = (place.open().await, at("2026-11-21T12:00:00Z"));
    let shown = credentials(&store, now).await;
    assert!(store.begin_session(&shown, fresh(), LASTS, now).await.unwrap());
    store.make_link(LinkKind::Reset, &email("ada"), None, fresh(), now + DAY).await.unwrap();
    for (at, kept) in [(now + DAY - Duration::from_secs(1), 1), (now + DAY + Duration::from_secs(1), 0)] {
        store.purge(at).await.unwrap();
        assert_eq!(place.count("SELECT count(*) FROM sessions").await, kept);
        assert_eq!(place.count("SELECT count(*) FROM links").await, kept);
    }
}

async fn an_account_has_so_many_sessions(place: Place) {
    let (store, now) = (place.open().await, Timestamp::now());
    let shown = credentials(&store, now).await;
    let sessions: Vec<SecretHash> = (0..60).map(|_| fresh()).collect();
    for (session, second) in sessions.iter().zip(0..) {
        let then = now + Duration::from_secs(second);
        assert!(store.begin_session(&shown, *session, LASTS, then).await.unwrap());
    }
    let mut good = 0;
    for session in &sessions {
        good += usize::from(store.session(*session, now).await.unwrap().is_some());
    }
    assert_eq!(good, 50);
    assert!(store.session(sessions[9], now).await.unwrap().is_none(), "the oldest are gone");
    assert!(store.session(sessions[59], now).await.unwrap().is_some());
}
