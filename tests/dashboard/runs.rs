//! The runs that ended last: listed, narrowed, each on a page of its own, and their files once more.

use std::time::Duration;

use crate::fake_site::{FakeSite, numbered};
use crate::keys::{make, number};
use crate::visitor::Visitor;
use crate::{PASSWORD, Place, on_both};

on_both!(
    a_run_has_a_page_and_its_file_can_be_had_again,
    a_run_that_failed_says_why_and_can_be_asked_for_again,
    runs_are_narrowed_by_site_and_by_how_they_ended,
    runs_of_others_do_not_exist,
);

const ADA: &str = "ada@example.org";
/// Nobody listens there.
const AWAY: &str = "http://127.0.0.1:9/";

/// Asks in the playground, and waits until the run is written down, which is after its answer.
async fn run(person: &mut Visitor, endpoint: &str, url: &str, told: &str) -> String {
    let id = number(person).await;
    person.post(&format!("/playground/{endpoint}"), &[("key", &id), ("url", url)]).await;
    for _ in 0..200 {
        let list = person.get("/runs").await.body;
        if list.contains(told) {
            return list;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("no run that says {told:?}");
}

/// The page of the newest run of a list.
fn newest(list: &str) -> String {
    let (_, path) = list.split_once("href=\"/runs/").unwrap();
    format!("/runs/{}", path.split_once('"').unwrap().0)
}

async fn a_run_has_a_page_and_its_file_can_be_had_again(place: Place) {
    let service = place.service("").await;
    let (mut ada, site) = (service.person(ADA).await, FakeSite::start(|path| numbered(path, 3)));
    make(&mut ada, "laptop").await;
    let list = run(&mut ada, "generate", &site.url(), ">llms.txt<").await;
    let (path, overview) = (newest(&list), ada.get("/overview").await.body);
    assert_eq!(newest(&overview), path);
    let page = ada.get(&path).await.body;
    let (own, file) = (site.url(), format!("{path}/llms.txt"));
    for told in
        [own.trim_end_matches('/'), "Pages read: 4.", "Only llms.txt was made", " bytes", ", took ", &file]
    {
        assert!(page.contains(told), "{told}: {page}");
    }
    let file = ada.get(&file).await;
    assert!(file.status == 200 && file.body.starts_with("# "), "{}", file.body);
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"llms.txt\"");
    assert_eq!(ada.get(&format!("{path}/llms-full.txt")).await.status, 404, "it was not made");

    service.place.change("UPDATE latest_runs SET took_ms = NULL, said = '', answer = NULL").await;
    let page = ada.get(&path).await;
    assert!(page.status == 200 && page.body.contains("Its files are not kept"), "{}", page.body);
    ada.post("/account/delete", &[("password", PASSWORD)]).await;
    assert_eq!(service.place.count("SELECT count(*) FROM latest_runs").await, 0);
}

async fn a_run_that_failed_says_why_and_can_be_asked_for_again(place: Place) {
    let service = place.service("").await;
    let mut ada = service.person(ADA).await;
    make(&mut ada, "laptop").await;
    let list = run(&mut ada, "generate", AWAY, "site unreachable").await;
    let page = ada.get(&newest(&list)).await.body;
    let again = "/playground?url=http%3A%2F%2F127.0.0.1%3A9%2F";
    assert!(page.contains("127.0.0.1:9/ cannot be reached") && page.contains(again), "{page}");
    assert!(ada.get(again).await.body.contains(&format!("value=\"{AWAY}\"")));
    let list = run(&mut ada, "validate", AWAY, ">unreachable</span>").await;
    let page = ada.get(&newest(&list)).await.body;
    let again = again.replace('?', "/validate?");
    assert!(page.contains("Form 0, readiness 0.") && page.contains(&again), "{page}");
    assert!(ada.get(&again).await.body.contains(&format!("value=\"{AWAY}\"")));
}

async fn runs_are_narrowed_by_site_and_by_how_they_ended(place: Place) {
    let service = place.service("").await;
    let (mut ada, site) = (service.person(ADA).await, FakeSite::start(|path| numbered(path, 3)));
    make(&mut ada, "laptop").await;
    run(&mut ada, "generate", &site.url(), ">llms.txt<").await;
    run(&mut ada, "generate", AWAY, "site unreachable").await;
    for (query, listed) in [
        ("", [true, true]),
        ("?site=127.0.0.1%3A9&ended=", [false, true]),
        ("?site=+127.0.0.1%3A9%2F+&ended=good", [false, false]),
        ("?ended=good", [true, false]),
        ("?ended=bad", [false, true]),
        ("?ended=%22%3E%3Cb%3E&site=HTTP", [true, true]),
        ("?site=%3Cb%3Enobody", [false, false]),
    ] {
        let page = ada.get(&format!("/runs{query}")).await;
        assert_eq!(page.status, 200, "{query}");
        let found =
            [">llms.txt</span>", ">site unreachable</span>"].map(|outcome| page.body.contains(outcome));
        assert_eq!((found, page.body.contains("No such run")), (listed, listed == [false; 2]), "{query}");
        assert!(!page.body.contains("<b>"), "{}", page.body);
    }
}

async fn runs_of_others_do_not_exist(place: Place) {
    let service = place.service("").await;
    let (mut ada, mut eve) = (service.person(ADA).await, service.person("eve@example.org").await);
    make(&mut ada, "laptop").await;
    let site = FakeSite::start(|path| numbered(path, 3));
    let path = newest(&run(&mut ada, "generate", &site.url(), ">llms.txt<").await);
    for path in [&path, &format!("{path}/llms.txt"), "/runs/0", "/runs/x", "/runs/99999999999999999999"] {
        let answer = eve.get(path).await;
        assert!(answer.status == 404 && !answer.body.contains("127.0.0.1"), "{path}: {}", answer.body);
    }
    for path in ["/runs", "/overview"] {
        assert!(!eve.get(path).await.body.contains("/runs/"), "{path}");
    }
    let mut stranger = service.visitor();
    assert_eq!(stranger.get(&path).await.status, 303);
}
