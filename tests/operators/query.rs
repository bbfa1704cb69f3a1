//! What a query asks for: a parser of the query language says it, and the catalogue whether that is there.

use std::collections::BTreeSet;

use promql_parser::parser::{Expr, VectorSelector, parse};
use promql_parser::util::{ExprVisitor, walk_expr};
use wayfile_actors::metrics::{CATALOGUE, MetricKind};

use crate::process::PROCESS;
use crate::rules;

/// What Grafana puts into a query, and something that may stand there.
const VARIABLES: [(&str, &str); 2] = [("$__rate_interval", "1m"), ("$instance", ".*")];
/// Labels that Prometheus itself adds.
const ADDED: [&str; 3] = ["instance", "job", "le"];

/// The names of all series that a query asks for. Everything in it must be known.
pub(crate) fn series(query: &str) -> BTreeSet<String> {
    let mut filled = query.to_owned();
    for (variable, value) in VARIABLES {
        filled = filled.replace(variable, value);
    }
    assert!(!filled.contains('$'), "{query}: there is no such variable");
    let parsed = parse(&filled).unwrap_or_else(|error| panic!("{query}: {error}"));
    let mut asked = Asked { query, names: BTreeSet::new() };
    walk_expr(&mut asked, &parsed).unwrap();
    assert!(!asked.names.is_empty(), "{query}: asks for nothing");
    asked.names
}

/// The metrics of the catalogue that a query shows, those behind recorded names included.
pub(crate) fn metrics(query: &str) -> BTreeSet<String> {
    let recorded = rules::recorded();
    let sources = |name: String| recorded.get(&name).map_or_else(|| [name].into(), |query| metrics(query));
    series(query).into_iter().flat_map(sources).map(|name| base(&name).to_owned()).collect()
}

/// Every name of the catalogue.
pub(crate) fn catalogue() -> BTreeSet<String> {
    CATALOGUE.iter().map(|metric| metric.name).chain(PROCESS.iter().copied()).map(str::to_owned).collect()
}

/// The metric that a series belongs to.
fn base(series: &str) -> &str {
    let histogram = CATALOGUE.iter().filter(|metric| metric.kind == MetricKind::Histogram).find(|metric| {
        let part = series.strip_prefix(metric.name);
        part.is_some_and(|part| ["_bucket", "_sum", "_count"].contains(&part))
    });
    histogram.map_or(series, |metric| metric.name)
}

struct Asked<'a> {
    query: &'a str,
    names: BTreeSet<String>,
}

impl Asked<'_> {
    fn check(&self, name: &str, selector: &VectorSelector) {
        let query = self.query;
        let metric = CATALOGUE.iter().find(|metric| metric.name == base(name));
        let is_histogram = metric.is_some_and(|metric| metric.kind == MetricKind::Histogram);
        assert!(!is_histogram || base(name) != name, "{query}: {name} is only there in parts");
        let known = metric.is_some() || PROCESS.contains(&name) || name == "up";
        assert!(known || rules::recorded().contains_key(name), "{query}: {name} is not in the catalogue");
        let labels = metric.map_or(&[][..], |metric| metric.labels);
        for matcher in &selector.matchers.matchers {
            let label = matcher.name.as_str();
            assert!(labels.contains(&label) || ADDED.contains(&label), "{query}: {name} has no {label}");
        }
    }
}

impl ExprVisitor for Asked<'_> {
    type Error = std::convert::Infallible;

    fn pre_visit(&mut self, part: &Expr) -> Result<bool, Self::Error> {
        let selector = match part {
            Expr::VectorSelector(selector) => selector,
            Expr::MatrixSelector(range) => &range.vs,
            Expr::Aggregate(aggregate) => {
                let labels = aggregate.modifier.iter().flat_map(|by| by.labels().labels.iter());
                for label in labels.map(String::as_str) {
                    let known = CATALOGUE.iter().any(|metric| metric.labels.contains(&label));
                    assert!(known || ADDED.contains(&label), "{}: nothing has {label}", self.query);
                }
                return Ok(true);
            }
            _ => return Ok(true),
        };
        let name = selector.name.as_deref().unwrap_or_else(|| panic!("{}: no name", self.query));
        self.check(name, selector);
        self.names.insert(name.to_owned());
        Ok(true)
    }
}

#[test]
#[should_panic(expected = "is not in the catalogue")]
fn an_unknown_metric_is_refused() {
    series("sum(rate(wayfile_made_up_total[5m]))");
}

#[test]
#[should_panic(expected = "has no colour")]
fn an_unknown_label_is_refused() {
    series("wayfile_actors{colour=\"red\"}");
}

#[test]
#[should_panic(expected = "no such variable")]
fn an_unknown_variable_is_refused() {
    series("wayfile_actors{kind=\"$kind\"}");
}

#[test]
#[should_panic(expected = "sum(")]
fn a_broken_query_is_refused() {
    series("sum(wayfile_actors");
}
