//! Sites that lie, hang, loop and bomb: the crawl loses the page and nothing else.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use wayfile_actors::settings::{ByteSize, CrawlSettings};
use wayfile_actors::{CrawlError, Engine};

use crate::support::fake_site::{FakeSite, Reply, each, page};
use crate::support::fault_server::{FaultServer, say, whole};
use crate::support::tls_server::tls_server;
use crate::support::{engine, generate, job, links, run, settings};

const HOME: &str = "<html><head><title>Home</title></head><body><main><h1>Home</h1><p>A home page that leads to a page with \
                    a fault and to a page that is fine, for whoever wants to see the difference.</p>\
                    <a href=/fault>With a fault</a> <a href=/fine>Fine</a></main></body></html>";
const FINE: &str = "<html><head><title>Fine</title></head><body><main><h1>Fine</h1><p>This page is as it should be, and \
                    nothing that other pages do can take it away from the file.</p></main></body></html>";

const NOT_FOUND: &[u8] = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// Patient enough that a busy machine does not make a fault look like a slow server.
fn small() -> CrawlSettings {
    let mut settings = settings();
    settings.page_timeout = Duration::from_secs(10);
    settings.page_max_bytes = ByteSize(256 << 10);
    settings.retries = 0;
    settings
}

fn short_timeouts() -> CrawlSettings {
    CrawlSettings { page_timeout: Duration::from_millis(600), ..small() }
}

/// Crawls a site whose page `/fault` is spoken by `speak`; everything else about it is fine.
async fn survives(
    settings: CrawlSettings,
    kind: &str,
    reason: &str,
    speak: fn(tokio::net::TcpStream) -> crate::support::fault_server::Speech,
) {
    let server = FaultServer::start(move |path, stream| match path.as_str() {
        "/fault" => speak(stream),
        "/" => Box::pin(async move { say(stream, &whole("text/html", HOME)).await }),
        "/fine" => Box::pin(async move { say(stream, &whole("text/html", FINE)).await }),
        _ => Box::pin(async move { say(stream, NOT_FOUND).await }),
    })
    .await;
    let started = Instant::now();
    let generated = generate(settings, &server.url()).await.unwrap_or_else(|error| panic!("{kind}: {error}"));
    assert_eq!(links(&generated), [format!("{}fine", server.url())], "{kind}");
    assert_eq!(generated.stats.failed, 1, "{kind}");
    let note = generated.note.unwrap();
    assert!(note.contains(reason), "{kind}: {note}");
    assert!(started.elapsed() < Duration::from_secs(20), "{kind} took {:?}", started.elapsed());
}

