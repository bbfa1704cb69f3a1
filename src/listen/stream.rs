//! A connection that a client who reads too slowly does not hold for long.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::busy::{Answering, Busy};
use super::reading::ReadRate;

pub(super) struct ClientStream {
    stream: TcpStream,
    /// What it is of use for.
    pub(super) busy: Busy,
    reading: ReadRate,
    /// While the client takes nothing: when that was too slow, and what keeps the connection until then.
    waiting: Option<(Pin<Box<Sleep>>, Answering)>,
}

impl ClientStream {
    pub(super) fn new(stream: TcpStream, busy: Busy, reading: ReadRate) -> Self {
        Self { stream, busy, reading, waiting: None }
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let client = &mut *self;
        let written = Pin::new(&mut client.stream).poll_write(cx, buf);
        if let Poll::Ready(written) = written {
            client.waiting = None;
            client.reading.takes(*written.as_ref().unwrap_or(&0), Instant::now());
            return Poll::Ready(written);
        }
        let until = client.reading.waits(Instant::now());
        let waiting = || (Box::pin(sleep_until(until)), client.busy.clone().answer());
        let (too_slow, _) = client.waiting.get_or_insert_with(waiting);
        ready!(too_slow.as_mut().poll(cx));
        // What it has not taken is of no use to it any more, and goes at once.
        client.stream.set_zero_linger()?;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
