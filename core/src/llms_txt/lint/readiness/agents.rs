//! What is said to agents.

use super::super::mentions::{FULL, Mention};
use super::super::rule::Verdict;
use super::super::subject::LintSubject;

pub(super) fn instructions(file: &LintSubject<'_>) -> Verdict {
    Verdict::of(file.instructs, || "no block instructs agents".to_owned())
}

pub(super) fn full_linked(file: &LintSubject<'_>) -> Verdict {
    Verdict::of(file.mentions.has(Mention::Full), || format!("{FULL} is not named"))
}

pub(super) fn entry_points(file: &LintSubject<'_>) -> Verdict {
    Verdict::of(file.mentions.has(Mention::EntryPoint), || "no entry point for machines is named".to_owned())
}
