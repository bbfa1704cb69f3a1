//! Title, summary and headings.

use super::super::rule::{Verdict, excerpt};
use super::super::subject::LintSubject;
use crate::llms_txt::blocks::BlockKind;

/// Titles that name the file instead of the site.
const FILE_NAMES: [&str; 4] = ["llms.txt", "/llms.txt", "llms-full.txt", "llms"];

/// Whether there is more than the mark of a block.
fn says_something(text: &str, mark: char) -> bool {
    text.contains(|c: char| !c.is_whitespace() && c != mark)
}

pub(super) fn h1_present(file: &LintSubject<'_>) -> Verdict {
    match file.parsed.title {
        Some(title) if !says_something(title.text, '#') => Verdict::fail_at(title.line, "the title is empty"),
        title => Verdict::of(title.is_some(), || "there is no H1".to_owned()),
    }
}

pub(super) fn h1_first(file: &LintSubject<'_>) -> Verdict {
    let Some(title) = file.parsed.title else { return Verdict::LeftOut };
    match file.blocks().next() {
        Some(first) if *first != title => {
            Verdict::fail_at(title.line, format!("the file starts with: {}", excerpt(first.source)))
        }
        _ => Verdict::Pass,
    }
}

pub(super) fn single_h1(file: &LintSubject<'_>) -> Verdict {
    if file.parsed.title.is_none() {
        return Verdict::LeftOut;
    }
    let further = file.headings().filter(|(level, _)| *level == 1).skip(1);
    Verdict::none(further.map(|(_, block)| (block.line, block.text)), "another H1")
}

pub(super) fn title_not_url(file: &LintSubject<'_>) -> Verdict {
    let Some(title) = file.parsed.title else { return Verdict::LeftOut };
    let text = title.text.trim_matches(['<', '>', '`', '*', ' ']);
    let lower = excerpt(text).to_ascii_lowercase();
    let url = lower.starts_with("http://") || lower.starts_with("https://");
    if url || FILE_NAMES.contains(&lower.as_str()) {
        return Verdict::fail_at(title.line, format!("the title is {lower}"));
    }
    Verdict::Pass
}

pub(super) fn summary_present(file: &LintSubject<'_>) -> Verdict {
    match (file.parsed.summary, file.parsed.title) {
        (Some(summary), _) if !says_something(summary.text, '>') => {
            Verdict::fail_at(summary.line, "the quotation below the title is empty")
        }
        (Some(_), _) => Verdict::Pass,
        (None, Some(title)) => Verdict::fail_at(title.line, "no quotation follows the title"),
        (None, None) => Verdict::fail("there is no quotation below a title"),
    }
}

pub(super) fn summary_first(file: &LintSubject<'_>) -> Verdict {
    let (Some(title), Some(summary)) = (file.parsed.title, file.parsed.summary) else {
        return Verdict::LeftOut;
    };
    let next = file.parsed.preamble.iter().find(|block| block.start > title.start);
    match next {
        Some(next) if *next != summary => {
            Verdict::fail_at(summary.line, format!("before it stands: {}", excerpt(next.source)))
        }
        _ => Verdict::Pass,
    }
}

pub(super) fn preamble_no_headings(file: &LintSubject<'_>) -> Verdict {
    if file.parsed.sections.is_empty() {
        return Verdict::LeftOut;
    }
    let deep =
        file.parsed.preamble.iter().filter(|b| matches!(b.kind, BlockKind::Heading { level: 3.., .. }));
    Verdict::none(deep.map(|block| (block.line, block.text)), "a heading before the first section")
}

pub(super) fn no_deep_headings(file: &LintSubject<'_>) -> Verdict {
    let deep = file.headings().filter(|(level, _)| *level > 2);
    Verdict::none(deep.map(|(_, block)| (block.line, block.text)), "a heading below H2")
}
