//! The runs that an account is shown.

use std::time::Duration;

use jiff::Timestamp;
use wayfile::store::{Earlier, EndedRun, Ledger};
use wayfile_actors::ledger::{KeptAnswer, KeyId, QuotaLedger};
use wayfile_core::plan::{Endpoint, Plan};

use crate::quota::{reserve, state};
use crate::{Place, email, key, on_both, revoke};

on_both!(
    an_answer_is_shown_to_no_other_account_whatever_became_of_its_key,
    a_name_that_is_used_again_leads_to_the_newer_answer_alone,
    a_run_that_ends_after_its_account_is_remembered_by_nobody,
    of_an_account_the_newest_runs_are_remembered,
);

fn run(key: KeyId) -> EndedRun {
    EndedRun {
        key,
        endpoint: Endpoint::Generate,
        site: "https://kiln.example/".to_owned(),
        outcome: "llms".to_owned(),
        said: String::new(),
        took: Duration::from_secs(1),
        answer: Some("order 1".to_owned()),
    }
}

async fn answer(ledger: &Ledger, key: KeyId, body: &str) -> KeptAnswer {
    match ledger.claim_answer(key, "order 1", [1; 32], Timestamp::now()).await.unwrap() {
        Earlier::Nothing(claimed) => claimed.answer(body),
        _ => panic!("the name should have been free"),
    }
}

async fn an_answer_is_shown_to_no_other_account_whatever_became_of_its_key(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let store = ledger.store();
    let (ada, ada_key) = key(store, Plan::Free).await;
    let id = state(&ledger, &ada_key, now).await.unwrap().key;
    let (reservation, _) = reserve(&ledger, &ada_key, 10, now).await;
    ledger.settle(reservation, Some(answer(&ledger, id, "{\"ada\": 1}").await)).await.unwrap();
    store.remember_run(&run(id), now).await.unwrap();
    revoke(store, ada, "first", now).await.unwrap();
    store.purge(now + Duration::from_hours(24 * 800)).await.unwrap();

    let bea = store.create_account(&email("bea"), Plan::Free, Some(now), now).await.unwrap();
    let bea_key = store.create_key(bea, "first", 100, now).await.unwrap();
    let id = state(&ledger, &bea_key, now).await.unwrap().key;
    let (reservation, _) = reserve(&ledger, &bea_key, 10, now).await;
    ledger.settle(reservation, Some(answer(&ledger, id, "{\"bea\": 1}").await)).await.unwrap();
    let shown = store.latest_runs(ada, None).await.unwrap().remove(0);
    assert_eq!(store.answer_of_run(ada, shown.id).await.unwrap(), None);
}

async fn a_name_that_is_used_again_leads_to_the_newer_answer_alone(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let store = ledger.store();
    let (ada, ada_key) = key(store, Plan::Free).await;
    let id = state(&ledger, &ada_key, now).await.unwrap().key;
    for body in ["{\"first\": 1}", "{\"second\": 1}"] {
        // The purge of the hour is still to come.
        place.raw("UPDATE answers SET created_at = created_at - 90000000000").await;
        let (reservation, _) = reserve(&ledger, &ada_key, 10, now).await;
        ledger.settle(reservation, Some(answer(&ledger, id, body).await)).await.unwrap();
        store.remember_run(&run(id), now).await.unwrap();
    }
    let shown = store.latest_runs(ada, None).await.unwrap();
    assert_eq!(shown.iter().map(|run| run.kept).collect::<Vec<_>>(), [true, false]);
    let bodies = [shown[0].id, shown[1].id].map(|run| store.answer_of_run(ada, run));
    let bodies = futures_util::future::join_all(bodies).await;
    assert_eq!(
        bodies.into_iter().map(Result::unwrap).collect::<Vec<_>>(),
        [Some("{\"second\": 1}".to_owned()), None]
    );
}

async fn a_run_that_ends_after_its_account_is_remembered_by_nobody(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    ledger.store().delete_account(&email("ada"), now).await.unwrap();
    ledger.store().remember_run(&run(id), now).await.unwrap();
    assert_eq!(place.count("SELECT count(*) FROM latest_runs").await, 0);
}

async fn of_an_account_the_newest_runs_are_remembered(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (ada, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    for nth in 0..150 {
        let site = format!("https://kiln.example/{nth}");
        ledger.store().remember_run(&EndedRun { site, answer: None, ..run(id) }, now).await.unwrap();
    }
    let shown = ledger.store().latest_runs(ada, None).await.unwrap();
    let ends = [&shown[0].site, &shown[shown.len() - 1].site];
    assert_eq!(
        (shown.len(), ends[0].as_str(), ends[1].as_str()),
        (100, "https://kiln.example/149", "https://kiln.example/50")
    );
    // The oldest go now and then.
    assert!(place.count("SELECT count(*) FROM latest_runs").await < 120);
}
