//! The closed catalogue of what the pipeline counts. Nothing else may name a metric, and no label ever
//! holds a domain, an address or an error text.

mod catalogue;

use std::time::Duration;

use metrics::{Gauge, counter, gauge};

pub use self::catalogue::*;

/// A request was answered. `route` is the pattern it matched.
pub fn http_request(route: &'static str, method: &'static str, status: u16, took: Duration) {
    let status = status.to_string();
    counter!(HTTP_REQUESTS.name, "route" => route, "method" => method, "status" => status).increment(1);
    HTTP_SECONDS.record([route], took);
}

/// Counts one while it lives: a permit in use, a task that waits, an actor.
#[derive(Debug)]
pub(crate) struct Alive(Gauge);

impl Alive {
    pub(crate) fn actor(kind: &'static str) -> Self {
        Self::count(ACTORS, kind)
    }

    pub(crate) fn permit(pool: &'static str) -> Self {
        Self::count(PERMITS, pool)
    }

    pub(crate) fn waiter(pool: &'static str) -> Self {
        Self::count(WAITERS, pool)
    }

    fn count(metric: Metric, value: &'static str) -> Self {
        let gauge = gauge!(metric.name, metric.series(&[value]));
        gauge.increment(1);
        Self(gauge)
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}
