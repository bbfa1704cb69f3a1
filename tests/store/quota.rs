//! The month's quota in the store: reserved, settled, refunded, carried over, purged.

use std::time::Duration;

use futures_util::future::join_all;
use jiff::Timestamp;
use wayfile::auth::ApiKey;
use wayfile::store::{Earlier, Ledger};
use wayfile_actors::ledger::{Claim, KeyRecord, QuotaLedger, ReservationId, Taken};
use wayfile_core::calendar::{Day, Month};
use wayfile_core::plan::{Endpoint, Plan};

use crate::{Place, at, email, key, on_both, revoke};

on_both!(
    ending_a_run_twice_counts_once,
    a_run_that_answered_counts_even_when_it_was_given_up,
    a_months_quota_ends_with_the_month,
    units_find_the_keys_that_carry_them_whatever_the_clocks_say,
    a_new_key_starts_with_what_revoked_ones_used,
    keys_of_one_moment_are_told_apart,
    what_comes_at_once_is_counted_like_one_after_the_other,
    what_is_charged_at_once_counts_among_what_is_reserved,
    an_answer_that_was_not_paid_for_is_not_kept,
    what_is_old_is_thrown_away,
    revoked_keys_go_when_nothing_hangs_on_them,
);

/// What one that writes alone need not heed.
mod among_nodes {
    #[test]
    fn a_new_key_starts_with_what_a_revoked_one_reserves_right_now() {
        crate::both_stores::on_postgres(super::a_new_key_starts_with_what_a_revoked_one_reserves_right_now);
    }
}

pub(crate) async fn state(ledger: &Ledger, key: &ApiKey, now: Timestamp) -> Option<KeyRecord> {
    ledger.look_up(key.hash(), Month::of(now), &crate::plans()).await.unwrap()
}

async fn used(ledger: &Ledger, key: &ApiKey, now: Timestamp) -> u64 {
    state(ledger, key, now).await.unwrap().used.generate
}

pub(crate) async fn reserve(
    ledger: &Ledger,
    key: &ApiKey,
    limit: u64,
    now: Timestamp,
) -> (ReservationId, Taken) {
    let key = state(ledger, key, now).await.unwrap().key;
    let id = ReservationId::fresh();
    (id, ledger.reserve(id, Claim { key, endpoint: Endpoint::Generate, limit, now }).await.unwrap())
}

async fn ending_a_run_twice_counts_once(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (account, key) = key(ledger.store(), Plan::Free).await;
    let (settled, granted) = reserve(&ledger, &key, 2, now).await;
    assert_eq!(granted, Taken::Granted(1));
    let (refunded, granted) = reserve(&ledger, &key, 2, now).await;
    assert_eq!(granted, Taken::Granted(2));
    assert_eq!(reserve(&ledger, &key, 2, now).await.1, Taken::Spent(2));
    for _ in 0..2 {
        ledger.settle(settled, None).await.unwrap();
        ledger.refund(settled).await.unwrap();
        ledger.refund(refunded).await.unwrap();
    }
    assert_eq!(used(&ledger, &key, now).await, 1);
    let days = ledger.store().usage_by_day(account, Day::of(now)).await.unwrap();
    assert_eq!(days.iter().map(|day| day.count).sum::<u64>(), 1);
    assert_eq!(reserve(&ledger, &key, 0, now).await.1, Taken::Spent(1));
}

async fn a_run_that_answered_counts_even_when_it_was_given_up(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let (id, _) = reserve(&ledger, &key, 2, now).await;
    ledger.refund(id).await.unwrap();
    assert_eq!(used(&ledger, &key, now).await, 0);
    ledger.settle(id, None).await.unwrap();
    ledger.settle(id, None).await.unwrap();
    assert_eq!(used(&ledger, &key, now).await, 1);
}

