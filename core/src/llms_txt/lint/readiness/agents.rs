//! What is said to agents.

use super::super::mentions::FULL;
use super::super::rule::Verdict;
use super::super::subject::Subject;

pub(super) fn instructions(file: &Subject<'_>) -> Verdict {
    Verdict::of(file.instructs, || "no block instructs agents".to_owned())
}

pub(super) fn full_linked(file: &Subject<'_>) -> Verdict {
    Verdict::of(file.mentions.full, || format!("{FULL} is not named"))
}

pub(super) fn entry_points(file: &Subject<'_>) -> Verdict {
    Verdict::of(file.mentions.entry_point, || "no entry point for machines is named".to_owned())
}
