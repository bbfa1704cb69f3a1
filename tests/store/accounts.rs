//! Accounts and keys.

use std::time::Duration;

use jiff::Timestamp;
use wayfile::store::{Store, StoreError};
use wayfile_core::calendar::Month;
use wayfile_core::plan::{Endpoint, Plan};

use crate::{Place, at, database, email, key, on_both, revoke};

on_both!(
    accounts_are_made_changed_and_listed,
    keys_are_shown_by_their_ends_and_revoked_by_name,
    a_plan_has_so_many_keys_however_many_are_made_at_once,
    many_processes_open_a_new_store_at_once,
    what_another_holds_is_waited_for_no_longer_than_the_store_may_take,
    usage_is_told_by_day,
    a_month_is_told_by_key_and_with_what_revoked_ones_had_used,
    a_key_is_found_by_its_number_while_it_works_and_for_its_owner_alone,
);

async fn accounts_are_made_changed_and_listed(place: Place) {
    let (store, now) = (place.open().await, Timestamp::now());
    let made = store.create_account(&email("Grace"), Plan::Free, None, now).await.unwrap();
    store.create_account(&email("ada"), Plan::Pro, Some(now), now).await.unwrap();
    let twice = store.create_account(&email("grace"), Plan::Pro, None, now).await.unwrap_err();
    assert!(matches!(twice, StoreError::EmailTaken(_)), "{twice}");
    store.set_plan(&email("grace"), Plan::Business).await.unwrap();
    let grace = store.account(&email("grace")).await.unwrap();
    assert_eq!((grace.id, grace.plan, grace.verified), (made, Plan::Business, None));
    assert_eq!(grace.created.as_microsecond(), now.as_microsecond());
    let all: Vec<String> = store.accounts().await.unwrap().iter().map(|a| a.email.to_string()).collect();
    assert_eq!(all, ["ada@example.org", "grace@example.org"]);
    for error in [
        store.set_plan(&email("nobody"), Plan::Free).await.unwrap_err(),
        store.account(&email("nobody")).await.unwrap_err(),
    ] {
        assert!(matches!(error, StoreError::NoAccount(_)), "{error}");
    }
}

async fn keys_are_shown_by_their_ends_and_revoked_by_name(place: Place) {
    let store = place.open().await;
    let (account, made) = key(&store, Plan::Free).await;
    let kept = store.working_keys(account).await.unwrap().remove(0);
    assert_eq!((kept.prefix.as_str(), kept.last4.as_str()), (made.prefix(), made.last4()));
    assert_eq!((kept.name.as_str(), kept.last_used, kept.revoked), ("first", None, None));
    let now = Timestamp::now();
    let taken = store.create_key(account, " first ", 9, now).await.unwrap_err();
    assert!(matches!(taken, StoreError::NameTaken(_)), "{taken}");
    for bad in ["", " ", "a\nb", "lap\u{200b}top", "\u{3164}", &"x".repeat(101)] {
        let error = store.create_key(account, bad, 9, now).await.unwrap_err();
        assert!(matches!(error, StoreError::BadName { .. }), "{bad:?}: {error}");
    }
    revoke(&store, account, "first", now).await.unwrap();
    let again = revoke(&store, account, "first", now).await.unwrap_err();
    assert!(matches!(again, StoreError::NoKey(_)), "{again}");
    // The name is free again, and the old key is still listed.
    store.create_key(account, "first", 9, now).await.unwrap();
    let (working, revoked) =
        (store.working_keys(account).await.unwrap(), store.revoked_keys(account, None, 9).await.unwrap());
    assert_eq!((working.len(), revoked.len()), (1, 1));
    assert!(working[0].revoked.is_none() && revoked[0].revoked.is_some());
}

async fn a_plan_has_so_many_keys_however_many_are_made_at_once(place: Place) {
    let (store, now) = (place.open().await, Timestamp::now());
    let account = store.create_account(&email("ada"), Plan::Free, Some(now), now).await.unwrap();
    let tries: Vec<_> = (0..20)
        .map(|n| {
            let store = store.clone();
            tokio::spawn(async move { store.create_key(account, &format!("key {n}"), 5, now).await })
        })
        .collect();
    let mut made = 0;
    for one in tries {
        match one.await.unwrap() {
            Ok(_) => made += 1,
            Err(error) => assert!(matches!(error, StoreError::TooManyKeys { max: 5 }), "{error}"),
        }
    }
    assert_eq!((made, store.working_keys(account).await.unwrap().len()), (5, 5));
}

