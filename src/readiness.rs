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
use crate::tasks::{Task, Tasks};

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
    store: Arc<Mutex<StoreHealth>>,
    engine: Engine,
    tasks: Tasks,
    _checks: Task,
}

impl Readiness {
    pub(crate) fn start(ledger: Arc<Ledger>, engine: Engine, tasks: Tasks) -> Self {
        let store = Arc::new(Mutex::new(StoreHealth { written: Instant::now(), refused: None }));
        let look = {
            let (store, engine, tasks) = (store.clone(), engine.clone(), tasks.clone());
            move || watch(ledger.clone(), engine.clone(), tasks.clone(), store.clone())
        };
        let checks = tasks.spawn("probe", look);
        Self { store, engine, tasks, _checks: checks }
    }

    /// Errors: 503, and what keeps the service from its work.
    pub(crate) fn check(&self) -> ApiResult<()> {
        if let Some(trouble) = self.store.lock().trouble(Instant::now()) {
            return Err(ApiError::saying(Code::StoreUnavailable, trouble));
        }
        match at_home(self.engine.can_read(), &self.tasks.down()) {
            Some(trouble) => Err(ApiError::saying(Code::NotReady, trouble)),
            None => Ok(()),
        }
    }
}

async fn watch(ledger: Arc<Ledger>, engine: Engine, tasks: Tasks, store: Arc<Mutex<StoreHealth>>) {
    let mut looks = tokio::time::interval(CHECK_EVERY);
    looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        looks.tick().await;
        let written = ledger.check_write().await;
        let was_refused = store.lock().refused.is_some();
        match &written {
            Ok(()) if was_refused => tracing::info!("the store takes changes again"),
            Err(error) if !was_refused => tracing::error!(%error, "the store takes no changes"),
            _ => {}
        }
        {
            let mut store = store.lock();
            store.refused = written.as_ref().err().map(StoreError::in_short);
            if written.is_ok() {
                store.written = Instant::now();
            }
        }
        metrics::READY.set(["store"], written.is_ok().into());
        metrics::READY.set(["readers"], engine.can_read().into());
        metrics::READY.set(["tasks"], tasks.down().is_empty().into());
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
