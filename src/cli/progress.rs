//! How a crawl goes, on stderr: one live line on a terminal, elsewhere a line now and then.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::task::JoinHandle;
use tokio::time::{Instant, interval_at};
use wayfile_actors::{Event, Events, Progress};

const TICK: Duration = Duration::from_millis(120);
/// In a log, where nothing can be taken back, a line comes this often.
const LOG_EVERY: Duration = Duration::from_secs(10);

/// Tells of a crawl until it is finished.
pub(crate) struct ProgressDisplay {
    bar: Option<ProgressBar>,
    task: JoinHandle<()>,
}

impl ProgressDisplay {
    /// Leaves the terminal as it was.
    pub(crate) fn finish(self) {
        self.task.abort();
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Shows `events` on stderr.
pub(crate) fn show(events: &Events) -> ProgressDisplay {
    let heard = events.listen();
    if !std::io::stderr().is_terminal() {
        return ProgressDisplay { bar: None, task: actix::spawn(log(heard)) };
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
        bar.set_style(style);
    }
    bar.set_message("looking for pages");
    bar.enable_steady_tick(TICK);
    ProgressDisplay { task: actix::spawn(follow(bar.clone(), heard)), bar: Some(bar) }
}

async fn follow(bar: ProgressBar, mut heard: Receiver<Event>) {
    loop {
        match heard.recv().await {
            Ok(event) => bar.set_message(line(&event)),
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => break,
        }
    }
}

async fn log(mut heard: Receiver<Event>) {
    let mut tick = interval_at(Instant::now() + LOG_EVERY, LOG_EVERY);
    let mut last = None;
    loop {
        tick.tick().await;
        // Only the last one is told: to be woken for each of them would be work for nothing.
        loop {
            match heard.try_recv() {
                Ok(event) => last = Some(event),
                Err(TryRecvError::Lagged(_)) => {}
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Closed) => return,
            }
        }
        if let Some(event) = &last {
            eprintln!("{}", line(event));
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
