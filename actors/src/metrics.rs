//! The closed catalogue of what the pipeline counts: every name that `/metrics` may show. Nothing else may name a metric, and no
//! label ever holds a domain, an address or an error text.

use std::time::Duration;

use metrics::{
    Gauge, Label, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};

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
    /// Counts one, under the values of its labels.
    pub fn count<const N: usize>(&self, values: [&'static str; N]) {
        self.add(values, 1);
    }

    pub(crate) fn add<const N: usize>(&self, values: [&'static str; N], count: usize) {
        counter!(self.name, self.series(&values)).increment(count as u64);
    }

    pub(crate) fn record<const N: usize>(&self, values: [&'static str; N], took: Duration) {
        histogram!(self.name, self.series(&values)).record(took);
    }

    /// It is so high now.
    pub fn set<const N: usize>(&self, values: [&'static str; N], height: u32) {
        gauge!(self.name, self.series(&values)).set(f64::from(height));
    }

    /// Counts one, under the value of its only label, until what it returns is dropped.
    pub(crate) fn hold(&self, value: &'static str) -> Held {
        let gauge = gauge!(self.name, self.series(&[value]));
        gauge.increment(1);
        Held(gauge)
    }

    fn series(&self, values: &[&'static str]) -> Vec<Label> {
        self.labels.iter().zip(values).map(|(label, value)| Label::from_static_parts(label, value)).collect()
    }

    /// Tells the recorder what it means, and starts the series that are shown from the start; what has no label is one.
    fn describe(&self) {
        match self.kind {
            MetricKind::Counter => describe_counter!(self.name, self.help),
            MetricKind::Gauge => describe_gauge!(self.name, self.help),
            MetricKind::Histogram => describe_histogram!(self.name, self.help),
        }
        let without_labels = self.labels.is_empty().then(Vec::new);
        let first = self.at_zero.iter().map(|value| self.series(&[value])).chain(without_labels);
        for labels in first {
            match self.kind {
                MetricKind::Counter => counter!(self.name, labels).absolute(0),
                MetricKind::Gauge => gauge!(self.name, labels).increment(0),
                MetricKind::Histogram => drop(histogram!(self.name, labels)),
            }
        }
    }
}

/// A row a metric: what it is called here, how it moves, its name, what it says, its labels, and the values of its only label
/// that are shown from the start.
macro_rules! catalogue {
    ($($own:ident $kind:ident $name:literal $help:literal [$($label:literal)*] [$($first:literal)*];)*) => {
        $(
            #[doc = $help]
            pub const $own: Metric = Metric {
                name: $name,
                kind: MetricKind::$kind,
                help: $help,
                labels: &[$($label),*],
                at_zero: &[$($first),*],
            };
        )*

        /// Every metric of ours, in the order of the work.
        pub const CATALOGUE: &[Metric] = &[$($own),*];
    };
}

catalogue! {
    HTTP_REQUESTS Counter "wayfile_http_requests_total" "Requests answered" ["route" "method" "status"] [];
    HTTP_SECONDS Histogram "wayfile_http_request_seconds" "Time from a request to its answer" ["route"] [];
    ADMISSIONS Counter "wayfile_admissions_total" "Decisions about requests with a key" ["outcome"]
        ["entered" "admitted" "unknown_key" "too_fast" "month_spent" "too_many_crawls" "store_away"];
    CRAWLS Counter "wayfile_crawls_total" "Crawls that ended" ["outcome"] ["ok" "partial" "failed" "cancelled"];
    CRAWL_SECONDS Histogram "wayfile_crawl_seconds" "Time from the start of a crawl to its files" [] [];
    VALIDATIONS Counter "wayfile_validations_total" "Validations that were answered" ["what"] ["site" "text"];
    FETCHES Counter "wayfile_fetches_total" "Requests to sites that ended" ["outcome"] ["ok"];
    FETCH_SECONDS Histogram "wayfile_fetch_seconds" "Time to the first byte of an answer" [] [];
    FETCH_BYTES Counter "wayfile_fetch_bytes_total" "Decoded bytes of pages, sitemaps and robots.txt" [] [];
    PRIVATE_PEERS Counter "wayfile_private_peers_total"
        "Answers from an address that is not public: must stay 0" [] [];
    POLITENESS_SECONDS Histogram "wayfile_politeness_wait_seconds"
        "Time a request waited for its domain's turn" [] [];
    SHARES Counter "wayfile_site_shares_total"
        "Asks for a share of a site's time and places, among the nodes that serve together" ["outcome"]
        ["granted" "waits" "failed"];
    SHARE_SECONDS Histogram "wayfile_site_share_seconds" "Time from an ask for a share to its answer" [] [];
    NODES Gauge "wayfile_nodes" "Nodes that serve together and give signs of life" [] [];
    CACHE Counter "wayfile_cache_requests_total" "Look-ups of pages in the page cache" ["result"]
        ["fresh" "stale" "missing"];
    PARSE_SECONDS Histogram "wayfile_parse_seconds" "Time from bytes to Markdown, links and metadata" [] [];
    MODEL_REQUESTS Counter "wayfile_model_requests_total" "Requests to the model that ended" ["outcome"] ["ok"];
    MODEL_SECONDS Histogram "wayfile_model_seconds" "Time from a request to the model to its answer" [] [];
    MODEL_TOKENS Counter "wayfile_model_tokens_total" "Tokens of prompts and answers" [] [];
    MODEL_TEXTS Counter "wayfile_model_texts_total" "Descriptions and summaries asked for" ["result"] ["ok"];
    RENDERS Counter "wayfile_rendered_pages_total" "Pages that were to be opened in a browser" ["outcome"] ["ok"];
    RENDER_SECONDS Histogram "wayfile_render_seconds"
        "Time from an empty shell to what it shows in a browser" [] [];
    BROWSER_STARTS Counter "wayfile_browser_starts_total" "Browsers that were started" [] [];
    BROWSER_REQUESTS Counter "wayfile_browser_requests_total"
        "Requests of pages that are open in a browser, by what became of them" ["result"] ["loaded"];
    PERMITS Gauge "wayfile_permits_in_use" "Permits in use" ["pool"]
        ["crawl" "validation" "fetch" "look" "sitemap" "large_sitemap" "cpu" "model" "browser"];
    WAITERS Gauge "wayfile_permit_waiters" "Tasks that wait for a permit" ["pool"]
        ["crawl" "validation" "fetch" "look" "sitemap" "large_sitemap" "cpu" "model" "browser"];
    PERMIT_SECONDS Histogram "wayfile_permit_wait_seconds" "Time a task waited for a permit" ["pool"]
        ["crawl" "validation" "fetch" "look" "sitemap" "large_sitemap" "cpu" "model" "browser"];
    ACTORS Gauge "wayfile_actors" "Actors alive" ["kind"]
        ["key_guard" "supervisor" "fetcher" "parser" "summarizer" "assembler" "renderer"];
    RESTARTS Counter "wayfile_actor_restarts_total"
        "Actors started in the place of one that ended" ["kind"] ["key_guard" "fetcher"];
    TASK_RESTARTS Counter "wayfile_task_restarts_total" "Background tasks started anew after a panic" ["task"]
        ["store_writes" "upkeep" "purge" "news" "mail" "probe" "telemetry"];
    READY Gauge "wayfile_ready" "1 while this part can do its work, 0 while it cannot" ["part"]
        ["store" "readers" "tasks"];
    PANICS Counter "wayfile_panics_total" "Panics that were caught" ["kind"]
        ["supervisor" "fetcher" "parser" "summarizer" "assembler" "validator" "renderer"];
}

/// Tells the recorder of every metric.
pub fn describe() {
    CATALOGUE.iter().for_each(Metric::describe);
}

/// A request was answered. `route` is the pattern it matched.
pub fn http_request(route: &'static str, method: &'static str, status: u16, took: Duration) {
    let status = status.to_string();
    counter!(HTTP_REQUESTS.name, "route" => route, "method" => method, "status" => status).increment(1);
    HTTP_SECONDS.record([route], took);
}

/// What a gauge counts as long as it lives: a permit in use, a task that waits, an actor.
#[derive(Debug)]
pub(crate) struct Held(Gauge);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// What a pool's name stands behind, in quotes.
    const BEFORE_NAMES: [&str; 2] = ["Pool::new(\"", "POOL: &str = \""];

    fn pools_in(folder: &Path, names: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pools_in(&path, names);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            let behind = BEFORE_NAMES.iter().flat_map(|before| source.split(before).skip(1));
            names.extend(behind.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
    }

    #[test]
    fn the_pools_that_are_shown_are_those_that_there_are() {
        let mut pools = BTreeSet::new();
        pools_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut pools);
        for metric in [PERMITS, WAITERS, PERMIT_SECONDS] {
            let shown: BTreeSet<String> = metric.at_zero.iter().map(|&pool| pool.to_owned()).collect();
            assert_eq!(shown, pools, "{}", metric.name);
        }
    }
}
