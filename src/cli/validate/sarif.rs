//! Findings as a SARIF 2.1.0 log, for code scanning.

use serde_json::{Value, json};
use wayfile_core::llms_txt::lint::rule::{Rule, Tier};
use wayfile_core::llms_txt::lint::rules;

use super::Judged;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// From this weight on a failed check of the form is an error.
const ERROR_WEIGHT: u32 = 8;

/// One run over all files: a result for each place, an artifact with the scores for each file.
pub(super) fn log(judged: &[Judged]) -> Value {
    let results: Vec<_> = judged.iter().enumerate().flat_map(|(at, judged)| results(judged, at)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Wayfile",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules().map(descriptor).collect::<Vec<_>>(),
            }},
            "artifacts": judged.iter().map(artifact).collect::<Vec<_>>(),
            "results": results,
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

fn artifact(judged: &Judged) -> Value {
    let report = &judged.report;
    json!({
        "location": { "uri": uri(&judged.name) },
        "properties": {
            "score": report.score,
            "readinessScore": report.readiness_score,
            "status": report.status,
        },
    })
}

/// Everything that is wrong with the file at this place among the artifacts.
fn results(judged: &Judged, index: usize) -> impl Iterator<Item = Value> {
    let location = json!({ "uri": uri(&judged.name), "index": index });
    judged.report.checks.iter().filter(|check| !check.pass).flat_map(move |check| {
        let location = location.clone();
        let result = move |(line, detail): (Option<usize>, String)| {
            json!({
                "ruleId": check.rule.id,
                "level": level(check.rule),
                "message": { "text": format!("{}: {detail}. {}", check.rule.label, check.rule.fix) },
                "locations": [{ "physicalLocation": {
                    "artifactLocation": location,
                    "region": { "startLine": line.unwrap_or(1) },
                }}],
            })
        };
        judged.places(check).into_iter().map(result)
    })
}

/// A path or an address as a URI reference (RFC 3986 section 4.1): what an address may have stands for itself in a path.
fn uri(name: &str) -> String {
    let signs: &[u8] = if name.contains("://") { b"-._~/:?#@!$&'()*+,;=%" } else { b"-._~/" };
    let kept = |b: u8| b.is_ascii_alphanumeric() || signs.contains(&b);
    let name = name.strip_prefix("./").unwrap_or(name);
    name.bytes().map(|b| if kept(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("./my docs/llms.txt"), "my%20docs/llms.txt");
        assert_eq!(uri("a:b#1/100%.txt"), "a%3Ab%231/100%25.txt");
        assert_eq!(uri("https://tide.dev/llms.txt?a=%20"), "https://tide.dev/llms.txt?a=%20");
    }
}
