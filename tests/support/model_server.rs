//! An endpoint for `chat/completions` on loopback that answers as a test wants and remembers what it was asked.

use std::sync::{Arc, Mutex};

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpRequest, HttpServer, web};
use serde_json::{Value, json};

use super::fake_site::Reply;

/// One request as the endpoint saw it.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: Value,
}

impl Asked {
    /// What the user's message says: the prompt with the page.
    pub(crate) fn prompt(&self) -> &str {
        self.body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap()
    }

    /// The title of the page that a description is wanted of; none when it is the summary.
    pub(crate) fn title(&self) -> Option<&str> {
        self.prompt().split_once("Title: ")?.1.lines().next()
    }
}

#[derive(Default)]
struct Log {
    asked: Vec<Asked>,
    running: usize,
    most_at_once: usize,
}

/// The running endpoint; it stops when dropped.
pub(crate) struct ModelServer {
    base_url: String,
    log: Arc<Mutex<Log>>,
    handle: ServerHandle,
}

impl ModelServer {
    /// Answers every request by `answer`.
    pub(crate) fn start(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let log: Arc<Mutex<Log>> = Arc::default();
        let answer: Arc<dyn Fn(&Asked) -> Reply + Send + Sync> = Arc::new(answer);
        let shared = log.clone();
        let server = HttpServer::new(move || {
            let (log, answer) = (shared.clone(), answer.clone());
            App::new().default_service(web::to(move |request: HttpRequest, body: web::Bytes| {
                let (log, answer) = (log.clone(), answer.clone());
                async move {
                    let header = request.headers().get("authorization");
                    let asked = Asked {
                        path: request.path().to_owned(),
                        authorization: header.map(|value| value.to_str().unwrap().to_owned()),
                        body: serde_json::from_slice(&body).unwrap(),
                    };
                    let reply = answer(&asked);
                    {
                        let mut log = log.lock().unwrap();
                        log.asked.push(asked);
                        log.running += 1;
                        log.most_at_once = log.most_at_once.max(log.running);
                    }
                    let response = reply.give().await;
                    log.lock().unwrap().running -= 1;
                    response
                }
            }))
        });
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let base_url = format!("http://{}/v1", server.addrs()[0]);
        let server = server.run();
        let handle = server.handle();
        actix::spawn(server);
        Self { base_url, log, handle }
    }

    pub(crate) fn base_url(&self) -> &str {
        &self.base_url
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.log.lock().unwrap().asked.clone()
    }

    pub(crate) fn most_at_once(&self) -> usize {
        self.log.lock().unwrap().most_at_once
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

/// An answer that says `text`, and counted 100 tokens.
pub(crate) fn says(text: &str) -> Reply {
    let choice =
        json!({"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"});
    let body = json!({"choices": [choice], "usage": {"total_tokens": 100}});
    Reply::bytes("application/json", body.to_string())
}

/// A sentence that a page of [`numbered`](super::fake_site::numbered) bears out, or its site.
pub(crate) fn well(asked: &Asked) -> Reply {
    match asked.title() {
        Some(title) => says(&format!("Explains what {title} is good for and how {title} came to be.")),
        None => says("Home says what its chapters are good for and how they came to be."),
    }
}
