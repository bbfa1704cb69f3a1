//! Which files the format's reference parser reads: the rules of `PyPI` `llms-txt` 0.0.7, restated.
//!
//! It splits the text at every line that starts with `##`, wants a title with something below it before the
//! first of them, and a link in every line that is not blank after it. Anything else ends it with an exception.

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::memrchr;

use crate::llms_txt::blocks::line_breaks;

/// Why the reference parser gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct Unreadable {
    /// The line it stumbles over, counted from 1.
    pub line: usize,
    /// What it misses there.
    pub why: Why,
}

/// What the reference parser misses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// No line before the first section starts with `#`.
    #[error("no title before the first section")]
    NoTitle,
    /// Neither a blank line nor a summary with text below it comes after the title.
    #[error("nothing follows the title before the first section")]
    TitleAlone,
    /// A line of a section that holds no `- [name](url)`.
    #[error("a line inside a section that is no `- [name](url)` link")]
    NotALink,
}

/// Whether the reference parser reads the file.
///
/// # Errors
/// [`Unreadable`] names the first line that ends it.
pub fn readable(text: &str) -> Result<(), Unreadable> {
    // Python opens text files with universal line ends.
    let text = if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    };
    let (start, rest) = text.split_at(section_start(&text));
    readable_start(start)?;
    let first = 1 + line_breaks(start);
    // `##\s*` swallows blank lines, so the first line with text after a bare `##` is its name. Of sections with
    // the same name only the last is looked at.
    let mut sections: HashMap<&str, Option<Unreadable>> = HashMap::new();
    let (mut name, mut name_pending) = ("", false);
    for (number, line) in (first..).zip(rest.split('\n')) {
        if name_pending && is_blank(line) {
            continue;
        }
        if let Some(named) = if name_pending { Some(line) } else { line.strip_prefix("##") } {
            name_pending = is_blank(named);
            name = named.trim_start_matches(is_space);
            sections.insert(name, None);
        } else if !is_blank(line) && !holds_link(line) {
            let fault = Unreadable { line: number, why: Why::NotALink };
            sections.entry(name).or_default().get_or_insert(fault);
        }
    }
    sections.into_values().flatten().min_by_key(|fault| fault.line).map_or(Ok(()), Err)
}

/// Where the first line that starts with `##` begins, else the text's length.
fn section_start(text: &str) -> usize {
    if text.starts_with("##") { 0 } else { text.find("\n##").map_or(text.len(), |at| at + 1) }
}

fn readable_start(start: &str) -> Result<(), Unreadable> {
    let text = start.trim_matches(is_space);
    let skipped = start.len() - start.trim_start_matches(is_space).len();
    let line_of = |at: usize| 1 + line_breaks(start.get(..skipped + at).unwrap_or_default());
    let title = if text.starts_with('#') { Some(0) } else { text.find("\n#").map(|at| at + 1) };
    let Some(title) = title else {
        return Err(Unreadable { line: line_of(0), why: Why::NoTitle });
    };
    // The title ends before a line end that a blank line follows, or a quotation that more lines follow.
    let bytes = text.as_bytes();
    let last_break = text.rfind('\n').unwrap_or(0);
    let ends = (title + 2..bytes.len()).any(|at| {
        bytes[at] == b'\n'
            && match bytes.get(at + 1) {
                Some(b'\n') => true,
                Some(b'>') => last_break >= at + 3,
                _ => false,
            }
    });
    if ends { Ok(()) } else { Err(Unreadable { line: line_of(title), why: Why::TitleAlone }) }
}

/// A hyphen, white space, a name in brackets that holds no `]`, a URL in parentheses that holds no `)`.
fn holds_link(line: &str) -> bool {
    let bytes = line.as_bytes();
    let last_close = memrchr(b')', bytes).unwrap_or(0);
    let is_url = |at: usize| {
        bytes.get(at + 1) == Some(&b'(') && bytes.get(at + 2) != Some(&b')') && last_close > at + 2
    };
    let mut hyphen = false;
    let mut open = None;
    for (at, c) in line.char_indices() {
        match c {
            '[' if hyphen => {
                open.get_or_insert(at);
            }
            ']' => {
                let named = open.take().is_some_and(|open| at > open + 1);
                if named && is_url(at) {
                    return true;
                }
            }
            _ => {}
        }
        hyphen = c == '-' || (hyphen && is_space(c));
    }
    false
}

fn is_blank(line: &str) -> bool {
    line.chars().all(is_space)
}

/// White space as Python's regular expressions see it.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn why(text: &str) -> Result<(), (usize, Why)> {
        readable(text).map_err(|e| (e.line, e.why))
    }

    #[test]
    fn a_title_needs_something_below_it() {
        assert_eq!(why(""), Err((1, Why::NoTitle)));
        assert_eq!(why("# T\n\n## S\n"), Err((1, Why::TitleAlone)));
        assert_eq!(why("# T\n> s\n\n## S\n"), Err((1, Why::TitleAlone)));
        assert_eq!(why("# T\n\n> s\n\n## S\n"), Ok(()));
        assert_eq!(why("# T\n> s\ntext\n## S\n"), Ok(()));
        assert_eq!(why("text\n#T\nmore\n\nend"), Ok(()));
        assert_eq!(why("## S\n# T\n\ntext"), Err((1, Why::NoTitle)));
    }

    #[test]
    fn a_section_is_links_and_blank_lines() {
        assert_eq!(why("# T\r\n\r\ni\r\n## S\r\n\r\n- [a](b): c\r\n"), Ok(()));
        assert_eq!(why("# T\n\ni\n## S\nprose\n"), Err((5, Why::NotALink)));
        assert_eq!(why("# T\n\ni\n## S\n* [a](b)\n"), Err((5, Why::NotALink)));
        assert_eq!(why("# T\n\ni\n### S\n  - [a](b) - [c](d)\n"), Ok(()));
        assert_eq!(why("# T\n\ni\n## S\n- [a[b]](c)\n"), Err((5, Why::NotALink)));
        assert_eq!(why("# T\n\ni\n##\n\nname\n- [a](b)\n"), Ok(()));
        assert_eq!(why("# T\n\ni\n## S\n- [a]()\n"), Err((5, Why::NotALink)));
        assert_eq!(why("# T\n\ni\n## S\nprose\n## S\n- [a](b)\n"), Ok(()));
        assert_eq!(why("# T\n\ni\n## S\nprose\n## S \n- [a](b)\n"), Err((5, Why::NotALink)));
    }

    proptest! {
        #[test]
        fn reference_parser_survives_any_text(text in any::<String>()) {
            let _ = readable(&text);
        }
    }
}
