//! Whether the service can do its work. A task looks every few seconds and keeps what it saw, so that asking causes
//! no write and waits for nothing.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use parking_lot::Mutex;
use wayfile_actors::{Engine, metrics};

use crate::error::{ApiError, ApiResult, Code};
use crate::store::{Ledger, StoreError};
use crate::tasks::Task;

/// How often a change is written to the store to see whether it takes any.
const CHECK_EVERY: Duration = Duration::from_secs(2);
/// A store that took no change for this long takes none: a commit is a matter of milliseconds.
const STALE: Duration = Duration::from_secs(5);

struct StoreHealth {
    /// When it took a change the last time.
    written: Instant,
    /// Why it took none the last time, if so.
    refused: Option<&'static str>,
}

impl StoreHealth {
    fn trouble(&self, now: Instant) -> Option<String> {
        let silent = now.duration_since(self.written);
        let why = self.refused.or((silent > STALE).then_some("it does not answer"))?;
        Some(format!("The store has taken no change for {} s: {why}.", silent.as_secs()))
    }
}

pub(crate) struct Readiness {
    ledger: Arc<Ledger>,
    engine: Engine,
    store: Mutex<StoreHealth>,
}

impl Readiness {
    /// The task looks until it is dropped.
    pub(crate) fn start(ledger: Arc<Ledger>, engine: Engine) -> (Arc<Self>, Task) {
        let store = Mutex::new(StoreHealth { written: Instant::now(), refused: None });
        let readiness = Arc::new(Self { ledger, engine, store });
        let looking = readiness.clone();
        let look = move || looking.clone().look();
        let looks = readiness.ledger.tasks.spawn_every("probe", CHECK_EVERY, look);
        (readiness, looks)
    }

    /// Errors: 503, and what keeps the service from its work.
    pub(crate) fn check(&self) -> ApiResult<()> {
        if let Some(trouble) = self.store.lock().trouble(Instant::now()) {
            return Err(ApiError::saying(Code::StoreUnavailable, trouble));
        }
        match at_home(self.engine.can_read(), &self.ledger.tasks.down()) {
            Some(trouble) => Err(ApiError::saying(Code::NotReady, trouble)),
            None => Ok(()),
        }
    }

    async fn look(self: Arc<Self>) -> Option<Duration> {
        let written = self.ledger.check_write().await;
        {
            let mut store = self.store.lock();
            match &written {
                Ok(()) if store.refused.is_some() => tracing::info!("the store takes changes again"),
                Err(error) if store.refused.is_none() => {
                    tracing::error!(%error, "the store takes no changes");
                }
                _ => {}
            }
            store.refused = written.as_ref().err().map(StoreError::in_short);
            if written.is_ok() {
                store.written = Instant::now();
            }
        }
        metrics::READY.set(["store"], written.is_ok().into());
        metrics::READY.set(["readers"], self.engine.can_read().into());
        metrics::READY.set(["tasks"], self.ledger.tasks.down().is_empty().into());
        None
    }
}

/// What is wrong with the process itself, if anything.
fn at_home(can_read: bool, down: &[(&'static str, Timestamp)]) -> Option<String> {
    let mut trouble = String::new();
    if !can_read {
        trouble.push_str("Nobody is left who reads pages: restart the service. ");
    }
    for (task, since) in down {
        let _ = write!(trouble, "The task {task} is down since {since:.0} and is started anew. ");
    }
    (!trouble.is_empty()).then(|| trouble.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said() {
        let (now, seconds) = (Instant::now(), Duration::from_secs);
        let mut store = StoreHealth { written: now, refused: None };
        assert_eq!(store.trouble(now + seconds(4)), None);
        let silent = store.trouble(now + seconds(7)).unwrap();
        assert_eq!(silent, "The store has taken no change for 7 s: it does not answer.");
        store.refused = Some("its disk is full");
        let full = store.trouble(now + seconds(1)).unwrap();
        assert_eq!(full, "The store has taken no change for 1 s: its disk is full.");

        assert_eq!(at_home(true, &[]), None);
        let since = "2026-11-22T10:00:00.5Z".parse().unwrap();
        let down = at_home(false, &[("mail", since)]).unwrap();
        assert!(
            down.contains("reads pages") && down.contains("mail is down since 2026-11-22T10:00:0"),
            "{down}"
        );
    }
}
