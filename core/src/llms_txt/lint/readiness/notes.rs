//! What is said of the links.

use super::super::rule::{Verdict, excerpt};
use super::super::subject::LintSubject;
use crate::maps::Map;

/// Shorter notes say nothing, in characters.
const MIN_CHARS: usize = 10;
/// Links in ten that must be described.
const DESCRIBED_IN_TEN: usize = 8;
/// One in how many links may have notes that say nothing new.
const ONE_IN: usize = 10;

pub(super) fn described(file: &LintSubject<'_>) -> Verdict {
    let is_described = |notes: &str| notes.chars().nth(MIN_CHARS - 1).is_some();
    let (mut all, mut described) = (0, 0);
    for (.., notes) in file.entries() {
        all += 1;
        described += usize::from(is_described(notes));
    }
    if all == 0 {
        return Verdict::LeftOut;
    }
    if described * 10 >= all * DESCRIBED_IN_TEN {
        return Verdict::Pass;
    }
    let bare = file.entries().filter(|(.., notes)| !is_described(notes));
    let bare = bare.map(|(found, ..)| (found.line, found.link.name));
    Verdict::share(
        format!("{described} of {all} links are described"),
        bare,
        "a link that is not described, or hardly",
    )
}

pub(super) fn informative(file: &LintSubject<'_>) -> Verdict {
    let (mut all, mut echoes) = (0, Vec::new());
    let mut counts: Map<&str, usize> = Map::default();
    for (found, _, notes) in file.entries() {
        if notes.is_empty() {
            continue;
        }
        if says_the_same(notes, found.link.name) {
            echoes.push((found.line, found.link.name));
        }
        all += 1;
        *counts.entry(notes).or_default() += 1;
    }
    if all == 0 {
        return Verdict::LeftOut;
    }
    if echoes.len() * ONE_IN > all {
        let detail = format!("{} of {all} notes repeat the title", echoes.len());
        return Verdict::share(detail, echoes, "notes that repeat the title");
    }
    match counts.into_iter().max_by_key(|(notes, count)| (*count, *notes)) {
        Some((notes, count)) if count > 1 && count * ONE_IN > all => {
            let notes = excerpt(notes);
            Verdict::fail(format!("{count} of {all} links have the same notes: {notes}"))
        }
        _ => Verdict::Pass,
    }
}

fn says_the_same(notes: &str, name: &str) -> bool {
    let bare = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    notes.len() < name.len() + 8 && bare(notes) == bare(name)
}
