//! Answers kept for an `Idempotency-Key`.

use std::time::Duration;

use jiff::Timestamp;
use wayfile::auth::ApiKey;
use wayfile::store::{Claimed, Earlier, Ledger};
use wayfile_actors::ledger::{KeyId, QuotaLedger};
use wayfile_core::plan::Plan;

use crate::quota::{reserve, state};
use crate::{Place, key, on_both};

on_both!(
    the_first_request_answers_for_all,
    a_request_that_failed_frees_its_name,
    the_names_of_a_dead_server_are_free,
    a_server_that_wakes_frees_no_name_that_is_anothers_now,
    a_living_servers_request_has_its_name_however_long_it_runs,
    whoever_waits_hears_of_the_end_and_of_what_came_of_it,
    of_one_account_the_newest_answers_are_kept,
    an_answer_that_cannot_be_kept_is_counted_all_the_same,
    an_answer_whose_name_was_freed_too_early_counts,
    an_answer_that_was_ready_while_the_store_was_locked_is_kept,
    to_ask_for_a_name_that_is_taken_writes_nothing,
    what_version_2_kept_is_kept,
);

const BODY: [u8; 32] = [1; 32];

async fn ask(ledger: &Ledger, key: KeyId, body: [u8; 32]) -> Earlier {
    ledger.claim_answer(key, "order 1", body, Timestamp::now()).await.unwrap()
}

async fn first(ledger: &Ledger, key: KeyId) -> Claimed {
    match ask(ledger, key, BODY).await {
        Earlier::Nothing(claimed) => claimed,
        _ => panic!("the name should have been free"),
    }
}

async fn the_first_request_answers_for_all(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    let claimed = first(&ledger, id).await;
    assert!(matches!(ask(&ledger, id, BODY).await, Earlier::Running(_)));
    assert!(matches!(ask(&ledger, id, [2; 32]).await, Earlier::AnotherBody(_)));
    let (reservation, _) = reserve(&ledger, &key, 10, now).await;
    ledger.settle(reservation, Some(claimed.answer("{\"a\": 1}"))).await.unwrap();
    match ask(&ledger, id, BODY).await {
        Earlier::Answered(body) => assert_eq!(body, "{\"a\": 1}"),
        _ => panic!("the answer should have been kept"),
    }
    assert!(matches!(ask(&ledger, id, [2; 32]).await, Earlier::AnotherBody(_)));
    let day = Duration::from_hours(24);
    let minute = Duration::from_mins(1);
    for (at, kept) in [(now + day - minute, 1), (now + day + minute, 0)] {
        ledger.store().purge(at).await.unwrap();
        assert_eq!(place.count("SELECT count(*) FROM answers").await, kept);
    }
    drop(first(&ledger, id).await);
}

async fn a_request_that_failed_frees_its_name(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    drop(first(&ledger, id).await);
    let freed = async {
        while !matches!(ask(&ledger, id, [2; 32]).await, Earlier::Nothing(_)) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), freed).await.unwrap();
}

async fn the_names_of_a_dead_server_are_free(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    std::mem::forget(first(&ledger, id).await);
    assert!(matches!(ask(&ledger, id, BODY).await, Earlier::Running(_)));
    drop(first(&*place.ledger("a").await, id).await);
}

async fn a_server_that_wakes_frees_no_name_that_is_anothers_now(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    let late = first(&ledger, id).await;
    let Earlier::Running(ending) = ask(&ledger, id, BODY).await else { panic!("it runs") };
    place.raw("DELETE FROM runs WHERE node = 'a'").await;
    let other = place.ledger("b").await;
    let taken = ask(&other, id, BODY).await;
    assert!(matches!(taken, Earlier::Nothing(_)), "a request of a dead server is given up");
    drop(late);
    ending.wait().await;
    assert!(matches!(ask(&ledger, id, BODY).await, Earlier::Running(_)), "it is the other server's");
}

