//! The guards of keys on a real store.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use wayfile::auth::ApiKey;
use wayfile::store::Ledger;
use wayfile_actors::ledger::KeyHash;
use wayfile_actors::settings::Live;
use wayfile_actors::{Admission, KeyGuards, PlanLimit, Refusal};
use wayfile_core::plan::{Endpoint, Plan};

use crate::quota::state;
use crate::{Place, email, key, on_both, plans, revoke};

on_both!(
    exactly_the_quota_passes_however_many_come_at_once,
    a_revoked_key_is_refused_at_the_very_next_request_whoever_revoked_it,
    a_new_plan_holds_at_the_very_next_request_whoever_gave_it,
    no_more_than_burst_and_rate_pass_however_many_ask,
    a_free_crawl_slot_is_given_without_a_wait,
    crawls_at_once_wait_for_their_turn,
    what_is_dropped_is_refunded,
    nothing_passes_while_the_store_is_away,
);

/// What two nodes on one PostgreSQL keep to together.
mod among_nodes {
    use crate::both_stores::on_postgres;

    #[test]
    fn a_keys_rate_holds_over_all_of_them() {
        on_postgres(super::a_keys_rate_holds_over_all_nodes);
    }

    #[test]
    fn a_keys_crawls_at_once_hold_over_all_of_them() {
        on_postgres(super::a_keys_crawls_at_once_hold_over_all_nodes);
    }
}

async fn a_keys_rate_holds_over_all_nodes(place: Place) {
    let (a, b) = (place.ledger("a").await, place.ledger("b").await);
    let (_, key) = key(a.store(), Plan::Starter).await;
    let (guards, started) = ([guards(&a), guards(&b)], Instant::now());
    let mut passed = 0;
    for request in 0..150 {
        match admit(&guards[request % 2], &key).await {
            Ok(_) => passed += 1,
            Err(Refusal::AtLimit { limit: PlanLimit::Rate, wait, figures }) => {
                assert!(wait > Duration::ZERO && figures.minute.remaining == 0);
            }
            Err(other) => panic!("{other}"),
        }
    }
    let minutes = started.elapsed().as_secs_f64() / 60.0;
    assert!(passed >= 60 && f64::from(passed) <= 60.0 + 60.0 * minutes, "{passed} in {minutes} minutes");
}

async fn a_keys_crawls_at_once_hold_over_all_nodes(place: Place) {
    let (a, b) = (place.ledger("a").await, place.ledger("b").await);
    let (_, key) = key(a.store(), Plan::Starter).await;
    let on_a = admit(&guards(&a), &key).await.unwrap();
    let on_b = admit(&guards(&b), &key).await.unwrap();
    let (one, _two) = (on_a.crawl_slot().await.unwrap(), on_b.crawl_slot().await.unwrap());
    for admission in [&on_a, &on_b] {
        assert!(matches!(
            admission.crawl_slot().await,
            Err(Refusal::AtLimit { limit: PlanLimit::Crawls(2), .. })
        ));
    }
    drop(one);
    let _three = on_b.crawl_slot().await.unwrap();
    assert!(on_a.crawl_slot().await.is_err());
    // What a node held that is gone is free.
    place.raw("DELETE FROM runs WHERE node = 'b'").await;
    on_a.crawl_slot().await.unwrap();
}

const QUEUE_WAIT: Duration = Duration::from_millis(300);

fn guards(ledger: &Arc<Ledger>) -> KeyGuards {
    KeyGuards::start(Live::new(plans()), QUEUE_WAIT, ledger.clone(), ledger.coordination()).unwrap()
}

async fn admit(guards: &KeyGuards, key: &ApiKey) -> Result<Admission, Refusal> {
    guards.admit(key.hash(), Endpoint::Generate).await
}

