//! The backups that the README describes, taken while a server works.

use jiff::Timestamp;
use sqlx::{AnyConnection, Connection};
use wayfile::store::{DatabaseUrl, Ledger, Store};
use wayfile_actors::ledger::QuotaLedger;
use wayfile_core::plan::Plan;

use crate::quota::{reserve, state};
use crate::{Place, database, key, on_both, postgres};

on_both!(a_backup_holds_accounts_keys_and_usage);

async fn a_backup_holds_accounts_keys_and_usage(place: Place) {
    let (ledger, now) = (place.ledger("a:8080").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Pro).await;
    let (answered, _) = reserve(&ledger, &key, 10, now).await;
    ledger.settle(answered, None).await.unwrap();
    let (under_way, _) = reserve(&ledger, &key, 10, now).await;

    let folder = tempfile::tempdir().unwrap();
    let copy = if place.written.starts_with("sqlite://") {
        let file = folder.path().join("copy.db").display().to_string();
        let mut raw = AnyConnection::connect(&place.written).await.unwrap();
        sqlx::query("VACUUM INTO $1").bind(file.as_str()).execute(&mut raw).await.unwrap();
        format!("sqlite://{file}")
    } else {
        postgres::copy_by_backup(&place.written)
    };
    ledger.settle(under_way, None).await.unwrap();

    // What was under way when the backup was taken never ended there: the server that starts on it refunds it.
    let copy = Store::open(&database(&DatabaseUrl::parse(&copy).unwrap(), "")).await.unwrap();
    let restored = Ledger::start(copy, "a:8080").await.unwrap();
    let restored = state(&restored, &key, now).await.unwrap();
    assert_eq!((restored.plan, restored.used.generate), (Plan::Pro, 1));
    assert_eq!(state(&ledger, &key, now).await.unwrap().used.generate, 2);
}
