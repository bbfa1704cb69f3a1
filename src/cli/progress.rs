//! How a crawl goes, on stderr: one live line on a terminal, elsewhere a line now and then.

use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::TryRecvError;
use tokio::task::JoinHandle;
use tokio::time::{Instant, interval_at};
use wayfile_actors::{Event, Events, Progress};

/// On a terminal the line is written anew this often.
const LIVE_EVERY: Duration = Duration::from_millis(250);
/// In a log, where nothing can be taken back, a line comes this often.
const LOG_EVERY: Duration = Duration::from_secs(10);
/// To the start of the line, and all of it away (ECMA-48 EL).
const CLEAR: &str = "\r\x1b[2K";

pub(crate) struct ProgressDisplay {
    live: bool,
    task: JoinHandle<()>,
}

impl ProgressDisplay {
    pub(crate) fn finish(self) {
        self.task.abort();
        if self.live {
            drop(write!(stderr(), "{CLEAR}"));
        }
    }
}

pub(crate) fn show(events: &Events) -> ProgressDisplay {
    let live = stderr().is_terminal();
    ProgressDisplay { live, task: actix::spawn(tell(events.listen(), live)) }
}

async fn tell(mut heard: Receiver<Event>, live: bool) {
    let (every, started) = (if live { LIVE_EVERY } else { LOG_EVERY }, Instant::now());
    let mut tick = interval_at(started + every, every);
    let mut last = live.then(|| "looking for pages".to_owned());
    loop {
        tick.tick().await;
        // Only the last event is told: to be woken for each of them would be work for nothing.
        loop {
            match heard.try_recv() {
                Ok(event) => last = Some(line(&event)),
                Err(TryRecvError::Lagged(_)) => {}
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Closed) => return,
            }
        }
        match &last {
            Some(figures) if live => {
                drop(write!(stderr(), "{CLEAR}{figures}, {} s", started.elapsed().as_secs()));
            }
            Some(figures) => say!("{figures}"),
            None => {}
        }
    }
}

fn line(event: &Event) -> String {
    let figures = |what: &str, p: &Progress| {
        let Progress { discovered, fetched, failed, expected, .. } = p;
        format!("{what}: {} of {expected} pages, {failed} failed, {discovered} discovered", fetched + failed)
    };
    match event {
        Event::Accepted => "asking the site".to_owned(),
        Event::Discovered(progress) | Event::Page(_, progress) | Event::Described(progress) => {
            figures("crawling", progress)
        }
        Event::Assembling(progress) => figures("writing the files", progress),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_of_how_many() {
        let progress = Progress { discovered: 4_000, fetched: 19, failed: 1, expected: 301, described: 0 };
        let said = line(&Event::Discovered(progress));
        assert_eq!(said, "crawling: 20 of 301 pages, 1 failed, 4000 discovered");
    }
}
