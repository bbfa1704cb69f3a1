//! How long the text is.

use super::super::rule::Verdict;
use super::super::subject::LintSubject;

/// Characters that agents read in one fetch.
const WINDOW_CHARS: usize = 50_000;
/// Characters after which known agents cut.
pub const HARD_LIMIT_CHARS: usize = 100_000;
/// A shorter text says nothing.
const STUB_CHARS: usize = 200;

pub(super) fn fits_window(file: &LintSubject<'_>) -> Verdict {
    at_most(file, WINDOW_CHARS)
}

pub(super) fn fits_hard_limit(file: &LintSubject<'_>) -> Verdict {
    at_most(file, HARD_LIMIT_CHARS)
}

pub(super) fn not_stub(file: &LintSubject<'_>) -> Verdict {
    Verdict::of(file.chars >= STUB_CHARS, || format!("{} characters", file.chars))
}

fn at_most(file: &LintSubject<'_>, limit: usize) -> Verdict {
    Verdict::of(file.chars <= limit, || format!("{} characters", file.chars))
}