#[test]
fn one_byte_at_a_time() {
    run(survives(short_timeouts(), "slow body", "timed out", |mut stream| {
        Box::pin(async move {
            let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 100000\r\n\r\n";
            let _ = stream.write_all(head).await;
            while stream.write_all(b"x").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
    }));
    run(survives(short_timeouts(), "slow headers", "timed out", |mut stream| {
        Box::pin(async move {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n").await;
            while stream.write_all(b"x").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
    }));
    run(survives(short_timeouts(), "silence", "timed out", |stream| {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(30)).await;
            drop(stream);
        })
    }));
}

#[test]
fn bodies_without_end() {
    run(survives(small(), "endless body", "too large", |mut stream| {
        Box::pin(async move {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n").await;
            let chunk = [b'x'; 16 << 10];
            while stream.write_all(&chunk).await.is_ok() {}
        })
    }));
    run(survives(small(), "a length of 10 GB", "too large", |stream| {
        Box::pin(async move {
            say(
                stream,
                b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 10000000000\r\n\r\nx",
            )
            .await;
        })
    }));
}

#[test]
fn heads_that_are_none() {
    run(survives(small(), "HTTP/0.9", "broke off", |stream| {
        Box::pin(async move { say(stream, b"<html>no head at all</html>").await })
    }));
    run(survives(small(), "a header of 10 MB", "broke off", |mut stream| {
        Box::pin(async move {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nx-long: ").await;
            let chunk = vec![b'x'; 1 << 20];
            for _ in 0..10 {
                if stream.write_all(&chunk).await.is_err() {
                    break;
                }
            }
        })
    }));
    run(survives(small(), "a flood of headers", "broke off", |mut stream| {
        Box::pin(async move {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n").await;
            for n in 0..100_000 {
                if stream.write_all(format!("x-{n}: y\r\n").as_bytes()).await.is_err() {
                    break;
                }
            }
        })
    }));
    run(survives(small(), "hanging up half-way", "broke off", |stream| {
        Box::pin(async move {
            say(stream, b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5000\r\n\r\n<html>")
                .await;
        })
    }));
}

#[test]
fn interim_answers_without_end() {
    run(survives(short_timeouts(), "a flood of hints", "timed out", |mut stream| {
        Box::pin(async move {
            let hints = b"HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n".repeat(100);
            while stream.write_all(&hints).await.is_ok() {}
        })
    }));
}

#[test]
fn interim_answers_before_the_page() {
    run(async {
        let server = FaultServer::start(|path, stream| {
            Box::pin(async move {
                let hints = b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(3);
                let answer = if path == "/" { whole("text/html", FINE) } else { NOT_FOUND.to_vec() };
                say(stream, &[hints, answer].concat()).await;
            })
        })
        .await;
        let generated = generate(small(), &server.url()).await.unwrap();
        assert!(generated.llms_full_txt.unwrap().to_string().contains("This page is as it should be"));
    });
}

#[test]
fn bombs_are_counted_after_they_are_unpacked() {
    run(async {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        for _ in 0..64 {
            encoder.write_all(&vec![b' '; 1 << 20]).unwrap();
        }
        let bomb = encoder.finish().unwrap();
        let site = FakeSite::start(move |path| match path {
            "/" => page("Home", &["/bomb", "/twice", "/fine"]),
            "/bomb" => Reply::bytes("text/html", bomb.clone()).header("content-encoding", "gzip"),
            "/twice" => Reply::bytes("text/html", bomb.clone()).header("content-encoding", "gzip, gzip"),
            "/fine" => page("Fine", &[]),
            _ => Reply::status(404),
        });
        let generated = generate(small(), &site.url()).await.unwrap();
        assert_eq!(links(&generated), [format!("{}fine", site.url())]);
        let note = generated.note.unwrap();
        assert!(note.contains("1 too large") && note.contains("1 not a page"), "{note}");
    });
}

#[test]
fn pages_made_to_exhaust_are_read_in_time() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/nested", "/open", "/attributes", "/rubbish", "/fine"]),
            "/nested" => Reply::html("<div>".repeat(200_000)),
            "/open" => Reply::html("<ul><li><a href=/x><b><table><tr><td>".repeat(20_000)),
            "/attributes" => Reply::html(format!("<p {}>text</p>", "a=b ".repeat(200_000))),
            "/rubbish" => Reply::bytes("text/html", (0..=255_u8).cycle().take(300_000).collect::<Vec<_>>()),
            "/fine" => page("Fine", &[]),
            _ => Reply::status(404),
        });
        let mut settings = settings();
        settings.page_max_bytes = ByteSize(5 << 20);
        let generated = generate(settings, &site.url()).await.unwrap();
        assert!(links(&generated).contains(&format!("{}fine", site.url())));
    });
}

#[test]
fn a_page_that_is_dear_to_read_is_lost_alone() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/dear", "/fine"]),
            // Each line is written behind the marks of twelve lists.
            "/dear" => Reply::html(format!(
                "<main>{}{}",
                "<ol start=4000000000><li>".repeat(12),
                "x<br>".repeat(50_000)
            )),
            "/fine" => page("Fine", &[]),
            _ => Reply::status(404),
        });
        let settings = CrawlSettings { page_work: 10_000_000, ..small() };
        let generated = generate(settings, &site.url()).await.unwrap();
        assert!(links(&generated).contains(&format!("{}fine", site.url())));
        assert_eq!(generated.stats.failed, 1);
        let note = generated.note.unwrap();
        assert!(note.contains("1 too complex"), "{note}");
    });
}

