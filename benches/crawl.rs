//! The whole engine on a site of our own on loopback, without politeness, beside the floor: the same pages
//! fetched by a bare client that reads each body and throws it away.
//!
//! After the throughput, one line holds the engine against the physical limit of a slow site: 60 pages at
//! 50 ms of latency cannot be had faster than 60 x 50 ms / `per_domain_concurrency`.

#![expect(clippy::unwrap_used, reason = "what is wrong here must stop it at once, with its place")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use tokio::sync::oneshot;
use wayfile_actors::Engine;
use wayfile_actors::http::SystemLookup;

#[path = "../tests/support/mod.rs"]
#[expect(dead_code, reason = "the tests use more of their support than the benchmark does")]
mod support;

use support::fake_site::{FakeSite, Reply, each};
use support::{job, run, settings};

const PAGES: usize = 400;
const PARAGRAPHS: usize = 24;
const SLOW_PAGES: u32 = 60;
const LATENCY: Duration = Duration::from_millis(50);

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    throughput(&mut criterion);
    slow_site();
    criterion.final_summary();
}

/// A site on a thread of its own, until the sender is dropped; and its address.
fn served(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> (oneshot::Sender<()>, String) {
    let (stop, stopped) = oneshot::channel();
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        run(async move {
            let site = FakeSite::start(answer);
            tell.send(site.url()).unwrap();
            // Its end is the sender's, which carries no word.
            let _ = stopped.await;
        });
    });
    (stop, told.recv().unwrap())
}

fn throughput(criterion: &mut Criterion) {
    let (_site, url) = served(|path| page(path, PAGES));
    let mut group = criterion.benchmark_group("crawl");
    group.sample_size(10).throughput(Throughput::Elements(PAGES as u64));
    group.bench_function("engine: both files", |bench| {
        bench.iter_custom(|rounds| (0..rounds).map(|_| on_this_thread(crawl(&url, 32)).0).sum());
    });
    group.bench_function("floor: fetch and drop", |bench| {
        bench.iter_custom(|rounds| (0..rounds).map(|_| on_this_thread(floor(&url))).sum());
    });
    group.finish();
}

/// Criterion's closures are synchronous; each round gets an actor system on a thread of its own.
fn on_this_thread<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    std::thread::spawn(|| run(work)).join().unwrap()
}

/// One crawl with a cold cache; how long it took, and how many pages counted.
fn crawl(url: &str, concurrency: usize) -> impl Future<Output = (Duration, usize)> + Send + use<> {
    let job = job(url);
    async move {
        let mut settings = settings();
        settings.per_domain_concurrency = concurrency;
        let engine = Engine::start(settings, Arc::new(SystemLookup)).unwrap();
        let (started, mut job) = (Instant::now(), job);
        (job.output.index_pages, job.output.full_pages) = (PAGES, PAGES);
        let generated = engine.generate(job).await.unwrap();
        (started.elapsed(), generated.stats.pages)
    }
}

fn floor(url: &str) -> impl Future<Output = Duration> + Send + use<> {
    let url = url.to_owned();
    async move {
        wayfile_actors::http::install_tls_provider();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let started = Instant::now();
        let mut running = tokio::task::JoinSet::new();
        for n in 0..PAGES {
            let request = client.get(format!("{url}docs/{n}.html"));
            running.spawn(async move { request.send().await.unwrap().bytes().await.unwrap().len() });
            if running.len() >= 32 {
                running.join_next().await;
            }
        }
        running.join_all().await;
        started.elapsed()
    }
}

fn slow_site() {
    let (_site, url) = served(|path| page(path, SLOW_PAGES as usize).after(LATENCY));
    let concurrency = settings().per_domain_concurrency;
    let (took, pages) = on_this_thread(crawl(&url, concurrency));
    let limit = LATENCY * SLOW_PAGES / u32::try_from(concurrency).unwrap();
    println!(
        "slow site: {pages} pages at {LATENCY:?} took {:.2} x the limit of {limit:?}",
        took.as_secs_f64() / limit.as_secs_f64()
    );
}

fn page(path: &str, count: usize) -> Reply {
    let Some(n) = path.strip_prefix("/docs/").and_then(|p| p.strip_suffix(".html")?.parse::<usize>().ok())
    else {
        if path != "/" {
            return Reply::status(404);
        }
        let links = each(0..count, |n| format!("<li><a href=\"/docs/{n}.html\">Chapter {n}</a></li>"));
        return Reply::html(format!(
            "<html><title>Book</title><body><main><h1>Book</h1><ul>{links}</ul></main></body></html>"
        ));
    };
    let text = each(0..PARAGRAPHS, |p| {
        let word = n * 31 + p * 7;
        format!(
            "<h2 id=s{p}>Part {p} of {n}</h2><p>The value {word} is what <a href=\"/docs/{}.html\">chapter {}</a> \
                 calls <code>v{word}</code>; it holds for {n} cases out of {p} and is used in all of them.</p>\
                 <pre><code class=\"language-rust\">let v{word} = {word} &amp;&amp; {n};</code></pre>",
            word % count,
            word % count
        )
    });
    Reply::html(format!(
        "<html><title>Chapter {n}</title><body><nav><a href=/>Book</a></nav><main><h1>Chapter {n}</h1>{text}</main></body></html>"
    ))
}
