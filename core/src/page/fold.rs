//! Running text with its white space folded.

use std::borrow::Cow;

/// Text in which every run of white space is one space, none at the ends.
#[derive(Default)]
pub(super) struct Folded {
    pub(super) text: String,
    /// White space was met since the last word.
    pub(super) space: bool,
}

impl Folded {
    /// Adds a piece.
    pub(super) fn push(&mut self, piece: &str) {
        self.push_up_to(piece, usize::MAX);
    }

    /// Adds a piece, or as much of it as makes the text longer than so many bytes.
    pub(super) fn push_up_to(&mut self, piece: &str, most: usize) {
        let mut rest = piece;
        while self.text.len() <= most {
            let words = trim_start(rest);
            self.space |= words.len() < rest.len();
            if words.is_empty() {
                return;
            }
            // Room for all of it at once.
            self.text.reserve(words.len().min(most.saturating_add(char::MAX_LEN_UTF8)) + 1);
            if self.space && !self.text.is_empty() {
                self.text.push(' ');
            }
            self.space = false;
            let enough = most.saturating_add(char::MAX_LEN_UTF8);
            let (folded, _) = split_folded(head_of(words, enough), &WORDS);
            self.text.push_str(folded);
            rest = words.get(folded.len()..).unwrap_or_default();
        }
    }
}

/// A text, or so many bytes of it as are whole characters.
pub(super) fn head_of(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or_default()
}

/// White space of running text, the no-break space included.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\n' | '\t' | '\r' | '\x0c' | '\u{a0}')
}

/// White space of one byte.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

/// A text without the white space at its start.
pub(super) fn trim_start(text: &str) -> &str {
    // Most texts begin with a word.
    if text.bytes().next().is_some_and(|first| first > b' ' && first != NO_BREAK) {
        return text;
    }
    let blank = text.bytes().take_while(|&byte| is_blank(byte)).count();
    let rest = text.get(blank..).unwrap_or_default();
    // Only what starts like a no-break space may be one.
    if rest.as_bytes().first() == Some(&NO_BREAK) { rest.trim_start_matches(is_space) } else { rest }
}

/// A text without the white space at its ends.
pub(super) fn trim(text: &str) -> &str {
    let text = trim_start(text);
    let blank = text.bytes().rev().take_while(|&byte| is_blank(byte)).count();
    let rest = text.get(..text.len() - blank).unwrap_or_default();
    if rest.ends_with('\u{a0}') { rest.trim_end_matches(is_space) } else { rest }
}

/// A text with its white space folded, as it stands where there is nothing to fold.
pub(super) fn folded(text: &str) -> Cow<'_, str> {
    match split_folded(text, &WORDS) {
        (whole, "") if !whole.starts_with(' ') => Cow::Borrowed(whole),
        _ => Cow::Owned(fold(text)),
    }
}

/// Folds the white space of one text.
pub(super) fn fold(text: &str) -> String {
    let mut folded = Folded { text: String::with_capacity(text.len()), space: false };
    folded.push(text);
    folded.text
}

/// The first byte of a no-break space.
const NO_BREAK: u8 = 0xc2;

/// A byte of words.
pub(super) const WORD: u8 = 0;
/// A byte that is a space.
const SPACE: u8 = 1;
/// A byte that needs care.
const OTHER: u8 = 2;

/// What words are made of.
static WORDS: [u8; 256] = words_without(b"");

/// The kinds of bytes: [`WORD`] for what may be copied as it stands, which is nothing that may start white space, and
/// none of `special`.
pub(super) const fn words_without(special: &[u8]) -> [u8; 256] {
    let mut table = [WORD; 256];
    let mut byte = 0;
    while byte <= b' ' as usize {
        table[byte] = OTHER;
        byte += 1;
    }
    table[b' ' as usize] = SPACE;
    table[NO_BREAK as usize] = OTHER;
    let mut rest = special;
    while let [first, others @ ..] = rest {
        table[*first as usize] = OTHER;
        rest = others;
    }
    table
}

/// Bytes that are looked at together.
const STRETCH: usize = 8;

/// Splits behind the words at the start of a text that may be copied as they stand: single spaces between them, and
/// no byte in them but those that are a [`WORD`] to `kinds`. A text that starts with such a word gives at least it.
pub(super) fn split_folded<'t>(text: &'t str, kinds: &[u8; 256]) -> (&'t str, &'t str) {
    let bytes = text.as_bytes();
    // Words are short: to guess where each ends costs more than to ask the same of every byte.
    let (stretches, _) = bytes.as_chunks::<STRETCH>();
    let look = |(odd, before): (u8, u8), byte: &u8| {
        let kind = kinds[usize::from(*byte)];
        // Words end at a space, and at no second one.
        (odd | kind & (OTHER | before), kind)
    };
    let mut start = 0;
    let mut before = WORD;
    for stretch in stretches {
        let (odd, last) = stretch.iter().fold((WORD, before), look);
        if odd != 0 {
            break;
        }
        before = last;
        start += STRETCH;
    }
    for (at, &byte) in bytes.iter().enumerate().skip(start) {
        let kind = kinds[usize::from(byte)];
        if kind & (OTHER | before) != 0 {
            if is_blank(byte) || (byte == NO_BREAK && bytes.get(at + 1) == Some(&0xa0)) {
                // Of two spaces neither is part of the stretch.
                return text.split_at(if before == SPACE { at - 1 } else { at });
            }
            if byte > b' ' && byte != NO_BREAK {
                // Where the last whole word ends.
                let words = bytes.get(..at).unwrap_or_default();
                return text.split_at(words.iter().rposition(|&byte| byte == b' ').unwrap_or(0));
            }
        }
        before = kind;
    }
    if before == SPACE { text.split_at(bytes.len() - 1) } else { (text, "") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_stretch_ends_before_what_needs_care() {
        let split = |text| split_folded(text, &const { words_without(b"*") });
        assert_eq!(split("a bc d*e f"), ("a bc", " d*e f"));
        assert_eq!(split("a b  c"), ("a b", "  c"));
        assert_eq!(split("a b\nc"), ("a b", "\nc"));
        assert_eq!(split("a \nb"), ("a", " \nb"));
        assert_eq!(split("a\u{a0}b"), ("a", "\u{a0}b"));
        assert_eq!(split("*a b"), ("", "*a b"));
        assert_eq!(split("\u{e9} b"), ("\u{e9} b", ""));
    }

    proptest! {
        #[test]
        fn words_stay_and_spaces_fold(text in "[a\u{e9} \n\t\u{a0}]{0,40}") {
            let words: Vec<_> = text.split(is_space).filter(|word| !word.is_empty()).collect();
            prop_assert_eq!(fold(&text), words.join(" "));
            prop_assert_eq!(folded(&text), words.join(" "));
            prop_assert_eq!(trim(&text), text.trim_matches(is_space));
        }

        #[test]
        fn pieces_fold_like_the_whole(pieces in proptest::collection::vec("[a \n]{0,4}", 0..6)) {
            let mut folded = Folded::default();
            for piece in &pieces {
                folded.push(piece);
            }
            prop_assert_eq!(folded.text, fold(&pieces.concat()));
        }
    }
}