async fn a_living_servers_request_has_its_name_however_long_it_runs(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    let running = first(&ledger, id).await;
    let other = place.ledger("b").await;
    let tomorrow = now + jiff::SignedDuration::from_hours(24);
    let again = other.claim_answer(id, "order 1", BODY, tomorrow).await.unwrap();
    assert!(matches!(again, Earlier::Running(_)), "it runs a second time");
    drop(running);
}

async fn named(ledger: &Ledger, key: KeyId, name: &str) -> Earlier {
    ledger.claim_answer(key, name, BODY, Timestamp::now()).await.unwrap()
}

/// Answers a request under a new name.
async fn answered(ledger: &Ledger, api_key: &ApiKey, name: &str, body: &str) {
    let (reservation, _) = reserve(ledger, api_key, 100, Timestamp::now()).await;
    let id = state(ledger, api_key, Timestamp::now()).await.unwrap().key;
    let Earlier::Nothing(claimed) = named(ledger, id, name).await else { panic!("{name} is taken") };
    ledger.settle(reservation, Some(claimed.answer(body))).await.unwrap();
}

async fn whoever_waits_hears_of_the_end_and_of_what_came_of_it(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    for answers in [false, true] {
        let claimed = first(&ledger, id).await;
        let Earlier::Running(ending) = ask(&ledger, id, BODY).await else { panic!("it runs") };
        let waiting = tokio::spawn(ending.wait());
        if answers {
            let (reservation, _) = reserve(&ledger, &key, 10, now).await;
            ledger.settle(reservation, Some(claimed.answer("{}"))).await.unwrap();
        } else {
            drop(claimed);
        }
        waiting.await.unwrap();
        if answers {
            assert!(matches!(ask(&ledger, id, BODY).await, Earlier::Answered(_)));
        }
    }
}

async fn of_one_account_the_newest_answers_are_kept(place: Place) {
    let ledger =
        place.ledger_with("keep.answers_per_account = 3\nkeep.answers_bytes_per_account = \"2KiB\"").await;
    let (account, ada) = key(ledger.store(), Plan::Free).await;
    let other = ledger.store().create_key(account, "other", 9, Timestamp::now()).await.unwrap();
    let id = state(&ledger, &ada, Timestamp::now()).await.unwrap().key;
    let kept = async || {
        let names = "SELECT name FROM answers WHERE status IS NOT NULL ORDER BY name";
        let names = sqlx::query_scalar::<_, String>(names);
        names.fetch_all(&mut place.connection().await).await.unwrap().concat()
    };
    // What says the same again and again takes little room.
    let long = "tide ".repeat(2_000);
    answered(&ledger, &ada, "a", &long).await;
    answered(&ledger, &ada, "b", "{}").await;
    answered(&ledger, &other, "c", "{}").await;
    assert!(place.count("SELECT CAST(max(bytes) AS BIGINT) FROM answer_bodies").await < 1_000);
    assert!(matches!(named(&ledger, id, "a").await, Earlier::Answered(body) if body == long));
    answered(&ledger, &ada, "d", "{}").await;
    assert_eq!(kept().await, "bcd", "all keys of the account count");
    // Bytes that do not compress: one that leaves no room for the others, and one that has no room at all.
    let noise = |bytes| -> String { std::iter::repeat_with(fastrand::alphanumeric).take(bytes).collect() };
    answered(&ledger, &ada, "e", &noise(1_600)).await;
    assert_eq!(kept().await, "cde");
    answered(&ledger, &ada, "f", &noise(1_600)).await;
    assert_eq!(kept().await, "f");
    answered(&ledger, &ada, "noise", &noise(4_000)).await;
    assert_eq!(kept().await, "f");
    assert_eq!(state(&ledger, &ada, Timestamp::now()).await.unwrap().used.generate, 6);
    assert_eq!(place.count("SELECT count(*) FROM answer_bodies").await, 1);
}

