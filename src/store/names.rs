//! The names of requests that run in this process, and how to hear when they end.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use wayfile_actors::ledger::KeyId;

/// How often it is looked whether a request that another server runs has ended.
const LOOK: Duration = Duration::from_secs(1);

type Name = (KeyId, String);

/// Requests with an `Idempotency-Key` that run in this process. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Names(Arc<Mutex<HashMap<Name, CancellationToken>>>);

/// A name that a request of this process runs under. Whoever waits for it is told when this is dropped.
pub(super) struct Hold {
    names: Names,
    name: Name,
}

/// When it makes sense to look again what became of a request's name.
pub struct Ending(Option<CancellationToken>);

impl Names {
    /// How to hear that the request of this name has ended; none when no request of this process has it.
    pub(super) fn running(&self, key: KeyId, name: &str) -> Option<CancellationToken> {
        self.all().get(&(key, name.to_owned())).cloned()
    }

    /// Takes a name.
    ///
    /// # Errors
    /// Another request of this process has it.
    pub(super) fn hold(&self, key: KeyId, name: &str) -> Result<Hold, CancellationToken> {
        match self.all().entry((key, name.to_owned())) {
            Entry::Occupied(taken) => Err(taken.get().clone()),
            Entry::Vacant(free) => {
                let name = free.key().clone();
                free.insert(CancellationToken::new());
                Ok(Hold { names: self.clone(), name })
            }
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<Name, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Some(ended) = self.names.all().remove(&self.name) {
            ended.cancel();
        }
    }
}

impl From<Option<CancellationToken>> for Ending {
    fn from(running: Option<CancellationToken>) -> Self {
        Self(running)
    }
}

impl Ending {
    /// Waits until the request has ended, or a moment where nobody here can tell.
    pub async fn wait(self) {
        let ended = async {
            match self.0 {
                Some(running) => running.cancelled_owned().await,
                None => std::future::pending().await,
            }
        };
        let _ = tokio::time::timeout(LOOK, ended).await;
    }
}
