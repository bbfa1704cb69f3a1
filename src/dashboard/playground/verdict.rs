//! A report as a person reads it: the scores, then what fails, the heaviest first, then what is well.

use std::cmp::Reverse;

use wayfile_core::llms_txt::lint::report::{Health, Report, Status};
use wayfile_core::llms_txt::lint::rule::{Finding, Tier};

pub(super) struct Verdict<'a> {
    pub(super) report: &'a Report,
    pub(super) scores: [Score; 2],
    pub(super) tiers: [Checks<'a>; 2],
}

/// A score as a ring.
pub(super) struct Score {
    pub(super) name: &'static str,
    pub(super) says: &'static str,
    pub(super) value: u32,
}

impl Score {
    pub(super) fn class(&self) -> &'static str {
        match self.value {
            90.. => "part",
            50..90 => "part middling",
            _ => "part poor",
        }
    }
}

/// The checks of one tier.
pub(super) struct Checks<'a> {
    pub(super) name: &'static str,
    pub(super) failing: Vec<&'a Finding>,
    pub(super) passing: Vec<&'a Finding>,
}

impl<'a> Verdict<'a> {
    pub(super) fn of(report: &'a Report) -> Self {
        let scores = [
            Score { name: "Form", says: "How well the text follows the format.", value: report.score },
            Score {
                name: "Readiness",
                says: "Whether agents get the file and can use it.",
                value: report.readiness_score,
            },
        ];
        let tiers = [(Tier::Structure, "Form"), (Tier::Readiness, "Readiness")];
        Self { report, scores, tiers: tiers.map(|(tier, name)| checks(report, tier, name)) }
    }

    /// The status in a word, and how good it is.
    pub(super) fn status(&self) -> (&'static str, &'static str) {
        match self.report.status {
            Status::Valid => ("valid", "good"),
            Status::Warnings => ("warnings", "warn"),
            Status::Invalid => ("invalid", "bad"),
            Status::Missing => ("missing", "bad"),
            Status::Unreachable => ("unreachable", "bad"),
        }
    }

    /// Whether agents get the file, in a word, and how good that is; nothing of a text.
    pub(super) fn health(&self) -> Option<(&'static str, &'static str)> {
        Some(match self.report.health? {
            Health::Live => ("live", "good"),
            Health::Degraded => ("degraded", "warn"),
            Health::Dead => ("dead", "bad"),
        })
    }
}

fn checks<'a>(report: &'a Report, tier: Tier, name: &'static str) -> Checks<'a> {
    let of_tier = report.checks.iter().filter(|finding| finding.rule.tier == tier);
    let (passing, mut failing): (Vec<_>, Vec<_>) = of_tier.partition(|finding| finding.pass);
    failing.sort_by_key(|finding| Reverse(finding.rule.weight));
    Checks { name, failing, passing }
}

#[cfg(test)]
mod tests {
    use wayfile_core::llms_txt::lint::lint;

    use super::*;

    #[test]
    fn what_weighs_most_and_fails_comes_first() {
        let report = Report::of_content(lint(&"Tide\n\n- [a](https://tide.dev/a)\n".into(), None), None);
        let verdict = Verdict::of(&report);
        let form = &verdict.tiers[0];
        let weights: Vec<u32> = form.failing.iter().map(|finding| finding.rule.weight).collect();
        assert!(weights.len() > 1 && weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
        assert!(form.passing.iter().all(|finding| finding.pass) && !form.passing.is_empty());
        let all: usize = verdict.tiers.iter().map(|tier| tier.failing.len() + tier.passing.len()).sum();
        assert_eq!(
            (all, verdict.status(), verdict.health()),
            (report.checks.len(), ("invalid", "bad"), None)
        );
    }
}
