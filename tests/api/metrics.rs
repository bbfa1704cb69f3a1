//! `/metrics`: on the main listener, or on one of its own.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::json;
use wayfile_actors::metrics::CATALOGUE;

use crate::fake_site::{FakeSite, numbered};
use crate::process::PROCESS;
use crate::run;
use crate::test_app::TestApp;
use crate::tool::complaints;

#[test]
fn metrics_count_requests_and_crawls() {
    run(async {
        let app = TestApp::start();
        for _ in 0..3 {
            app.get("/healthz").send().await.unwrap();
        }
        app.get("/no/such/path").send().await.unwrap();
        let text = app.get("/metrics").send().await.unwrap().text().await.unwrap();
        let line = "wayfile_http_requests_total{route=\"/healthz\",method=\"GET\",status=\"200\"} 3";
        assert!(text.contains(line), "{text}");
        assert!(
            text.contains("route=\"other\",method=\"GET\",status=\"404\"} 1") && !text.contains("such"),
            "{text}"
        );
        assert!(text.contains("wayfile_process_resident_memory_bytes"), "{text}");
        assert!(text.contains("# HELP wayfile_http_requests_total"), "{text}");
    });
}

#[test]
fn a_page_that_a_crawl_wants_counts_once_as_found_or_missed() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 4));
        let app = TestApp::start();
        let key = app.key("business");
        for expected in [(0, 5), (5, 5)] {
            // Robots rules, guesses at sitemaps and what a validation looks at are no pages of a crawl.
            let validated = app.validate(&key, &json!({"url": site.url()})).send().await.unwrap();
            let generated = app.generate(&key, &json!({"url": site.url()})).send().await.unwrap();
            assert_eq!((validated.status().as_u16(), generated.status().as_u16()), (200, 200));
            let text = app.get("/metrics").send().await.unwrap().text().await.unwrap();
            let count = |result: &str| -> u64 {
                let name = format!("wayfile_cache_requests_total{{result=\"{result}\"}} ");
                text.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok()).unwrap()
            };
            assert_eq!((count("fresh"), count("missing"), count("stale")), (expected.0, expected.1, 0));
        }
    });
}

#[test]
fn a_listener_of_its_own_takes_them_off_the_main_one() {
    run(async {
        let app = TestApp::with("[metrics]\nlisten = \"127.0.0.1:0\"");
        assert_eq!(app.get("/metrics").send().await.unwrap().status(), 404);
        let log = app.log();
        let line = log.lines().find(|line| line.contains("listener of their own")).unwrap();
        let port = line.split("127.0.0.1:").nth(1).unwrap();
        let port: String = port.chars().take_while(char::is_ascii_digit).collect();
        let text =
            reqwest::get(format!("http://127.0.0.1:{port}/metrics")).await.unwrap().text().await.unwrap();
        assert!(text.contains("wayfile_"), "{text}");
    });
}

#[test]
fn exposition_has_only_catalogued_metrics() {
    run(async {
        let app = TestApp::start();
        app.get("/healthz").send().await.unwrap();
        let text = app.get("/metrics").send().await.unwrap().text().await.unwrap();
        let shown = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
        let shown: BTreeSet<&str> = shown.collect();
        // From the first scrape on, whatever the service has done until then.
        let known: BTreeSet<&str> =
            CATALOGUE.iter().map(|metric| metric.name).chain(PROCESS.iter().copied()).collect();
        assert_eq!(shown, known);
    });
}

#[test]
fn prometheus_can_read_them() {
    run(async {
        let app = TestApp::start();
        app.get("/healthz").send().await.unwrap();
        let text = app.get("/metrics").send().await.unwrap().text().await.unwrap();
        assert_eq!(complaints(Command::new("promtool").args(["check", "metrics"]), &text), None);
    });
}
