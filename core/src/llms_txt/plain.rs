//! Markdown as plain text.

use std::borrow::Cow;

use memchr::memchr2;

use super::emphasis::Unmarked;
use crate::llms_txt::inline::{fold, without_schemes};
use crate::llms_txt::link::links;

/// The text of a piece of Markdown on one line: no links, images, emphasis, code marks, tags, permalink signs or
/// addresses.
pub(super) fn plain(markdown: &str) -> String {
    let flat = without_links(markdown);
    let mut text = Unmarked::with_capacity(flat.len());
    let mut pieces = flat.split('`').enumerate().peekable();
    while let Some((at, piece)) = pieces.next() {
        // Every other piece is code and stays as it is.
        if at % 2 == 1 {
            text.push_code(piece);
        } else {
            let after = pieces.peek().map_or(' ', |_| '`');
            // Most texts have neither references and images nor tags.
            if memchr2(b'[', b'<', piece.as_bytes()).is_none() {
                text.push(piece, after);
            } else {
                text.push(&without_tags(&without_images(&without_references(piece))), after);
            }
        }
    }
    without_schemes(fold(&text.finish()))
}

/// Leaves the text of each link; a linked image has none.
fn without_links(markdown: &str) -> Cow<'_, str> {
    if !markdown.contains("](") {
        return Cow::Borrowed(markdown);
    }
    let mut flat = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some(link) = links(rest).next() {
        flat.push_str(link.before);
        if !link.name.starts_with("![") {
            flat.push_str(link.name);
        }
        rest = link.after;
    }
    flat.push_str(rest);
    Cow::Owned(flat)
}

/// Cuts out `[^1]`, the reference to a footnote, and the space in front of it.
fn without_references(text: &str) -> Cow<'_, str> {
    if !text.contains("[^") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, reference)) = rest.split_once("[^") {
        let end = reference.find([']', ' ', '[']);
        if let Some(after) = end.and_then(|at| reference.get(at..)?.strip_prefix(']')) {
            out.push_str(before.trim_end());
            rest = after;
        } else {
            out.push_str(before);
            out.push_str("[^");
            rest = reference;
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The longest text of an image that stands for a word, in bytes.
const WORD_BYTES: usize = 24;

/// Whether an image behind `before` is a word of the sentence that goes on `after` it, as the logo of what it is about.
fn is_word(before: &str, alt: &str, after: &str) -> bool {
    alt.len() <= WORD_BYTES
        && alt.contains(char::is_alphabetic)
        && before.ends_with(' ')
        && before.trim_end().ends_with(char::is_alphabetic)
        && after.trim_start().starts_with(|c: char| c == ',' || c == '.' || c.is_lowercase())
}

/// Cuts out `![alt](address)`, unless it stands for a word.
fn without_images(text: &str) -> Cow<'_, str> {
    if !text.contains("![") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, image)) = rest.split_once("![") {
        out.push_str(before);
        let parts = image.split_once("](").and_then(|(alt, address)| Some((alt, address.split_once(')')?.1)));
        let Some((alt, after)) = parts else {
            rest = image;
            break;
        };
        if is_word(before, alt, after) {
            out.push_str(alt);
        }
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Cuts out tags; a `<` that opens none stays.
fn without_tags(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        let opens =
            !before.ends_with('\\') && tag.starts_with(|c: char| c.is_ascii_lowercase() || "/!".contains(c));
        // A tag ends before the next one starts.
        let end = tag.find(['<', '>']).and_then(|at| tag.get(at..)?.strip_prefix('>'));
        if let Some(after) = end.filter(|_| opens) {
            rest = after;
        } else {
            out.push('<');
            rest = tag;
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Letters and digits in lower case, single spaces between: what makes two texts the same to a reader.
pub(super) fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_word = c.is_alphanumeric();
        if !is_word && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        // Letters and digits of ASCII are taken over as many as there are, and are made small at the end.
        let alike = |byte: &u8| byte.is_ascii() && byte.is_ascii_alphanumeric() == is_word;
        let run = rest.bytes().take_while(|byte| alike(byte)).count().max(c.len_utf8());
        let (taken, after) = rest.split_at(run);
        if c.is_ascii() && is_word {
            out.push_str(taken);
        } else if is_word {
            out.extend(c.to_lowercase());
        }
        rest = after;
    }
    out.truncate(out.trim_end_matches(' ').len());
    out.make_ascii_lowercase();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn markdown_becomes_prose() {
        let source =
            "**Run** [`git add`](x \"t\") on *all* snake_case files, 2 * 3, ![logo](y) <br>see https://a.b/c";
        assert_eq!(plain(source), "Run git add on all snake_case files, 2 * 3, see a.b/c");
        assert_eq!(plain("a \\_b\\_ `__init__`"), "a _b_ __init__");
        assert_eq!(plain("\\<lang>\\_X, lon\u{b6} and \u{b6} 3"), "<lang>_X, lon and \u{b6} 3");
        assert_eq!(plain("It melts [^1]. [^a b] x[^2][^3] `[^4]`"), "It melts. [^a b] x [^4]");
        assert_eq!(plain("Vec<T> of `<div>` <b>x</b>"), "Vec<T> of <div> x");
    }

    proptest! {
        #[test]
        fn what_readers_take_for_the_same_is_the_same(text in "([A-Za-z0-9 .*-]|\\PC){0,40}") {
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let words = words.map(|word| word.chars().flat_map(char::to_lowercase).collect::<String>());
            prop_assert_eq!(normal(&text), words.collect::<Vec<_>>().join(" "));
        }
    }
}