async fn what_comes_at_once_is_counted_like_one_after_the_other(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (account, few) = key(ledger.store(), Plan::Free).await;
    let many = ledger.store().create_key(account, "many", 9, now).await.unwrap();
    let gone = ledger.store().create_key(account, "gone", 9, now).await.unwrap();
    let id = async |key: &ApiKey| state(&ledger, key, now).await.unwrap().key;
    let keys = [(id(&few).await, 10, 30), (id(&many).await, 1_000, 30), (id(&gone).await, 1_000, 5)];
    revoke(ledger.store(), account, "gone", now).await.unwrap();

    // One of each in turn, all of them at once.
    let claims: Vec<(ReservationId, Claim)> = (0..30)
        .flat_map(|nth| keys.iter().filter(move |(_, _, wanted)| nth < *wanted))
        .map(|(key, limit, _)| Claim { key: *key, endpoint: Endpoint::Generate, limit: *limit, now })
        .map(|claim| (ReservationId::fresh(), claim))
        .collect();
    let outcomes = join_all(claims.iter().map(|(id, claim)| ledger.reserve(*id, *claim))).await;
    let of = |nth: usize| {
        let of_key = claims.iter().zip(&outcomes).filter(move |((_, claim), _)| claim.key == keys[nth].0);
        of_key.map(|((id, _), outcome)| (*id, *outcome.as_ref().unwrap())).collect::<Vec<_>>()
    };
    let granted = |all: &[(ReservationId, Taken)]| {
        let mut units: Vec<_> = all
            .iter()
            .filter_map(|(id, outcome)| match outcome {
                Taken::Granted(used) => Some((*used, *id)),
                _ => None,
            })
            .collect();
        units.sort_by_key(|(used, _)| *used);
        units
    };
    let numbers = |units: &[(u64, ReservationId)]| units.iter().map(|(used, _)| *used).collect::<Vec<_>>();
    let (few_units, many_units) = (granted(&of(0)), granted(&of(1)));
    assert_eq!(numbers(&few_units), (1..=10).collect::<Vec<_>>());
    assert_eq!(numbers(&many_units), (1..=30).collect::<Vec<_>>());
    assert_eq!(of(0).iter().filter(|(_, outcome)| *outcome == Taken::Spent(10)).count(), 20);
    assert!(of(2).len() == 5 && of(2).iter().all(|(_, outcome)| *outcome == Taken::Unknown));

    // Five are settled twice, three refunded, two left; of the other key all are settled.
    let settled = few_units.iter().take(5).cycle().take(10).chain(&many_units).map(|(_, id)| *id);
    let settling = join_all(settled.map(|id| ledger.settle(id, None)));
    let refunding = join_all(few_units.iter().skip(5).take(3).map(|(_, id)| ledger.refund(*id)));
    let (settled, refunded) = tokio::join!(settling, refunding);
    assert!(settled.into_iter().chain(refunded).all(|ended| ended.is_ok()));
    assert_eq!((used(&ledger, &few, now).await, used(&ledger, &many, now).await), (7, 30));
    let days = ledger.store().usage_by_day(account, Day::of(now)).await.unwrap();
    assert_eq!(days.iter().map(|day| day.count).collect::<Vec<_>>(), [5, 30]);
}

/// What somebody else has spoilt of one key is no other key's affair.
async fn keys_of_one_moment_are_told_apart(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let store = ledger.store();
    let mut keys = Vec::new();
    for (name, plan) in [("ada", Plan::Free), ("bob", Plan::Pro), ("eve", Plan::Pro), ("sam", Plan::Pro)] {
        let account = store.create_account(&email(name), plan, Some(now), now).await.unwrap();
        keys.push(store.create_key(account, "first", 100, now).await.unwrap());
        if name == "sam" {
            revoke(store, account, "first", now).await.unwrap();
        }
    }
    let limits = crate::plans();
    let plans = async || {
        let looks =
            join_all(keys.iter().chain(&keys).map(|key| ledger.look_up(key.hash(), Month::of(now), &limits)));
        let plan = |look: Result<Option<KeyRecord>, _>| look.ok().map(|state| state.map(|state| state.plan));
        looks.await.into_iter().map(plan).collect::<Vec<_>>()
    };
    let (free, pro) = (Some(Some(Plan::Free)), Some(Some(Plan::Pro)));
    assert_eq!(plans().await, [free, pro, pro, Some(None)].repeat(2));
    place.raw("UPDATE accounts SET plan = 'gold' WHERE email = 'eve@example.org'").await;
    assert_eq!(plans().await, [free, pro, None, Some(None)].repeat(2));
}

