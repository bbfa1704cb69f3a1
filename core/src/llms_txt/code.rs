//! Where code stands inside a block.

use std::ops::Range;

use pulldown_cmark::{Event, Parser};

use crate::markdown::is_tame;

/// The code spans of a text that is one block, in order, backticks included (`CommonMark` section 6.1); none where a parser
/// would not read it in linear time.
pub(super) fn code_spans(text: &str) -> Vec<Range<usize>> {
    if !text.contains('`') || !is_tame(text) {
        return Vec::new();
    }
    let events = Parser::new(text).into_offset_iter();
    events.filter_map(|(event, at)| matches!(event, Event::Code(_)).then_some(at)).collect()
}

/// Whether a place of a text lies in one of its spans, which are in order.
pub(super) fn is_in(spans: &[Range<usize>], at: usize) -> bool {
    spans.get(spans.partition_point(|span| span.end <= at)).is_some_and(|span| span.start <= at)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
