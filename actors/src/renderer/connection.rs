//! What is said to the browser: its protocol for debuggers over one socket, a message between two zero bytes.
//!
//! Answers go to who asked, events to the page whose session they name. What is not understood is skipped: the protocol grows
//! with every version of the browser.

use std::collections::HashMap;
use std::io;
use std::os::unix::net::UnixStream as StdStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::StreamExt;
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot};
use tokio_util::codec::{AnyDelimiterCodec, FramedRead};
use tokio_util::sync::CancellationToken;

use super::{RenderError, RenderResult};

/// Events of a page that may wait to be handled; a page that makes more is not listened to any longer.
const BACKLOG: usize = 4096;
/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

#[derive(Debug)]
pub(super) struct ProtocolEvent {
    /// The page's own session, or that of a frame or a worker of it.
    pub(super) session: Arc<str>,
    pub(super) method: String,
    pub(super) params: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Incoming {
    id: Option<u64>,
    session_id: Option<String>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    result: Option<Value>,
}

/// The way to the browser. Closed for good when the browser ends.
#[derive(Debug, Clone)]
pub(super) struct Connection {
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    shared: Arc<ConnectionState>,
}

#[derive(Debug, Default)]
struct ConnectionState {
    numbers: AtomicU64,
    asked: Mutex<HashMap<u64, oneshot::Sender<Option<Value>>>>,
    sessions: Mutex<HashMap<Arc<str>, mpsc::Sender<ProtocolEvent>>>,
    closed: CancellationToken,
}

impl Connection {
    /// Speaks through `socket`; a message longer than `max_bytes` ends the connection.
    pub(super) fn open(socket: StdStream, max_bytes: usize) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        let (read, write) = UnixStream::from_std(socket)?.into_split();
        let (outgoing, messages) = mpsc::unbounded_channel();
        let connection = Self { outgoing, shared: Arc::default() };
        tokio::spawn(connection.shared.clone().read(read, max_bytes, connection.outgoing.downgrade()));
        tokio::spawn(self::write(write, messages, connection.shared.closed.clone()));
        Ok(connection)
    }

    pub(super) fn ask(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> impl Future<Output = RenderResult<Value>> + use<> {
        let (answer, answered) = oneshot::channel();
        let number = self.shared.numbers.fetch_add(1, Ordering::Relaxed);
        self.shared.asked.lock().insert(number, answer);
        self.send(number, session, method, params);
        let shared = self.shared.clone();
        async move {
            let answer = tokio::select! {
                answer = answered => answer.ok(),
                () = shared.closed.cancelled() => None,
            };
            answer.ok_or(RenderError::Died)?.ok_or(RenderError::Broken)
        }
    }

    /// Says something whose answer does not matter.
    pub(super) fn tell(&self, session: Option<&str>, method: &str, params: Value) {
        let number = self.shared.numbers.fetch_add(1, Ordering::Relaxed);
        self.send(number, session, method, params);
    }

    /// Has events of a session come through the receiver.
    pub(super) fn listen(
        &self,
        session: &str,
    ) -> (mpsc::Sender<ProtocolEvent>, mpsc::Receiver<ProtocolEvent>) {
        let (events, heard) = mpsc::channel(BACKLOG);
        self.join(session, events.clone());
        (events, heard)
    }

    /// Has events of a further session go the way of another's.
    pub(super) fn join(&self, session: &str, events: mpsc::Sender<ProtocolEvent>) {
        self.shared.sessions.lock().insert(session.into(), events);
    }

    pub(super) fn leave(&self, session: &str) {
        self.shared.sessions.lock().remove(session);
    }

    /// Ends the connection, and with it the browser.
    pub(super) fn close(&self) {
        self.shared.closed.cancel();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.shared.closed.is_cancelled()
    }

    fn send(&self, id: u64, session: Option<&str>, method: &str, params: Value) {
        // It is dropped when the connection is closed; waiters get an error then.
        let _ = self.outgoing.send(message(id, session, method, params));
    }
}

fn message(id: u64, session: Option<&str>, method: &str, params: Value) -> Vec<u8> {
    let mut fields = Map::new();
    fields.insert("id".to_owned(), id.into());
    fields.insert("method".to_owned(), method.into());
    fields.insert("params".to_owned(), params);
    if let Some(session) = session {
        fields.insert("sessionId".to_owned(), session.into());
    }
    let mut bytes = Value::Object(fields).to_string().into_bytes();
    bytes.push(0);
    bytes
}

impl ConnectionState {
    async fn read(
        self: Arc<Self>,
        socket: OwnedReadHalf,
        max_bytes: usize,
        outgoing: mpsc::WeakUnboundedSender<Vec<u8>>,
    ) {
        let _closed_when_done = self.closed.clone().drop_guard();
        let codec = AnyDelimiterCodec::new_with_max_length(vec![0], vec![0], max_bytes);
        let mut messages = FramedRead::with_capacity(socket, codec, CHUNK);
        while let Some(Ok(message)) = self.closed.run_until_cancelled(messages.next()).await.flatten() {
            if let Ok(incoming) = serde_json::from_slice(&message) {
                self.take(incoming, &outgoing);
            }
        }
        self.asked.lock().clear();
        self.sessions.lock().clear();
    }