async fn what_is_charged_at_once_counts_among_what_is_reserved(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (account, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    let claim = Claim { key: id, endpoint: Endpoint::Generate, limit: 20, now };
    let charging = join_all((0..15).map(|_| ledger.charge(claim, None)));
    let reserving = join_all((0..15).map(|_| ledger.reserve(ReservationId::fresh(), claim)));
    let (charged, reserved) = tokio::join!(charging, reserving);
    let granted = |all: &[Result<Taken, _>]| {
        let granted = |taken: &Result<Taken, _>| match taken.as_ref().unwrap() {
            Taken::Granted(used) => Some(*used),
            other => {
                assert_eq!(*other, Taken::Spent(20));
                None
            }
        };
        all.iter().filter_map(granted).collect::<Vec<u64>>()
    };
    let (charged, reserved) = (granted(&charged), granted(&reserved));
    let mut numbers = [charged.as_slice(), &reserved].concat();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
    assert_eq!(used(&ledger, &key, now).await, 20);
    let days = ledger.store().usage_by_day(account, Day::of(now)).await.unwrap();
    assert_eq!(days.iter().map(|day| day.count).sum::<u64>(), charged.len() as u64);

    revoke(ledger.store(), account, "first", now).await.unwrap();
    assert_eq!(ledger.charge(claim, None).await.unwrap(), Taken::Unknown);
}

async fn an_answer_that_was_not_paid_for_is_not_kept(place: Place) {
    let (ledger, now) = (place.ledger("a").await, Timestamp::now());
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let id = state(&ledger, &key, now).await.unwrap().key;
    for (limit, kept) in [(0, false), (1, true)] {
        let Earlier::Nothing(claimed) = ledger.claim_answer(id, "order-7", [7; 32], now).await.unwrap()
        else {
            panic!("the name is taken");
        };
        let claim = Claim { key: id, endpoint: Endpoint::Generate, limit, now };
        let taken = ledger.charge(claim, Some(claimed.answer("{}"))).await.unwrap();
        assert_eq!(taken, if kept { Taken::Granted(1) } else { Taken::Spent(0) });
    }
    let again = ledger.claim_answer(id, "order-7", [7; 32], now).await.unwrap();
    assert!(matches!(again, Earlier::Answered(_)));
}

async fn a_months_quota_ends_with_the_month(place: Place) {
    let ledger = place.ledger("a").await;
    let (_, key) = key(ledger.store(), Plan::Free).await;
    let (last, first) = (at("2026-11-30T23:59:59.999999Z"), at("2026-12-01T00:00:00Z"));
    let (id, granted) = reserve(&ledger, &key, 1, last).await;
    assert_eq!(granted, Taken::Granted(1));
    assert_eq!(reserve(&ledger, &key, 1, last).await.1, Taken::Spent(1));
    assert_eq!(reserve(&ledger, &key, 1, first).await.1, Taken::Granted(1));
    // A run is charged to the month it began in.
    ledger.settle(id, None).await.unwrap();
    assert_eq!((used(&ledger, &key, last).await, used(&ledger, &key, first).await), (1, 1));
}

async fn a_new_key_starts_with_what_a_revoked_one_reserves_right_now(place: Place) {
    let ledger = place.ledger("a").await;
    let (account, first) = key(ledger.store(), Plan::Free).await;
    let now = Timestamp::now();
    // A unit that is taken waits with its reservation, however many statements that are.
    let wait = "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS \
        'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END'; \
        CREATE TRIGGER wait BEFORE INSERT ON reservations FOR EACH ROW EXECUTE FUNCTION wait()";
    let mut holder = place.connection().await;
    for step in [wait, "BEGIN; SELECT 1 FROM pg_advisory_xact_lock(7)"] {
        sqlx::raw_sql(step).execute(&mut holder).await.unwrap();
    }
    let moment = Duration::from_millis(300);
    let another = async {
        tokio::time::sleep(moment).await;
        revoke(ledger.store(), account, "first", Timestamp::now()).await.unwrap();
        ledger.store().create_key(account, "second", 9, Timestamp::now()).await.unwrap()
    };
    let release = async {
        tokio::time::sleep(2 * moment).await;
        sqlx::raw_sql("ROLLBACK").execute(&mut holder).await.unwrap();
    };
    let (_, second, ()) = tokio::join!(reserve(&ledger, &first, 10, now), another, release);
    assert_eq!(used(&ledger, &second, now).await, 1);
}

async fn a_new_key_starts_with_what_revoked_ones_used(place: Place) {
    let ledger = place.ledger("a").await;
    let (account, first) = key(ledger.store(), Plan::Free).await;
    let now = Timestamp::now();
    let (settled, _) = reserve(&ledger, &first, 10, now).await;
    ledger.settle(settled, None).await.unwrap();
    let (under_way, _) = reserve(&ledger, &first, 10, now).await;
    let (will_fail, _) = reserve(&ledger, &first, 10, now).await;
    revoke(ledger.store(), account, "first", Timestamp::now()).await.unwrap();
    assert_eq!(state(&ledger, &first, now).await, None);

    let make =
        async |name: &str| ledger.store().create_key(account, name, 9, Timestamp::now()).await.unwrap();
    let second = make("second").await;
    assert_eq!(used(&ledger, &second, now).await, 3, "two runs of the first key are under way");
    ledger.settle(under_way, None).await.unwrap();
    ledger.refund(will_fail).await.unwrap();
    assert_eq!(used(&ledger, &second, now).await, 2);

    // What was carried over is not carried over twice.
    reserve(&ledger, &second, 10, now).await;
    revoke(ledger.store(), account, "second", Timestamp::now()).await.unwrap();
    let third = make("third").await;
    assert_eq!(used(&ledger, &third, now).await, 3);
    // A working key takes nothing from another one's quota.
    assert_eq!(used(&ledger, &make("fourth").await, now).await, 3);
}

async fn units_find_the_keys_that_carry_them_whatever_the_clocks_say(place: Place) {
    let ledger = place.ledger("a").await;
    let (account, first) = key(ledger.store(), Plan::Free).await;
    let now = Timestamp::now();
    let make =
        async |name: &str, at: Timestamp| ledger.store().create_key(account, name, 9, at).await.unwrap();
    let (fails, _) = reserve(&ledger, &first, 10, now).await;
    // The clock was an hour ahead and was set right.
    revoke(ledger.store(), account, "first", now + Duration::from_hours(1)).await.unwrap();
    let second = make("second", now).await;
    assert_eq!(used(&ledger, &second, now).await, 1);
    ledger.refund(fails).await.unwrap();
    assert_eq!(used(&ledger, &second, now).await, 0, "it carries a unit that nobody used");

    let (settled, _) = reserve(&ledger, &second, 10, now).await;
    ledger.settle(settled, None).await.unwrap();
    revoke(ledger.store(), account, "second", now).await.unwrap();
    let (third, fourth) = (make("third", now).await, make("fourth", now).await);
    let (fails, _) = reserve(&ledger, &third, 10, now).await;
    revoke(ledger.store(), account, "third", now).await.unwrap();
    ledger.refund(fails).await.unwrap();
    assert_eq!(used(&ledger, &fourth, now).await, 1, "it never carried what the third key held");
}

async fn what_is_old_is_thrown_away(place: Place) {
    let (ledger, now) = (place.ledger_with("keep.usage = \"30d\"").await, Timestamp::now());
    let (account, key) = key(ledger.store(), Plan::Free).await;
    let long_ago = now - Duration::from_hours(24 * 60);
    for then in [long_ago, now] {
        let (id, _) = reserve(&ledger, &key, 10, then).await;
        ledger.settle(id, None).await.unwrap();
    }
    let (held, _) = reserve(&ledger, &key, 10, long_ago).await;
    place.raw("INSERT INTO day_usage (key_id, day, endpoint, settled) SELECT id, 20200101, 'generate', 1 FROM keys").await;
    let reservations = async || place.count("SELECT count(*) FROM reservations").await;
    let days = async || place.count("SELECT count(*) FROM day_usage").await;
    let months = async || place.count("SELECT count(*) FROM month_usage").await;
    assert_eq!((reservations().await, days().await, months().await), (3, 2, 2));
    ledger.store().purge(now).await.unwrap();
    assert_eq!((reservations().await, days().await, months().await), (2, 1, 1));
    assert_eq!((used(&ledger, &key, now).await, used(&ledger, &key, long_ago).await), (1, 0));
    assert_eq!(ledger.store().usage_by_day(account, Day::of(long_ago)).await.unwrap().len(), 1);
    // A run that is still under way ends well all the same.
    ledger.settle(held, None).await.unwrap();
    ledger.store().purge(now).await.unwrap();
    assert_eq!(reservations().await, 1);
}

async fn revoked_keys_go_when_nothing_hangs_on_them(place: Place) {
    let (ledger, now) = (place.ledger_with("keep.revoked_keys = \"7d\"").await, Timestamp::now());
    let (store, week) = (ledger.store(), Duration::from_hours(24 * 7));
    let (account, used_key) = key(store, Plan::Free).await;
    let (id, _) = reserve(&ledger, &used_key, 10, now).await;
    ledger.settle(id, None).await.unwrap();
    revoke(store, account, "first", now).await.unwrap();
    for nth in 0..205 {
        let name = format!("unused {nth}");
        store.create_key(account, &name, 9, now).await.unwrap();
        // Without this one it would have what the first one used carried over.
        place.raw("DELETE FROM month_usage WHERE carried > 0").await;
        revoke(store, account, &name, now).await.unwrap();
    }
    let working = store.create_key(account, "working", 9, now).await.unwrap();
    store.purge(now + week - Duration::from_mins(1)).await.unwrap();
    assert_eq!(store.revoked_keys(account, None, 999).await.unwrap().len(), 206);
    store.purge(now + week + Duration::from_mins(1)).await.unwrap();
    let left = store.revoked_keys(account, None, 999).await.unwrap();
    assert_eq!(left.iter().map(|key| key.name.as_str()).collect::<Vec<_>>(), ["first"]);
    assert_eq!(state(&ledger, &working, now).await.unwrap().used.generate, 1);
    // Its usage goes first, and then the key.
    let later = now + Duration::from_hours(24 * 500);
    store.purge(later).await.unwrap();
    assert!(store.revoked_keys(account, None, 9).await.unwrap().is_empty());
    assert!(state(&ledger, &working, now).await.is_some());
}
