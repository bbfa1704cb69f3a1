//! Many at once.

use std::collections::HashMap;

use actix::clock::sleep;
use serde_json::json;

use crate::fake_site::{FakeSite, numbered, page};
use crate::run;
use crate::test_app::{self, TestApp};

#[test]
fn a_hundred_requests_over_twenty_sites_are_all_answered_and_none_is_mixed_up() {
    run(async {
        let sites: Vec<FakeSite> = (0..20)
            .map(|n| {
                FakeSite::start(move |path| match path {
                    "/" => {
                        page(&format!("Site number{n}x"), &["/docs/0.html", "/docs/1.html", "/docs/2.html"])
                    }
                    _ => numbered(path, 3),
                })
            })
            .collect();
        let app = TestApp::with("[crawl]\nqueue_wait = \"60s\"\nmax_crawls = 8");
        let key = app.key("business");
        let asking = (0..100).map(|n| {
            let (url, instructions) = (sites[n % 20].url(), format!("Caller number{n}y."));
            let request = app.generate(&key, &json!({"url": url, "instructions": instructions}));
            async move { (n, url, test_app::json(request.send().await.unwrap()).await) }
        });
        let answers = futures_util::future::join_all(asking).await;
        for (n, url, (status, answer)) in &answers {
            assert_eq!(*status, 200, "{answer}");
            let index = answer["llmsTxt"].as_str().unwrap();
            assert_eq!(answer["url"], url.as_str());
            assert!(index.contains(&format!("Site number{}x", n % 20)), "{n}: {index}");
            assert!(index.contains(&format!("Caller number{n}y.")), "{n}: {index}");
        }
        for site in &sites {
            let asked: HashMap<String, usize> =
                site.hits().into_iter().fold(HashMap::new(), |mut all, hit| {
                    *all.entry(hit.path).or_default() += 1;
                    all
                });
            assert_eq!(asked["/docs/1.html"], 1, "five callers of a site share its pages");
        }
        let usage = app.get("/api/v1/usage").header("x-api-key", &key).send().await.unwrap();
        assert_eq!(test_app::json(usage).await.1["generate"]["used"], 100);
    });
}

#[test]
fn full_service_refuses_after_queue_wait() {
    run(async {
        let slow = FakeSite::start(|path| numbered(path, 5).after(std::time::Duration::from_millis(900)));
        let other = FakeSite::start(|path| numbered(path, 1));
        let app = TestApp::with("[crawl]\nmax_crawls = 1\nqueue_wait = \"300ms\"");
        let key = app.key("business");
        let running = app.generate(&key, &json!({"url": slow.url()})).send();
        let late = async {
            sleep(std::time::Duration::from_millis(300)).await;
            app.generate(&key, &json!({"url": other.url()})).send().await.unwrap()
        };
        let (running, full) = tokio::join!(running, late);
        assert_eq!(running.unwrap().status(), 200);
        assert!(full.headers().contains_key("retry-after"));
        let (status, body) = test_app::json(full).await;
        assert_eq!((status, body["code"].as_str()), (503, Some("busy")));
        let usage = app.get("/api/v1/usage").header("x-api-key", &key).send().await.unwrap();
        assert_eq!(test_app::json(usage).await.1["generate"]["used"], 1);
    });
}
