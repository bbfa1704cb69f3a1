//! Plain text as Markdown that reads back as that text and as nothing else, with as few backslashes as that takes.
//!
//! Made for `CommonMark` 0.31 and for what readers switch on beside it: tables, footnotes, strikethrough, task lists,
//! alerts, mathematics, definition lists, attributes of headings. Code in single backticks is the one mark that stays:
//! all that can stand in it is text.

use std::ops::Range;

use memchr::memchr_iter;

use super::code::is_in;
use crate::maps::byte_set;
use crate::markdown::is_word;
use crate::page::is_reference;

/// Where a line of text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinePosition {
    /// It is a block's first line: what it starts with may be a marker.
    Block,
    /// In a heading, or as the text of a link with more behind it.
    Inside,
}

/// A text without line breaks, leading and double spaces as Markdown. Linear in the text.
pub(super) fn escaped(text: &str, spot: LinePosition) -> String {
    let marks = TextMarks::of(text, spot);
    let mut places: Vec<usize> = marks.runs.iter().flat_map(|run| marks.places(run)).collect();
    if spot == LinePosition::Block {
        places.extend(block_marker(text));
    }
    places.sort_unstable();
    places.dedup();
    places.extend(swallowing(text, &places, &marks.code));
    places.sort_unstable();
    let mut out = String::with_capacity(text.len() + places.len());
    let mut copied = 0;
    for place in places {
        out.push_str(text.get(copied..place).unwrap_or_default());
        out.push('\\');
        copied = place;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}

/// The signs of a text that may be more than text.
struct TextMarks<'t> {
    text: &'t str,
    spot: LinePosition,
    /// Runs of the same sign, code left out.
    runs: Vec<Range<usize>>,
    code: Vec<Range<usize>>,
    /// Where the last run starts that could end what an earlier one of [`PAIRED`] began.
    last_closers: [Option<usize>; PAIRED.len()],
    last_at: Option<usize>,
    last_angle: Option<usize>,
}

/// Signs that mean something only in pairs.
const PAIRED: [u8; 4] = *b"*_~$";
/// What an item of a list of tasks begins with.
const TASKS: [&str; 3] = ["[ ]", "[x]", "[X]"];
/// A run of mathematics' sign from this length on holds its own end.
const CLOSED_DOLLARS: usize = 4;

impl<'t> TextMarks<'t> {
    fn of(text: &'t str, spot: LinePosition) -> Self {
        let code = code(text);
        let mut marks = Self {
            text,
            spot,
            runs: runs(text, &code),
            code,
            last_closers: PAIRED.map(|_| None),
            last_at: text.rfind('@'),
            last_angle: text.rfind('>'),
        };
        let closer = |sign| {
            let mut closers = marks.runs.iter().rev().filter(|run| marks.sign(run) == sign);
            closers.find(|run| marks.closes(run)).map(|run| run.start)
        };
        // Mathematics may end inside of code.
        let dollar = |span: &Range<usize>| Some(span.start + text.get(span.clone())?.rfind('$')?);
        let in_code = marks.code.iter().rev().find_map(dollar);
        marks.last_closers = PAIRED.map(|sign| closer(sign).max(in_code.filter(|_| sign == b'$')));
        marks
    }

    fn sign(&self, run: &Range<usize>) -> u8 {
        self.text.as_bytes().get(run.start).copied().unwrap_or_default()
    }

    fn before(&self, run: &Range<usize>) -> Option<char> {
        self.text.get(..run.start)?.chars().next_back().filter(|c| *c != ' ')
    }

    fn after(&self, run: &Range<usize>) -> Option<char> {
        self.text.get(run.end..)?.chars().next().filter(|c| *c != ' ')
    }

    /// Which bytes of a run need a backslash.
    fn places(&self, run: &Range<usize>) -> Range<usize> {
        let after = self.after(run);
        // Behind it stands the mark that ends a link, or the line end of a heading.
        let at_end = self.spot == LinePosition::Inside && run.end == self.text.len();
        let last = run.end - 1..run.end;
        let nothing = run.start..run.start;
        match self.sign(run) {
            b'`' => run.clone(),
            // The last of them only in front of what it would take.
            b'\\' if at_end || after.is_some_and(|c| c.is_ascii_punctuation()) => run.clone(),
            b'\\' => run.start..run.end - 1,
            b'<' if self.opens_angle(run.end, after) => last,
            b'&' if self.text.get(run.end..).is_some_and(is_reference) => last,
            // The destination of a link.
            b'(' if self.before(run) == Some(']') => run.start..run.start + 1,
            // A footnote; the first bracket of a block is looked at by `block_marker`.
            b'[' if after == Some('^') => last,
            b'^' if self.spot == LinePosition::Inside && run.start == 0 => run.start..run.start + 1,
            // A backslash before the brace that opens attributes would not do.
            b'}' if at_end && self.text.contains('{') => last,
            sign if self.opens(run) && self.is_closed(run, sign) => run.clone(),
            _ => nothing,
        }
    }

