//! How fast a domain is asked, over all crawls.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use wayfile_actors::Job;
use wayfile_actors::settings::CrawlSettings;

use crate::support::fake_site::{FakeSite, Reply, numbered};
use crate::support::{engine, job, links, run, settings};

const MS: Duration = Duration::from_millis(1);

/// Requests that do not join one crawl, since their page limits differ.
fn crawls_of_their_own(url: &str) -> [Job; 3] {
    [300, 299, 298].map(|pages| {
        let mut job = job(url);
        job.output.index_pages = pages;
        job
    })
}

#[test]
fn requests_at_once_to_a_domain_hold_over_all_crawls() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 30).after(20 * MS));
        let mut settings = settings();
        settings.per_domain_concurrency = 3;
        settings.cache_ttl = Duration::ZERO;
        let engine = engine(settings);
        let [one, two, three] = crawls_of_their_own(&site.url());
        let (one, two, three) =
            tokio::join!(engine.generate(one), engine.generate(two), engine.generate(three));
        for crawl in [one, two, three] {
            crawl.unwrap();
        }
        assert_eq!(site.most_at_once(), 3);
    });
}

#[test]
fn crawls_at_the_same_time_share_one_gap() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 12));
        let mut settings = settings();
        settings.per_domain_delay = 100 * MS;
        let engine = engine(settings);
        let [one, two, _] = crawls_of_their_own(&site.url());
        let (one, two) = tokio::join!(engine.generate(one), engine.generate(two));
        assert_eq!(links(&one.unwrap()).len(), 12);
        assert_eq!(links(&two.unwrap()).len(), 12);
        let hits = site.hits();
        let gaps = u32::try_from(hits.len() - 1).unwrap();
        assert!(gaps >= 12);
        // What one request may be under way for longer than the next: a new connection, a busy machine. It does not
        // add up, so all gaps together are exact.
        let under_way = 10 * MS;
        assert!(site.shortest_gap() + under_way >= 100 * MS, "{:?}", site.shortest_gap());
        assert!(hits[hits.len() - 1].at - hits[0].at + under_way >= gaps * 100 * MS);
    });
}

#[test]
fn a_busy_machine_takes_nothing_from_the_gap() {
    // As a command runs: one thread, which others keep from the requests whose turn has come.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    actix::System::with_tokio_rt(|| runtime).block_on(async {
        let site = FakeSite::start(|path| numbered(path, 15));
        let busy = actix::spawn(async {
            loop {
                std::thread::sleep(40 * MS);
                tokio::task::yield_now().await;
            }
        });
        let mut settings = settings();
        settings.per_domain_delay = 150 * MS;
        let generated = engine(settings).generate(job(&site.url())).await.unwrap();
        busy.abort();
        assert_eq!(links(&generated).len(), 15);
        // The site is on threads of its own; they, too, have to be woken.
        let under_way = 10 * MS;
        assert!(site.shortest_gap() + under_way >= 150 * MS, "{:?}", site.shortest_gap());
    });
}

#[test]
fn two_crawls_at_the_same_time_fetch_each_page_once() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 20).after(10 * MS));
        let engine = engine(settings());
        let [one, two, _] = crawls_of_their_own(&site.url());
        let (one, two) = tokio::join!(engine.generate(one), engine.generate(two));
        assert_eq!(links(&one.unwrap()).len(), 20);
        assert_eq!(links(&two.unwrap()).len(), 20);
        for n in 0..20 {
            assert_eq!(site.count(&format!("/docs/{n}.html")), 1);
        }
        assert_eq!(site.count("/robots.txt"), 1);
    });
}

#[test]
fn a_refusal_slows_the_whole_domain_and_loses_nothing() {
    run(async {
        let asked = AtomicUsize::new(0);
        let site = FakeSite::start(move |path| {
            let refused = path.starts_with("/docs/") && asked.fetch_add(1, Ordering::SeqCst) == 4;
            if refused { Reply::status(429).header("retry-after", "1") } else { numbered(path, 15) }
        });
        let mut settings = settings();
        settings.per_domain_concurrency = 1;
        let generated = engine(settings).generate(job(&site.url())).await.unwrap();
        assert_eq!(links(&generated).len(), 15);
        assert_eq!(generated.stats.failed, 0);
        let hits = site.hits();
        let longest = hits.windows(2).map(|w| w[1].at - w[0].at).max().unwrap();
        assert!(longest >= 990 * MS, "the wait the site asked for was not kept: {longest:?}");
    });
}

