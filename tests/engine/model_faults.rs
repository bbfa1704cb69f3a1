//! An endpoint that fails in any way costs descriptions, never a file.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use wayfile_actors::Generated;

use crate::support::fake_site::{FakeSite, Reply, numbered};
use crate::support::fault_server::{FaultServer, say};
use crate::support::model_server::{ModelServer, well};
use crate::support::{engine_with_model, job, links, model, run, settings};

const PAGES: usize = 8;
const DEADLINE: Duration = Duration::from_secs(20);

/// Generates with the endpoint at `base_url`; the answer must come before the deadline and be whole.
async fn with_endpoint(base_url: &str) -> Generated {
    let site = FakeSite::start(|path| numbered(path, PAGES));
    let mut crawl = settings();
    crawl.deadline = DEADLINE;
    let mut llm = model(base_url);
    llm.timeout = Duration::from_millis(500);
    let engine = engine_with_model(crawl, llm);
    let generated = tokio::time::timeout(DEADLINE, engine.generate(job(&site.url()))).await.unwrap().unwrap();
    assert_eq!(links(&generated).len(), PAGES);
    assert_eq!(
        generated.llms_full_txt.as_ref().unwrap().to_string().matches("\nSource: ").count(),
        PAGES + 1
    );
    generated
}

/// No description is the model's, every one is the page's, and the note says why.
fn is_extractive(generated: &Generated, reason: &str) {
    assert!(!generated.llm_enhanced);
    let index = generated.llms_txt.as_deref().unwrap();
    assert_eq!(index.matches("): This page is about Chapter").count(), PAGES, "{index}");
    let note = generated.note.as_deref().unwrap();
    assert!(note.contains("A model wrote none of 8 descriptions") && note.contains(reason), "{note}");
}

#[test]
fn answers_that_are_none_leave_the_pages_their_own_words() {
    let json = |body: &str| Reply::bytes("application/json", body);
    let answers = [
        (Reply::status(500), "server error"),
        (Reply::status(401), "refused for the key"),
        (Reply::status(404), "refused"),
        (Reply::moved("http://127.0.0.1:1/elsewhere"), "refused"),
        (json("{\"choices\": []}"), "unreadable"),
        (json("{\"choices\": [{\"message\": {\"content\": \"\"}}]}"), "unreadable"),
        (json("{\"error\": \"no such model\"}"), "unreadable"),
        (Reply::html("<!doctype html><html><body>Welcome to nginx!</body></html>"), "unreadable"),
        (Reply::bytes("application/json", vec![0xff, 0x00, 0x7b]), "unreadable"),
        (json(&format!("{{\"choices\": \"{}\"}}", "x".repeat(300 << 10))), "too large"),
        (json("{\"choices\": []}").after(Duration::from_mins(1)), "timed out"),
    ];
    run(async move {
        for (answer, reason) in answers {
            let endpoint = ModelServer::start(move |_| answer.clone());
            let generated = with_endpoint(endpoint.base_url()).await;
            is_extractive(&generated, reason);
            // Of what was refused no model read a word.
            let is_refused = reason == "server error" || reason.starts_with("refused");
            assert!(!is_refused || generated.note.unwrap().contains(", 0 tokens)"), "{reason}");
            // After failures in a row the endpoint is left alone: it is not asked for every page.
            assert!(endpoint.asked().len() <= PAGES * 2, "{}", endpoint.asked().len());
        }
    });
}

#[test]
fn an_endless_answer_ends_at_its_cap_or_its_time() {
    run(async {
        let fast = FaultServer::start(|_, mut stream| {
            Box::pin(async move {
                let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"choices\": [";
                let _ = stream.write_all(head).await;
                while stream.write_all(&[b' '; 4096]).await.is_ok() {}
            })
        })
        .await;
        is_extractive(&with_endpoint(&fast.url()).await, "too large");
        let slow = FaultServer::start(|_, mut stream| {
            Box::pin(async move {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
                while stream.write_all(b" ").await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            })
        })
        .await;
        is_extractive(&with_endpoint(&slow.url()).await, "timed out");
    });
}

#[test]
fn model_endpoint_errors_are_counted() {
    run(async {
        let garbage =
            FaultServer::start(|_, stream| Box::pin(say(stream, b"\0\0\0 who goes there\r\n\r\n"))).await;
        is_extractive(&with_endpoint(&garbage.url()).await, "not reached");
        let gone = garbage.url();
        drop(garbage);
        is_extractive(&with_endpoint(&gone).await, "not reached");
    });
}

#[test]
fn a_busy_endpoint_is_asked_again_when_it_says() {
    run(async {
        // Each of two pages is refused once; which requests come first is the crawl's affair.
        let refused = Mutex::new(HashSet::new());
        let endpoint = ModelServer::start(move |asked| {
            let title = asked.title().filter(|title| ["Chapter 0", "Chapter 1"].contains(title));
            if title.is_some_and(|title| refused.lock().unwrap().insert(title.to_owned())) {
                return Reply::status(429).header("retry-after", "1");
            }
            well(asked)
        });
        let generated = with_endpoint(endpoint.base_url()).await;
        assert!(generated.llm_enhanced, "{:?}", generated.note);
        assert!(generated.note.unwrap().contains("8 of 8 descriptions"));
    });
}

#[test]
fn a_crawl_short_of_time_leaves_the_endpoint_to_others() {
    run(async {
        let refused = Mutex::new(false);
        let endpoint = ModelServer::start(move |asked| {
            let first = !std::mem::replace(&mut *refused.lock().unwrap(), true);
            if first { Reply::status(429).header("retry-after", "4") } else { well(asked) }
        });
        let site = FakeSite::start(|path| numbered(path, PAGES));
        let mut crawl = settings();
        crawl.deadline = DEADLINE;
        let engine = engine_with_model(crawl, model(endpoint.base_url()));
        let mut short = job(&site.url());
        short.since = short.since.checked_sub(DEADLINE.saturating_sub(Duration::from_secs(4))).unwrap();
        engine.generate(short).await.unwrap();
        assert!(engine.generate(job(&site.url())).await.unwrap().llm_enhanced);
    });
}

#[test]
fn an_endpoint_that_stays_busy_is_left_alone() {
    run(async {
        for wait in ["1", "86400", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "soon"] {
            let endpoint = ModelServer::start(|_| Reply::status(429).header("retry-after", wait));
            is_extractive(&with_endpoint(endpoint.base_url()).await, "refused as too many");
        }
    });
}
