//! The closed catalogue of what the pipeline counts. Nothing else may name a metric, and no label ever
//! holds a domain, an address or an error text.

mod catalogue;

use std::time::Duration;

use metrics::{Gauge, counter, gauge, histogram};

use self::catalogue::{
    ACTORS, ADMISSIONS, BROWSER_REQUESTS, BROWSER_STARTS, CACHE, CRAWL_SECONDS, CRAWLS, FETCH_BYTES,
    FETCH_SECONDS, FETCHES, HTTP_REQUESTS, HTTP_SECONDS, MODEL_REQUESTS, MODEL_SECONDS, MODEL_TEXTS,
    MODEL_TOKENS, NODES, PANICS, PARSE_SECONDS, PERMIT_SECONDS, PERMITS, POLITENESS_SECONDS, PRIVATE_PEERS,
    READY, RENDER_SECONDS, RENDERS, RESTARTS, SHARE_SECONDS, SHARES, TASK_RESTARTS, VALIDATIONS, WAITERS,
};
pub use self::catalogue::{CATALOGUE, Metric, MetricKind, PROCESS, describe};

/// A request was answered. `route` is the pattern it matched.
pub fn http_request(route: &'static str, method: &'static str, status: u16, took: Duration) {
    counter!(HTTP_REQUESTS, "route" => route, "method" => method, "status" => status.to_string())
        .increment(1);
    histogram!(HTTP_SECONDS, "route" => route).record(took);
}

pub(crate) fn fetched(outcome: &'static str, latency: Option<Duration>, bytes: usize) {
    counter!(FETCHES, "outcome" => outcome).increment(1);
    counter!(FETCH_BYTES).increment(bytes as u64);
    if let Some(latency) = latency {
        histogram!(FETCH_SECONDS).record(latency);
    }
}

/// A site was asked for among nodes, or could not be.
pub(crate) fn shared(outcome: &'static str, took: Duration) {
    counter!(SHARES, "outcome" => outcome).increment(1);
    histogram!(SHARE_SECONDS).record(took);
}

/// Nodes that live, this one included.
pub fn nodes(living: u32) {
    gauge!(NODES).set(f64::from(living));
}

pub(crate) fn waited_for_turn(wait: Duration) {
    histogram!(POLITENESS_SECONDS).record(wait);
}

pub(crate) fn cache(result: &'static str) {
    counter!(CACHE, "result" => result).increment(1);
}

pub(crate) fn parsed(took: Duration) {
    histogram!(PARSE_SECONDS).record(took);
}

/// A page was opened in a browser, or could not be.
pub(crate) fn rendered(outcome: &'static str, took: Option<Duration>) {
    counter!(RENDERS, "outcome" => outcome).increment(1);
    if let Some(took) = took {
        histogram!(RENDER_SECONDS).record(took);
    }
}

pub(crate) fn browser_started() {
    counter!(BROWSER_STARTS).increment(1);
}

/// A page in a browser asked for something.
pub(crate) fn browser_asked(result: &'static str) {
    counter!(BROWSER_REQUESTS, "result" => result).increment(1);
}

pub(crate) fn model_asked(outcome: &'static str) {
    counter!(MODEL_REQUESTS, "outcome" => outcome).increment(1);
}

pub(crate) fn model_answered(outcome: &'static str, took: Duration) {
    model_asked(outcome);
    histogram!(MODEL_SECONDS).record(took);
}

pub(crate) fn model_tokens(tokens: usize) {
    counter!(MODEL_TOKENS).increment(tokens as u64);
}

pub(crate) fn model_wrote(result: &'static str) {
    counter!(MODEL_TEXTS, "result" => result).increment(1);
}

pub(crate) fn crawl_ended(outcome: &'static str, took: Duration) {
    counter!(CRAWLS, "outcome" => outcome).increment(1);
    histogram!(CRAWL_SECONDS).record(took);
}

pub(crate) fn validated(what: &'static str) {
    counter!(VALIDATIONS, "what" => what).increment(1);
}

pub(crate) fn panicked(kind: &'static str) {
    counter!(PANICS, "kind" => kind).increment(1);
}

/// An actor that had ended, of idleness or a panic, was asked for again.
pub(crate) fn restarted(kind: &'static str) {
    counter!(RESTARTS, "kind" => kind).increment(1);
}

/// A background task panicked and is started anew.
pub fn task_restarted(task: &'static str) {
    counter!(TASK_RESTARTS, "task" => task).increment(1);
}

/// Whether a part that the service needs can do its work.
pub fn ready(part: &'static str, is_ready: bool) {
    gauge!(READY, "part" => part).set(if is_ready { 1.0 } else { 0.0 });
}

pub(crate) fn admission(outcome: &'static str) {
    counter!(ADMISSIONS, "outcome" => outcome).increment(1);
}

pub(crate) fn private_peer() {
    counter!(PRIVATE_PEERS).increment(1);
}

pub(crate) fn permit_wait(pool: &'static str, wait: Duration) {
    histogram!(PERMIT_SECONDS, "pool" => pool).record(wait);
}

/// Counts one while it lives: a permit in use, a task that waits, an actor.
#[derive(Debug)]
pub(crate) struct Alive(Gauge);

impl Alive {
    pub(crate) fn actor(kind: &'static str) -> Self {
        Self::count(ACTORS, "kind", kind)
    }

    pub(crate) fn permit(pool: &'static str) -> Self {
        Self::count(PERMITS, "pool", pool)
    }

    pub(crate) fn waiter(pool: &'static str) -> Self {
        Self::count(WAITERS, "pool", pool)
    }

    fn count(name: &'static str, label: &'static str, value: &'static str) -> Self {
        let gauge = gauge!(name, label => value);
        gauge.increment(1);
        Self(gauge)
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}
