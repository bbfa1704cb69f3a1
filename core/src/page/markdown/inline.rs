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
    /// A link that was written once.
    silent: bool,
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
}

impl Inline {
    /// Opens a marker; it is written in front of the first word.
    pub(super) fn open(&mut self, kind: SpanKind, target: Option<String>) {
        let new = self.markers.iter().all(|m| m.kind != kind);
        self.open.push(new);
        if new {
            self.markers.push(SpanMarker { kind, target, written: false, silent: false });
        }
    }

    /// Closes the marker that was opened last; one without words leaves nothing.
    pub(super) fn close(&mut self, out: &mut Output) {
        if self.open.pop() == Some(true)
            && let Some(marker) = self.markers.pop().filter(|m| m.written)
        {
            write_end(out, &marker);
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
        self.start_word(out).push_str(piece);
    }

    /// Writes the space and the markers that wait; the next word goes behind them.
    pub(super) fn start_word<'o>(&mut self, out: &'o mut Output) -> &'o mut String {
        self.before_word(out);
        out.text()
    }

    fn before_word(&mut self, out: &mut Output) {
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
        for marker in self.markers.iter_mut().filter(|m| !m.written && !m.silent) {
            if marker.kind == SpanKind::Link && out.last() == Some('!') {
                out.escape_last();
            }
            out.text().push_str(match marker.kind {
                SpanKind::Strong => "**",
                SpanKind::Emphasis => "*",
                SpanKind::Struck => "~~",
                SpanKind::Link => "[",
                SpanKind::Quote | SpanKind::Code => "",
            });
            marker.written = true;
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
        let written = self.start_word(out);
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
            escape::word(written, first, spot, !others.is_empty());
            rest = others;
        }
        self.space = escape::words(written, rest, TextPosition { line_start: false, ..spot });
    }
}

fn write_end(out: &mut Output, marker: &SpanMarker) {
    match (&marker.kind, &marker.target) {
        (SpanKind::Strong, _) => out.push("**"),
        (SpanKind::Emphasis, _) => out.push("*"),
        (SpanKind::Struck, _) => out.push("~~"),
        (SpanKind::Link, Some(target)) => {
            out.push("](");
            out.push(target);
            out.push(")");
        }
        _ => {}
    }
}
