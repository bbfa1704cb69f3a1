//! The lines of a service's log on their way to stderr. Whoever reads there may stall, and neither a request nor the end of the
//! service waits for that: lines wait for it, and those that find no room are counted.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that wait to be written, at most: some megabytes.
const WAITING_MAX: usize = 4096;
/// How long the end of the process waits for them.
const LAST_LINES: Duration = Duration::from_secs(1);
/// How often it looks.
const POLL: Duration = Duration::from_millis(5);

#[derive(Default)]
struct Backlog {
    waiting: AtomicUsize,
    lost: AtomicU64,
}

/// Where lines are written. Each write is one line.
#[derive(Clone)]
pub(crate) struct LogLines {
    lines: SyncSender<Vec<u8>>,
    backlog: Arc<Backlog>,
}

/// Waits for the lines that are on their way when it is dropped, but not for ever.
pub(crate) struct LastLines(Arc<Backlog>);

impl LogLines {
    /// Errors: No thread can be started to write them.
    pub(crate) fn start(out: impl Write + Send + 'static) -> io::Result<(Self, LastLines)> {
        let (lines, waiting) = sync_channel(WAITING_MAX);
        let backlog = Arc::<Backlog>::default();
        let written = backlog.clone();
        thread::Builder::new().name("log".to_owned()).spawn(move || write_all(&waiting, out, &written))?;
        Ok((Self { lines, backlog: backlog.clone() }, LastLines(backlog)))
    }
}

fn write_all(waiting: &Receiver<Vec<u8>>, mut out: impl Write, backlog: &Backlog) {
    while let Ok(line) = waiting.recv() {
        // Of a stderr that is gone nobody can be told.
        drop(out.write_all(&line));
        backlog.waiting.fetch_sub(1, Ordering::Relaxed);
        let lost = backlog.lost.swap(0, Ordering::Relaxed);
        if lost > 0 {
            tracing::warn!(lines = lost, "lines of the log were lost: whoever reads stderr is too slow");
        }
    }
}

impl Write for LogLines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.backlog.waiting.fetch_add(1, Ordering::Relaxed);
        if self.lines.try_send(line.to_vec()).is_err() {
            self.backlog.waiting.fetch_sub(1, Ordering::Relaxed);
            self.backlog.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for LastLines {
    fn drop(&mut self) {
        let over = Instant::now() + LAST_LINES;
        while self.0.waiting.load(Ordering::Relaxed) > 0 && Instant::now() < over {
            thread::sleep(POLL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes what it is given once somebody has let it go.
    struct Stalled(Receiver<()>, SyncSender<Vec<u8>>);

    impl Write for Stalled {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.recv().map_err(io::Error::other)?;
            self.1.send(line.to_vec()).map_err(io::Error::other)?;
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_stalls_holds_nobody_up_and_costs_lines() {
        let (go_on, told) = sync_channel(2 * WAITING_MAX);
        let (sender, written) = sync_channel(2 * WAITING_MAX);
        let (mut lines, ending) = LogLines::start(Stalled(told, sender)).unwrap();
        let count = WAITING_MAX + 100;
        (0..count).for_each(|n| lines.write_all(format!("{n}\n").as_bytes()).unwrap());
        let lost = lines.backlog.lost.load(Ordering::Relaxed);
        assert!((99..=100).contains(&lost), "{lost}");
        (0..count).for_each(|_| go_on.send(()).unwrap());
        drop(ending);
        let written: Vec<_> = written.try_iter().collect();
        assert_eq!(written.first().map(Vec::as_slice), Some(b"0\n".as_slice()));
        assert_eq!(written.len() as u64, count as u64 - lost);
    }
}
