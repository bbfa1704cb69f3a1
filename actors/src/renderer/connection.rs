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
use serde_json::{Value, json};
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
pub(super) struct Connection(Arc<ConnectionState>);

#[derive(Debug)]
struct ConnectionState {
    outgoing: mpsc::UnboundedSender<String>,
    numbers: AtomicU64,
    asked: Mutex<HashMap<u64, oneshot::Sender<Option<Value>>>>,
    sessions: Mutex<HashMap<Arc<str>, mpsc::Sender<ProtocolEvent>>>,
    closed: CancellationToken,
}

impl Connection {
    /// Speaks through `socket`; a message longer than `max_bytes` ends the connection.
    pub(super) fn open(socket: StdStream, max_bytes: usize) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        let (incoming, socket) = UnixStream::from_std(socket)?.into_split();
        let (outgoing, messages) = mpsc::unbounded_channel();
        let connection = Self(Arc::new(ConnectionState {
            outgoing,
            numbers: AtomicU64::new(0),
            asked: Mutex::default(),
            sessions: Mutex::default(),
            closed: CancellationToken::new(),
        }));
        let speaker = connection.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = speaker.0.closed.cancelled() => {}
                () = speaker.read(incoming, max_bytes) => {}
                () = write(socket, messages) => {}
            }
            speaker.close();
            speaker.0.asked.lock().clear();
            speaker.0.sessions.lock().clear();
        });
        Ok(connection)
    }

    pub(super) fn ask(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> impl Future<Output = RenderResult<Value>> + use<> {
        let (answer, answered) = oneshot::channel();
        self.send(session, method, params, Some(answer));
        let state = self.0.clone();
        async move {
            let answer = state.closed.run_until_cancelled(answered).await;
            answer.and_then(Result::ok).ok_or(RenderError::Died)?.ok_or(RenderError::Broken)
        }
    }

    pub(super) fn tell(&self, session: Option<&str>, method: &str, params: Value) {
        self.send(session, method, params, None);
    }

    fn send(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        answer: Option<oneshot::Sender<Option<Value>>>,
    ) {
        let id = self.0.numbers.fetch_add(1, Ordering::Relaxed);
        self.0.asked.lock().extend(answer.map(|answer| (id, answer)));
        let mut message = json!({ "id": id, "method": method });
        message["params"] = params;
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        // It is dropped when the connection is closed; waiters get an error then.
        let _ = self.0.outgoing.send(format!("{message}\0"));
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
        self.0.sessions.lock().insert(session.into(), events);
    }

    pub(super) fn leave(&self, session: &str) {
        self.0.sessions.lock().remove(session);
    }

    /// Ends the connection, and with it the browser.
    pub(super) fn close(&self) {
        self.0.closed.cancel();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.0.closed.is_cancelled()
    }

    async fn read(&self, socket: OwnedReadHalf, max_bytes: usize) {
        let codec = AnyDelimiterCodec::new_with_max_length(vec![0], vec![0], max_bytes);
        let mut messages = FramedRead::with_capacity(socket, codec, CHUNK);
        while let Some(Ok(message)) = messages.next().await {
            if let Ok(incoming) = serde_json::from_slice(&message) {
                self.take(incoming);
            }
        }
    }

    fn take(&self, incoming: Incoming) {
        let Incoming { id, session_id, method, params, result } = incoming;
        match (id, session_id, method) {
            (Some(id), ..) => {
                if let Some(answer) = self.0.asked.lock().remove(&id) {
                    // Who does not wait any more needs no answer.
                    let _ = answer.send(result);
                }
            }
            (None, Some(session), Some(method)) => {
                let mut sessions = self.0.sessions.lock();
                let Some((session, events)) = sessions.get_key_value(session.as_str()) else { return };
                let session = session.clone();
                if events.try_send(ProtocolEvent { session: session.clone(), method, params }).is_err() {
                    sessions.remove(&session);
                }
            }
            // A window that a page opened: it is not read.
            (None, None, Some(method)) if method == "Target.targetCreated" => {
                let target = &params["targetInfo"];
                if target["openerId"].is_string() {
                    self.tell(None, "Target.closeTarget", json!({ "targetId": target["targetId"] }));
                }
            }
            _ => {}
        }
    }
}

async fn write(mut socket: OwnedWriteHalf, mut messages: mpsc::UnboundedReceiver<String>) {
    while let Some(message) = messages.recv().await {
        if socket.write_all(message.as_bytes()).await.is_err() {
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
