//! A connection that a client who reads too slowly does not hold for long. Only the time counts in which there is something
//! that it does not take: a client that waits for a stream without events counts as fast.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::busy::{Answering, Busy};

/// Bytes over which the speed is measured. The system says that there is room in a client's buffer only when a third of it
/// is free, so that less would be measured in leaps.
const STRETCH: u32 = 2 * super::SEND_BUFFER;
/// The shortest time for a stretch: lines are silent for a moment.
const GRACE: Duration = Duration::from_secs(5);

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

/// How fast a client takes what is sent to it.
pub(super) struct ReadRate {
    /// The time for one stretch.
    longest: Duration,
    /// Of the stretch that is running.
    taken: usize,
    waited: Duration,
    waits_since: Option<Instant>,
}

impl ReadRate {
    /// `min_rate`: bytes a second.
    pub(super) fn new(min_rate: usize) -> Self {
        let rate = u32::try_from(min_rate).unwrap_or(u32::MAX).max(1);
        let longest = (Duration::from_secs(STRETCH.into()) / rate).max(GRACE);
        Self { longest, taken: 0, waited: Duration::ZERO, waits_since: None }
    }

    /// The client takes nothing at the moment; when it is too slow, if that stays so.
    pub(super) fn waits(&mut self, now: Instant) -> Instant {
        *self.waits_since.get_or_insert(now) + self.longest.saturating_sub(self.waited)
    }

    pub(super) fn takes(&mut self, bytes: usize, now: Instant) {
        self.waited += self.waits_since.take().map_or(Duration::ZERO, |since| now - since);
        self.taken += bytes;
        if self.taken >= STRETCH as usize {
            (self.taken, self.waited) = (0, Duration::ZERO);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: usize = 4 << 10;
    const LONGEST: Duration = Duration::from_secs(64);
    const SECOND: Duration = Duration::from_secs(1);

    /// When a client is cut off that takes so many bytes every second, within ten minutes.
    fn cut_off(bytes: usize) -> Option<Duration> {
        let (start, mut reading) = (Instant::now(), ReadRate::new(RATE));
        (0..600).map(|second| second * SECOND).find(|passed| {
            let until = reading.waits(start + *passed);
            reading.takes(bytes, start + *passed + SECOND);
            until <= start + *passed + SECOND
        })
    }

    #[test]
    fn slow_readers_are_cut_off() {
        assert_eq!(ReadRate::new(RATE).longest, LONGEST);
        for slow in [0, 1, RATE / 2] {
            assert!(cut_off(slow).is_some_and(|after| after <= LONGEST), "{slow}");
        }
        for fine in [RATE + RATE / 16, 10 * RATE] {
            assert_eq!(cut_off(fine), None, "{fine}");
        }
        assert_eq!(ReadRate::new(1 << 20).longest, GRACE);
    }

    #[test]
    fn time_in_which_there_is_nothing_to_send_does_not_count() {
        let (mut now, mut reading) = (Instant::now(), ReadRate::new(RATE));
        for _ in 0..1_000 {
            now += SECOND;
            reading.takes(1, now);
        }
        assert_eq!(reading.waits(now), now + LONGEST);
    }
}
