//! Answers kept for an `Idempotency-Key`.

use std::time::Duration;

use jiff::Timestamp;
use wayfile::store::{Claimed, Earlier, Keep, Ledger};
use wayfile_actors::ledger::{KeyId, QuotaLedger};
use wayfile_core::plan::Plan;

use crate::quota::{reserve, state};
use crate::{Place, key, on_both};

on_both!(
    the_first_request_answers_for_all,
    a_request_that_failed_frees_its_name,
    the_names_of_a_dead_server_are_free,
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
    assert!(matches!(ask(&ledger, id, BODY).await, Earlier::Running));
    assert!(matches!(ask(&ledger, id, [2; 32]).await, Earlier::AnotherBody));
    let (reservation, _) = reserve(&ledger, &key, 10, now).await;
    ledger.settle(reservation, Some(claimed.answer(200, "{\"a\": 1}".to_owned()))).await.unwrap();
    match ask(&ledger, id, BODY).await {
        Earlier::Answered { status, body } => assert_eq!((status, body.as_str()), (200, "{\"a\": 1}")),
        _ => panic!("the answer should have been kept"),
    }
    assert!(matches!(ask(&ledger, id, [2; 32]).await, Earlier::AnotherBody));
    let day = Duration::from_hours(24);
    let keep = Keep { purge_every: day, answers: day, reservations: day, usage: day };
    assert_eq!(ledger.store().purge(&keep, now + day - Duration::from_mins(1)).await.unwrap().answers, 0);
    assert_eq!(ledger.store().purge(&keep, now + day + Duration::from_mins(1)).await.unwrap().answers, 1);
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
    assert!(matches!(ask(&ledger, id, BODY).await, Earlier::Running));
    drop(first(&*place.ledger("a").await, id).await);
}
