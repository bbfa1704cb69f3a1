//! Where code stands inside a block.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr3, memrchr};
use pulldown_cmark::{Event, Parser};

use crate::maps::Map;
use crate::markdown::is_tame;

/// The code spans of a text that is one block, in order, backticks included (`CommonMark` section 6.1).
///
/// A Markdown parser is asked only where something else may have taken a backtick: it takes ten times as long.
pub(super) fn code_spans(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    match memrchr(b'`', bytes).and_then(|last| bytes.get(..last)) {
        None => Vec::new(),
        Some(before) if (defines(bytes) || others_come_first(before)) && is_tame(text) => {
            let events = Parser::new(text).into_offset_iter();
            events.filter_map(|(event, at)| matches!(event, Event::Code(_)).then_some(at)).collect()
        }
        Some(_) => pairs(bytes, &runs(bytes)),
    }
}

/// Whether this may define what a label leads to.
fn defines(text: &[u8]) -> bool {
    text.first() == Some(&b'[') && memchr_iter(b']', text).any(|at| text.get(at + 1) == Some(&b':'))
}

/// Whether a backtick behind some of this may belong to something that began here: a tag or an address in angle
/// brackets, or the destination of a link.
fn others_come_first(before: &[u8]) -> bool {
    if memchr(b'<', before).is_some() {
        return true;
    }
    let is_destination = |at: &usize| at.checked_sub(1).and_then(|at| before.get(at)) == Some(&b']');
    let mut destinations = memchr_iter(b'(', before).filter(is_destination);
    destinations.any(|at| {
        // It ends at the next parenthesis; with a backtick or another parenthesis before that it is not so plain.
        let inside = before.get(at + 1..).unwrap_or_default();
        memchr3(b')', b'(', b'`', inside).and_then(|end| inside.get(end)) != Some(&b')')
    })
}

/// Every run of backticks.
pub(super) fn runs(text: &[u8]) -> Vec<Range<usize>> {
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
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut places: Map<usize, Vec<usize>> = Map::default();
    for (at, run) in runs.iter().enumerate() {
        places.entry(run.len()).or_default().push(at);
    }
    let mut at = 0;
    while let Some(run) = runs.get(at) {
        let outside = spans.last().map_or(0, |span| span.end);
        let before = text.get(outside..run.start).unwrap_or_default();
        // A backslash takes the first backtick, not those behind it.
        let escaped = before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2;
        at += 1;
        let alike = places.get(&(run.len() - escaped)).map(Vec::as_slice).unwrap_or_default();
        if let Some(&closer) = alike.get(alike.partition_point(|&place| place < at)) {
            spans.extend(runs.get(closer).map(|close| run.start + escaped..close.end));
            at = closer + 1;
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
