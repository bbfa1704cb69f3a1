//! Keys made on the dashboard: no more than the plan has, and only one's own.

use wayfile_core::plan::Plan;

use crate::{Place, on_both};

on_both!(a_plan_has_so_many_keys_however_many_are_made_at_once, a_key_is_revoked_by_its_owner_alone);

async fn a_plan_has_so_many_keys_however_many_are_made_at_once(place: Place) {
    let house = place.house("plans.free.keys = 3").await;
    let mut ada = house.person("ada@example.org").await;
    let tries = (0..12).map(|n| {
        let mut ada = ada.copy();
        async move { ada.post("/keys", &[("name", &format!("key {n}"))]).await }
    });
    let answers = futures_util::future::join_all(tries).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!((made, answers.iter().filter(|answer| answer.status == 422).count()), (3, 9));
    let listed = house.app.command(&["key", "list", "--email", "ada@example.org"]);
    assert_eq!(listed.lines().count(), 3, "{listed}");
    // The operator has room for more after a change of plan; so has the page.
    house.app.command(&["account", "plan", "--email", "ada@example.org", "--plan", Plan::Starter.name()]);
    assert_eq!(ada.post("/keys", &[("name", "one more")]).await.status, 201);
}

async fn a_key_is_revoked_by_its_owner_alone(place: Place) {
    let house = place.house("").await;
    let (mut ada, mut eve) = (house.person("ada@example.org").await, house.person("eve@example.org").await);
    let made = ada.post("/keys", &[("name", "laptop")]).await.body;
    let key = made.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let key = key.into_iter().find(|word| word.starts_with("wf_") && word.len() == 41).unwrap().to_owned();
    let works = async || {
        house.app.get("/api/v1/usage").header("x-api-key", &key).send().await.unwrap().status() == 200
    };
    assert!(works().await);
    let list = ada.get("/keys").await.body;
    assert!(!list.contains(&key), "it is shown once");
    let path = list.split('"').find(|part| part.ends_with("/revoke")).unwrap().to_owned();
    assert_eq!(eve.get(&path).await.status, 404);
    assert_eq!(eve.post(&path, &[]).await.status, 404);
    assert!(works().await);
    assert_eq!(ada.post(&path, &[]).await.status, 303);
    assert!(!works().await);
}
