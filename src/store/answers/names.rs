//! The names of requests that run in this process, and how to hear when they end.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::OptionFuture;
use parking_lot::Mutex;
use tokio::sync::broadcast;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use wayfile_actors::ledger::KeyId;

use crate::store::nodes::{ENDED, Notifier};

/// How often it is looked whether a request that another server runs has ended.
const POLL: Duration = Duration::from_secs(1);

type NamedRequest = (KeyId, String);

/// Requests with an `Idempotency-Key` that run in this process. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Names {
    running: Arc<Mutex<HashMap<NamedRequest, CancellationToken>>>,
    /// How other nodes hear of ends, and this one of theirs.
    notifier: Option<Arc<Notifier>>,
}

/// A name that a request of this process runs under. Waiters are notified when this is dropped.
pub(crate) struct Hold {
    names: Names,
    name: NamedRequest,
}

/// When it makes sense to look again what became of a request's name.
pub struct Ending {
    running: Option<CancellationToken>,
    elsewhere: Option<broadcast::Receiver<String>>,
    name: String,
}

impl Names {
    pub(crate) fn new(notifier: Option<Arc<Notifier>>) -> Self {
        Self { running: Arc::default(), notifier }
    }

    /// Begins to listen for the end of a request of this name, wherever it runs.
    pub(crate) fn ending(&self, key: KeyId, name: &str) -> Ending {
        let elsewhere = self.notifier.as_ref().map(|notifier| notifier.ended());
        Ending { running: self.running(key, name), elsewhere, name: full_name(key, name) }
    }

    /// How to hear that the request of this name has ended; none when no request of this process has it.
    pub(crate) fn running(&self, key: KeyId, name: &str) -> Option<CancellationToken> {
        self.running.lock().get(&(key, name.to_owned())).cloned()
    }

    /// Takes a name.
    /// Errors: Another request of this process has it.
    pub(crate) fn hold(&self, key: KeyId, name: &str) -> Result<Hold, CancellationToken> {
        match self.running.lock().entry((key, name.to_owned())) {
            Entry::Occupied(taken) => Err(taken.get().clone()),
            Entry::Vacant(free) => {
                let name = free.key().clone();
                free.insert(CancellationToken::new());
                Ok(Hold { names: self.clone(), name })
            }
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Some(ended) = self.names.running.lock().remove(&self.name) {
            ended.cancel();
        }
        if let Some(notifier) = &self.names.notifier {
            notifier.tell(ENDED, &full_name(self.name.0, &self.name.1));
        }
    }
}

/// A request's name among those of all keys.
fn full_name(key: KeyId, name: &str) -> String {
    format!("{key} {name}")
}

impl Ending {
    /// Waits until the request has ended, or a moment where this process cannot tell.
    pub async fn wait(self) {
        let Self { running, mut elsewhere, name } = self;
        let elsewhere = async {
            let ends = elsewhere.as_mut()?;
            // A waiter that has missed something polls.
            while ends.recv().await.is_ok_and(|ended| ended != name) {}
            Some(())
        };
        tokio::select! {
            Some(()) = OptionFuture::from(running.map(CancellationToken::cancelled_owned)) => {}
            Some(()) = elsewhere => {}
            () = sleep(POLL) => {}
        }
    }

    /// The same for a request that has begun here meanwhile.
    pub(crate) fn begun_here(self, running: Option<CancellationToken>) -> Self {
        Self { running: self.running.or(running), ..self }
    }
}
