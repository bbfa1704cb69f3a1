//! The H2 sections and their lists.

use std::collections::HashSet;

use super::super::rule::{Verdict, excerpt};
use super::super::subject::{LintSubject, Listed};
use crate::llms_txt::parse::SectionBlocks;
use crate::site::outline::OPTIONAL;

/// Items in ten that must be entries.
const ENTRIES_IN_TEN: usize = 9;

pub(super) fn present(file: &LintSubject<'_>) -> Verdict {
    Verdict::of(!file.sections.is_empty(), || "there is no H2".to_owned())
}

pub(super) fn have_links(file: &LintSubject<'_>) -> Verdict {
    if file.sections.is_empty() {
        return Verdict::LeftOut;
    }
    let without = lists(file).filter(|(_, listed)| listed.links == 0);
    Verdict::none(
        without.map(|(section, _)| (section.heading.line, section.heading.text)),
        "a section without links",
    )
}

pub(super) fn link_syntax(file: &LintSubject<'_>) -> Verdict {
    let count =
        |number: fn(&Listed<'_>) -> usize| lists(file).map(|(_, listed)| number(listed)).sum::<usize>();
    let (items, entries) = (count(|listed| listed.items), count(|listed| listed.entries));
    if items == 0 || file.links.is_empty() {
        return Verdict::LeftOut;
    }
    if entries * 10 >= items * ENTRIES_IN_TEN {
        return Verdict::Pass;
    }
    let others = lists(file).flat_map(|(_, listed)| listed.others.iter().copied());
    let detail = format!("{} of {items} items are no `[name](url): notes`", items - entries);
    Verdict::share(detail, others, "no `[name](url): notes`")
}

pub(super) fn names_unique(file: &LintSubject<'_>) -> Verdict {
    if file.sections.is_empty() {
        return Verdict::LeftOut;
    }
    let mut seen = HashSet::new();
    let twice = file.parsed.sections.iter().filter(|s| !seen.insert(s.heading.text.trim().to_lowercase()));
    Verdict::none(
        twice.map(|section| (section.heading.line, section.heading.text)),
        "a section name that was used",
    )
}

pub(super) fn optional_last(file: &LintSubject<'_>) -> Verdict {
    let is_optional =
        |section: &SectionBlocks<'_>| section.heading.text.trim().eq_ignore_ascii_case(OPTIONAL);
    let Some(at) = file.parsed.sections.iter().position(is_optional) else { return Verdict::LeftOut };
    match file.parsed.sections.get(at + 1) {
        None => Verdict::Pass,
        Some(next) => {
            let line = file.parsed.sections.get(at).map_or(1, |section| section.heading.line);
            Verdict::fail_at(line, format!("after it comes: {}", excerpt(next.heading.text)))
        }
    }
}

/// Every section but those that instruct agents.
fn lists<'f, 'a>(file: &'f LintSubject<'a>) -> impl Iterator<Item = (&'f SectionBlocks<'a>, &'f Listed<'a>)> {
    file.parsed.sections.iter().zip(&file.sections).filter(|(_, listed)| !listed.instructs)
}
