//! PostgreSQL dies under a running service, and comes back.

use std::time::{Duration, Instant};

use reqwest::Response;
use serde_json::json;

use crate::fake_site::{FakeSite, numbered};
use crate::test_app::{TestApp, json as answer_of};
use crate::{postgres, run};

/// Until a service that is told nothing has noticed that its store is back.
const TIMEOUT: Duration = Duration::from_secs(30);

#[test]
fn while_the_store_is_away_requests_are_told_to_come_back_and_no_run_counts_twice() {
    let Some(server) = postgres::of_its_own("away") else { return };
    let url = server.database();
    run(url, None, |place| async move {
        let app = TestApp::with(&format!("[database]\nurl = \"{}\"", place.written));
        let site = FakeSite::start(|path| numbered(path, 3).after(Duration::from_millis(400)));
        let key = app.key("pro");
        let text = json!({"content": "# Tide", "checkLinks": false});
        let generate =
            || app.generate(&key, &json!({"url": site.url()})).header("idempotency-key", "order-7");
        assert_eq!(app.validate(&key, &text).send().await.unwrap().status(), 200);

        // It dies while a run is under way: the unit was taken before, so the answer leaves, and is counted later.
        let dying = async {
            tokio::time::sleep(Duration::from_millis(600)).await;
            server.crash();
        };
        let (running, ()) = tokio::join!(generate().send(), dying);
        assert_eq!(running.unwrap().status(), 200);
        let usage = || app.get("/api/v1/usage").header("x-api-key", &key);
        for request in [app.validate(&key, &text), generate(), usage()] {
            is_told_to_come_back(request.send().await.unwrap()).await;
        }
        let ready = || async { app.get("/readyz").send().await.unwrap() };
        let died = Instant::now();
        while ready().await.status() == 200 {
            assert!(died.elapsed() < TIMEOUT, "it is ready without a store");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        is_told_to_come_back(ready().await).await;
        assert_eq!(app.get("/healthz").send().await.unwrap().status(), 200);

        server.start();
        let back = Instant::now();
        while usage().send().await.unwrap().status() != 200 {
            assert!(back.elapsed() < TIMEOUT, "it did not notice that its store is back");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // Its unit is not refunded, nor its name freed, however old they are.
        place.raw("UPDATE reservations SET created_at = created_at - 61000000").await;
        place.raw("UPDATE answers SET created_at = created_at - 61000000").await;
        let counted = "SELECT count(*) FROM day_usage WHERE endpoint = 'generate' AND settled = 1";
        while place.count(counted).await == 0 {
            assert!(back.elapsed() < TIMEOUT, "used: {:?}", app.used(&key).await);
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        assert_eq!(app.used(&key).await, (1, 1));
        // Who asks again gets what was answered while the store was away.
        let again = generate().send().await.unwrap();
        assert_eq!(
            (again.status().as_u16(), again.headers().contains_key("idempotent-replayed")),
            (200, true)
        );
        assert_eq!(app.used(&key).await, (1, 1));
    });
}

async fn is_told_to_come_back(response: Response) {
    let wait: u64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!(wait > 0);
    let (status, body) = answer_of(response).await;
    assert_eq!((status, body["code"].as_str()), (503, Some("store_unavailable")), "{body}");
}