    fn take(&self, incoming: Incoming, outgoing: &mpsc::WeakUnboundedSender<Vec<u8>>) {
        let Incoming { id, session_id, method, params, result } = incoming;
        match (id, session_id, method) {
            (Some(id), ..) => {
                if let Some(answer) = self.asked.lock().remove(&id) {
                    // Who does not wait any more needs no answer.
                    let _ = answer.send(result);
                }
            }
            (None, Some(session), Some(method)) => {
                let mut sessions = self.sessions.lock();
                let Some((session, events)) = sessions.get_key_value(session.as_str()) else { return };
                let session = session.clone();
                if events.try_send(ProtocolEvent { session: session.clone(), method, params }).is_err() {
                    sessions.remove(&session);
                }
            }
            // A window that a page opened: it is not read.
            (None, None, Some(method)) if method == "Target.targetCreated" => {
                let target = &params["targetInfo"];
                if let (Some(_), Some(outgoing)) = (target["openerId"].as_str(), outgoing.upgrade()) {
                    let id = self.numbers.fetch_add(1, Ordering::Relaxed);
                    let close = json!({ "targetId": target["targetId"] });
                    let _ = outgoing.send(message(id, None, "Target.closeTarget", close));
                }
            }
            _ => {}
        }
    }
}

async fn write(
    mut socket: OwnedWriteHalf,
    mut messages: mpsc::UnboundedReceiver<Vec<u8>>,
    closed: CancellationToken,
) {
    let _closed_when_done = closed.clone().drop_guard();
    while let Some(message) = closed.run_until_cancelled(messages.recv()).await.flatten() {
        let written = closed.run_until_cancelled(socket.write_all(&message)).await;
        if !matches!(written, Some(Ok(()))) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};

    use super::*;

    #[tokio::test]
    async fn messages_that_are_not_understood_are_skipped() {
        let (ours, theirs) = StdStream::pair().unwrap();
        let connection = Connection::open(ours, 1 << 10).unwrap();
        let (_, mut events) = connection.listen("page");
        let browser = std::thread::spawn(move || {
            let mut asked = Vec::new();
            BufReader::new(&theirs).read_until(0, &mut asked).unwrap();
            let told = [
                "no JSON",
                "[1, 2]",
                r#"{"id":"later","result":{}}"#,
                r#"{"id":99,"result":{}}"#,
                r#"{"method":"Browser.wasRedesigned","params":{"to":{"deep":[1]}},"since":157}"#,
                r#"{"method":"Page.begins","sessionId":"of nobody"}"#,
                r#"{"method":"Page.shimmered","sessionId":"page","params":7,"new":true}"#,
                r#"{"id":0,"result":{"product":"Tide/157"},"extra":[]}"#,
            ];
            (&theirs).write_all(told.map(|message| format!("{message}\0")).concat().as_bytes()).unwrap();
            // Whoever hears the end of a connection first may miss what came before it.
            (asked, theirs)
        });
        let answer = connection.ask(None, "Browser.getVersion", json!({})).await.unwrap();
        assert_eq!(answer["product"], "Tide/157");
        assert_eq!(events.recv().await.unwrap().method, "Page.shimmered");
        let (asked, _browser) = browser.join().unwrap();
        assert!(String::from_utf8(asked).unwrap().contains("Browser.getVersion"));
    }
}
