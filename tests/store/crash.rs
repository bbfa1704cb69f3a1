//! A server that is killed in the middle of its work.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;

use jiff::Timestamp;
use wayfile::auth::ApiKey;
use wayfile::store::{DatabaseUrl, Ledger, Store};
use wayfile_actors::ledger::QuotaLedger;
use wayfile_core::calendar::Day;
use wayfile_core::plan::Plan;

use crate::quota::{reserve, state};
use crate::{Place, database, key, on_both, run};

on_both!(a_killed_server_loses_no_key_counts_nothing_twice_and_keeps_no_unit);

const URL: &str = "WAYFILE_TEST_CRASH_URL";
const KEY: &str = "WAYFILE_TEST_CRASH_KEY";
const NODE: &str = "crashing:8080";
const AT_ONCE: u64 = 32;
const NEVER_ENDING: u64 = 5;
/// Answers that are waited for before the kill.
const ANSWERS: usize = 300;

async fn a_killed_server_loses_no_key_counts_nothing_twice_and_keeps_no_unit(place: Place) {
    let store = place.open().await;
    let (account, key) = key(&store, Plan::Business).await;
    let mut server = Command::new(std::env::current_exe().unwrap())
        .args(["crash::server", "--exact", "--ignored", "--nocapture"])
        .env(URL, &place.written)
        .env(KEY, key.expose())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut answered = 0;
    while answered < ANSWERS {
        answered += usize::from(told.next().unwrap().unwrap().ends_with("answered"));
    }
    server.kill().unwrap();
    server.wait().unwrap();
    answered += told.filter(|line| line.as_ref().is_ok_and(|line| line.ends_with("answered"))).count();

    let now = Timestamp::now();
    let other = place.ledger("other:8080").await;
    let before = state(&other, &key, now).await.unwrap().used.generate;
    let back = place.ledger(NODE).await;
    let used = state(&back, &key, now).await.unwrap().used.generate;
    assert!(before >= used + NEVER_ENDING, "{before} were used or held, {used} are used");
    let answered = answered as u64;
    assert!((answered..=answered + AT_ONCE).contains(&used), "{answered} were answered, {used} are used");
    let days = store.usage_by_day(account, Day::of(now)).await.unwrap();
    assert_eq!(days.iter().map(|day| day.count).sum::<u64>(), used);
}

/// The server that is killed: the test above starts it as a process of its own.
#[test]
#[ignore = "is no test by itself"]
fn server() {
    let (Ok(url), Ok(key)) = (std::env::var(URL), std::env::var(KEY)) else { return };
    run(url, None, |place| async move {
        let key = ApiKey::parse(&key).unwrap();
        let ledger: Arc<Ledger> = Ledger::start(open(&place.written).await, NODE).await.unwrap();
        for _ in 0..NEVER_ENDING {
            reserve(&ledger, &key, u64::MAX, Timestamp::now()).await;
        }
        for _ in 0..AT_ONCE {
            let (ledger, key) = (ledger.clone(), key.clone());
            tokio::spawn(async move {
                loop {
                    let (id, _) = reserve(&ledger, &key, u64::MAX, Timestamp::now()).await;
                    ledger.settle(id, None).await.unwrap();
                    println!("answered");
                }
            });
        }
        std::future::pending::<()>().await;
    });
}

async fn open(url: &str) -> Store {
    Store::open(&database(&DatabaseUrl::parse(url).unwrap(), "")).await.unwrap()
}
