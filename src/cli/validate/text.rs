//! Findings for people: the scores, then what fails, the heaviest first.

use std::fmt::Write;

use wayfile_core::llms_txt::lint::report::Health;
use wayfile_core::llms_txt::lint::rule::{Finding, MAX_OCCURRENCES, Tier};

use super::Judged;

/// How a terminal shows a piece of text (ECMA-48 SGR parameters).
const BOLD: &str = "1";
const DIM: &str = "2";
const GOOD: &str = "32";
const MIDDLING: &str = "33";
const BAD: &str = "31";

fn style_of(score: u32) -> &'static str {
    match score {
        90.. => GOOD,
        50..90 => MIDDLING,
        _ => BAD,
    }
}

pub(super) fn render(judged: &Judged, coloured: bool) -> String {
    let Judged { name, report } = judged;
    let paint = |style: &str, text: &str| {
        if coloured { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    };
    let mut out = format!("{}\n", paint(BOLD, name));
    let score = |score: u32| paint(style_of(score), &score.to_string());
    let _ = write!(
        out,
        "score {}, readiness {}: {}",
        score(report.score),
        score(report.readiness_score),
        report.status.as_str()
    );
    if let Some(health) = report.health {
        let _ = write!(out, ", {}", word(health));
    }
    out.push('\n');
    if let Some(links) = &report.link_stats {
        let _ = writeln!(out, "links: {} ok, {} dead, {} unknown", links.ok, links.dead, links.unknown);
    }
    for (tier, title) in [(Tier::Structure, "Form"), (Tier::Readiness, "Readiness")] {
        let of_tier = || report.checks.iter().filter(move |check| check.rule.tier == tier);
        if of_tier().next().is_none() {
            continue;
        }
        let mut failing: Vec<_> = of_tier().filter(|check| !check.pass).collect();
        failing.sort_by_key(|check| std::cmp::Reverse(check.rule.weight));
        let passed = format!("{} of {} checks pass", of_tier().count() - failing.len(), of_tier().count());
        let _ = writeln!(out, "\n{}: {passed}", paint(BOLD, title));
        for check in failing {
            finding(&mut out, judged, check, paint);
        }
    }
    out
}

fn finding(out: &mut String, judged: &Judged, check: &Finding, paint: impl Fn(&str, &str) -> String) {
    let rule = check.rule;
    let mark = paint(BAD, "✗");
    let _ =
        writeln!(out, "  {mark} {} {}", rule.label, paint(DIM, &format!("({}, {})", rule.id, rule.weight)));
    // Of the whole no more is said than the places do not say themselves.
    let named = check.occurrences.first().and_then(|first| first.detail.split(':').next());
    if let Some(whole) =
        check.detail.as_ref().filter(|whole| named.is_some_and(|what| !whole.starts_with(what)))
    {
        let _ = writeln!(out, "    {whole}");
    }
    for (line, detail) in judged.places(check) {
        let line = line.map_or(String::new(), |line| format!("line {line}: "));
        let _ = writeln!(out, "    {line}{detail}");
    }
    if check.occurrences.len() == MAX_OCCURRENCES && judged.places(check).len() == MAX_OCCURRENCES {
        let _ = writeln!(out, "    no more than {MAX_OCCURRENCES} places are named");
    }
    let _ = writeln!(out, "    {}", paint(DIM, &format!("Fix: {}", rule.fix)));
}

fn word(health: Health) -> &'static str {
    match health {
        Health::Live => "live",
        Health::Degraded => "degraded",
        Health::Dead => "dead",
    }
}

#[cfg(test)]
mod tests {
    use wayfile_core::llms_txt::lint::lint;
    use wayfile_core::llms_txt::lint::report::Report;

    use super::*;

    #[test]
    fn the_heaviest_failure_comes_first() {
        let report = Report::of_content(lint(&"Tide\n\n- [a](https://tide.dev/a)\n".into(), None), None);
        let judged = Judged { name: "llms.txt".to_owned(), report };
        let text = render(&judged, false);
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(text.starts_with("llms.txt\nscore "), "{text}");
        assert!(at("h1-present") < at("summary-present") && at("summary-present") < at("sections-present"));
        assert!(!text.contains('\x1b') && render(&judged, true).contains("\x1b[31m"));
    }
}
