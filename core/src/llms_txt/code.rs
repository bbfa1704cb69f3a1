//! Where code stands inside a block.

use std::collections::BTreeMap;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};
use pulldown_cmark::{Event, Parser};

/// The code spans of a text that is one block, in order, backticks included (`CommonMark` section 6.1). Linear.
///
/// A Markdown parser is asked only where something else may have taken a backtick: it takes ten times as long.
pub(super) fn code_spans(text: &str) -> Vec<Range<usize>> {
    if memchr(b'`', text.as_bytes()).is_none() {
        Vec::new()
    } else if others_come_first(text) {
        let events = Parser::new(text).into_offset_iter();
        events.filter_map(|(event, at)| matches!(event, Event::Code(_)).then_some(at)).collect()
    } else {
        pairs(text.as_bytes(), &runs(text.as_bytes()))
    }
}

/// Whether a backtick may belong to something that began before it: a tag or an address in angle brackets, the
/// destination of a link, or a definition of one.
fn others_come_first(text: &str) -> bool {
    let bytes = text.as_bytes();
    let defines = text.starts_with('[') && memmem::find(bytes, b"]:").is_some();
    let mut destinations = memmem::find_iter(bytes, b"](").filter_map(|at| bytes.get(at + 2..));
    defines || memchr(b'<', bytes).is_some() || destinations.any(holds_backtick)
}

/// Whether there may be a backtick before the parenthesis that closes a destination. Stops where another one would
/// begin, so that every byte is looked at once.
fn holds_backtick(destination: &[u8]) -> bool {
    let (mut depth, mut escaped, mut before) = (0_usize, false, 0);
    for &byte in destination {
        let nested = byte == b'(' && before == b']';
        before = byte;
        match byte {
            b'`' => return true,
            _ if nested => return true,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
    }
    false
}

/// Every run of backticks.
fn runs(text: &[u8]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in memchr_iter(b'`', text) {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// A run opens a span that the next run of its length closes; without one it is text.
fn pairs(text: &[u8], runs: &[Range<usize>]) -> Vec<Range<usize>> {
    // For each run, from the last to the first: the next one of its own length, and the next one that closes what is
    // left of it when its first backtick is escaped.
    let mut next: BTreeMap<usize, usize> = BTreeMap::new();
    let mut closers: Vec<[Option<usize>; 2]> = Vec::with_capacity(runs.len());
    for (number, run) in runs.iter().enumerate().rev() {
        closers.push([0, 1].map(|escaped| next.get(&(run.len() - escaped)).copied()));
        next.insert(run.len(), number);
    }
    closers.reverse();
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut number = 0;
    while let (Some(run), Some(closers)) = (runs.get(number), closers.get(number)) {
        let outside = spans.last().map_or(0, |span| span.end);
        let before = text.get(outside..run.start).unwrap_or_default();
        let escaped = before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2;
        number += 1;
        if let Some(closer) = closers[escaped]
            && let Some(close) = runs.get(closer)
        {
            spans.push(run.start + escaped..close.end);
            number = closer + 1;
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Vec<&str> {
        code_spans(text).into_iter().map(|span| text.get(span).unwrap()).collect()
    }

    #[test]
    fn runs_of_one_length_pair_and_others_are_text() {
        assert_eq!(shown("a `b` c ``d ` e`` f"), ["`b`", "``d ` e``"]);
        assert_eq!(shown("`a ``b`` c"), ["``b``"]);
        assert_eq!(shown("\\`a` b`"), ["` b`"]);
        assert_eq!(shown("\\\\`a\\` b"), ["`a\\`"]);
        assert_eq!(shown("\\``a` b``"), ["`a`"]);
        assert_eq!(shown("<a href=\"`\">`"), Vec::<&str>::new());
    }

    proptest! {
        #[test]
        fn a_markdown_parser_finds_the_same(text in "(a|\\[)[`\\\\ ab\\[\\]():<]{0,40}b") {
            let events = Parser::new(&text).into_offset_iter();
            let theirs: Vec<_> =
                events.filter_map(|(event, at)| matches!(event, Event::Code(_)).then_some(at)).collect();
            prop_assert_eq!(code_spans(&text), theirs, "{}", text);
        }
    }
}
