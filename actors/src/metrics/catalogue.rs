//! What is counted: every name that `/metrics` may show, with its labels.

use metrics::{Label, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};

pub(super) const HTTP_REQUESTS: &str = "wayfile_http_requests_total";
pub(super) const HTTP_SECONDS: &str = "wayfile_http_request_seconds";
pub(super) const ADMISSIONS: &str = "wayfile_admissions_total";
pub(super) const CRAWLS: &str = "wayfile_crawls_total";
pub(super) const CRAWL_SECONDS: &str = "wayfile_crawl_seconds";
pub(super) const VALIDATIONS: &str = "wayfile_validations_total";
pub(super) const FETCHES: &str = "wayfile_fetches_total";
pub(super) const FETCH_SECONDS: &str = "wayfile_fetch_seconds";
pub(super) const FETCH_BYTES: &str = "wayfile_fetch_bytes_total";
pub(super) const PRIVATE_PEERS: &str = "wayfile_private_peers_total";
pub(super) const POLITENESS_SECONDS: &str = "wayfile_politeness_wait_seconds";
pub(super) const SHARES: &str = "wayfile_site_shares_total";
pub(super) const SHARE_SECONDS: &str = "wayfile_site_share_seconds";
pub(super) const NODES: &str = "wayfile_nodes";
pub(super) const CACHE: &str = "wayfile_cache_requests_total";
pub(super) const PARSE_SECONDS: &str = "wayfile_parse_seconds";
pub(super) const MODEL_REQUESTS: &str = "wayfile_model_requests_total";
pub(super) const MODEL_SECONDS: &str = "wayfile_model_seconds";
pub(super) const MODEL_TOKENS: &str = "wayfile_model_tokens_total";
pub(super) const MODEL_TEXTS: &str = "wayfile_model_texts_total";
pub(super) const RENDERS: &str = "wayfile_rendered_pages_total";
pub(super) const RENDER_SECONDS: &str = "wayfile_render_seconds";
pub(super) const BROWSER_STARTS: &str = "wayfile_browser_starts_total";
pub(super) const BROWSER_REQUESTS: &str = "wayfile_browser_requests_total";
pub(super) const PERMITS: &str = "wayfile_permits_in_use";
pub(super) const WAITERS: &str = "wayfile_permit_waiters";
pub(super) const PERMIT_SECONDS: &str = "wayfile_permit_wait_seconds";
pub(super) const ACTORS: &str = "wayfile_actors";
pub(super) const RESTARTS: &str = "wayfile_actor_restarts_total";
pub(super) const TASK_RESTARTS: &str = "wayfile_task_restarts_total";
pub(super) const READY: &str = "wayfile_ready";
pub(super) const PANICS: &str = "wayfile_panics_total";

/// How a metric moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// It only grows.
    Counter,
    /// It goes up and down.
    Gauge,
    /// It spreads over buckets: `_bucket`, `_sum` and `_count`.
    Histogram,
}

/// One metric.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Its name, with unit.
    pub name: &'static str,
    /// How it moves.
    pub kind: MetricKind,
    /// What it says.
    pub help: &'static str,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// Values of its only label that are shown from the start: a rate misses the first step of a series that
    /// begins at 1, and an alert cannot tell what never happened from what is not measured.
    at_zero: &'static [&'static str],
}

impl Metric {
    const fn counter(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: MetricKind::Counter, help, labels: &[], at_zero: &[] }
    }

    const fn gauge(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: MetricKind::Gauge, help, labels: &[], at_zero: &[] }
    }

    const fn histogram(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: MetricKind::Histogram, help, labels: &[], at_zero: &[] }
    }

    const fn by(mut self, labels: &'static [&'static str]) -> Self {
        self.labels = labels;
        self
    }

    const fn at_zero(mut self, values: &'static [&'static str]) -> Self {
        self.at_zero = values;
        self
    }

    /// The series that are shown from the start; what has no label is one.
    fn first_series(&self) -> Vec<Vec<Label>> {
        match self.labels {
            [] => vec![Vec::new()],
            [label] => {
                self.at_zero.iter().map(|value| vec![Label::from_static_parts(label, value)]).collect()
            }
            _ => Vec::new(),
        }
    }

    fn describe(&self) {
        let (name, series) = (self.name, self.first_series().into_iter());
        match self.kind {
            MetricKind::Counter => {
                describe_counter!(name, self.help);
                series.for_each(|labels| counter!(name, labels).absolute(0));
            }
            MetricKind::Gauge => {
                describe_gauge!(name, self.help);
                series.for_each(|labels| gauge!(name, labels).increment(0));
            }
            MetricKind::Histogram => {
                describe_histogram!(name, self.help);
                series.for_each(|labels| drop(histogram!(name, labels)));
            }
        }
    }
}

const ADMITTED: [&str; 7] =
    ["entered", "admitted", "unknown_key", "too_fast", "month_spent", "too_many_crawls", "store_away"];
const ENDINGS: [&str; 4] = ["ok", "partial", "failed", "cancelled"];
const FOUND: [&str; 3] = ["fresh", "stale", "missing"];
const SHARED: [&str; 3] = ["granted", "waits", "failed"];
const VALIDATED: [&str; 2] = ["site", "text"];
const POOLS: [&str; 7] = ["crawl", "validation", "fetch", "look", "cpu", "model", "browser"];
const KINDS: [&str; 7] =
    ["key_guard", "supervisor", "fetcher", "parser", "summarizer", "assembler", "renderer"];