    /// Whether a `<` in front of `after` may open a tag, a comment or an address.
    fn opens_angle(&self, end: usize, after: Option<char>) -> bool {
        let tag = after.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        tag || after.is_some() && self.last_at > Some(end) && self.last_angle > Some(end)
    }

    /// What stands before and behind a run, as `CommonMark` sees it and as GitHub does, to whom a tilde there is nothing.
    fn neighbours(&self, run: &Range<usize>) -> [(Option<char>, Option<char>); 2] {
        let head = self.text.get(..run.start).unwrap_or_default().trim_end_matches('~');
        let tail = self.text.get(run.end..).unwrap_or_default().trim_start_matches('~');
        let seen = |c: Option<char>| c.filter(|c| *c != ' ');
        [(self.before(run), self.after(run)), (seen(head.chars().next_back()), seen(tail.chars().next()))]
    }

    /// Whether a run may begin something (`CommonMark`'s left-flanking runs, and a little more).
    fn opens(&self, run: &Range<usize>) -> bool {
        let at_edge = run.len() > 1 || self.spot == LinePosition::Inside;
        self.neighbours(run).into_iter().any(|(before, after)| flanks(self.sign(run), after, before, at_edge))
    }

    /// Whether a run may end something (right-flanking runs, and a little more).
    fn closes(&self, run: &Range<usize>) -> bool {
        self.neighbours(run)
            .into_iter()
            .any(|(before, after)| flanks(self.sign(run), before, after, run.len() > 1))
    }

    /// Whether something may end what a run begins: a later run of its sign, or what follows a link's text.
    fn is_closed(&self, run: &Range<usize>, sign: u8) -> bool {
        let last = PAIRED.iter().position(|paired| *paired == sign).and_then(|at| self.last_closers.get(at));
        let dollars = sign == b'$' && (self.spot == LinePosition::Inside || run.len() >= CLOSED_DOLLARS);
        dollars || last.is_some_and(|last| last.is_some_and(|last| last > run.start))
    }
}

/// Whether a run of a sign may belong to what stands on its one side, `inner`, and not to what is `outer`. `at_edge`: one of
/// `$` may where nothing stands there, too.
fn flanks(sign: u8, inner: Option<char>, outer: Option<char>, at_edge: bool) -> bool {
    match sign {
        b'*' => inner.is_some_and(|c| !(c.is_ascii_punctuation() && is_word(outer))),
        b'_' => inner.is_some() && !is_word(outer),
        b'~' => inner.is_some(),
        b'$' => inner.is_some() || at_edge,
        _ => false,
    }
}

/// What may be more than text.
static SIGNS: [bool; 256] = byte_set(b"\\`*_~$[<&(^}");

/// Runs of one and the same sign that may be more than text, outside of code.
fn runs(text: &str, code: &[Range<usize>]) -> Vec<Range<usize>> {
    let signs = text.bytes().enumerate().filter(|(_, byte)| SIGNS[usize::from(*byte)]);
    together(text, signs.map(|(at, _)| at).filter(|at| !is_in(code, *at)))
}