async fn exactly_the_quota_passes_however_many_come_at_once(place: Place) {
    let ledger = place.ledger("a").await;
    let guards = guards(&ledger);
    let (_, key) = key(ledger.store(), Plan::Business).await;
    // As many as the store can serve before it counts as away, on a busy machine too.
    let room = Arc::new(tokio::sync::Semaphore::new(400));
    let requests: Vec<_> = (0..1_600)
        .map(|_| {
            let (guards, hash, room) = (guards.clone(), key.hash(), room.clone());
            tokio::spawn(async move {
                let _place = room.acquire().await.unwrap();
                let mut admission = guards.admit(hash, Endpoint::Generate).await?;
                let reservation = admission.reserve().await?;
                tokio::task::yield_now().await;
                reservation.settle(None).await.unwrap();
                Ok::<_, Refusal>(())
            })
        })
        .collect();
    let (mut passed, mut spent) = (0, 0);
    for request in requests {
        match request.await.unwrap() {
            Ok(()) => passed += 1,
            Err(Refusal::AtLimit { limit: PlanLimit::Month(..), figures, .. }) => {
                assert_eq!(figures.month.remaining, 0);
                spent += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!((passed, spent), (1_000, 600));
    assert_eq!(state(&ledger, &key, Timestamp::now()).await.unwrap().used.generate, 1_000);
}

async fn a_revoked_key_is_refused_at_the_very_next_request_whoever_revoked_it(place: Place) {
    let ledger = place.ledger("a").await;
    let guards = guards(&ledger);
    let (account, key) = key(ledger.store(), Plan::Business).await;
    let stranger = guards.admit(KeyHash([7; 32]), Endpoint::Validate).await;
    assert!(matches!(stranger, Err(Refusal::UnknownKey)));
    let another_process = place.open().await;
    for name in ["first", "again"] {
        let key = if name == "first" {
            key.clone()
        } else {
            another_process.create_key(account, name, 9, Timestamp::now()).await.unwrap()
        };
        admit(&guards, &key).await.unwrap();
        let mut late = admit(&guards, &key).await.unwrap();
        revoke(&another_process, account, name, Timestamp::now()).await.unwrap();
        assert!(matches!(admit(&guards, &key).await, Err(Refusal::UnknownKey)));
        // One that was let in just before does not begin to work, either.
        assert!(matches!(late.reserve().await, Err(Refusal::UnknownKey)));
    }
}

async fn a_new_plan_holds_at_the_very_next_request_whoever_gave_it(place: Place) {
    let ledger = place.ledger("a").await;
    let guards = guards(&ledger);
    let (_, key) = key(ledger.store(), Plan::Pro).await;
    let another_process = place.open().await;
    for (plan, quota, rate) in
        [(Plan::Pro, 3, 1_000_000), (Plan::Business, 1_000, 1_000_000), (Plan::Starter, 20, 60)]
    {
        another_process.set_plan(&email("ada"), plan).await.unwrap();
        let admission = admit(&guards, &key).await.unwrap();
        let figures = admission.figures;
        assert_eq!((admission.record.plan, figures.month.quota, figures.minute.quota), (plan, quota, rate));
    }
    let mut admission = admit(&guards, &key).await.unwrap();
    assert_eq!(admission.figures.month.remaining, 20);
    let reservation = admission.reserve().await.unwrap();
    assert_eq!(admission.figures.month.remaining, 19);
    reservation.settle(None).await.unwrap();
    assert_eq!(admit(&guards, &key).await.unwrap().record.used.generate, 1);
    assert_eq!(guards.admit(key.hash(), Endpoint::Validate).await.unwrap().figures.month.remaining, 100);
}

async fn no_more_than_burst_and_rate_pass_however_many_ask(place: Place) {
    let ledger = place.ledger("a").await;
    let guards = guards(&ledger);
    let (_, key) = key(ledger.store(), Plan::Starter).await;
    let (passed, started) = (Arc::new(AtomicU32::new(0)), Instant::now());
    let clients: Vec<_> = (0..64)
        .map(|_| {
            let (guards, hash, passed) = (guards.clone(), key.hash(), passed.clone());
            tokio::spawn(async move {
                while started.elapsed() < Duration::from_millis(2_500) {
                    match guards.admit(hash, Endpoint::Generate).await {
                        Ok(_) => drop(passed.fetch_add(1, Ordering::Relaxed)),
                        Err(Refusal::AtLimit { limit: PlanLimit::Rate, wait, figures }) => {
                            assert!(wait > Duration::ZERO && figures.minute.remaining == 0);
                        }
                        Err(other) => panic!("{other}"),
                    }
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    let (passed, minutes) = (passed.load(Ordering::Relaxed), started.elapsed().as_secs_f64() / 60.0);
    assert!(passed >= 60, "the burst must pass: {passed}");
    assert!(f64::from(passed) <= 60.0 + 60.0 * minutes, "{passed} passed in {minutes} minutes");
}

async fn a_free_crawl_slot_is_given_without_a_wait(place: Place) {
    let ledger = place.ledger("a").await;
    let guards =
        KeyGuards::start(Live::new(plans()), Duration::ZERO, ledger.clone(), ledger.coordination()).unwrap();
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let admission = admit(&guards, &key).await.unwrap();
    for _ in 0..20 {
        let slot = admission.crawl_slot().await.unwrap();
        assert!(matches!(
            admission.crawl_slot().await,
            Err(Refusal::AtLimit { limit: PlanLimit::Crawls(_), .. })
        ));
        drop(slot);
    }
}

async fn crawls_at_once_wait_for_their_turn(place: Place) {
    let ledger = place.ledger("a").await;
    let guards = guards(&ledger);
    let (_, key) = key(ledger.store(), Plan::Starter).await;
    let admission = admit(&guards, &key).await.unwrap();
    let (one, two) = (admission.crawl_slot().await.unwrap(), admission.crawl_slot().await.unwrap());
    // Nobody waits in vain for less than before, and no less than the oldest crawl has been running.
    for tries in 1..=2 {
        match admission.crawl_slot().await {
            Err(Refusal::AtLimit { limit: PlanLimit::Crawls(at_once), wait, .. }) => {
                assert!(at_once == 2 && wait >= QUEUE_WAIT * tries, "{at_once} {wait:?}");
            }
            _ => panic!("a third crawl had no turn"),
        }
    }
    let waiting = tokio::spawn({
        let admission = admission.clone();
        async move { admission.crawl_slot().await }
    });
    tokio::task::yield_now().await;
    drop(one);
    let three = waiting.await.unwrap().unwrap();
    // A larger plan has more turns at once, from the next request on.
    ledger.store().set_plan(&email("ada"), Plan::Pro).await.unwrap();
    let admission = admit(&guards, &key).await.unwrap();
    let more = (admission.crawl_slot().await.unwrap(), admission.crawl_slot().await.unwrap());
    assert!(admission.crawl_slot().await.is_err());
    drop((two, three, more));
    for _ in 0..3 {
        let four = [(); 4].map(|()| admission.crawl_slot());
        let mut held = Vec::new();
        for slot in four {
            held.push(slot.await.unwrap());
        }
    }
}

async fn what_is_dropped_is_refunded(place: Place) {
    let ledger = place.ledger("a").await;
    let guards = guards(&ledger);
    let (_, key) = key(ledger.store(), Plan::Pro).await;
    let used = async || admit(&guards, &key).await.unwrap().record.used.generate;
    let mut admission = admit(&guards, &key).await.unwrap();
    let dropped = admission.reserve().await.unwrap();
    let reservation = admission.reserve().await.unwrap();
    admission.give_back(reservation).await.unwrap();
    assert_eq!(used().await, 1);
    drop(dropped);
    let refunded = async {
        while used().await > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), refunded).await.unwrap();
}

async fn nothing_passes_while_the_store_is_away(place: Place) {
    let ledger = place.ledger("a").await;
    let guards = guards(&ledger);
    let (_, key) = key(ledger.store(), Plan::Pro).await;
    admit(&guards, &key).await.unwrap();
    ledger.store().close().await;
    let reserved = async { admit(&guards, &key).await?.reserve().await.map(drop) };
    assert!(matches!(reserved.await, Err(Refusal::StoreAway)));
}
