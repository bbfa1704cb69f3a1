//! A report as a person reads it: the scores, then what fails, the heaviest first, then what is well.

use std::cmp::Reverse;
use std::collections::HashSet;

use wayfile_core::llms_txt::lint::report::{Health, Report, Status};
use wayfile_core::llms_txt::lint::rule::{Finding, Tier};

const SHOWN_LINES: usize = 3_000;

pub(super) struct VerdictView<'a> {
    pub(super) report: &'a Report,
    pub(super) scores: [Score; 2],
    pub(super) tiers: [Checks<'a>; 2],
    /// The text, as far as it is shown.
    pub(super) lines: Vec<TextLine<'a>>,
    pub(super) cut: bool,
}

pub(super) struct TextLine<'a> {
    pub(super) text: &'a str,
    /// How it is marked: `dead` for a dead link, `marked` for what else a check found there.
    pub(super) mark: &'static str,
}

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

pub(super) struct Checks<'a> {
    pub(super) name: &'static str,
    pub(super) failing: Vec<&'a Finding>,
    pub(super) passing: Vec<&'a Finding>,
}

impl<'a> VerdictView<'a> {
    /// `text`: what was judged, empty where there is none.
    pub(super) fn of(report: &'a Report, text: &'a str) -> Self {
        let scores = [
            Score { name: "Form", says: "How well the text follows the format.", value: report.score },
            Score {
                name: "Readiness",
                says: "Whether agents get the file and can use it.",
                value: report.readiness_score,
            },
        ];
        let tiers = [(Tier::Structure, "Form"), (Tier::Readiness, "Readiness")];
        let tiers = tiers.map(|(tier, name)| checks(report, tier, name));
        let lines: Vec<TextLine<'a>> = marked(report, text).take(SHOWN_LINES).collect();
        let cut = text.lines().nth(SHOWN_LINES).is_some();
        Self { report, scores, tiers, lines, cut }
    }

    /// The status in a word, and how good it is.
    pub(super) fn status(&self) -> (&'static str, &'static str) {
        let status = self.report.status;
        let how_good = match status {
            Status::Valid => "good",
            Status::Warnings => "warn",
            Status::Invalid | Status::Missing | Status::Unreachable => "bad",
        };
        (status.as_str(), how_good)
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

fn marked<'a>(report: &'a Report, text: &'a str) -> impl Iterator<Item = TextLine<'a>> {
    let failing = report.checks.iter().filter(|finding| !finding.pass);
    let found: HashSet<usize> = failing
        .flat_map(|finding| {
            finding.line.into_iter().chain(finding.occurrences.iter().map(|place| place.line))
        })
        .collect();
    let dead: HashSet<usize> =
        report.link_stats.iter().flat_map(|links| &links.dead_links).map(|link| link.line).collect();
    text.lines().enumerate().map(move |(at, text)| {
        let line = at + 1;
        let mark = match (dead.contains(&line), found.contains(&line)) {
            (true, _) => "dead",
            (false, true) => "marked",
            (false, false) => "",
        };
        TextLine { text, mark }
    })
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
    fn failing_checks_are_sorted_by_weight() {
        let text = "Tide\n\n- [a](https://tide.dev/a)\n";
        let report = Report::of_content(lint(&text.into(), None), None);
        let verdict = VerdictView::of(&report, text);
        assert_eq!(verdict.lines.len(), 3);
        let found = |line: usize| report.checks.iter().any(|one| !one.pass && one.line == Some(line));
        assert!(verdict.lines.iter().zip(1..).all(|(line, at)| (line.mark == "marked") == found(at)));
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