async fn an_answer_that_cannot_be_kept_is_counted_all_the_same(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    let (reservation, _) = reserve(&ledger, &key, 10, now).await;
    let claimed = first(&ledger, id).await;
    place.raw("ALTER TABLE answer_bodies RENAME COLUMN laid_at TO elsewhere").await;
    ledger.settle(reservation, Some(claimed.answer("{}"))).await.unwrap();
    assert_eq!(state(&ledger, &key, now).await.unwrap().used.generate, 1);
    while !matches!(ask(&ledger, id, BODY).await, Earlier::Nothing(_)) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn an_answer_whose_name_was_freed_too_early_counts(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    let (reservation, _) = reserve(&ledger, &key, 10, now).await;
    let claimed = first(&ledger, id).await;
    // Its server was taken for dead, and nobody asked again.
    place.raw("DELETE FROM answers").await;
    ledger.settle(reservation, Some(claimed.answer("{}"))).await.unwrap();
    assert_eq!(state(&ledger, &key, now).await.unwrap().used.generate, 1);
}

/// Keeps every change of the answers waiting until it is ended.
async fn lock(place: &Place) -> sqlx::AnyConnection {
    let mut holder = place.connection().await;
    let lock = if place.written.starts_with("sqlite") {
        "BEGIN IMMEDIATE"
    } else {
        "BEGIN; LOCK TABLE answers, answer_bodies IN EXCLUSIVE MODE"
    };
    sqlx::raw_sql(lock).execute(&mut holder).await.unwrap();
    holder
}

async fn an_answer_that_was_ready_while_the_store_was_locked_is_kept(place: Place) {
    let ledger = place.ledger_with("timeout = \"2s\"").await;
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, Timestamp::now()).await.unwrap().key;
    // One lock is longer than half of the wait, the other longer than all of it.
    for (nth, held) in [(1, Duration::from_millis(1_300)), (2, Duration::from_millis(2_500))] {
        let name = format!("order {nth}");
        let Earlier::Nothing(claimed) = named(&ledger, id, &name).await else { panic!("{name} is taken") };
        let (reservation, _) = reserve(&ledger, &key, 10, Timestamp::now()).await;
        let mut holder = lock(&place).await;
        let unlock = async {
            tokio::time::sleep(held).await;
            sqlx::raw_sql("ROLLBACK").execute(&mut holder).await.unwrap();
        };
        let (settled, ()) = tokio::join!(ledger.settle(reservation, Some(claimed.answer("{}"))), unlock);
        assert_eq!(settled.is_ok(), nth == 1);
        if settled.is_err() {
            assert!(matches!(named(&ledger, id, &name).await, Earlier::Running(_)), "it would run again");
            ledger.beat().await.unwrap();
        }
        assert!(matches!(named(&ledger, id, &name).await, Earlier::Answered(_)), "{held:?}");
        assert_eq!(state(&ledger, &key, Timestamp::now()).await.unwrap().used.generate, nth);
    }
}

async fn to_ask_for_a_name_that_is_taken_writes_nothing(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, ada) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &ada, now).await.unwrap().key;
    answered(&ledger, &ada, "answered", "{}").await;
    let _running = first(&ledger, id).await;
    let mut holder = lock(&place).await;
    assert!(matches!(named(&ledger, id, "answered").await, Earlier::Answered(_)));
    assert!(matches!(ask(&ledger, id, BODY).await, Earlier::Running(_)));
    sqlx::raw_sql("ROLLBACK").execute(&mut holder).await.unwrap();
}

async fn what_version_2_kept_is_kept(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, ada) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &ada, now).await.unwrap().key;
    answered(&ledger, &ada, "order 1", "{}").await;
    let as_before = if place.written.starts_with("sqlite") {
        "UPDATE answer_bodies SET coding = 'identity', body = CAST('{\"tide\": 1}' AS BLOB)"
    } else {
        "UPDATE answer_bodies SET coding = 'identity', body = CAST('{\"tide\": 1}' AS BYTEA)"
    };
    place.raw(as_before).await;
    assert!(matches!(ask(&ledger, id, BODY).await, Earlier::Answered(body) if body == "{\"tide\": 1}"));
}
