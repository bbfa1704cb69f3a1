//! The closed catalogue of what the pipeline counts. Nothing else may name a metric, and no label ever
//! holds a domain, an address or an error text.

use std::time::Duration;

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};

const HTTP_REQUESTS: &str = "wayfile_http_requests_total";
const HTTP_SECONDS: &str = "wayfile_http_request_seconds";
const FETCHES: &str = "wayfile_fetches_total";
const FETCH_SECONDS: &str = "wayfile_fetch_seconds";
const FETCH_BYTES: &str = "wayfile_fetch_bytes_total";
const POLITENESS_SECONDS: &str = "wayfile_politeness_wait_seconds";
const CACHE: &str = "wayfile_cache_requests_total";
const PARSE_SECONDS: &str = "wayfile_parse_seconds";
const MODEL_REQUESTS: &str = "wayfile_model_requests_total";
const MODEL_SECONDS: &str = "wayfile_model_seconds";
const MODEL_TOKENS: &str = "wayfile_model_tokens_total";
const MODEL_TEXTS: &str = "wayfile_model_texts_total";
const CRAWLS: &str = "wayfile_crawls_total";
const CRAWL_SECONDS: &str = "wayfile_crawl_seconds";
const VALIDATIONS: &str = "wayfile_validations_total";
const PERMITS: &str = "wayfile_permits_in_use";
const WAITERS: &str = "wayfile_permit_waiters";
const PERMIT_SECONDS: &str = "wayfile_permit_wait_seconds";
const ACTORS: &str = "wayfile_actors";
const PANICS: &str = "wayfile_panics_total";
const ADMISSIONS: &str = "wayfile_admissions_total";
const PRIVATE_PEERS: &str = "wayfile_private_peers_total";

/// Tells the exporter what each metric means.
pub fn describe() {
    describe_counter!(HTTP_REQUESTS, "Requests answered, by route, method and status");
    describe_histogram!(HTTP_SECONDS, "Time from a request to its answer, by route");
    describe_counter!(FETCHES, "Requests that ended, by outcome");
    describe_histogram!(FETCH_SECONDS, "Time to the first byte of an answer");
    describe_counter!(FETCH_BYTES, "Decoded bytes of pages, sitemaps and robots.txt");
    describe_histogram!(POLITENESS_SECONDS, "Time a request waited for its domain's turn");
    describe_counter!(CACHE, "Look-ups of the page cache, by result");
    describe_histogram!(PARSE_SECONDS, "Time from bytes to Markdown, links and metadata");
    describe_counter!(MODEL_REQUESTS, "Requests to the model that ended, by outcome");
    describe_histogram!(MODEL_SECONDS, "Time from a request to the model to its answer");
    describe_counter!(MODEL_TOKENS, "Tokens of prompts and answers");
    describe_counter!(MODEL_TEXTS, "Descriptions and summaries asked for, by whether they could be used");
    describe_counter!(CRAWLS, "Crawls that ended, by outcome");
    describe_histogram!(CRAWL_SECONDS, "Time from the start of a crawl to its files");
    describe_counter!(VALIDATIONS, "Validations that were answered, by what was validated");
    describe_gauge!(PERMITS, "Permits in use, by pool");
    describe_gauge!(WAITERS, "Tasks waiting for a permit, by pool");
    describe_histogram!(PERMIT_SECONDS, "Time a task waited for a permit, by pool");
    describe_gauge!(ACTORS, "Actors alive, by kind");
    describe_counter!(PANICS, "Panics that were caught, by kind of actor");
    describe_counter!(ADMISSIONS, "Decisions about requests with a key, by outcome");
    describe_counter!(PRIVATE_PEERS, "Answers from an address that is not public: must stay 0");
}

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

pub(crate) fn waited_for_turn(wait: Duration) {
    histogram!(POLITENESS_SECONDS).record(wait);
}

pub(crate) fn cache(result: &'static str) {
    counter!(CACHE, "result" => result).increment(1);
}

pub(crate) fn parsed(took: Duration) {
    histogram!(PARSE_SECONDS).record(took);
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

pub(crate) fn panicked(actor: &'static str) {
    counter!(PANICS, "actor" => actor).increment(1);
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
pub(crate) struct Alive(&'static str, &'static str, &'static str);

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
        gauge!(name, label => value).increment(1);
        Self(name, label, value)
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        gauge!(self.0, self.1 => self.2).decrement(1);
    }
}
