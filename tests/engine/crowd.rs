//! More domains than permits: whoever waits gets one in the end, whoever left is not waited for, and nothing spins meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use wayfile_actors::LinkChecks;
use wayfile_actors::settings::CrawlSettings;

use crate::support::fake_site::{FakeSite, Reply, each, numbered, page};
use crate::support::fault_server::{FaultServer, Speech, say, whole};
use crate::support::{engine, job, links, run, settings, validate_settings};

const MS: Duration = Duration::from_millis(1);
const PAGES: usize = 3;

/// Requests that all sites together have under way.
#[derive(Default)]
struct Running {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Running {
    async fn through(self: Arc<Self>, latency: Duration) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(latency).await;
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A site of a home page and [`PAGES`] others.
fn answer(path: &str) -> Vec<u8> {
    let page = |title: &str, rest: &str| {
        let text = format!(
            "<html><title>{title}</title><body><main><h1>{title}</h1><p>What there is to say about {title}, and nothing \
             that any other page of this site says.</p>{rest}</main>"
        );
        whole("text/html", &text)
    };
    let links = each(0..PAGES, |n| format!("<a href=/docs/{n}.html>About {n}</a> "));
    match path.strip_prefix("/docs/").and_then(|path| path.strip_suffix(".html")) {
        Some(n) => page(&format!("Chapter {n}"), ""),
        None if path == "/" => page("Home", &links),
        None => b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
    }
}

async fn sites(count: usize, running: &Arc<Running>) -> Vec<FaultServer> {
    let mut sites = Vec::new();
    for _ in 0..count {
        let running = running.clone();
        let speak = move |path: String, stream| -> Speech {
            let running = running.clone();
            Box::pin(async move {
                running.through(10 * MS).await;
                say(stream, &answer(&path)).await;
            })
        };
        sites.push(FaultServer::start(speak).await);
    }
    sites
}

#[test]
fn forty_sites_get_through_four_permits() {
    run(async {
        let running = Arc::<Running>::default();
        let sites = sites(40, &running).await;
        let engine = engine(CrawlSettings { max_fetches: 4, max_crawls: 40, ..settings() });
        let crawls = sites.iter().map(|site| engine.generate(job(&site.url())));
        for generated in futures_util::future::join_all(crawls).await {
            assert_eq!(links(&generated.unwrap()).len(), PAGES);
        }
        assert_eq!(running.most.load(Ordering::SeqCst), 4, "all permits, and no more");
    });
}

#[test]
fn validations_with_links_to_more_hosts_than_permits_know_them_all() {
    run(async {
        let running = Arc::<Running>::default();
        let sites = sites(100, &running).await;
        let validator = engine(settings()).validator(validate_settings());
        let validations = (0..64).map(|n| {
            let linked = each(0..16, |k| format!("- [{k}]({}{n}): what\n", sites[(n * 8 + k) % 100].url()));
            let text = format!("# Tide\n\n> Levels.\n\n## Docs\n\n{linked}");
            validator.text(text.into_bytes(), None, LinkChecks::Try)
        });
        for report in futures_util::future::join_all(validations).await {
            let stats = report.unwrap().link_stats.unwrap();
            assert_eq!((stats.checked, stats.unknown), (16, 0));
        }
    });
}

#[test]
fn left_waiters_are_skipped() {
    run(async {
        let (gate, is_asked) = (Arc::new(Semaphore::new(0)), Arc::new(AtomicBool::new(false)));
        let (opens, asked) = (gate.clone(), is_asked.clone());
        let slow = FaultServer::start(move |path, stream| {
            asked.store(true, Ordering::SeqCst);
            let gate = gate.clone();
            Box::pin(async move {
                let _open = gate.acquire().await;
                say(stream, &answer(&path)).await;
            })
        })
        .await;
        let running = Arc::<Running>::default();
        let [left, stays]: [FaultServer; 2] = sites(2, &running).await.try_into().ok().unwrap();
        let engine = engine(CrawlSettings { max_fetches: 1, ..settings() });
        let mut slowly = Box::pin(engine.generate(job(&slow.url())));
        while !is_asked.load(Ordering::SeqCst) {
            assert!(tokio::time::timeout(5 * MS, &mut slowly).await.is_err());
        }
        // The only permit is taken.
        let waits = tokio::time::timeout(100 * MS, engine.generate(job(&left.url())));
        assert!(waits.await.is_err());
        opens.add_permits(1);
        let (slowly, stayed) = tokio::join!(slowly, engine.generate(job(&stays.url())));
        assert_eq!(links(&slowly.unwrap()).len(), PAGES);
        assert_eq!(links(&stayed.unwrap()).len(), PAGES);
        assert_eq!(left.requests(), 0);
    });
}

#[test]
fn sitemaps_that_wait_for_slow_pages_hold_up_no_other_site() {
    run(async {
        let map = |page: String| {
            Reply::bytes("application/xml", format!("<urlset><url><loc>{page}</loc></url></urlset>"))
        };
        let maps = FakeSite::start(move |path| map(format!("http://127.0.0.1{path}")));
        let named = each(0..4, |n| format!("Sitemap: {}{n}.xml\n", maps.url()));
        let slow = [(); 2].map(|()| {
            let named = named.clone();
            FakeSite::start(move |path| match path {
                "/" => numbered(path, 30),
                "/robots.txt" => Reply::text(named.clone()),
                _ => numbered(path, 30).after(60_000 * MS),
            })
        });
        let other = FakeSite::start(move |path| match path {
            "/" => page("Home", &[]),
            "/sitemap.xml" => map("/hidden".to_owned()),
            "/hidden" => page("Hidden", &[]),
            _ => Reply::status(404),
        });
        let engine = engine(settings());
        let crawls = slow.each_ref().map(|site| engine.generate(job(&site.url())));
        let crawls = futures_util::future::join_all(crawls);
        let all_named = async {
            while maps.hits().len() < 4 {
                tokio::time::sleep(10 * MS).await;
            }
            tokio::time::sleep(500 * MS).await;
            tokio::time::timeout(10_000 * MS, engine.generate(job(&other.url()))).await
        };
        tokio::select! {
            _ = crawls => panic!("a slow site was read in no time"),
            made = all_named => assert_eq!(links(&made.expect("it was held up").unwrap()).len(), 1),
        }
    });
}
