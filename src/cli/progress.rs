//! One live line on a terminal; silence elsewhere.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tokio::sync::broadcast::error::RecvError;
use wayfile_actors::{Event, Events, Progress};

const TICK: Duration = Duration::from_millis(120);

/// Shows `events` on stderr until the returned bar is finished.
pub(crate) fn show(events: &Events) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
        bar.set_style(style);
    }
    bar.set_message("looking for pages");
    bar.enable_steady_tick(TICK);
    let (shown, mut heard) = (bar.clone(), events.listen());
    actix::spawn(async move {
        loop {
            match heard.recv().await {
                Ok(event) => tell(&shown, &event),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => break,
            }
        }
    });
    bar
}

fn tell(bar: &ProgressBar, event: &Event) {
    let line = |what: &str, p: &Progress| {
        format!("{what}: {} discovered, {} fetched, {} failed", p.discovered, p.fetched, p.failed)
    };
    match event {
        Event::Accepted => bar.set_message("asking the site"),
        Event::Discovered(progress) | Event::Page(_, progress) | Event::Described(progress) => {
            bar.set_message(line("crawling", progress));
        }
        Event::Assembling(progress) => bar.set_message(line("writing the files", progress)),
    }
}
