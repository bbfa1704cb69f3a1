//! The service with a browser: what its stream and its metrics say, and that it cannot be turned on itself.

use serde_json::json;

use crate::fake_site::{FakeSite, Reply, page};
use crate::test_app::TestApp;
use crate::{CHROMIUM, has_browser, run};

#[test]
fn events_metrics_and_note_tell_what_was_opened() {
    if !has_browser() {
        return;
    }
    run(async {
        let app = TestApp::with(&format!("[browser]\npath = {CHROMIUM:?}\n"));
        let own = app.url.clone();
        let site = FakeSite::start(move |path| match path {
            "/" => page("Home", &["/app"]),
            "/app" => Reply::html(format!(
                "<title>Part</title><div id=root></div><script>fetch('{own}/healthz').then((r) => r.text(), () => 'no way')\
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
        ] {
            assert!(metrics.contains(line), "{line}: {metrics}");
        }
        assert!(metrics.contains("wayfile_render_seconds_count 1"), "{metrics}");
    });
}