async fn many_processes_open_a_new_store_at_once(place: Place) {
    let opened: Vec<_> = (0..6)
        .map(|_| {
            let url = place.url.clone();
            tokio::spawn(async move { Store::open(&database(&url, "")).await.map(|_| ()) })
        })
        .collect();
    for one in opened {
        one.await.unwrap().unwrap();
    }
}

async fn what_another_holds_is_waited_for_no_longer_than_the_store_may_take(place: Place) {
    let store = place.open_with("timeout = \"1s\"").await;
    let (account, _) = key(&store, Plan::Free).await;
    let mut holder = place.connection().await;
    let hold = if place.written.starts_with("sqlite") {
        "BEGIN IMMEDIATE"
    } else {
        "BEGIN; UPDATE accounts SET plan = plan"
    };
    sqlx::raw_sql(hold).execute(&mut holder).await.unwrap();
    let waiting = store.create_key(account, "second", 9, Timestamp::now());
    let told = tokio::time::timeout(Duration::from_secs(5), waiting).await;
    assert!(matches!(told, Ok(Err(StoreError::Away(_)))), "{told:?}");
}

async fn usage_is_told_by_day(place: Place) {
    let store = place.open().await;
    let (account, _) = key(&store, Plan::Free).await;
    place
        .raw(
            "INSERT INTO day_usage (key_id, day, endpoint, settled) SELECT id, 20261121, 'validate', 7 FROM keys",
        )
        .await;
    let day = |text| wayfile_core::calendar::Day::of(at(text));
    let days = store.usage_by_day(account, day("2026-11-21T00:00:00Z")).await.unwrap();
    assert_eq!(days.len(), 1);
    assert_eq!((days[0].day.to_string().as_str(), days[0].count), ("2026-11-21", 7));
    assert!(store.usage_by_day(account, day("2026-11-22T00:00:00Z")).await.unwrap().is_empty());
}

async fn a_month_is_told_by_key_and_with_what_revoked_ones_had_used(place: Place) {
    let store = place.open().await;
    let (account, _) = key(&store, Plan::Free).await;
    place
        .raw(
            "INSERT INTO month_usage (key_id, month, endpoint, carried, settled, reserved) \
             SELECT id, 202611, 'generate', 0, 4, 1 FROM keys",
        )
        .await;
    let now = at("2026-11-21T10:00:00Z");
    revoke(&store, account, "first", now).await.unwrap();
    store.create_key(account, "second", 9, now).await.unwrap();
    let month = Month::of(now);
    let told = store.usage_of_month(account, month).await.unwrap();
    assert_ne!(told[0].key, told[1].key);
    let told: Vec<_> = told.iter().map(|used| (used.endpoint, used.counted)).collect();
    assert_eq!(told, [(Endpoint::Generate, 5), (Endpoint::Generate, 5)]);
    assert!(store.usage_of_month(account, Month::of(month.end())).await.unwrap().is_empty());
}

async fn a_key_is_found_by_its_number_while_it_works_and_for_its_owner_alone(place: Place) {
    let (store, now) = (place.open().await, Timestamp::now());
    let (ada, made) = key(&store, Plan::Free).await;
    let eve = store.create_account(&email("eve"), Plan::Free, Some(now), now).await.unwrap();
    let id = store.working_keys(ada).await.unwrap()[0].id;
    assert_eq!(store.key_hash(ada, id).await.unwrap(), made.hash());
    let refused = store.key_hash(eve, id).await.unwrap_err();
    assert!(matches!(refused, StoreError::NoKey(_)), "{refused}");
    let refused = store.revoke_key(eve, id, now).await.unwrap_err();
    assert!(matches!(refused, StoreError::NoKey(_)), "{refused}");
    store.revoke_key(ada, id, now).await.unwrap();
    let refused = store.key_hash(ada, id).await.unwrap_err();
    assert!(matches!(refused, StoreError::NoKey(_)), "{refused}");
}
