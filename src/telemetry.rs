//! Logs and metrics: what an operator sees.

use std::future::ready;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::{Error, HttpMessage};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::Span;
use tracing_actix_web::RootSpanBuilder;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::error::{ApiError, shortened};
use crate::log_lines::{LastLines, LogLines};
use crate::middleware::{Arrived, OTHER, RequestId};
use crate::tasks::{Task, Tasks};

/// Upper bounds in seconds for everything that is a duration: from a cached page to the crawl deadline.
const SECONDS: [f64; 14] =
    [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 120.0];

/// How often the recorder puts its histograms in order.
const UPKEEP: Duration = Duration::from_secs(5);

/// What a line of the log holds of an error: it may quote the request.
const ERROR_MAX_CHARS: usize = 512;
/// And of its method, which may be any word.
const METHOD_MAX_CHARS: usize = 16;

/// Starts the logs, readable on a terminal. Those of a service are JSON elsewhere; a command speaks to a person by itself, so that
/// only faults are logged unless more is asked for.
///
/// What a service tells goes its way in the background; dropping the answer waits for what is on it.
pub(crate) fn start_logs(serves: bool) -> Option<LastLines> {
    let is_terminal = std::io::stderr().is_terminal();
    // A line that cannot be written would be told of on stderr too, which panics where nobody reads that any more.
    let logs = tracing_subscriber::fmt().log_internal_errors(false).with_target(false).with_ansi(is_terminal);
    let logs = logs.with_env_filter(filter(if serves { "info" } else { "error" }));
    let lines = serves.then(|| LogLines::start(std::io::stderr()).ok()).flatten();
    // A second subscriber in one process is a programming error, and then the first is as good.
    let (started, last) = match lines {
        Some((lines, last)) if !is_terminal => {
            let logs = logs.with_writer(move || lines.clone());
            (logs.json().flatten_event(true).with_span_list(false).try_init(), Some(last))
        }
        Some((lines, last)) => (logs.with_writer(move || lines.clone()).try_init(), Some(last)),
        None => (logs.with_writer(std::io::stderr).try_init(), None),
    };
    drop(started);
    last
}

/// Others write of a fault of their peer as of one of ours. Of a client that talks nonsense [`crate::listen`] tells, of a site
/// whose certificate is wrong the message of the failed fetch. What stands in the address of a database may be a secret.
const TOLD_BY_US: [&str; 3] =
    ["actix_http::h1=off", "rustls_platform_verifier=off", "sqlx_postgres::options=off"];

/// `WAYFILE_LOG` goes over `RUST_LOG`, and that over the default.
fn filter(default_level: &str) -> EnvFilter {
    let asked = ["WAYFILE_LOG", "RUST_LOG"].iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
    let filter =
        asked.filter(|(_, directives)| !directives.trim().is_empty()).and_then(|(name, directives)| {
            let read = read_filter(&directives);
            if let Err(why) = &read {
                // Of a stderr that is gone nobody can be told.
                let _ = writeln!(std::io::stderr(), "wayfile: {name}: {why}; the log is at {default_level}");
            }
            read.ok()
        });
    let filter = filter.unwrap_or_else(|| EnvFilter::new(default_level));
    TOLD_BY_US.iter().filter_map(|target| target.parse().ok()).fold(filter, EnvFilter::add_directive)
}

/// Reads directives. A word that is no level would be the name of a target, and silence all others.
/// Errors: What is wrong with them.
fn read_filter(directives: &str) -> Result<EnvFilter, String> {
    let is_level = |word: &str| word.parse::<LevelFilter>().is_ok();
    let words = directives.split(',').map(str::trim);
    let is_target = |word: &str| word.starts_with("wayfile") || word.contains(['=', ':', '_', '[']);
    let mut slips = words.filter(|word| !word.is_empty() && !is_level(word) && !is_target(word));
    match slips.next() {
        Some(word) => Err(format!("{word:?} is no level: off, error, warn, info, debug, trace")),
        None => EnvFilter::try_new(directives).map_err(|error| error.to_string()),
    }
}

/// Starts the recorder that `/metrics` renders.
/// Errors: Another recorder was started before.
pub(crate) fn metrics() -> Result<PrometheusHandle, BuildError> {
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?
        .install_recorder()?;
    wayfile_actors::metrics::describe();
    Ok(recorder)
}

pub(crate) fn keep_up(recorder: &PrometheusHandle, tasks: &Tasks) -> Task {
    let recorder = recorder.clone();
    tasks.spawn_every("telemetry", UPKEEP, move || {
        recorder.run_upkeep();
        ready(None)
    })
}

/// The span of one request. It holds no query, no body and no key.
pub(crate) struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let (route, method) = (request.match_pattern(), request.method().as_str());
        tracing::info_span!(
            "request",
            "request.id" = request.extensions().get::<RequestId>().map(RequestId::as_str),
            "http.method" = shortened(method, METHOD_MAX_CHARS),
            "http.route" = route.as_deref().unwrap_or(OTHER),
            "key.id" = tracing::field::Empty,
            "site.domain" = tracing::field::Empty,
        )
    }

    /// What changes or costs something is told, and what was refused; reads only to who wants to know it all.
    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        let Ok(response) = outcome else { return };
        let arrived = response.request().extensions().get::<Arrived>().copied();
        let took_ms = arrived.map_or(0, |Arrived(at)| at.elapsed().as_millis());
        let took_ms = u64::try_from(took_ms).unwrap_or(u64::MAX);
        let status = response.status().as_u16();
        let error = response.response().error().map(ApiError::logged);
        let error = error.as_deref().map(|error| shortened(error, ERROR_MAX_CHARS));
        let _in_span = span.enter();
        match status {
            500.. => tracing::warn!(status, took_ms, error, "a request failed"),
            400.. => tracing::info!(status, took_ms, error, "a request was refused"),
            200..400 if response.request().method() == "POST" => {
                tracing::info!(status, took_ms, "a request was answered");
            }
            _ => tracing::debug!(status, took_ms, error, "a request was answered"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_in_the_level_of_the_log_is_told() {
        for good in ["info", "WARN", "warn,wayfile_core=trace", "wayfile", "hyper::client", ""] {
            assert!(read_filter(good).is_ok(), "{good}");
        }
        let told = read_filter("warning").unwrap_err();
        assert_eq!(told, "\"warning\" is no level: off, error, warn, info, debug, trace");
        assert!(read_filter("info,=x=y").is_err());
    }
}