/// Places of a text, those together that stand side by side and hold the same byte.
fn together(text: &str, places: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in places {
        match runs.last_mut() {
            Some(run) if run.end == at && bytes.get(run.start) == bytes.get(at) => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// What an address is known by, and behind how many of its bytes a backslash breaks it.
const ADDRESSES: [(&str, usize); 2] = [("://", 1), ("www.", 3)];

/// Where an address needs a backslash, so that GitHub makes no link of it: such a link goes up to the next space or `<`, and
/// a backslash in it, or the start of code, would keep nothing behind it from being a mark.
fn swallowing(text: &str, places: &[usize], code: &[Range<usize>]) -> Vec<usize> {
    let mut broken = Vec::new();
    // What most texts lack, an address or a mark behind it.
    if !ADDRESSES.iter().any(|(mark, _)| text.contains(mark)) || places.is_empty() && !text.contains('`') {
        return broken;
    }
    let (mut start, mut places) = (0, places.iter().peekable());
    for word in text.split(' ') {
        let end = start + word.len();
        let mut last = word.rfind('`').map(|at| start + at);
        while let Some(&place) = places.next_if(|place| **place < end) {
            last = last.max(Some(place));
        }
        for (mark, behind) in ADDRESSES {
            let starts = word.match_indices(mark).map(|(at, _)| start + at);
            broken.extend(starts.filter(|at| last > Some(*at)).map(|at| at + behind));
        }
        start = end + 1;
    }
    broken.retain(|at| !is_in(code, *at));
    broken
}

/// What stays code: between single backticks, with nothing in it that a reader of lines would take for a link and no
/// space at its ends, where Markdown would drop it.
fn code(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut open: Option<Range<usize>> = None;
    for run in together(text, memchr_iter(b'`', text.as_bytes())).into_iter().filter(|run| run.len() == 1) {
        let is_code = |open: &Range<usize>| {
            let inside = text.get(open.end..run.start).unwrap_or_default();
            inside.trim_matches(' ').len() == inside.len() && !inside.contains("](")
        };
        match open.take().filter(is_code) {
            Some(open) => spans.push(open.start..run.end),
            None => open = Some(run),
        }
    }
    spans
}

/// Where a block's text starts with a marker: of an ordered list, a definition, a task, an alert. Those of headings,
/// quotations, bullet lists, tables and fences are not quoted at all.
fn block_marker(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let defines = || text.contains("]:");
    match bytes.first()? {
        b':' => Some(0),
        b'~' if matches!(bytes.get(1), None | Some(b' ')) => Some(0),
        b'[' if TASKS.iter().any(|mark| text.starts_with(mark))
            || bytes.get(1) == Some(&b'!')
            || defines() =>
        {
            Some(0)
        }
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let marks = matches!(bytes.get(digits), Some(b'.' | b')'));
            (marks && matches!(bytes.get(digits + 1), None | Some(b' '))).then_some(digits)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str) -> String {
        escaped(text, LinePosition::Block)
    }

    #[test]
    fn ordinary_words_need_no_backslash() {
        for text in [
            "C++, C# and a * b, 2 < 3 & 4 > 1",
            "*args and **kwargs",
            "snake_case, __init and ~/x, ~/y",
            "costs $5 or $10",
            "AT&T; R&D",
            "`<T>` and `*a*` stay code",
            "C:\\Users\\kiln",
            "f(x)[0] and [1] and [x]",
            "3.11 is out, 2nd. 1.5) no list",
            "{a} (b) |c| ^d",
        ] {
            assert_eq!(block(text), text);
        }
    }

    #[test]
    fn markdown_signs_get_a_backslash() {
        for (text, expected) in [
            ("1. # Fake", "1\\. # Fake"),
            ("2) ## X", "2\\) ## X"),
            ("2026.", "2026\\."),
            ("*a* b", "\\*a* b"),
            ("__init__", "\\_\\_init__"),
            ("\u{24b6}*[*", "\u{24b6}\\*[*"),
            ("\u{1f130}_a_", "\u{1f130}\\_a_"),
            ("~~a~~ and $x$", "\\~\\~a~~ and \\$x$"),
            ("a$, `b$`", "a\\$, `b$`"),
            ("Vec<T> <1@b.c>", "Vec\\<T> \\<1@b.c>"),
            ("&lt; &#9; &nbsp", "\\&lt; \\&#9; &nbsp"),
            ("[x](y) ![x](y)", "\\[x]\\(y) ![x]\\(y)"),
            ("*z~*s", "\\*z~*s"),
            ("~ defined", "\\~ defined"),
            ("http://e<h2> www.e<h2>", "http:\\//e\\<h2> www\\.e\\<h2>"),
            ("www.e`<h2>` `www.e<h2>` http://e/_x `b`", "www\\.e`<h2>` `www.e<h2>` http://e/_x `b`"),
            ("[e]: http://evil.example/", "\\[e]: http://evil.example/"),
            ("[ ] task [^1]", "\\[ ] task \\[^1]"),
            ("[!NOTE] it", "\\[!NOTE] it"),
            (": defined", "\\: defined"),
            ("a `b", "a \\`b"),
            ("` a ` ``b``", "\\` a \\` \\`\\`b\\`\\`"),
            ("`[a](b)`", "\\`[a]\\(b)\\`"),
            ("\\* \\a \\", "\\\\* \\a \\"),
        ] {
            assert_eq!(block(text), expected);
        }
        for (text, expected) in
            [("Use {#id}", "Use {#id\\}"), ("^1", "\\^1"), ("1. One \\", "1. One \\\\"), ("$5", "\\$5")]
        {
            assert_eq!(escaped(text, LinePosition::Inside), expected);
        }
    }
}
