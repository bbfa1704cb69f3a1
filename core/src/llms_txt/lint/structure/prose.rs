//! What does not belong into the text.

use memchr::{memchr, memchr_iter};

use super::super::rule::{Verdict, excerpt};
use super::super::subject::LintSubject;
use crate::llms_txt::blocks::{Block, BlockKind, line_breaks};
use crate::llms_txt::code::{code_spans, is_in};
use crate::llms_txt::reference::readable;
use crate::phrases::strip_prefix_ignore_case;

/// How lines of robots.txt begin.
const DIRECTIVES: [&str; 4] = ["user-agent:", "disallow:", "allow:", "crawl-delay:"];

/// How HTML and XML pages begin.
const PAGES: [&str; 5] = ["<!doctype", "<html", "<head", "<body", "<?xml"];

/// Whether a text is a page of the site instead of Markdown; comments before it do not count.
pub(in super::super) fn holds_html_page(text: &str) -> bool {
    let mut text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n', '\x0c']);
    while let Some(comment) = text.strip_prefix("<!--") {
        let Some((_, after)) = comment.split_once("-->") else { return false };
        text = after.trim_start();
    }
    let mut rests = PAGES.iter().filter_map(|tag| strip_prefix_ignore_case(text, tag));
    rests.any(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-'))
}

pub(super) fn no_html_tags(file: &LintSubject<'_>) -> Verdict {
    let tagged = file.prose().filter_map(first_tag);
    Verdict::none(tagged, "an HTML tag")
}

/// The first tag of a block: its line, and the text from its bracket on. Links in angle brackets are none.
fn first_tag<'a>(block: &Block<'a>) -> Option<(usize, &'a str)> {
    // What sets an item apart would make it code by itself.
    let text = block.source.trim_start();
    let mut brackets = memchr_iter(b'<', text.as_bytes()).filter(|&at| opens_tag(text, at)).peekable();
    brackets.peek()?;
    let code = code_spans(text);
    let at = brackets.find(|&at| !is_in(&code, at))?;
    let (before, rest) = text.split_at(at);
    Some((block.line + line_breaks(before), rest))
}

/// A bracket, a name of letters and digits, and then what can follow a name in a tag.
fn opens_tag(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    if at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\\') {
        return false;
    }
    let rest = bytes.get(at + 1..).unwrap_or_default();
    if rest.starts_with(b"!--") {
        return true;
    }
    let rest = rest.strip_prefix(b"/").unwrap_or(rest);
    let name = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    if !rest.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    match rest.get(name) {
        Some(b'>' | b'/') => true,
        Some(b' ' | b'\t' | b'\n' | b'\r') => {
            // An attribute or the end must follow, and no other bracket before the end: `a <b and c` is text.
            let end = rest.iter().position(|b| matches!(b, b'>' | b'<'));
            end.is_some_and(|end| {
                rest.get(end) == Some(&b'>') && has_attributes(rest.get(name..end).unwrap_or_default())
            })
        }
        _ => false,
    }
}

fn has_attributes(between: &[u8]) -> bool {
    let between = between.trim_ascii();
    between.is_empty() || between == b"/" || memchr(b'=', between).is_some()
}

pub(super) fn no_robots_directives(file: &LintSubject<'_>) -> Verdict {
    let is_directive =
        |line: &str| DIRECTIVES.iter().any(|word| strip_prefix_ignore_case(line, word).is_some());
    let plain =
        file.prose().filter(|block| matches!(block.kind, BlockKind::Paragraph | BlockKind::Item { .. }));
    let found = plain.flat_map(|block| {
        let lines = block.text.split('\n').enumerate().map(|(at, line)| (block.line + at, line));
        lines.filter(|(_, line)| is_directive(line.trim_start()))
    });
    Verdict::none(found, "a line of robots.txt")
}

pub(super) fn fences_closed(file: &LintSubject<'_>) -> Verdict {
    let open = file.blocks().filter(|block| block.kind == BlockKind::Fence { closed: false });
    Verdict::none(open.map(|block| (block.line, block.source)), "a code block that never ends")
}

pub(super) fn reference_parseable(file: &LintSubject<'_>) -> Verdict {
    match readable(file.text) {
        Ok(()) => Verdict::Pass,
        Err(unreadable) => Verdict::fail_at(unreadable.line, excerpt(&unreadable.why.to_string())),
    }
}
