//! Bytes and characters.

use super::super::rule::Verdict;
use super::super::subject::LintSubject;
use super::MAX_BYTES;
use crate::llms_txt::blocks::line_breaks;

pub(super) fn not_empty(file: &LintSubject<'_>) -> Verdict {
    Verdict::of(!super::super::is_blank(file.text), || "the file is empty or blank".to_owned())
}

pub(super) fn not_html(file: &LintSubject<'_>) -> Verdict {
    Verdict::of(!super::holds_html_page(file.text), || "the file is an HTML or XML page".to_owned())
}

pub(super) fn valid_utf8(file: &LintSubject<'_>) -> Verdict {
    if file.source.is_utf16 {
        return Verdict::fail_at(1, "the file is UTF-16");
    }
    match file.text.match_indices(['\u{fffd}', '\0']).next() {
        None => Verdict::Pass,
        Some((at, found)) => {
            let what = if found == "\0" { "a NUL character" } else { "what stands here is no UTF-8" };
            Verdict::fail_at(line_of(file.text, at), what)
        }
    }
}

pub(super) fn no_bom(file: &LintSubject<'_>) -> Verdict {
    if file.parsed.bom { Verdict::fail_at(1, "the file starts with U+FEFF") } else { Verdict::Pass }
}

pub(super) fn no_frontmatter(file: &LintSubject<'_>) -> Verdict {
    let text = file.text.strip_prefix('\u{feff}').unwrap_or(file.text);
    let first = text.split('\n').next().unwrap_or_default();
    if first.trim_end() == "---" { Verdict::fail_at(1, "the first line is `---`") } else { Verdict::Pass }
}

pub(super) fn line_endings(file: &LintSubject<'_>) -> Verdict {
    match file.text.find('\r') {
        None => Verdict::Pass,
        Some(at) => Verdict::fail_at(line_of(file.text, at), "a carriage return"),
    }
}

pub(super) fn size(file: &LintSubject<'_>) -> Verdict {
    Verdict::of(file.source.bytes <= MAX_BYTES, || format!("{} bytes", file.source.bytes))
}

fn line_of(text: &str, at: usize) -> usize {
    1 + line_breaks(text.get(..at).unwrap_or_default())
}
