//! Clients that are slow to read their answer: none holds an answer of its own, and none holds anything for ever.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use crate::fake_site::{FakeSite, Reply, numbered};
use crate::run;
use crate::test_app::TestApp;

const PAGES: usize = 24;
/// Bytes of a page's text.
const PAGE: usize = 200_000;
const CLIENTS: usize = 40;
/// A client that reads nothing is cut off after 5 s; a busy machine may be late.
const CUT: Duration = Duration::from_secs(30);
const MIB: usize = 1 << 20;

/// A site whose pages are long and say nothing twice, so that little is left out and compression gains little.
fn long_site() -> FakeSite {
    FakeSite::start(|path| {
        if path == "/" {
            return numbered(path, PAGES);
        }
        let Some(seed) = path.strip_prefix("/docs/").and_then(|p| p.strip_suffix(".html")?.parse().ok())
        else {
            return Reply::status(404);
        };
        let mut random = fastrand::Rng::with_seed(seed);
        let words = (0..PAGE / 17).map(|_| format!("{:016x} ", random.u64(..)));
        Reply::html(format!(
            "<title>Part {seed}</title><main><h1>Part {seed}</h1><p>{}",
            words.collect::<String>()
        ))
    })
}

/// A service with the answer for such a site, its key, the request and the bytes of the answer.
async fn answered() -> (TestApp, FakeSite, String, Value, usize) {
    let app = TestApp::with("[server]\nmin_read_rate = \"1MiB\"");
    let site = long_site();
    let (key, body) = (app.key("business"), json!({"url": site.url()}));
    let answer = app.generate(&key, &body).header("idempotency-key", "long").send().await.unwrap();
    let length = answer.bytes().await.unwrap().len();
    assert!(length > 4 * MIB, "{length}");
    (app, site, key, body, length)
}

/// Sends a request whose answer is there already, and reads no more of it than `first` bytes.
async fn ask(app: &TestApp, key: &str, body: &Value, headers: &str, first: usize) -> (TcpStream, Vec<u8>) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut client = socket.connect(app.url.trim_start_matches("http://").parse().unwrap()).await.unwrap();
    let body = body.to_string();
    let head = format!(
        "POST /api/v1/generate HTTP/1.1\r\nhost: a\r\nx-api-key: {key}\r\nidempotency-key: long\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
        body.len()
    );
    client.write_all(head.as_bytes()).await.unwrap();
    let mut read = vec![0; first];
    client.read_exact(&mut read).await.unwrap();
    (client, read)
}

/// Everything that is left, as far as it came.
async fn rest(mut client: TcpStream) -> usize {
    let (mut buffer, mut count) = (vec![0; 64 << 10], 0);
    while let Ok(read) = client.read(&mut buffer).await
        && read > 0
    {
        count += read;
    }
    count
}

#[test]
fn slow_readers_share_the_body_and_are_cut_off() {
    run(async {
        let (app, _site, key, body, length) = answered().await;

        // What the allocator keeps for the next ones is there after the first: whatever is held for nobody comes on top of it.
        let mut settled = Vec::new();
        for _ in 0..2 {
            let before = app.memory();
            let plain = ask(&app, &key, &body, "", 15);
            let packed = ask(&app, &key, &body, "accept-encoding: br, zstd, gzip\r\n", 15);
            let events = ask(&app, &key, &body, "accept: text/event-stream\r\n", 15);
            let many = join_all((0..CLIENTS).map(|_| ask(&app, &key, &body, "", 15)));
            let (plain, packed, events, many) = tokio::join!(plain, packed, events, many);
            for (_, read) in [&plain, &packed, &events].into_iter().chain(&many) {
                assert_eq!(String::from_utf8_lossy(read), "HTTP/1.1 200 OK");
            }
            sleep(Duration::from_secs(1)).await;
            let held = app.memory().saturating_sub(before);
            assert!(
                held < CLIENTS * length / 4,
                "{} MiB for {CLIENTS} clients of {} MiB",
                held / MIB,
                length / MIB
            );

            // Reading begins when all were to be cut off: what lies between is all that still comes.
            sleep(CUT / 3).await;
            for (client, _) in [plain, packed, events].into_iter().chain(many) {
                let count = timeout(CUT, rest(client)).await.expect("a connection was left open");
                assert!(count < 2 * MIB, "{count} of {length} bytes came");
            }
            settled.push(app.memory());
        }
        let left = settled[1].saturating_sub(settled[0]);
        assert!(left < 2 * length, "{} MiB are held for nobody", left / MIB);
    });
}

#[test]
fn pausing_readers_and_event_streams_are_not_cut_off() {
    run(async {
        let (app, _site, key, body, length) = answered().await;
        let (pausing, _) = ask(&app, &key, &body, "", 15).await;
        sleep(Duration::from_secs(2)).await;
        assert!(rest(pausing).await >= length);

        let late = FakeSite::start(|path| numbered(path, 2).after(Duration::from_secs(4)));
        let run = app.generate(&key, &json!({"url": late.url()})).header("accept", "text/event-stream");
        let told = run.send().await.unwrap().text().await.unwrap();
        assert!(told.contains("event: done\n"), "{told}");
    });
}

#[test]
fn compression_that_holds_megabytes_a_client_is_not_offered() {
    run(async {
        let app = TestApp::start();
        for (accepted, expected) in [("br, zstd, gzip", Some("gzip")), ("br, zstd", None)] {
            let mut client = TcpStream::connect(app.url.trim_start_matches("http://")).await.unwrap();
            let head = format!(
                "GET /openapi.json HTTP/1.1\r\nhost: a\r\naccept-encoding: {accepted}\r\nconnection: close\r\n\r\n"
            );
            client.write_all(head.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            client.read_to_end(&mut answer).await.unwrap();
            let answer = String::from_utf8_lossy(&answer);
            let encoding = answer.lines().find_map(|line| line.strip_prefix("content-encoding: "));
            assert_eq!(encoding, expected, "{accepted}");
        }
    });
}
