//! Running text: white space folded, and markers that hug the words they are meant for.

use super::super::fold::{is_space, trim_start};
use super::escape::{self, Brackets, TextPosition};
use super::output::Output;

/// What a pair of markers means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpanKind {
    Strong,
    Emphasis,
    Struck,
    Link,
    Quote,
    Code,
}

#[derive(Debug)]
struct SpanMarker {
    kind: SpanKind,
    /// Where a link leads.
    target: Option<String>,
    written: bool,
    /// Where in the output its words begin, in bytes.
    inside: usize,
    /// A link that was written once, or emphasis that can open nothing.
    silent: bool,
}

/// Emphasis that ended where the output ends.
#[derive(Debug)]
struct ClosedSpan {
    mark: &'static str,
    /// Where in the output its words begin, and where its mark ends, in bytes.
    inside: usize,
    end: usize,
}

/// What is open in the running text, and what waits for the next word.
#[derive(Debug, Default)]
pub(super) struct Inline {
    /// At most one of each kind, so that the depth of nesting need not be counted.
    markers: Vec<SpanMarker>,
    /// For each element that is open, whether it has a marker: it has none where an outer one says the same already.
    open: Vec<bool>,
    /// White space was seen since the last word.
    pub(super) space: bool,
    /// A line break was seen since the last word.
    pub(super) line_break: bool,
    /// The block at hand began with a bracket.
    label: bool,
    /// The hashes of a heading whose first word is still to come.
    pub(super) marker: Option<&'static str>,
    closed: Option<ClosedSpan>,
}

impl Inline {
    /// Opens a marker; it is written in front of the first word.
    pub(super) fn open(&mut self, kind: SpanKind, target: Option<String>) {
        let new = self.markers.iter().all(|m| m.kind != kind);
        self.open.push(new);
        if new {
            self.markers.push(SpanMarker { kind, target, written: false, inside: 0, silent: false });
        }
    }

    /// Closes the marker that was opened last; one without words leaves nothing.
    pub(super) fn close(&mut self, out: &mut Output) {
        if self.open.pop() == Some(true)
            && let Some(marker) = self.markers.pop().filter(|m| m.written)
        {
            write_end(out, &marker);
            let mark = mark(marker.kind);
            self.closed =
                (!mark.is_empty()).then(|| ClosedSpan { mark, inside: marker.inside, end: out.len() });
        }
    }

    /// Whether a link is open.
    pub(super) fn in_link(&self) -> bool {
        self.markers.iter().any(|m| m.kind == SpanKind::Link)
    }

    /// A block ends: no marker may span it. Emphasis goes on in the next one, a link does not.
    pub(super) fn interrupt(&mut self, out: &mut Output) {
        self.space = false;
        self.line_break = false;
        self.marker = None;
        for marker in self.markers.iter_mut().rev().filter(|m| m.written) {
            write_end(out, marker);
            marker.written = false;
            marker.silent |= marker.kind == SpanKind::Link;
        }
    }

    /// Writes `piece` as it is, after the space and the markers that wait.
    pub(super) fn write(&mut self, out: &mut Output, piece: &str) {
        self.start_word(out, piece).push_str(piece);
    }

