//! How long the text is, and what it says to agents.

use super::super::FULL_NAME;
use super::super::rule::Verdict;
use super::super::subject::LintSubject;

/// Names of entry points for machines, lower case.
const ENTRY_POINTS: [&str; 4] = ["openapi", ".well-known", "agents.md", "swagger"];
/// An entry point, where it is a word by itself.
const MCP: &str = "mcp";

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

pub(super) fn instructions(file: &LintSubject<'_>) -> Verdict {
    Verdict::of(file.instructs, || "no block instructs agents".to_owned())
}

pub(super) fn full_linked(file: &LintSubject<'_>) -> Verdict {
    Verdict::of(file.links_full(), || format!("no link or address leads to an {FULL_NAME}"))
}

pub(super) fn entry_points(file: &LintSubject<'_>) -> Verdict {
    let text = file.text.to_ascii_lowercase();
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_named = ENTRY_POINTS.iter().any(|name| text.contains(name)) || words.any(|word| word == MCP);
    Verdict::of(is_named, || "no entry point for machines is named".to_owned())
}
