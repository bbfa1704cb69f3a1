//! The line of text that the walk is on, as far as it tells what its links are.

use super::text::MAX_LABEL;
use crate::page::fold::Folded;
use crate::separators::is_wide;

/// The most words in front of a link that still is an entry of a list: more make running text.
pub(super) const MAX_LEADING_WORDS: usize = 3;

/// What stands on a line outside of links.
#[derive(Default)]
pub(super) struct Line {
    /// How many words, as far as that matters.
    pub(super) words: usize,
    /// It ends with a colon.
    pub(super) colon: bool,
    /// It begins with a label.
    pub(super) labelled: bool,
    /// Its text since the last element with links, up to [`MAX_LABEL`].
    run: Folded,
    /// That text is set in bold.
    pub(super) bold: bool,
}

impl Line {
    /// Another one begins.
    pub(super) fn begin(&mut self) {
        (self.words, self.colon, self.labelled) = (0, false, false);
    }

    /// Counts the words of a text.
    pub(super) fn count(&mut self, text: &str) {
        if self.words <= MAX_LEADING_WORDS {
            let words = text.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
            // Scripts without spaces write a word with a character or two.
            let wide = text.chars().filter(|c| is_wide(*c)).take(4 * MAX_LEADING_WORDS);
            let wide = if text.is_ascii() { 0 } else { wide.count() };
            self.words += words.take(MAX_LEADING_WORDS + 1).count().max(wide / 3);
        }
        self.note_end(text);
    }

    /// Notes how a text ends.
    pub(super) fn note_end(&mut self, text: &str) {
        if let Some(last) = text.trim_end().chars().next_back() {
            self.colon = matches!(last, ':' | '：');
        }
    }

    /// Adds a text; gives whether it says something.
    pub(super) fn read(&mut self, text: &str, bold: bool) -> bool {
        let says_something = text.contains(char::is_alphanumeric);
        if says_something {
            self.bold = bold && (self.bold || self.run.text.is_empty());
        }
        self.run.push_up_to(text, MAX_LABEL);
        says_something
    }

    /// Whether nothing more of it matters but how it ends: running text, mostly.
    pub(super) fn is_read(&self) -> bool {
        self.words > MAX_LEADING_WORDS && !self.bold && self.run.text.len() > MAX_LABEL
    }

    /// The text that was added since [`Line::forget`].
    pub(super) fn text(&self) -> &str {
        &self.run.text
    }

    /// Forgets the text: an element with links begins, or ends.
    pub(super) fn forget(&mut self) {
        self.run.text.clear();
        (self.run.space, self.bold) = (false, false);
    }
}
