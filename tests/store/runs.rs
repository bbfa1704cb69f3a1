//! What becomes of a server's reservations when it is gone.

use std::time::Duration;

use jiff::Timestamp;
use wayfile_core::plan::Plan;

use crate::quota::{reserve, state};
use crate::{Place, key, on_both};

on_both!(
    a_server_that_is_back_refunds_what_it_left,
    a_silent_server_is_dead_after_12_seconds_and_not_before_11,
    a_living_server_loses_nothing,
    a_refund_that_was_lost_is_made_up_for,
);

async fn a_server_that_is_back_refunds_what_it_left(place: Place) {
    let (ledger, now) = (place.ledger("a:8080").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    reserve(&ledger, &key, 10, now).await;
    let back = place.ledger("a:8080").await;
    assert_eq!(state(&back, &key, now).await.unwrap().used.generate, 0);
}

async fn a_silent_server_is_dead_after_12_seconds_and_not_before_11(place: Place) {
    let (silent, other) = (place.ledger("a:8080").await, place.ledger("b:8080").await);
    let now = Timestamp::now();
    let (_, key) = key(silent.store(), Plan::Free).await;
    let (id, _) = reserve(&silent, &key, 10, now).await;
    // Who has just come does not know whether others were silent, or the store was away.
    place.raw("UPDATE runs SET beat_at = beat_at - 60000000 WHERE node = 'a:8080'").await;
    other.beat().await.unwrap();
    assert_eq!(state(&other, &key, now).await.unwrap().used.generate, 1);
    for _ in 0..5 {
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        silent.beat().await.unwrap();
        other.beat().await.unwrap();
    }
    place.raw("UPDATE runs SET beat_at = beat_at - 11000000 WHERE node = 'a:8080'").await;
    // It looks again when that is dead, however often it looks.
    let again = other.beat().await.unwrap().unwrap();
    assert_eq!(state(&other, &key, now).await.unwrap().used.generate, 1);
    assert!(again < Duration::from_secs(1), "{again:?}");
    tokio::time::sleep(again).await;
    other.beat().await.unwrap();
    assert_eq!(state(&other, &key, now).await.unwrap().used.generate, 0);
    // It was only slow: it lives again, and what it answers counts.
    silent.beat().await.unwrap();
    wayfile_actors::ledger::QuotaLedger::settle(&*silent, id, None).await.unwrap();
    assert_eq!(state(&other, &key, now).await.unwrap().used.generate, 1);
}

async fn a_living_server_loses_nothing(place: Place) {
    let (ledger, other) = (place.ledger("a:8080").await, place.ledger("b:8080").await);
    let now = Timestamp::now();
    let (_, key) = key(ledger.store(), Plan::Free).await;
    reserve(&ledger, &key, 10, now).await;
    place.raw("UPDATE reservations SET created_at = created_at - 600000000").await;
    ledger.beat().await.unwrap();
    other.beat().await.unwrap();
    assert_eq!(state(&ledger, &key, now).await.unwrap().used.generate, 1);
}

async fn a_refund_that_was_lost_is_made_up_for(place: Place) {
    let (ledger, now) = (place.ledger("a:8080").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    // Reserved in the name of this server, which knows nothing of it.
    let run = "INSERT INTO reservations (id, key_id, endpoint, month, run_id, state, created_at) \
               SELECT r.id, k.id, 'generate', 1, r.id, 'held', r.beat_at FROM runs r, keys k";
    place.raw(run).await;
    let held = "UPDATE keys SET last4 = (SELECT state FROM reservations)";
    let told = async || {
        place.raw(held).await;
        let account = ledger.store().account(&crate::email("ada")).await.unwrap();
        ledger.store().working_keys(account.id).await.unwrap().remove(0).last4
    };
    ledger.beat().await.unwrap();
    assert_eq!(told().await, "held", "it may be on its way");
    place.raw("UPDATE reservations SET created_at = created_at - 61000000").await;
    ledger.beat().await.unwrap();
    assert_eq!(told().await, "refunded");
    assert_eq!(state(&ledger, &key, now).await.unwrap().used.generate, 0);
}
