//! Lines of Markdown with the prefixes of the lists and quotes that enclose them.

use std::borrow::Cow;

/// One part in this many of a text is added to its room for what Markdown adds to it.
const ROOM_SHARE: usize = 2;

/// What has to stand between two blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    None,
    Line,
    /// An empty line, unless the next item of an outer list follows.
    AfterList,
    Blank,
}

/// What starts the lines of a list item or quote.
pub(super) struct Prefix {
    first: Cow<'static, str>,
    rest: Cow<'static, str>,
    used: bool,
}

/// Collects the lines.
pub(super) struct Output {
    text: String,
    prefixes: Vec<Prefix>,
    gap: Gap,
}

impl Output {
    pub(super) fn new() -> Self {
        Self { text: String::new(), prefixes: Vec::new(), gap: Gap::None }
    }

    /// The Markdown so far.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Whether nothing is written yet.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Bytes written so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether the next text starts a block.
    pub(super) fn at_start(&self) -> bool {
        self.gap != Gap::None || self.text.is_empty() || self.prefixes.last().is_some_and(|p| !p.used)
    }

    /// Asks for a gap before whatever comes next. What follows a list marker directly stays beside it.
    pub(super) fn gap(&mut self, gap: Gap) {
        if self.prefixes.last().is_none_or(|p| p.used) {
            self.gap = self.gap.max(gap);
        }
    }

    /// Opens a list item or quote: its first line starts with `first`, all others with `rest`.
    pub(super) fn open(&mut self, gap: Gap, first: Cow<'static, str>, rest: Cow<'static, str>) {
        if self.gap == Gap::AfterList {
            self.gap = Gap::Line;
        }
        self.gap(gap);
        // An item inside an item whose own text is still to come stands on the same line.
        self.prefixes.push(Prefix { first, rest, used: false });
    }

    /// Closes what was opened last. The next item may follow on the next line, whatever its own blocks asked for.
    pub(super) fn close(&mut self) {
        if self.prefixes.pop().is_some_and(|p| p.used) {
            self.gap = Gap::Line;
        }
    }

    /// Leaves all quotes, and what was opened inside them, for a block that must stand without their marks.
    pub(super) fn step_out(&mut self) -> Vec<Prefix> {
        let quote = self.prefixes.iter().position(|p| p.rest.starts_with('>')).unwrap_or(self.prefixes.len());
        self.prefixes.split_off(quote)
    }

    /// Goes back into what [`Self::step_out`] left.
    pub(super) fn step_in(&mut self, left: Vec<Prefix>) {
        let inside = self.prefixes.len();
        self.prefixes.extend(left);
        // The quote starts anew: an empty line in front of it carries no mark.
        if let Some(quote) = self.prefixes.get_mut(inside) {
            quote.used = false;
        }
    }

    /// Makes room for about so many bytes.
    pub(super) fn expect(&mut self, bytes: usize) {
        self.text.reserve(bytes + bytes / ROOM_SHARE);
    }

    /// The text, to be added to where its block has begun.
    pub(super) fn text(&mut self) -> &mut String {
        &mut self.text
    }

    /// Adds text to the line, after the gap and the prefixes where a block starts.
    pub(super) fn push(&mut self, text: &str) {
        self.begin();
        self.text.push_str(text);
    }

    /// The last character.
    pub(super) fn last(&self) -> Option<char> {
        self.text.chars().next_back()
    }

    /// Puts a backslash in front of the last character, whose meaning what follows would change.
    pub(super) fn escape_last(&mut self) {
        if let Some(last) = self.text.pop() {
            self.text.push('\\');
            self.text.push(last);
        }
    }

    /// Whether the text ends in a run of number signs of its own, which would end a heading.
    pub(super) fn ends_in_hashes(&self) -> bool {
        let before = self.text.trim_end_matches('#');
        before.len() < self.text.len() && before.ends_with(' ')
    }

    /// Goes to the next line of the same block.
    pub(super) fn line(&mut self) {
        self.text.push('\n');
        self.write_prefixes();
    }

    /// Bytes that stand before each line.
    pub(super) fn prefix_len(&self) -> usize {
        self.prefixes.iter().map(|prefix| prefix.rest.len()).sum()
    }

    /// Adds lines below the line at hand, to the letter.
    pub(super) fn lines(&mut self, lines: &str) {
        if self.prefixes.is_empty() {
            self.text.push('\n');
            self.text.push_str(lines);
            return;
        }
        for line in lines.split('\n') {
            self.text.push('\n');
            if line.is_empty() {
                self.write_blank();
            } else {
                self.write_prefixes();
                self.text.push_str(line);
            }
        }
    }

    /// Begins a block below the mark of a list item: readers look for a fence at the start of a line.
    pub(super) fn begin_below(&mut self) {
        let is_item = |p: &Prefix| !p.used && p.first.trim_end().ends_with(['-', '.']);
        let below = self.prefixes.last().is_some_and(is_item);
        self.begin();
        if below {
            self.text.truncate(self.text.trim_end().len());
            self.line();
        }
    }

    /// Writes the gap that was asked for.
    pub(super) fn begin(&mut self) {
        if !self.at_start() {
            return;
        }
        if !self.text.is_empty() && self.gap != Gap::None {
            self.text.push('\n');
            if self.gap > Gap::Line {
                self.write_blank();
                self.text.push('\n');
            }
            self.write_prefixes();
        } else if self.text.is_empty() {
            self.write_prefixes();
        } else {
            self.write_new_prefixes();
        }
        self.gap = Gap::None;
    }

    fn write_prefixes(&mut self) {
        for prefix in &mut self.prefixes {
            self.text.push_str(if prefix.used { &prefix.rest } else { &prefix.first });
            prefix.used = true;
        }
    }

    fn write_new_prefixes(&mut self) {
        for prefix in self.prefixes.iter_mut().filter(|p| !p.used) {
            self.text.push_str(&prefix.first);
            prefix.used = true;
        }
    }

    fn write_blank(&mut self) {
        let start = self.text.len();
        for prefix in self.prefixes.iter().take_while(|p| p.used) {
            self.text.push_str(&prefix.rest);
        }
        let kept = self.text.trim_end_matches(' ').len().max(start);
        self.text.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_stand_on_every_line() {
        let mut out = Output::new();
        out.push("a");
        out.open(Gap::Blank, "> ".into(), "> ".into());
        out.push("b");
        out.open(Gap::Blank, "- ".into(), "  ".into());
        out.gap(Gap::Blank);
        out.push("c");
        out.gap(Gap::Blank);
        out.push("d");
        out.close();
        out.open(Gap::Line, "- ".into(), "  ".into());
        out.push("e");
        out.close();
        out.close();
        out.gap(Gap::Blank);
        out.push("f");
        assert_eq!(out.finish(), "a\n\n> b\n>\n> - c\n>\n>   d\n> - e\n\nf");
    }
}
