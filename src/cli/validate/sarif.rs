//! Findings as a SARIF 2.1.0 log, for code scanning.

use serde_json::{Value, json};
use wayfile_core::llms_txt::lint::report::Report;
use wayfile_core::llms_txt::lint::rule::{Finding, Rule, Tier};
use wayfile_core::llms_txt::lint::rules;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// From this weight on a failed check of the form is an error.
const ERROR_WEIGHT: u32 = 8;

/// One run over the file called `name`.
pub(super) fn log(report: &Report, name: &str) -> Value {
    let results: Vec<_> =
        report.checks.iter().filter(|check| !check.pass).map(|check| result(check, name)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Wayfile",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules().map(descriptor).collect::<Vec<_>>(),
            }},
            "results": results,
            "properties": {
                "score": report.score,
                "readinessScore": report.readiness_score,
                "status": report.status,
            },
        }],
    })
}

fn descriptor(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.label },
        "fullDescription": { "text": rule.rule },
        "help": { "text": rule.fix },
        "defaultConfiguration": { "level": level(rule) },
        "properties": { "tier": rule.tier, "weight": rule.weight },
    })
}

fn level(rule: &Rule) -> &'static str {
    match rule.tier {
        Tier::Structure if rule.weight >= ERROR_WEIGHT => "error",
        Tier::Structure => "warning",
        Tier::Readiness => "note",
    }
}

fn result(check: &Finding, name: &str) -> Value {
    let detail = check.detail.as_deref().unwrap_or(check.rule.label);
    json!({
        "ruleId": check.rule.id,
        "level": level(check.rule),
        "message": { "text": format!("{}: {detail}. {}", check.rule.label, check.rule.fix) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(name) },
            "region": { "startLine": check.line.unwrap_or(1) },
        }}],
    })
}

/// A path or an address as a URI reference.
fn uri(name: &str) -> String {
    let kept = |b: u8| b.is_ascii_alphanumeric() || b"-._~/:?#@!$&'()*+,;=%".contains(&b);
    let name = name.strip_prefix("./").unwrap_or(name);
    name.bytes().map(|b| if kept(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("./my docs/llms.txt"), "my%20docs/llms.txt");
        assert_eq!(uri("https://tide.dev/llms.txt"), "https://tide.dev/llms.txt");
    }
}
