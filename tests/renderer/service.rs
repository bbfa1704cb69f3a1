//! The service with a browser: what its stream and its metrics say, and that it cannot be turned on itself.

use serde_json::json;

use crate::fake_site::{FakeSite, Reply, page};
use crate::test_app::TestApp;
use crate::{CHROMIUM, with_browser};

#[test]
fn events_metrics_and_note_tell_what_was_opened() {
    with_browser(async {
        let app = TestApp::with(&format!("[browser]\npath = {CHROMIUM:?}\n"));
        let own = app.url.clone();
        let site = FakeSite::start(move |path| match path {
            "/" => page("Home", &["/app"]),
            "/app" => Reply::html(format!(
                "<title>Part</title><div id=root></div><script>fetch('/order', {{ method: 'POST' }}).catch(() => 0); fetch('{own}/healthz').then((r) => r.text(), () => 'no way')\
                 .then((text) => root.innerHTML = '<h1>Answer</h1><p>The service says: ' + text + '. That is all there is to say \
                 about this, and it is enough for a page.</p>')</script>"
            )),
            _ => Reply::status(404),
        });
        let key = app.key("pro");
        let body = json!({ "url": site.url() });
        let answer = app.generate(&key, &body).header("accept", "text/event-stream").send().await.unwrap();
        let stream = answer.text().await.unwrap();
        assert!(
            stream.contains(r#""browser":{"why":"page that is empty without JavaScript","milliseconds":"#),
            "{stream}"
        );
        assert!(stream.contains("1 page was opened in a browser."), "{stream}");
        assert!(
            stream.contains("The service says: no way."),
            "a page must not reach the service itself: {stream}"
        );
        let metrics = app.get("/metrics").send().await.unwrap().text().await.unwrap();
        for line in [
            "wayfile_rendered_pages_total{outcome=\"ok\"} 1",
            "wayfile_browser_starts_total 1",
            "wayfile_browser_requests_total{result=\"page\"} 1",
            "wayfile_browser_requests_total{result=\"method\"} 1",
        ] {
            assert!(metrics.contains(line), "{line}: {metrics}");
        }
        assert!(metrics.contains("wayfile_render_seconds_count 1"), "{metrics}");
    });
}

#[test]
fn a_crawl_delay_spaces_pages_and_not_what_they_load() {
    with_browser(async {
        let app =
            TestApp::with(&format!("[browser]\npath = {CHROMIUM:?}\n[crawl]\nper_domain_delay = \"50ms\"\n"));
        let site = FakeSite::start(|path| match path {
            "/robots.txt" => Reply::text("User-agent: *\nCrawl-delay: 3"),
            "/" => page("Home", &["/app"]),
            "/app" => Reply::html(
                "<title>Part</title><div id=root></div><script>(async () => { let text = '';\
                 for (let n = 0; n < 4; n++) text += await (await fetch('/data/' + n)).text();\
                 root.innerHTML = '<h1>Answer</h1><p>All that was loaded, one after the other: ' + text + '</p>' })()</script>",
            ),
            path if path.starts_with("/data/") => Reply::text("a sentence of some length, and then. "),
            _ => Reply::status(404),
        });
        let key = app.key("pro");
        let answer = app.generate(&key, &json!({ "url": site.url() })).send().await.unwrap();
        assert!(answer.text().await.unwrap().contains("1 page was opened in a browser."));
        let hits = site.hits();
        let times = |loaded: bool| {
            let hits = hits.iter().filter(move |hit| hit.path.starts_with("/data/") == loaded);
            hits.filter(|hit| hit.path != "/robots.txt").map(|hit| hit.at).collect::<Vec<_>>()
        };
        let gaps = |times: &[std::time::Instant]| -> Vec<u128> {
            times.windows(2).map(|pair| (pair[1] - pair[0]).as_millis()).collect()
        };
        let (loaded, pages) = (gaps(&times(true)), gaps(&times(false)));
        assert!(loaded.len() == 3 && loaded.iter().all(|gap| (48..1_500).contains(gap)), "{loaded:?}");
        assert!(pages.len() >= 2 && pages.iter().all(|gap| *gap >= 2_990), "{pages:?}");
    });
}
