//! What is said to agents.

use memchr::memmem::Finder;

use super::super::instructions;
use super::super::rule::Verdict;
use super::super::subject::Subject;

/// The file with the full text.
const FULL: &str = "llms-full.txt";
/// Names of entry points for machines, lower case.
const ENTRY_POINTS: [&str; 4] = ["openapi", ".well-known", "agents.md", "swagger"];

pub(super) fn instructions(file: &Subject<'_>) -> Verdict {
    Verdict::of(instructions::find(file).is_some(), || "no block instructs agents".to_owned())
}

/// Whether a link of the file leads to `llms-full.txt`.
pub(in super::super) fn links_to_full(file: &Subject<'_>) -> bool {
    let named = Finder::new(FULL);
    named.find(file.text.as_bytes()).is_some()
}

pub(super) fn full_linked(file: &Subject<'_>) -> Verdict {
    Verdict::of(links_to_full(file), || format!("{FULL} is not named"))
}

pub(super) fn entry_points(file: &Subject<'_>) -> Verdict {
    let lower = file.text.to_ascii_lowercase();
    let named = ENTRY_POINTS.iter().any(|name| Finder::new(name).find(lower.as_bytes()).is_some());
    Verdict::of(named || names_mcp(&lower), || "no entry point for machines is named".to_owned())
}

/// The three letters as a word.
fn names_mcp(lower: &str) -> bool {
    let bytes = lower.as_bytes();
    let letter = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    Finder::new("mcp").find_iter(bytes).any(|at| !letter(at.checked_sub(1)) && !letter(Some(at + 3)))
}
