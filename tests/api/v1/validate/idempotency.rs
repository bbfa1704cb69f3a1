//! A named request is answered again at no cost; another endpoint is another request.

use serde_json::json;

use crate::fake_site::{FakeSite, Reply};
use crate::run;
use crate::test_app::{self, TestApp};

#[test]
fn the_same_name_gives_the_same_answer_once_paid() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/llms.txt" => Reply::text("# Tide\n\n> Levels.\n"),
            _ => Reply::status(404),
        });
        let app = TestApp::start();
        let key = app.key("pro");
        let body = json!({"url": site.url()});
        let ask = || app.validate(&key, &body).header("idempotency-key", "first");
        let (_, first) = test_app::json(ask().send().await.unwrap()).await;
        let asked = site.hits().len();
        let again = ask().send().await.unwrap();
        assert_eq!(again.headers()["idempotent-replayed"], "true");
        assert_eq!(test_app::json(again).await, (200, first));
        assert_eq!(site.hits().len(), asked);
        assert_eq!(app.used(&key).await, (0, 1));
        // The body would do for both endpoints.
        let other = app.generate(&key, &body).header("idempotency-key", "first").send().await.unwrap();
        assert_eq!(other.status(), 409);
    });
}
