//! Deleting an account: its keys are refused, and nothing that tells of the person stays.

use sqlx::{AssertSqlSafe, Row};

use crate::{PASSWORD, Place, on_both};

on_both!(
    a_deleted_account_leaves_nothing_of_the_person_and_its_keys_are_refused,
    only_who_knows_the_password_deletes,
);

const ADA: &str = "ada.lovelace@example.org";

/// Every value of every table, as text; what is no text, in hexadecimal digits.
pub(crate) async fn everything_stored(place: &Place) -> Vec<String> {
    let is_sqlite = place.written.starts_with("sqlite");
    let columns = if is_sqlite {
        "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = 'table'"
    } else {
        "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = 'public'"
    };
    let mut raw = place.raw().await;
    let columns = sqlx::query(columns).fetch_all(&mut raw).await.unwrap();
    let mut values = Vec::new();
    for column in columns {
        let (table, column): (String, String) = (column.try_get(0).unwrap(), column.try_get(1).unwrap());
        let text = if is_sqlite {
            format!("CASE typeof({column}) WHEN 'blob' THEN hex({column}) ELSE CAST({column} AS TEXT) END")
        } else {
            format!("CAST({column} AS TEXT)")
        };
        let all = format!("SELECT COALESCE({text}, '') FROM {table}");
        let rows = sqlx::query(AssertSqlSafe(all)).fetch_all(&mut raw).await.unwrap();
        values.extend(rows.iter().map(|row| row.try_get::<String, _>(0).unwrap()));
    }
    values
}

async fn a_deleted_account_leaves_nothing_of_the_person_and_its_keys_are_refused(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person(ADA).await;
    let printed = service.app.command(&["key", "create", "--email", ADA, "--name", "Lovelace's laptop"]);
    let key = printed.lines().last().unwrap().to_owned();
    let validated =
        service.app.validate(&key, &serde_json::json!({"content": "# Tide", "checkLinks": false}));
    assert_eq!(validated.send().await.unwrap().status(), 200);
    // Somebody asks for more mails; they go with the account, too.
    service.visitor().post("/forgot", &[("email", ADA)]).await;
    service.mail.to(ADA, 2).await;
    let mut elsewhere = service.visitor();
    elsewhere.log_in(ADA, PASSWORD).await;

    let gone = ada.post("/account/delete", &[("password", PASSWORD)]).await;
    assert_eq!((gone.status, ada.cookie.is_some()), (200, false), "{}", gone.body);
    let usage = service.app.get("/api/v1/usage").header("x-api-key", &key).send().await.unwrap();
    assert_eq!(usage.status(), 401);
    assert!(!elsewhere.is_in().await);
    assert_eq!(ada.log_in(ADA, PASSWORD).await.status, 422);
    assert!(!service.app.command(&["account", "list"]).contains("ada"));
    let stored = everything_stored(&service.place).await;
    for trace in ["lovelace", "Lovelace", "$argon2id$"] {
        assert!(!stored.iter().any(|value| value.contains(trace)), "{trace}");
    }
    // What the keys used is still counted, for nobody.
    assert_eq!(service.place.count("SELECT count(*) FROM day_usage").await, 1);
    // The address may begin anew, with nothing of the old account.
    let before = service.mail.mails().len();
    ada.sign_up(ADA, PASSWORD).await;
    let link = service.mail.to(ADA, before + 1).await.pop().unwrap().link("/verify");
    ada.confirm(&link).await;
    assert_eq!(ada.log_in(ADA, PASSWORD).await.status, 303);
    assert_eq!(service.app.command(&["key", "list", "--email", ADA]), "");
}

async fn only_who_knows_the_password_deletes(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person(ADA).await;
    for wrong in ["", "another password"] {
        let answer = ada.post("/account/delete", &[("password", wrong)]).await;
        assert!(answer.status == 422 && answer.body.contains("not the password"), "{}", answer.body);
    }
    assert!(ada.is_in().await);
    assert_eq!(service.visitor().post("/account/delete", &[("password", PASSWORD)]).await.status, 303);
    assert!(ada.is_in().await);
}
