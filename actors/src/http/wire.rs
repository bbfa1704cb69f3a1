//! A connection as the client's requests and the site's answers pass over it, below HTTP and above TLS.
//!
//! What HTTP libraries have no word for is kept here: a request is written when the domain's [`Gate`] lets it, and a site
//! that sends heads without end in the place of an answer is cut off.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use hyper_util::client::legacy::connect::{Connected, Connection};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep_until};

use super::gate::Gate;
use super::speech::Speech;

/// A stream that looks at what passes over it.
pub(super) struct Wire<S> {
    stream: S,
    speech: Speech,
    gate: Arc<Gate>,
    /// Until the next try to pass the gate.
    wait: Option<Pin<Box<Sleep>>>,
    /// A request was let through and is not written.
    passing: bool,
}

impl<S: Connection> Wire<S> {
    pub(super) fn new(stream: S, gate: Arc<Gate>) -> Self {
        let speech = Speech::new(stream.connected().is_negotiated_h2());
        Self { stream, speech, gate, wait: None, passing: false }
    }
}

impl<S> Wire<S> {
    fn poll_gate(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if let Some(wait) = &mut self.wait {
                ready!(wait.as_mut().poll(cx));
            }
            self.wait = match self.gate.pass(Instant::now()) {
                Ok(()) => None,
                Err(next) => Some(Box::pin(sleep_until(next.into()))),
            };
            if self.wait.is_none() {
                return Poll::Ready(());
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        let before = buf.filled().len();
        ready!(Pin::new(&mut wire.stream).poll_read(cx, buf))?;
        let new = buf.filled().get(before..).unwrap_or_default();
        Poll::Ready(wire.speech.read(new).map_err(io::Error::other))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let wire = self.get_mut();
        let mut free = wire.speech.before_request(buf);
        if free == 0 && !buf.is_empty() {
            ready!(wire.poll_gate(cx));
            wire.speech.request_begins();
            wire.passing = true;
            free = wire.speech.before_request(buf);
        }
        let part = buf.get(..free).unwrap_or(buf);
        let written = ready!(Pin::new(&mut wire.stream).poll_write(cx, part))?;
        if std::mem::take(&mut wire.passing) {
            // A thread may have been made to wait since.
            wire.gate.passed(Instant::now());
        }
        wire.speech.wrote(part.get(..written).unwrap_or(part));
        Poll::Ready(Ok(written))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

impl<S: Connection> Connection for Wire<S> {
    fn connected(&self) -> Connected {
        self.stream.connected()
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::time::Duration;

    use super::*;

    /// Takes whatever is written and remembers when; says what it was told to.
    #[derive(Default)]
    struct Site {
        written: Vec<Instant>,
        says: Vec<u8>,
        is_http2: bool,
    }

    impl AsyncRead for Site {
        fn poll_read(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buf: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            buf.put_slice(&self.says);
            Poll::Ready(Ok(()))
        }
    }

    impl AsyncWrite for Site {
        fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
            self.written.push(Instant::now());
            Poll::Ready(Ok(buf.len()))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    impl Connection for Site {
        fn connected(&self) -> Connected {
            let connected = Connected::new();
            if self.is_http2 { connected.negotiated_h2() } else { connected }
        }
    }

    fn run(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    }

    async fn write(wire: &mut Wire<Site>, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let written = poll_fn(|cx| Pin::new(&mut *wire).poll_write(cx, bytes)).await.unwrap();
            bytes = &bytes[written..];
        }
    }

    #[test]
    fn requests_over_all_connections_are_written_one_gap_after_the_other() {
        run(async {
            let gap = Duration::from_millis(30);
            let gate = Arc::<Gate>::default();
            gate.keep(gap);
            let head = [0, 0, 1, 1, 5, 0, 0, 0, 1, 0];
            let streams = [&[0; 24][..], &head, &head].concat();
            let mut one = Wire::new(Site::default(), gate.clone());
            let mut two = Wire::new(Site { is_http2: true, ..Site::default() }, gate.clone());
            let request = b"GET / HTTP/1.1\r\n\r\n";
            tokio::join!(write(&mut one, request), write(&mut two, &streams));
            // What comes before the first request of HTTP/2 is none.
            let mut written = [one.stream.written, two.stream.written.split_off(1)].concat();
            written.sort();
            assert_eq!(written.len(), 3);
            assert!(written.windows(2).all(|pair| pair[1] - pair[0] >= gap), "{written:?}");
            assert!(gate.last() >= written.last().copied(), "it counts from when it was written");
        });
    }

    #[test]
    fn a_flood_of_heads_is_an_error_of_the_connection() {
        run(async {
            let says = b"HTTP/1.1 103 \r\n\r\n".repeat(1_000);
            let mut wire = Wire::new(Site { says, ..Site::default() }, Arc::default());
            write(&mut wire, b"GET / HTTP/1.1\r\n\r\n").await;
            let mut room = vec![0; 100_000];
            let mut buf = ReadBuf::new(&mut room);
            let read = poll_fn(|cx| Pin::new(&mut wire).poll_read(cx, &mut buf)).await;
            assert!(read.unwrap_err().to_string().contains("interim answers"));
        });
    }
}