#[test]
fn endless_traps_end() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/calendar/2020/1", "/deep/deep", "/fine"]),
            "/fine" => page("Fine", &[]),
            "/robots.txt" | "/sitemap.xml" => Reply::status(404),
            _ if path.starts_with("/deep") => page(path, &[&format!("{path}/deep")]),
            _ if path.starts_with("/calendar/") => {
                let last: u32 = path.rsplit('/').next().unwrap().parse().unwrap();
                page(
                    path,
                    &[&format!("/calendar/2020/{}", last + 1), &format!("/calendar/{}/1", 2020 + last)],
                )
            }
            _ => Reply::status(404),
        });
        let mut job = job(&site.url());
        (job.output.index_pages, job.output.full_pages) = (5_000, 10);
        let generated = Engine::start(settings(), Arc::new(wayfile_actors::http::SystemLookup))
            .unwrap()
            .generate(job)
            .await;
        let asked = site.hits().len();
        assert!(asked < 1_200, "{asked} requests");
        assert!(generated.unwrap().note.unwrap().contains("endless"));
    });
}

#[test]
fn a_site_that_dies_half_way_leaves_what_it_gave() {
    run(async {
        let answers = Arc::new(AtomicUsize::new(0));
        let server = FaultServer::start(move |path, stream| {
            let alive = answers.fetch_add(1, Ordering::SeqCst) < 8;
            Box::pin(async move {
                match path.as_str() {
                    _ if !alive => drop(stream),
                    "/" => {
                        let links = each(0..30, |n| format!("<li><a href=/p/{n}>Page {n}</a></li>"));
                        let body = format!(
                            "<html><title>Home</title><body><main><ul>{links}</ul></main></body></html>"
                        );
                        say(stream, &whole("text/html", &body)).await;
                    }
                    _ if path.starts_with("/p/") => {
                        say(stream, &whole("text/html", &FINE.replace("Fine", &path))).await;
                    }
                    _ => say(stream, NOT_FOUND).await,
                }
            })
        })
        .await;
        let generated = generate(small(), &server.url()).await.unwrap();
        let kept = links(&generated).len();
        assert!((1..8).contains(&kept), "{kept} pages");
        assert_eq!(generated.stats.failed + kept, 30);
        assert!(generated.note.unwrap().contains("lost"));
    });
}

#[test]
fn a_site_that_is_not_there_is_an_error_that_says_why() {
    run(async {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let error = generate(settings(), &format!("http://{free}/")).await.unwrap_err();
        assert!(matches!(error, CrawlError::Unreachable(_)), "{error}");

        for (status, refused) in [(401, true), (403, true), (500, false), (503, false)] {
            let site = FakeSite::start(
                move |path| {
                    if path == "/" { Reply::status(status) } else { Reply::status(404) }
                },
            );
            let mut settings = small();
            settings.max_backoff = Duration::from_millis(50);
            let error = generate(settings, &site.url()).await.unwrap_err();
            assert_eq!(matches!(error, CrawlError::Refused(_)), refused, "{status}: {error:?}");
            assert!(error.to_string().contains(&status.to_string()), "{error}");
        }
    });
}

#[test]
fn a_certificate_that_does_not_hold_is_an_error_and_no_way_to_http() {
    run(async {
        let server = tls_server("other.example.com").await;
        let error = generate(small(), &format!("https://{server}/")).await.unwrap_err();
        assert!(matches!(error, CrawlError::Unreachable(_)), "{error:?}");
        assert!(error.to_string().contains("TLS handshake failed"), "{error}");
    });
}

#[test]
fn private_addresses_are_refused_before_anything_is_dialled() {
    run(async {
        let server = FaultServer::start(|_, stream| Box::pin(say(stream, b"HTTP/1.1 200 OK\r\n\r\n"))).await;
        let mut settings = settings();
        settings.allow_networks.clear();
        let error = generate(settings, &server.url()).await.unwrap_err();
        assert!(matches!(error, CrawlError::NotPublic(_)), "{error:?}");
        assert_eq!(server.requests(), 0);
    });
}

#[test]
fn an_engine_without_readers_says_so() {
    let engine = run(async {
        let engine = engine(small());
        assert!(engine.can_read());
        engine
    });
    // Its actors ended with their system.
    assert!(!engine.can_read());
}
