//! Settings that change while the service runs, and what it logs of it.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::fake_site::{FakeSite, numbered};
use crate::run;
use crate::test_app::{self, TestApp};

const TIMEOUT: Duration = Duration::from_secs(20);

async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let over = Instant::now() + TIMEOUT;
    while !holds() {
        assert!(Instant::now() < over, "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn a_crawl_that_runs_feels_a_limit_that_sighup_brought() {
    run(async {
        let slow = "[crawl]\nper_domain_delay = \"20s\"";
        let app = TestApp::with(slow);
        let site = FakeSite::start(|path| numbered(path, 20));
        let key = app.key("pro");
        let began = Instant::now();
        let running = app.generate(&key, &json!({"url": site.url()})).send();
        let telling = async {
            // The next request would be sent in 20 s.
            until("the site was never asked", || site.count("/robots.txt") == 1).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            app.set("[crawl]\nper_domain_delay = \"10ms\"\nuser_agent = \"Other/1\"");
            app.signal("HUP");
        };
        let (running, ()) = tokio::join!(running, telling);
        let (status, answer) = test_app::json(running.unwrap()).await;
        assert_eq!((status, &answer["note"]), (200, &json!(null)));
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        let log = app.log();
        let line = log.lines().find(|line| line.contains("the settings were read again")).unwrap();
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["changed"], "crawl.per_domain_delay: \"20s\" -> \"10ms\"");
        assert_eq!(line["need_restart"], "crawl.user_agent");
    });
}

#[test]
fn the_command_says_what_changed_and_settings_that_cannot_be_used_change_nothing() {
    run(async {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let with = |more: &str| format!("[server]\nlisten = \"{free}\"\n{more}");
        let app = TestApp::with(&with("[plans.free]\nrequests_per_minute = 1"));
        let key = app.key("free");
        let ask = || async { app.validate(&key, &json!({})).send().await.unwrap().status().as_u16() };
        assert_eq!((ask().await, ask().await), (400, 429));
        app.set(&with("[plans.free]\nrequests_per_minute = 60000\n[crawl]\ncache_ttl = \"1m\""));
        let said = app.command(&["config", "reload"]);
        let expected =
            "changed: plans.free.requests_per_minute: 1 -> 60000; need a restart: crawl.cache_ttl\n";
        assert_eq!(said, expected);
        assert_eq!((ask().await, ask().await), (400, 400));
        // Another file than the command's, as it were: what the command can read, the service reads too.
        app.set(&with("[crawl]\nmax_crawls = 0"));
        let refused = app.run(&["config", "reload"]);
        assert_eq!(refused.status.code(), Some(2));
        app.signal("HUP");
        until("nothing was logged", || app.log().contains("those from before hold")).await;
        assert_eq!(ask().await, 400);
    });
}

#[test]
fn refusals_and_cancelled_runs_are_one_line_each() {
    run(async {
        let app = TestApp::start();
        let site = FakeSite::start(|path| numbered(path, 20).after(Duration::from_secs(1)));
        let key = app.key("pro");
        app.get("/nowhere").send().await.unwrap();
        let leaving = app.generate(&key, &json!({"url": site.url()})).send();
        assert!(tokio::time::timeout(Duration::from_millis(1500), leaving).await.is_err());
        let lines = |what: &str| {
            let log = app.log();
            log.lines().filter(|line| line.contains(what) && line.contains("\"INFO\"")).count()
        };
        until("no line of the cancelled run", || lines("a run was cancelled") == 1).await;
        assert_eq!(lines("a request was refused"), 1, "{}", app.log());
    });
}

#[test]
fn a_line_of_the_log_holds_little_of_what_a_client_sends() {
    run(async {
        let app = TestApp::start();
        let (key, word) = (app.key("pro"), "x".repeat(20_000));
        let refused = app.generate(&key, &json!({"url": "docs.rs", "fileType": word})).send().await;
        assert_eq!(refused.unwrap().status(), 400);
        let method = reqwest::Method::from_bytes(word.as_bytes()).unwrap();
        let refused = app.client.request(method, format!("{}/healthz", app.url)).send().await;
        assert_eq!(refused.unwrap().status(), 405);
        let told = || app.log().matches("a request was refused").count() == 2;
        until("the refusals are not in the log", told).await;
        let log = app.log();
        let longest = log.lines().filter(|line| line.contains("a request was refused")).map(str::len).max();
        assert!(longest < Some(1_500), "{longest:?}");
    });
}
