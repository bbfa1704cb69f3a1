//! A server that does not keep to HTTP: it reads a request and then says byte for byte what a test wants.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Nothing a test serves lasts longer.
const LIFE: Duration = Duration::from_secs(60);

/// What is said on a connection after a request for a path was read.
pub(crate) type Speech = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The running server; it stops when dropped.
pub(crate) struct FaultServer {
    pub(crate) address: SocketAddr,
    requests: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl FaultServer {
    /// Answers every connection's first request by `speak`.
    pub(crate) async fn start(speak: impl Fn(String, TcpStream) -> Speech + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = requests.clone();
        let speak = Arc::new(speak);
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (speak, counted) = (speak.clone(), counted.clone());
                tokio::spawn(tokio::time::timeout(LIFE, async move {
                    if let Some(path) = request_path(&mut stream).await {
                        counted.fetch_add(1, Ordering::SeqCst);
                        speak(path, stream).await;
                    }
                }));
            }
        });
        Self { address, requests, task }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for FaultServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn request_path(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut byte = [0_u8; 1024];
    while !head.windows(4).any(|w| w == b"\r\n\r\n") {
        let read = stream.read(&mut byte).await.ok()?;
        if read == 0 {
            return None;
        }
        head.extend_from_slice(&byte[..read]);
    }
    let head = String::from_utf8(head).ok()?;
    Some(head.split(' ').nth(1)?.to_owned())
}

/// Says `text` and hangs up.
pub(crate) async fn say(mut stream: TcpStream, text: &[u8]) {
    let _ = stream.write_all(text).await;
    let _ = stream.shutdown().await;
}

/// A whole answer with a length.
pub(crate) fn whole(kind: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
