//! Checks as JSON that is ready to be sent: of one that passed every word is known beforehand.

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::rule::Finding;
use crate::maps::Map;

/// A check as it goes into an answer. Only a writer of JSON on one line can take it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Prepared {
    /// One that passed.
    Passed(&'static RawValue),
    /// Any other.
    Told(Finding),
}

impl From<Finding> for Prepared {
    fn from(finding: Finding) -> Self {
        static PASSED: LazyLock<Map<&'static str, Box<RawValue>>> = LazyLock::new(passed);
        match PASSED.get(finding.rule.id).filter(|_| finding.pass) {
            Some(json) => Self::Passed(json),
            None => Self::Told(finding),
        }
    }
}

fn passed() -> Map<&'static str, Box<RawValue>> {
    let findings = super::rules().map(Finding::passed);
    findings.filter_map(|finding| Some((finding.rule.id, to_raw_value(&finding).ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{lint, report::Report, rules, source::Source};
    use super::*;

    #[test]
    fn what_is_prepared_is_what_would_be_written() {
        for text in ["", "<html>", "# Tide\n\n> Levels.\n\n## Docs\n\n- [A](https://a.dev/a.md): Of \"A\".\n"]
        {
            let report = Report::of_content(lint(&Source::from(text), None), None);
            let plain = serde_json::to_string(&report).unwrap();
            assert_eq!(serde_json::to_string(&report.prepared()).unwrap(), plain);
        }
        for rule in rules() {
            let finding = Finding::passed(rule);
            let plain = serde_json::to_string(&finding).unwrap();
            let prepared = Prepared::from(finding);
            assert!(matches!(prepared, Prepared::Passed(_)));
            assert_eq!(serde_json::to_string(&prepared).unwrap(), plain);
        }
    }
}
