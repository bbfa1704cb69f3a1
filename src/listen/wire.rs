//! A connection that keeps actix's bare answers to itself, and that a client who reads too slowly does not hold for long.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use actix_web::http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::busy::{Answering, Busy};
use super::reading::ReadRate;

/// Bytes of the longest bare answer, with room: a status line and three short headers.
const MAX_BARE: usize = 256;
const VERSION: &[u8] = b"HTTP/1.1 ";
/// What a bare answer has; whatever a route answers has the request's id beside them.
const BARE_HEADERS: [&str; 3] = ["content-length", "connection", "date"];

/// A client's connection. Cheap to clone; one side reads and writes, the other one asks in the end what was refused.
#[derive(Clone)]
pub(super) struct Wire {
    line: Rc<RefCell<Line>>,
    /// What it is of use for.
    pub(super) busy: Busy,
}

struct Line {
    stream: TcpStream,
    reading: ReadRate,
    /// While the client takes nothing: when that was too slow, and what keeps the connection until then.
    waiting: Option<(Pin<Box<Sleep>>, Answering)>,
    /// What actix said of something that is no request. It is the last it says on a connection.
    refused: Option<StatusCode>,
}

impl Wire {
    pub(super) fn new(stream: TcpStream, busy: Busy, reading: ReadRate) -> Self {
        Self { line: Rc::new(RefCell::new(Line { stream, reading, waiting: None, refused: None })), busy }
    }

    /// Has the client told in the end that this was no request.
    pub(super) fn refuse(&self, status: StatusCode) {
        self.line.borrow_mut().refused = Some(status);
    }

    /// The connection, when its end was a refusal that the client has not heard of yet.
    pub(super) fn refused(self) -> Option<(TcpStream, StatusCode)> {
        let Line { stream, refused, .. } = Rc::into_inner(self.line)?.into_inner();
        refused.map(|status| (stream, status))
    }
}

impl Line {
    fn poll_write(&mut self, cx: &mut Context<'_>, buf: &[u8], busy: &Busy) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        if let Poll::Ready(written) = written {
            self.waiting = None;
            self.reading.takes(*written.as_ref().unwrap_or(&0), Instant::now());
            return Poll::Ready(written);
        }
        let until = self.reading.waits(Instant::now());
        let waiting = || (Box::pin(sleep_until(until)), busy.clone().answer());
        let (too_slow, _) = self.waiting.get_or_insert_with(waiting);
        ready!(too_slow.as_mut().poll(cx));
        // What it has not taken is of no use to it any more, and goes at once.
        self.stream.set_zero_linger()?;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.line.borrow_mut().stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let mut line = self.line.borrow_mut();
        match bare_answer(buf) {
            Some((0, status)) => {
                line.refused = Some(status);
                Poll::Ready(Ok(buf.len()))
            }
            // The end of an earlier answer goes first; the rest comes back alone.
            Some((before, _)) => line.poll_write(cx, buf.split_at(before).0, &self.busy),
            None => line.poll_write(cx, buf, &self.busy),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.line.borrow_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut line = self.line.borrow_mut();
        // There is something left to say.
        if line.refused.is_some() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut line.stream).poll_shutdown(cx)
    }
}

/// Where a bare answer at the end of `buf` begins, and its status.
fn bare_answer(buf: &[u8]) -> Option<(usize, StatusCode)> {
    if !buf.ends_with(b"\r\n\r\n") {
        return None;
    }
    let from = buf.len().saturating_sub(MAX_BARE);
    let tail = buf.get(from..)?;
    let at = tail.windows(VERSION.len()).rposition(|window| window == VERSION)?;
    let head = str::from_utf8(tail.get(at + VERSION.len()..)?).ok()?.trim_end();
    let (status, headers) = head.split_once("\r\n")?;
    let status: StatusCode = status.split(' ').next()?.parse().ok()?;
    let is_bare = |line: &str| line.split_once(':').is_some_and(|(name, _)| BARE_HEADERS.contains(&name));
    let failed = status.is_client_error() || status.is_server_error();
    let empty = headers.contains("content-length: 0\r\n");
    (failed && empty && headers.split("\r\n").all(is_bare)).then_some((from + at, status))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str = "HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\
                        date: Sat, 21 Nov 2026 10:20:00 GMT\r\n\r\n";

    #[test]
    fn a_bare_answer_is_found_behind_another_one() {
        let too_large = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        assert_eq!(bare_answer(BARE.as_bytes()), Some((0, too_large)));
        let earlier = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
        assert_eq!(bare_answer(format!("{earlier}{BARE}").as_bytes()), Some((earlier.len(), too_large)));
    }

    #[test]
    fn what_a_route_answers_stays() {
        for own in [
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\ndate: Sat, 21 Nov 2026 10:20:00 GMT\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nx-request-id: a\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 20\r\ndate: Sat, 21 Nov 2026 10:20:00 GMT\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n",
            "\r\n\r\n",
            "",
        ] {
            assert_eq!(bare_answer(own.as_bytes()), None, "{own}");
        }
        let cut = BARE.as_bytes().split_last().unwrap().1;
        assert_eq!(bare_answer(cut), None);
    }
}
