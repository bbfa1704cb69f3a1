//! What was fetched lately is not fetched again.

use std::time::Duration;

use wayfile_actors::{Freshness, Job};

use crate::support::fake_site::{FakeSite, Reply, numbered, page};
use crate::support::{engine, job, links, run, settings};

#[test]
fn a_second_crawl_asks_for_nothing_that_is_fresh() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 10));
        let engine = engine(settings());
        engine.generate(job(&site.url())).await.unwrap();
        let again = engine.generate(job(&site.url())).await.unwrap();
        assert_eq!(links(&again).len(), 10);
        for n in 0..10 {
            assert_eq!(site.count(&format!("/docs/{n}.html")), 1);
        }
        assert_eq!(site.count("/"), 1);
    });
}

#[test]
fn pages_that_are_not_there_are_not_asked_for_again_while_that_is_fresh() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/docs/0.html", "/lost", "/gone", "/broken"]),
            "/gone" => Reply::status(410),
            "/broken" => Reply::status(418),
            path => numbered(path, 1),
        });
        let mut settings = settings();
        settings.cache_ttl = Duration::from_secs(2);
        let engine = engine(settings);
        let first = engine.generate(job(&site.url())).await.unwrap();
        let again = engine.generate(job(&site.url())).await.unwrap();
        assert_eq!(first.note, again.note, "both say what was not found");
        assert_eq!((site.count("/lost"), site.count("/gone"), site.count("/broken")), (1, 1, 2));
        let anew = Job { freshness: Freshness::Now, ..job(&site.url()) };
        engine.generate(anew).await.unwrap();
        assert_eq!((site.count("/lost"), site.count("/gone")), (2, 2));
        tokio::time::sleep(Duration::from_millis(2_100)).await;
        engine.generate(job(&site.url())).await.unwrap();
        assert_eq!((site.count("/lost"), site.count("/gone")), (3, 3));
    });
}

#[test]
fn stale_pages_are_revalidated() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 4).header("etag", "\"v1\""));
        let mut settings = settings();
        settings.cache_ttl = Duration::from_millis(200);
        let engine = engine(settings);
        engine.generate(job(&site.url())).await.unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        let again = engine.generate(job(&site.url())).await.unwrap();
        assert_eq!(links(&again).len(), 4);
        let asked: Vec<_> = site.hits().into_iter().filter(|h| h.path == "/docs/2.html").collect();
        assert_eq!(asked.len(), 2);
        assert_eq!(asked[0].if_none_match, None);
        assert_eq!(asked[1].if_none_match.as_deref(), Some("\"v1\""));
    });
}
