//! The overview: the latest runs, and their files once more.

use crate::fake_site::{FakeSite, numbered};
use crate::keys::{make, number};
use crate::{Place, on_both};

on_both!(a_run_is_listed_and_its_file_can_be_had_again, where_to_upgrade_is_told_if_the_operator_says_where,);

const ADA: &str = "ada@example.org";

async fn a_run_is_listed_and_its_file_can_be_had_again(place: Place) {
    let service = place.service("").await;
    let (mut ada, mut eve) = (service.person(ADA).await, service.person("eve@example.org").await);
    assert!(ada.get("/overview").await.body.contains("Quick start"));
    make(&mut ada, "laptop").await;
    let (id, site) = (number(&mut ada).await, FakeSite::start(|path| numbered(path, 3)));
    let form = [("key", id.as_str()), ("url", &site.url())];
    assert_eq!(ada.post("/playground/generate", &form).await.status, 200);
    assert_eq!(ada.post("/playground/validate", &form).await.status, 200);
    let gone = [("key", id.as_str()), ("url", "http://127.0.0.1:9/")];
    assert_eq!(ada.post("/playground/generate", &gone).await.status, 500);
    let mut page = String::new();
    for _ in 0..100 {
        page = ada.get("/overview").await.body;
        if page.contains("site unreachable") {
            break;
        }
        // A run is written down when its answer has left.
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let host = site.url();
    let host = host.trim_end_matches('/');
    assert!(page.contains(host) && page.contains(">missing<") && page.contains("site unreachable"), "{page}");
    let (_, file) = page.split_once("href=\"/runs/").unwrap();
    let path = format!("/runs/{}", file.split_once('"').unwrap().0);
    let file = ada.get(&path).await;
    assert!(file.status == 200 && file.body.starts_with("# "), "{}", file.body);
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"llms.txt\"");
    assert_eq!(eve.get(&path).await.status, 404, "it is nobody else's");
    assert_eq!(ada.get(&path.replace("llms.txt", "llms-full.txt")).await.status, 404, "it was not made");
    assert!(!eve.get("/overview").await.body.contains(host));
    ada.post("/account/delete", &[("password", crate::PASSWORD)]).await;
    assert_eq!(service.place.count("SELECT count(*) FROM latest_runs").await, 0);
}

async fn where_to_upgrade_is_told_if_the_operator_says_where(place: Place) {
    let service = place.service("[dashboard]\nupgrade_url = \"https://example.org/plans\"\n").await;
    let mut ada = service.person(ADA).await;
    let link = "href=\"https://example.org/plans\"";
    assert!(ada.get("/overview").await.body.contains(link));
    make(&mut ada, "laptop").await;
    let page = ada.get("/playground").await.body;
    assert!(
        page.contains(link) && !page.contains("value=\"llms-full\""),
        "what the plan lacks is not offered"
    );
    service.app.command(&["account", "plan", "--email", ADA, "--plan", "business"]);
    let page = ada.get("/playground").await.body;
    assert!(!page.contains(link) && page.contains("value=\"llms-full\""), "{page}");
}