#[test]
fn a_challenge_that_asks_for_less_slows_the_whole_domain() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/docs/3.html" => {
                Reply::status(429).header("retry-after", "1").header("cf-mitigated", "challenge")
            }
            _ => numbered(path, 15),
        });
        let mut settings = settings();
        settings.per_domain_concurrency = 1;
        let generated = engine(settings).generate(job(&site.url())).await.unwrap();
        assert_eq!((links(&generated).len(), site.count("/docs/3.html")), (14, 1));
        let hits = site.hits();
        let longest = hits.windows(2).map(|w| w[1].at - w[0].at).max().unwrap();
        assert!(longest >= 990 * MS, "the wait the site asked for was not kept: {longest:?}");
    });
}

#[test]
fn full_service_refuses() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 3).after(300 * MS));
        let mut settings = settings();
        settings.max_crawls = 1;
        settings.queue_wait = 50 * MS;
        let engine = engine(settings);
        let [one, two, _] = crawls_of_their_own(&site.url());
        let (one, two) = tokio::join!(engine.generate(one), engine.generate(two));
        assert!(one.is_ok());
        assert_eq!(two.unwrap_err(), wayfile_actors::CrawlError::Busy);
    });
}

#[test]
fn fetches_nothing_after_cancel() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 200).after(20 * MS));
        let engine = engine(settings());
        let left = tokio::time::timeout(400 * MS, engine.generate(job(&site.url()))).await;
        assert!(left.is_err(), "the crawl was over before its caller left");
        tokio::time::sleep(300 * MS).await;
        let then = site.hits().len();
        tokio::time::sleep(500 * MS).await;
        assert_eq!(site.hits().len(), then, "requests went on after the caller had left");
        assert!(then < 150);
    });
}

#[test]
fn a_caller_that_leaves_gives_back_what_its_requests_held() {
    run(async {
        let slow = FakeSite::start(|path| numbered(path, 5).after(20_000 * MS));
        let site = FakeSite::start(|path| numbered(path, 5));
        let engine = engine(CrawlSettings { max_fetches: 1, ..settings() });
        let left = tokio::time::timeout(400 * MS, engine.generate(job(&slow.url()))).await;
        assert!(left.is_err(), "the crawl was over before its caller left");
        let other = tokio::time::timeout(5_000 * MS, engine.generate(job(&site.url()))).await;
        assert_eq!(links(&other.expect("the permit came back").unwrap()).len(), 5);
    });
}

#[test]
fn a_domain_that_is_known_takes_up_other_settings() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/robots.txt" => Reply::text("User-agent: *\nCrawl-delay: 5\n"),
            _ => numbered(path, 10),
        });
        let mut one = job(&site.url());
        one.output.index_pages = 1;
        let mut settings = settings();
        settings.max_crawl_delay = 300 * MS;
        settings.cache_ttl = Duration::ZERO;
        let engine = engine(settings.clone());
        engine.generate(one).await.unwrap();
        settings.max_crawl_delay = Duration::ZERO;
        settings.robots_ttl = MS;
        engine.take_up(settings);
        let rest = tokio::time::timeout(2_000 * MS, engine.generate(job(&site.url()))).await;
        assert_eq!(links(&rest.expect("no wait is asked for").unwrap()).len(), 10);
        let robots = site.hits().iter().filter(|hit| hit.path == "/robots.txt").count();
        assert!(robots > 1, "rules are asked for again when they are as old as they may be");
    });
}

#[test]
fn at_the_deadline_there_are_files_of_what_was_there() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 100).after(50 * MS));
        let mut settings = settings();
        settings.deadline = 700 * MS;
        settings.per_domain_concurrency = 2;
        let generated = engine(settings).generate(job(&site.url())).await.unwrap();
        let found = links(&generated).len();
        assert!(found > 3 && found < 60, "{found} pages");
        assert!(generated.note.unwrap().contains("time was up"));
    });
}