const PANICKED: [&str; 7] =
    ["supervisor", "fetcher", "parser", "summarizer", "assembler", "validator", "renderer"];
/// Kinds that one name leads to again and again, each time to a living actor.
const REPLACED: [&str; 2] = ["key_guard", "fetcher"];

/// Tasks that run as long as the service.
const TASKS: [&str; 7] = ["store_writes", "upkeep", "purge", "news", "mail", "probe", "telemetry"];
/// What the service needs to do its work.
const NEEDED: [&str; 3] = ["store", "readers", "tasks"];

/// Every metric of ours, in the order of the work.
pub const CATALOGUE: &[Metric] = &[
    Metric::counter(HTTP_REQUESTS, "Requests answered").by(&["route", "method", "status"]),
    Metric::histogram(HTTP_SECONDS, "Time from a request to its answer").by(&["route"]),
    Metric::counter(ADMISSIONS, "Decisions about requests with a key").by(&["outcome"]).at_zero(&ADMITTED),
    Metric::counter(CRAWLS, "Crawls that ended").by(&["outcome"]).at_zero(&ENDINGS),
    Metric::histogram(CRAWL_SECONDS, "Time from the start of a crawl to its files"),
    Metric::counter(VALIDATIONS, "Validations that were answered").by(&["what"]).at_zero(&VALIDATED),
    Metric::counter(FETCHES, "Requests to sites that ended").by(&["outcome"]).at_zero(&["ok"]),
    Metric::histogram(FETCH_SECONDS, "Time to the first byte of an answer"),
    Metric::counter(FETCH_BYTES, "Decoded bytes of pages, sitemaps and robots.txt"),
    Metric::counter(PRIVATE_PEERS, "Answers from an address that is not public: must stay 0"),
    Metric::histogram(POLITENESS_SECONDS, "Time a request waited for its domain's turn"),
    Metric::counter(
        SHARES,
        "Asks for a share of a site's time and places, among the nodes that serve together",
    )
    .by(&["outcome"])
    .at_zero(&SHARED),
    Metric::histogram(SHARE_SECONDS, "Time from an ask for a share to its answer"),
    Metric::gauge(NODES, "Nodes that serve together and give signs of life"),
    Metric::counter(CACHE, "Look-ups of pages in the page cache").by(&["result"]).at_zero(&FOUND),
    Metric::histogram(PARSE_SECONDS, "Time from bytes to Markdown, links and metadata"),
    Metric::counter(MODEL_REQUESTS, "Requests to the model that ended").by(&["outcome"]).at_zero(&["ok"]),
    Metric::histogram(MODEL_SECONDS, "Time from a request to the model to its answer"),
    Metric::counter(MODEL_TOKENS, "Tokens of prompts and answers"),
    Metric::counter(MODEL_TEXTS, "Descriptions and summaries asked for").by(&["result"]).at_zero(&["ok"]),
    Metric::counter(RENDERS, "Pages that were to be opened in a browser").by(&["outcome"]).at_zero(&["ok"]),
    Metric::histogram(RENDER_SECONDS, "Time from an empty shell to what it shows in a browser"),
    Metric::counter(BROWSER_STARTS, "Browsers that were started"),
    Metric::counter(BROWSER_REQUESTS, "Requests of pages that are open in a browser, by what became of them")
        .by(&["result"])
        .at_zero(&["loaded"]),
    Metric::gauge(PERMITS, "Permits in use").by(&["pool"]).at_zero(&POOLS),
    Metric::gauge(WAITERS, "Tasks that wait for a permit").by(&["pool"]).at_zero(&POOLS),
    Metric::histogram(PERMIT_SECONDS, "Time a task waited for a permit").by(&["pool"]).at_zero(&POOLS),
    Metric::gauge(ACTORS, "Actors alive").by(&["kind"]).at_zero(&KINDS),
    Metric::counter(RESTARTS, "Actors started in the place of one that ended")
        .by(&["kind"])
        .at_zero(&REPLACED),
    Metric::counter(TASK_RESTARTS, "Background tasks started anew after a panic")
        .by(&["task"])
        .at_zero(&TASKS),
    Metric::gauge(READY, "1 while this part can do its work, 0 while it cannot")
        .by(&["part"])
        .at_zero(&NEEDED),
    Metric::counter(PANICS, "Panics that were caught").by(&["kind"]).at_zero(&PANICKED),
];

/// What is said of the process. Its collector writes and describes these, after a prefix of ours.
pub const PROCESS: &[&str] = &[
    "wayfile_process_cpu_seconds_total",
    "wayfile_process_max_fds",
    "wayfile_process_open_fds",
    "wayfile_process_resident_memory_bytes",
    "wayfile_process_start_time_seconds",
    "wayfile_process_threads",
    "wayfile_process_virtual_memory_bytes",
    "wayfile_process_virtual_memory_max_bytes",
];

/// Tells the recorder what each metric means, and starts the series that are shown from the start.
pub fn describe() {
    CATALOGUE.iter().for_each(Metric::describe);
}
