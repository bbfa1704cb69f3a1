//! Backslashes, only where Markdown would misread a text.

use super::super::fold::{WORD, is_space, split_folded, trim_start, words_without};
use crate::markdown::is_word;

/// Bytes of the name of a character reference with its semicolon (the longest of HTML has 32).
const MAX_REFERENCE: usize = 32;

/// Where a piece of text is going to stand.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TextPosition {
    /// At the start of a block, where `#`, `-`, `>` and `1.` mean something.
    pub(super) line_start: bool,
    /// In a cell of a table, where `|` means something.
    pub(super) cell: bool,
    /// What brackets mean.
    pub(super) brackets: Brackets,
    /// The character in front.
    pub(super) before: Option<char>,
}

/// What brackets mean where a text is going to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Brackets {
    /// Nothing, unless a link follows.
    #[default]
    Text,
    /// The block began with one: `]:` would make a definition of it, which is not shown.
    Label,
    /// The end of the link that the text is in.
    Link,
}

/// Appends one word (no white space in it) to `out`. `more` says that another word follows.
pub(super) fn word(out: &mut String, word: &str, spot: TextPosition, more: bool) {
    if spot.line_start
        && !spot.cell
        && let Some(rest) = line_marker(word)
    {
        out.push_str(word.strip_suffix(rest).unwrap_or_default());
        out.push('\\');
        out.push_str(rest);
        return;
    }
    // A colon would make what stands above it a term.
    if spot.line_start && !spot.cell && word.starts_with(['>', ':']) {
        out.push('\\');
    }
    // Where the last link text could end, if anything was looked up.
    let mut destination = None;
    let mut copied = 0;
    for (at, byte) in word.bytes().enumerate().filter(|&(_, byte)| PLAIN[usize::from(byte)] != WORD) {
        let (head, rest) = (word.get(..at).unwrap_or_default(), word.get(at + 1..).unwrap_or_default());
        let before = || head.chars().next_back().or(spot.before);
        let after = || rest.chars().next();
        let escaped = match byte {
            // Behind the last word the end of a span may follow.
            b'\\' => after().map_or(!more, |a| a.is_ascii_punctuation()),
            // Alone between spaces it means nothing.
            b'*' => word.len() > 1 || !more || spot.before.is_some_and(|b| b != ' '),
            b'_' => {
                (word.len() > 1 || !more || spot.before.is_some_and(|b| b != ' '))
                    && !(is_word(before()) && is_word(after()))
            }
            b'[' => {
                spot.brackets == Brackets::Link
                    || *destination.get_or_insert_with(|| word.rfind("](")) > Some(at)
            }
            b']' => {
                // What follows the last byte may stand in another element.
                let defines = after() == Some(':') || (after().is_none() && !more);
                match spot.brackets {
                    Brackets::Link => true,
                    Brackets::Label if defines => true,
                    _ => after() == Some('('),
                }
            }
            // What follows the last byte may stand in another element.
            b'<' => after().is_none_or(|a| a.is_ascii_alphabetic() || matches!(a, '/' | '!' | '?')),
            b'(' => at == 0 && spot.before == Some(']'),
            b'&' => is_reference(rest),
            b'~' => ends_run(before(), after()),
            b'|' => spot.cell,
            b'`' => true,
            _ => false,
        };
        if escaped {
            out.push_str(word.get(copied..at).unwrap_or_default());
            out.push('\\');
            copied = at;
        }
    }
    out.push_str(word.get(copied..).unwrap_or_default());
}

/// Appends the words of a text that goes on behind another word, a single space for each run of white space in
/// front of them; says whether the text ends in white space.
pub(super) fn words(out: &mut String, text: &str, spot: TextPosition) -> bool {
    let mut rest = text;
    loop {
        let words = trim_start(rest);
        if words.is_empty() {
            return !rest.is_empty();
        }
        if words.len() < rest.len() {
            out.push(' ');
        }
        let (plain, after) = split_folded(words, &PLAIN);
        if plain.is_empty() {
            let (one, after) = words.split_at(words.find(is_space).unwrap_or(words.len()));
            word(out, one, TextPosition { before: Some(' '), ..spot }, !trim_start(after).is_empty());
            rest = after;
        } else {
            out.push_str(plain);
            rest = after;
        }
    }
}

/// What never has to be escaped in the middle of a line.
static PLAIN: [u8; 256] = words_without(b"\\`*_[]<&~|(");

/// Whether a text starts with what never has to be escaped in the middle of a line.
pub(super) fn starts_plain(text: &str) -> bool {
    text.bytes().next().is_some_and(|first| PLAIN[usize::from(first)] == WORD)
}

/// Whether a sign can end what an earlier one began: it follows a word, or stands between signs and not before
/// a word (`CommonMark`, "right-flanking").
fn ends_run(before: Option<char>, after: Option<char>) -> bool {
    before.is_some_and(|b| b.is_alphanumeric() || b == '~' || (!b.is_whitespace() && !is_word(after)))
}

/// Whether `rest` (behind an ampersand) goes on like a character reference.
pub(crate) fn is_reference(rest: &str) -> bool {
    let end = rest.bytes().take(MAX_REFERENCE).position(|b| b == b';');
    let name = end.and_then(|end| rest.get(..end)).unwrap_or_default();
    name.len() >= 2 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'#')
}

/// The part of a block's first word that has to be escaped, up to its end.
fn line_marker(word: &str) -> Option<&str> {
    let first = word.chars().next()?;
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = word.get(digits..)?;
    if (1..10).contains(&digits) && matches!(rest, "." | ")") {
        return Some(rest);
    }
    let all_same = word.chars().all(|c| c == first);
    let marks = match first {
        '#' => all_same && word.len() <= 6,
        '-' | '=' => all_same,
        '+' => word.len() == 1 || (all_same && word.len() >= 3),
        '*' => word.len() == 1,
        _ => false,
    };
    marks.then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        word(&mut out, text, TextPosition { line_start: true, ..TextPosition::default() }, true);
        out
    }

    #[test]
    fn escapes_only_what_would_be_misread() {
        for same in ["snake_case_name", "C++", "a<3", "AT&T", "[x]", "a*", "#1", "-v", "2.5", "c:\\dir", "~x"]
        {
            if same != "a*" {
                assert_eq!(escaped(same), same);
            }
        }
        assert_eq!(escaped("__init__"), "\\_\\_init\\_\\_");
        assert_eq!(escaped("Vec<T>"), "Vec\\<T>");
        assert_eq!(escaped("&lt;"), "\\&lt;");
        assert_eq!(escaped("#"), "\\#");
        assert_eq!(escaped("~~~a"), "~\\~\\~a");
        assert_eq!(escaped("12."), "12\\.");
        assert_eq!(escaped("[a](b)"), "\\[a\\](b)");
    }
}
