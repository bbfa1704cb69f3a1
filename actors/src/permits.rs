//! The permit pools: the only places where anything waits for room, but for a [reader](crate::readers).

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::metrics::{self, Alive};

/// A bounded number of permits, observed.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    name: &'static str,
    permits: Arc<Semaphore>,
}

/// The right to do one thing; given back when dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    _permit: OwnedSemaphorePermit,
    _alive: Alive,
}

impl Pool {
    pub(crate) fn new(name: &'static str, size: usize) -> Self {
        Self { name, permits: Arc::new(Semaphore::new(size.max(1))) }
    }

    /// What it is called where it is counted.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// A permit if one is free.
    pub(crate) fn try_take(&self) -> Option<Permit> {
        let permit = self.permits.clone().try_acquire_owned().ok()?;
        Some(self.observed(permit))
    }

    /// Waits for a permit, first come, first served. `None` when `patience` is over.
    pub(crate) async fn take(&self, patience: Duration) -> Option<Permit> {
        if let Some(permit) = self.try_take() {
            metrics::permit_wait(self.name, Duration::ZERO);
            return Some(permit);
        }
        let (_waiter, since) = (Alive::waiter(self.name), Instant::now());
        let taken = tokio::time::timeout(patience, self.permits.clone().acquire_owned()).await;
        metrics::permit_wait(self.name, since.elapsed());
        taken.ok()?.ok().map(|permit| self.observed(permit))
    }

    fn observed(&self, permit: OwnedSemaphorePermit) -> Permit {
        Permit { _permit: permit, _alive: Alive::permit(self.name) }
    }
}
