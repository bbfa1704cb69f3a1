//! Sites that drip, break and fall silent: what is known is used, and what cannot come is not waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use wayfile_actors::settings::CrawlSettings;
use wayfile_actors::{CrawlError, Generated};
use wayfile_core::url::Seed;

use crate::support::fake_site::{FakeSite, Reply, each, page};
use crate::support::fault_server::{FaultServer, say, whole};
use crate::support::{engine, generate, job, links, run, settings};

const NOT_FOUND: &[u8] = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

fn listing(count: usize) -> String {
    let links = each(0..count, |n| format!("<li><a href=/p/{n}>Page {n}</a></li>"));
    format!("<html><title>Home</title><body><main><h1>Home</h1><ul>{links}</ul></main></body></html>")
}

fn leaf(path: &str) -> String {
    format!(
        "<html><title>{path}</title><body><main><h1>{path}</h1><p>What is to be said of {path}, in a sentence that is \
         long enough to be one.</p></main></body></html>"
    )
}

/// Says a head and then a byte of body now and then, without end.
async fn drip(mut stream: TcpStream, head: String) {
    let _ = stream.write_all(head.as_bytes()).await;
    while stream.write_all(b"x").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
fn a_status_that_says_it_all_needs_no_body() {
    run(async {
        let server = FaultServer::start(|path, stream| match path.as_str() {
            "/" => Box::pin(async move { say(stream, &whole("text/html", &listing(2))).await }),
            "/p/0" => Box::pin(drip(stream, "HTTP/1.1 301 Moved\r\nlocation: /moved\r\n\r\n".to_owned())),
            "/p/1" => Box::pin(drip(stream, "HTTP/1.1 404 Not Found\r\n\r\n".to_owned())),
            "/moved" => Box::pin(async move { say(stream, &whole("text/html", &leaf("/moved"))).await }),
            _ => Box::pin(async move { say(stream, NOT_FOUND).await }),
        })
        .await;
        let generated = generate(settings(), &server.url()).await.unwrap();
        assert_eq!(links(&generated), [format!("{}moved", server.url())]);
        let note = generated.note.unwrap();
        assert!(note.contains("1 not found"), "{note}");
    });
}

#[test]
fn a_body_that_cannot_be_unpacked_is_asked_for_once() {
    run(async {
        // A frame that wants a window of 2 GiB, with one byte in it.
        let frame = b"\x28\xb5\x2f\xfd\x00\xa8\x09\x00\x00x";
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/window", "/torn", "/fine"]),
            "/window" => Reply::bytes("text/html", *frame).header("content-encoding", "zstd"),
            "/torn" => Reply::bytes("text/html", *b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xffno deflate")
                .header("content-encoding", "gzip"),
            "/fine" => page("Fine", &[]),
            _ => Reply::status(404),
        });
        let generated = generate(settings(), &site.url()).await.unwrap();
        assert_eq!(links(&generated), [format!("{}fine", site.url())]);
        assert_eq!((site.count("/window"), site.count("/torn")), (1, 1));
        let note = generated.note.unwrap();
        assert!(note.contains("2 not a page"), "{note}");
    });
}

#[test]
fn a_port_that_speaks_no_tls_is_dialled_once() {
    run(async {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let dialled = Arc::new(AtomicUsize::new(0));
        let counted = dialled.clone();
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                say(stream, b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n").await;
            }
        });
        let error = generate(settings(), &format!("https://{address}/")).await.unwrap_err();
        server.abort();
        assert!(matches!(&error, CrawlError::Unreachable(fault) if fault.why.contains("TLS")), "{error:?}");
        // The page, and its robots.txt: neither is tried again.
        assert!(dialled.load(Ordering::SeqCst) <= 2, "{} connections", dialled.load(Ordering::SeqCst));
    });
}

#[test]
fn unresponsive_site_is_not_asked_further() {
    run(async {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = asked.clone();
        let server = FaultServer::start(move |path, stream| {
            let alive = counted.fetch_add(1, Ordering::SeqCst) < 12;
            Box::pin(async move {
                match path.as_str() {
                    _ if !alive => drop(stream),
                    "/" => say(stream, &whole("text/html", &listing(200))).await,
                    _ if path.starts_with("/p/") => say(stream, &whole("text/html", &leaf(&path))).await,
                    _ => say(stream, NOT_FOUND).await,
                }
            })
        })
        .await;
        let never =
            CrawlSettings { gone_tries: 1_000_000, gone_after: Duration::from_hours(1), ..settings() };
        let engine = engine(never.clone());
        // The site's Fetcher knows the settings from before.
        let first = Seed::parse(&format!("{}p/0", server.url())).unwrap();
        engine.page(first).await.unwrap();
        engine.take_up(CrawlSettings { gone_tries: 6, gone_after: Duration::ZERO, ..never });
        let generated = engine.generate(job(&server.url())).await.unwrap();
        let kept = links(&generated).len();
        assert!((1..12).contains(&kept), "{kept} pages");
        assert_eq!(generated.stats.failed + kept, 200);
        let note = generated.note.unwrap();
        assert!(note.contains("site gone"), "{note}");
        assert!(asked.load(Ordering::SeqCst) < 40, "{} requests", asked.load(Ordering::SeqCst));
    });
}

/// Generates within 4 s from a site with a page that never comes. The one thread for such work as the files are is taken for
/// `busy` before it is time to write them.
fn generate_late(busy: Duration) -> Result<Generated, CrawlError> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).max_blocking_threads(1).enable_all().build().unwrap();
    actix::System::with_tokio_rt(|| runtime).block_on(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/a", "/silent"]),
            "/a" => page("A", &[]),
            "/silent" => page("Silent", &[]).after(Duration::from_mins(1)),
            _ => Reply::status(404),
        });
        let settings = CrawlSettings { deadline: Duration::from_secs(4), ..settings() };
        let url = site.url();
        let occupied = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            tokio::task::spawn_blocking(move || std::thread::sleep(busy)).await.unwrap();
        };
        let started = Instant::now();
        let crawl = async {
            let generated = generate(settings, &url).await;
            (generated, started.elapsed())
        };
        let ((generated, took), ()) = tokio::join!(crawl, occupied);
        assert!(took < Duration::from_secs(4 + 12), "{took:?}");
        generated
    })
}

#[test]
fn files_that_are_being_written_at_the_deadline_are_finished() {
    let generated = generate_late(Duration::from_secs(4)).unwrap();
    assert_eq!(links(&generated).len(), 1);
    assert!(generated.note.unwrap().contains("The time was up"));
}

#[test]
fn files_that_are_not_written_long_after_the_deadline_are_given_up() {
    let error = generate_late(Duration::from_secs(15)).unwrap_err();
    assert!(matches!(error, CrawlError::OutOfTime(_)), "{error:?}");
}
