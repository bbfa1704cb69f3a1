//! What Markdown says, by the word of a parser that follows `CommonMark`.

use std::borrow::Cow;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// A word, and the space behind it: behind them no block can start.
const BEFORE: &str = "x ";

/// A piece of Markdown on one line in which no block can start, and where it begins: a parser reads its inline marks alone.
pub(crate) fn one_line(markdown: &str) -> (String, usize) {
    let mut line = String::with_capacity(BEFORE.len() + markdown.len());
    line.push('x');
    let add = |word| line.extend([" ", word]);
    if markdown.is_ascii() {
        markdown.split_ascii_whitespace().for_each(add);
    } else {
        markdown.split_whitespace().for_each(add);
    }
    (line, BEFORE.len())
}

/// What a piece of Markdown says on one line: links by their text, no images and no marks; code between two `ticks`.
/// Linear in the text.
pub(crate) fn words(markdown: &str, ticks: &str) -> String {
    let (line, start) = one_line(markdown);
    let (mut said, mut images) = (String::with_capacity(line.len()), 0_usize);
    for event in Parser::new(&line) {
        match event {
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images -= 1,
            Event::Text(text) | Event::InlineHtml(text) if images == 0 => said.push_str(&text),
            Event::Code(code) if images == 0 => said.extend([ticks, &*code, ticks]),
            _ => {}
        }
    }
    let said = said.get(start..).unwrap_or_default();
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a character is a part of a word. Letters in circles and squares are none: to Markdown they are symbols.
pub(crate) fn is_word(c: Option<char>) -> bool {
    let is_symbol = |c| matches!(c, '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f189}');
    c.is_some_and(|c| c.is_alphanumeric() && !is_symbol(c))
}

/// A text whose lines end with `\n` alone and whose other control characters are spaces: parsers differ about them.
pub(crate) fn without_controls(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains(is_control) {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n").replace(is_control, " "))
    } else {
        text
    }
}

/// Whether a character is neither text nor what a line is laid out with.
pub(crate) fn is_control(c: char) -> bool {
    c.is_ascii_control() && !matches!(c, '\n' | '\t')
}

/// The column up to which the markers of quotations and lists may stand at the start of a line, in bytes.
const MAX_MARKER_COLUMN: usize = 64;
/// Lines over which the title of a link may stretch.
const MAX_TITLE_LINES: usize = 64;

/// Whether a parser reads a text in a time that is linear in its length: it takes the square of it for blocks that are
/// nested without bound above many lines, and for titles of links that do not end for many lines.
pub(crate) fn is_tame(markdown: &str) -> bool {
    // Lines since a title may have begun.
    let mut open: Option<usize> = None;
    markdown.split(['\n', '\r']).all(|line| {
        let marks = markers(line);
        open = match open {
            _ if line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'>')) => None,
            Some(lines) => Some(lines + 1),
            None => leaves_title_open(line).then_some(0),
        };
        marks.trim_end().len() <= MAX_MARKER_COLUMN && open.is_none_or(|lines| lines <= MAX_TITLE_LINES)
    })
}

/// White space and markers of blocks that a line starts with; indentation alone is no marker.
fn markers(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let behind = match rest.strip_prefix("[^").and_then(|label| label.split_once("]:")) {
            Some((label, behind)) if !label.contains(['[', ']']) => Some(behind),
            _ => rest.strip_prefix(['>', ':']).or_else(|| {
                let bullet = if digits.len() < rest.len() {
                    digits.strip_prefix(['.', ')'])
                } else {
                    rest.strip_prefix(['-', '*', '+'])
                };
                bullet.filter(|behind| behind.is_empty() || behind.starts_with([' ', '\t']))
            }),
        };
        match behind {
            Some(behind) => rest = behind.trim_start(),
            None => return line.get(..line.len() - rest.len()).unwrap_or_default(),
        }
    }
}

/// Whether a link may begin on a line whose title is not over at its end.
fn leaves_title_open(line: &str) -> bool {
    let bytes = line.as_bytes();
    let last = |sign: u8| memchr::memrchr(sign, bytes);
    let (quote, single, parenthesis) = (last(b'"'), last(b'\''), last(b')'));
    memchr::memmem::find_iter(bytes, b"](").any(|at| {
        let mut rest = line.get(at + 2..).unwrap_or_default().trim_start();
        if let Some(inside) = rest.strip_prefix('<') {
            let Some(end) = inside.find(['<', '>']) else { return false };
            if inside.get(..end).is_some_and(|inside| inside.ends_with('\\')) {
                return true;
            }
            let Some(behind) = inside.get(end..).and_then(|end| end.strip_prefix('>')) else { return false };
            rest = behind;
        }
        // The destination: whatever is nested deeper is none.
        let mut depth = 0_usize;
        let mut bytes = rest.bytes().enumerate();
        let end = loop {
            match bytes.next() {
                None => return true,
                Some((at, b' ' | b'\t')) => break at,
                Some((_, b'\\')) => {
                    bytes.next();
                }
                Some((_, b'(')) if depth > MAX_PARENTHESES => return true,
                Some((_, b'(')) => depth += 1,
                Some((_, b')')) if depth == 0 => return false,
                Some((_, b')')) => depth -= 1,
                Some(_) => {}
            }
        };
        rest = rest.get(end..).unwrap_or_default().trim_start();
        let start = Some(line.len() - rest.len());
        match rest.bytes().next() {
            None => true,
            Some(b'"') => quote <= start,
            Some(b'\'') => single <= start,
            Some(b'(') => parenthesis <= start,
            Some(_) => false,
        }
    })
}

/// Parentheses that a parser counts in one another in the destination of a link.
const MAX_PARENTHESES: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadratic_markdown_is_recognised() {
        let lines = "a\n".repeat(MAX_TITLE_LINES + 2);
        let list = "- [a](b) (see \"c\")\n- [a](b \"c\") it's\n1. [x](<y> 'z')\n".repeat(100);
        for tame in [
            &list,
            &lines,
            &format!("[a](b \"c\n\n{lines}"),
            &format!("{}x\n{lines}", "- ".repeat(10)),
            &"-".repeat(200),
        ] {
            assert!(is_tame(tame), "{tame}");
        }
        for title in [
            "[](a \"",
            "[](a '",
            "[](a (",
            "x [](a(b) 'c",
            "[](a",
            "[](",
            "[](<a> \"b>",
            "[](<\\> \"b> \"c",
            "[](\\) \"",
            "[](a \"b [](c)",
            "[](a \"\n*\n1.",
        ] {
            assert!(!is_tame(&format!("{title}\n{lines}")), "{title}");
        }
        let empty = "1.\n".repeat(MAX_TITLE_LINES + 2);
        assert!(!is_tame(&format!("[](a \"\n{empty}")) && is_tame(&format!("> [](a \"\n>\n{empty}")));
        for deep in ["- ", "> ", ">", "1. ", "> - ", "[^a]: ", ": ", "-\t", "9) * "] {
            assert!(!is_tame(&deep.repeat(100)), "{deep}");
        }
    }
}
