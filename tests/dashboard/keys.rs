//! Keys on their page: shown once, nobody else's, as many as the plan has.

use wayfile_core::plan::Plan;

use crate::visitor::Visitor;
use crate::{Place, TestService, on_both};

on_both!(
    a_key_is_shown_once_and_then_by_its_ends,
    keys_of_others_do_not_exist,
    what_is_wrong_with_a_name_is_told_beside_it,
    a_plan_has_so_many_keys_however_many_are_made_at_once,
    of_revoked_keys_the_last_ones_are_shown,
);

/// Makes a key; the key itself, as the page shows it.
pub(crate) async fn make(person: &mut Visitor, name: &str) -> String {
    let made = person.post("/keys", &[("name", name)]).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let start = made.body.find("wf_").unwrap();
    made.body.get(start..).unwrap().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}

/// The number of a person's only working key.
pub(crate) async fn number(person: &mut Visitor) -> String {
    let list = person.get("/keys").await.body;
    let (_, after) = list.split_once("href=\"/keys/").unwrap();
    after.split_once("/revoke\"").unwrap().0.to_owned()
}

async fn status_with(service: &TestService, key: &str) -> u16 {
    service.app.get("/api/v1/usage").header("x-api-key", key).send().await.unwrap().status().as_u16()
}

async fn a_key_is_shown_once_and_then_by_its_ends(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person("ada@example.org").await;
    let key = make(&mut ada, "laptop").await;
    assert_eq!((key.len(), status_with(&service, &key).await), (41, 200));
    let list = ada.get("/keys").await.body;
    assert!(
        list.contains(&format!("{}…{}", key.get(..9).unwrap(), key.get(37..).unwrap()))
            && !list.contains(&key),
        "{list}"
    );

    let id = number(&mut ada).await;
    let question = ada.get(&format!("/keys/{id}/revoke")).await;
    assert!(question.status == 200 && question.body.contains("laptop"), "{}", question.body);
    assert_eq!(status_with(&service, &key).await, 200, "a question revokes nothing");
    let revoked = ada.post(&format!("/keys/{id}/revoke"), &[]).await;
    assert_eq!((revoked.status, revoked.to.as_deref()), (303, Some("/keys?revoked")));
    assert_eq!(status_with(&service, &key).await, 401);
    let again = ada.post(&format!("/keys/{id}/revoke"), &[]).await;
    assert!(again.status == 404 && again.body.contains("revoked already"), "{}", again.body);
}

async fn keys_of_others_do_not_exist(place: Place) {
    let service = place.service("").await;
    let (mut ada, mut eve) =
        (service.person("ada@example.org").await, service.person("eve@example.org").await);
    let key = make(&mut ada, "laptop").await;
    make(&mut eve, "own").await;
    let id = number(&mut ada).await;
    for answer in
        [eve.get(&format!("/keys/{id}/revoke")).await, eve.post(&format!("/keys/{id}/revoke"), &[]).await]
    {
        assert_eq!(answer.status, 404);
        assert!(!answer.body.contains("laptop"), "{}", answer.body);
    }
    for path in ["/playground/generate", "/playground/validate"] {
        let answer = eve.post(path, &[("key", &id), ("url", "docs.rs"), ("content", "")]).await;
        assert!(answer.status == 400 && answer.body.contains("Pick a key of yours"), "{}", answer.body);
    }
    let usage = eve.get(&format!("/usage?key={id}")).await.body;
    assert!(!usage.contains("laptop") && !usage.contains("selected"), "{usage}");
    assert_eq!((status_with(&service, &key).await, service.app.used(&key).await), (200, (0, 0)));
}

async fn what_is_wrong_with_a_name_is_told_beside_it(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person("ada@example.org").await;
    make(&mut ada, "laptop").await;
    for (name, told) in [("laptop", "already"), ("", "1 to 100 characters"), ("a\tb", "control character")] {
        let answer = ada.post("/keys", &[("name", name)]).await;
        assert_eq!(answer.status, 422, "{name:?}");
        assert!(answer.body.contains(told) && answer.body.contains("id=\"name-error\""), "{}", answer.body);
    }
    make(&mut ada, "second").await;
    let third = ada.post("/keys", &[("name", "third")]).await;
    assert!(third.status == 422 && third.body.contains("as many as its plan allows"), "{}", third.body);
}

async fn a_plan_has_so_many_keys_however_many_are_made_at_once(place: Place) {
    let service = place.service("plans.free.keys = 3").await;
    let mut ada = service.person("ada@example.org").await;
    let tries = (0..12).map(|n| {
        let mut ada = ada.copy();
        async move { ada.post("/keys", &[("name", &format!("key {n}"))]).await }
    });
    let answers = futures_util::future::join_all(tries).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!((made, answers.iter().filter(|answer| answer.status == 422).count()), (3, 9));
    let listed = service.app.command(&["key", "list", "--email", "ada@example.org"]);
    assert_eq!(listed.lines().count(), 3, "{listed}");
    // The operator has room for more after a change of plan; so has the page.
    service.app.command(&["account", "plan", "--email", "ada@example.org", "--plan", Plan::Starter.name()]);
    assert_eq!(ada.post("/keys", &[("name", "one more")]).await.status, 201);
}

async fn of_revoked_keys_the_last_ones_are_shown(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person("ada@example.org").await;
    make(&mut ada, "working").await;
    for n in 1..=70_i64 {
        let revoked = "INSERT INTO keys (account_id, hash, prefix, last4, name, created_at, revoked_at) \
                       SELECT id, $1, 'wf_', 'last', $2, $3, $3 FROM accounts";
        let revoked = sqlx::query(revoked).bind(n.to_be_bytes().to_vec()).bind(format!("old {n}")).bind(n);
        revoked.execute(&mut service.place.raw().await).await.unwrap();
    }
    let list = ada.get("/keys").await.body;
    let shown = (1..=70).filter(|n| list.contains(&format!(">old {n}<"))).collect::<Vec<_>>();
    assert_eq!(shown, (21..=70).collect::<Vec<_>>());
    assert!(list.contains("working"), "{list}");
}