    /// Writes the space and the markers that wait; `word` goes behind them.
    pub(super) fn start_word<'o>(&mut self, out: &'o mut Output, word: &str) -> &'o mut String {
        self.before_word(out, word.chars().next());
        out.text()
    }

    fn before_word(&mut self, out: &mut Output, next: Option<char>) {
        let is_glued = !out.at_start() && !self.line_break && !self.space;
        if let Some(closed) = self.closed.take().filter(|closed| is_glued && closed.end == out.len()) {
            self.glue(out.text(), &closed, next);
        }
        let mut follows_word = is_glued && out.last().is_some_and(char::is_alphanumeric);
        if out.at_start() {
            out.begin();
            self.label = false;
            if let Some(marker) = self.marker.take() {
                out.push(marker);
                out.push(" ");
            }
        } else if self.line_break {
            out.push("  ");
            out.line();
        } else if self.space {
            out.text().push(' ');
        }
        self.space = false;
        self.line_break = false;
        let is_waiting = |m: &&mut SpanMarker| !m.written && !m.silent;
        let leads_to_sign = next.is_some_and(|c| !c.is_alphanumeric())
            || self.markers.iter_mut().filter(is_waiting).any(|m| m.kind == SpanKind::Link);
        for marker in self.markers.iter_mut().filter(is_waiting) {
            if marker.kind == SpanKind::Link {
                if out.last() == Some('!') {
                    out.escape_last();
                }
                out.text().push('[');
                follows_word = false;
            } else if follows_word && leads_to_sign {
                // Between a word and a sign a mark opens nothing (CommonMark section 6.2).
                marker.silent = true;
                continue;
            } else {
                out.text().push_str(mark(marker.kind));
            }
            marker.written = true;
            marker.inside = out.len();
        }
    }

    /// Makes the mark at the end of the text, which the next word touches, one that closes: emphasis goes on in emphasis of
    /// its kind, and between a sign and a word a mark closes nothing, so it goes before the sign.
    fn glue(&mut self, text: &mut String, closed: &ClosedSpan, next: Option<char>) {
        let words_end = closed.end - closed.mark.len();
        let waiting = self.markers.iter_mut().find(|m| !m.written && !m.silent);
        if let Some(marker) = waiting.filter(|m| mark(m.kind) == closed.mark) {
            text.truncate(words_end);
            (marker.written, marker.inside) = (true, closed.inside);
            return;
        }
        let words = text.get(closed.inside..words_end).unwrap_or_default();
        let is_sign = |c: char| ".,:;!?".contains(c) || !c.is_ascii() && !c.is_alphanumeric();
        let kept = words.trim_end_matches(is_sign);
        let is_told_apart = kept.len() == words.len() || !kept.ends_with(char::is_alphanumeric);
        if !is_told_apart && next.is_some_and(char::is_alphanumeric) {
            let kept_end = closed.inside + kept.len();
            text.truncate(words_end);
            text.insert_str(kept_end, closed.mark);
        }
    }

    /// Writes a text: words with single spaces between, escaped where they have to be.
    pub(super) fn text(&mut self, out: &mut Output, text: &str, spot: TextPosition) {
        let words = trim_start(text);
        self.space |= words.len() < text.len();
        if words.is_empty() {
            return;
        }
        let bare = self.markers.iter().all(|m| m.written || m.silent) && self.marker.is_none();
        let line_start = bare && (out.at_start() || self.line_break);
        let link = self.in_link();
        let written = self.start_word(out, words);
        self.label |= line_start && words.starts_with('[');
        let brackets = match (link, self.label) {
            (true, _) => Brackets::Link,
            (false, true) => Brackets::Label,
            (false, false) => Brackets::Text,
        };
        let spot = TextPosition { line_start, brackets, before: written.chars().next_back(), ..spot };
        let mut rest = words;
        // What stands in front matters to signs alone.
        if line_start || !escape::starts_plain(words) {
            let (first, others) = words.split_at(words.find(is_space).unwrap_or(words.len()));
            escape::word(written, first, spot, !trim_start(others).is_empty());
            rest = others;
        }
        self.space = escape::words(written, rest, TextPosition { line_start: false, ..spot });
    }
}

fn write_end(out: &mut Output, marker: &SpanMarker) {
    match (&marker.kind, &marker.target) {
        (SpanKind::Link, Some(target)) => {
            out.push("](");
            out.push(target);
            out.push(")");
        }
        (kind, _) => out.push(mark(*kind)),
    }
}

/// What stands on both sides of emphasis.
fn mark(kind: SpanKind) -> &'static str {
    match kind {
        SpanKind::Strong => "**",
        SpanKind::Emphasis => "*",
        SpanKind::Struck => "~~",
        SpanKind::Link | SpanKind::Quote | SpanKind::Code => "",
    }
}
