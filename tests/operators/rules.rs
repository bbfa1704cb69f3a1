//! Recording rules and alerts: promtool accepts them, their own tests pass, and the runbook knows every alert.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::tool::complaints;
use crate::{ours, query};

const RULES: &str = include_str!("../../grafana/prometheus/rules.yml");
const ALERTS: &str = include_str!("../../grafana/prometheus/alerts.yml");
const RUNBOOK: &str = include_str!("../../grafana/RUNBOOK.md");

/// The values of a field, which stand on one line each, in their order.
fn values<'a>(text: &'a str, field: &'a str) -> Vec<&'a str> {
    let found = text.lines().filter_map(move |line| {
        line.trim_start().trim_start_matches("- ").strip_prefix(field)?.strip_prefix(": ")
    });
    found.collect()
}

fn named<'a>(text: &'a str, field: &'a str) -> BTreeMap<String, &'a str> {
    let (names, queries) = (values(text, field), values(text, "expr"));
    assert!(!names.is_empty() && names.len() == queries.len(), "every {field} has one query, on one line");
    names.into_iter().map(str::to_owned).zip(queries).collect()
}

/// The names that rules record, and the query behind each.
pub(crate) fn recorded() -> BTreeMap<String, &'static str> {
    named(RULES, "record")
}

#[test]
fn rules_and_alerts_ask_for_what_there_is() {
    let alerts = named(ALERTS, "alert");
    recorded().values().chain(alerts.values()).map(|query| query::series(query)).for_each(drop);
}

#[test]
fn the_runbook_has_one_paragraph_for_every_alert() {
    let alerts: BTreeSet<String> = named(ALERTS, "alert").into_keys().collect();
    let mut sections = BTreeSet::new();
    for section in RUNBOOK.split("\n## ").skip(1) {
        let (title, text) = section.split_once('\n').unwrap();
        assert!(
            text.trim().len() > 200 && !text.trim().contains("\n\n"),
            "{title}: one paragraph that helps"
        );
        sections.insert(title.to_owned());
    }
    assert_eq!(alerts, sections);
    let anchors: BTreeSet<String> = values(ALERTS, "runbook_url")
        .into_iter()
        .map(|link| link.split_once("grafana/RUNBOOK.md#").unwrap().1.to_owned())
        .collect();
    assert_eq!(anchors, alerts.iter().map(|name| name.to_lowercase()).collect());
}

#[test]
fn promtool_accepts_the_configuration() {
    let file = ours("grafana/prometheus/prometheus.yml");
    assert_eq!(complaints(Command::new("promtool").args(["check", "config"]).arg(file), ""), None);
}

#[test]
fn the_tests_of_the_rules_pass() {
    let file = ours("grafana/prometheus/tests.yml");
    assert_eq!(complaints(Command::new("promtool").args(["test", "rules"]).arg(file), ""), None);
}
