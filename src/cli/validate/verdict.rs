//! Whether what was found is good enough: the exit code and what it is for.

use wayfile_core::llms_txt::lint::report::{Report, Status};

use super::Judged;
use crate::cli::Failure;
use crate::cli::args::Validate;

/// Errors: [`Failure`]: what is wrong with each file that is not good enough.
pub(super) fn of(judged: &[Judged], command: &Validate) -> Result<(), Failure> {
    let named = |judged: &Judged, wrong: String| match command.sources.as_slice() {
        [_] => wrong,
        _ => format!("{}: {wrong}", judged.name),
    };
    let wrong = judged.iter().filter_map(|judged| Some(named(judged, wrong(&judged.report, command)?)));
    let wrong: Vec<String> = wrong.collect();
    if wrong.is_empty() { Ok(()) } else { Err(Failure { message: wrong.join("\nwayfile: "), code: 1 }) }
}

fn wrong(report: &Report, command: &Validate) -> Option<String> {
    let below = |name: &str, score: u32, min: u32| {
        (score < min).then(|| format!("the {name} is {score}, below the {min} that was asked for"))
    };
    let wrong = match report.status {
        Status::Unreachable => Some("the file cannot be reached".to_owned()),
        Status::Missing => Some("there is no llms.txt".to_owned()),
        Status::Invalid => Some("the file is no valid llms.txt".to_owned()),
        Status::Valid | Status::Warnings => None,
    };
    let dead = report.link_stats.as_ref().map_or(0, |stats| stats.dead);
    let dead = (command.fail_on_dead && dead > 0).then(|| match dead {
        1 => "a link is dead".to_owned(),
        dead => format!("{dead} links are dead"),
    });
    wrong
        .or_else(|| below("score", report.score, command.min_score))
        .or_else(|| below("readiness", report.readiness_score, command.min_readiness))
        .or(dead)
}
