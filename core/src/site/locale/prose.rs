//! What a page's text tells of its language: its words, without code and addresses.

use memchr::memchr2;
use whatlang::Lang;

use super::script::Script;

/// A text with fewer other bytes than one in so many is in Latin letters.
const ASCII_SHARE: usize = 32;

/// A text shorter than this does not tell which of the languages of its script it is in, in bytes.
const TELLING_BYTES: usize = 300;

/// How sure it must be.
const CONFIDENCE: f64 = 0.9;

/// The first `most` bytes of a text.
pub(super) fn head(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or_default()
}

pub(super) fn is_mostly_ascii(text: &str) -> bool {
    text.bytes().filter(|byte| !byte.is_ascii()).count() * ASCII_SHARE < text.len()
}

/// The words of a text without code and addresses.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    let lines = text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    });
    lines.flat_map(|line| {
        // Most lines have none of the two.
        let is_plain = memchr2(b'/', b'`', line.as_bytes()).is_none();
        line.split_ascii_whitespace().filter_map(move |word| {
            if is_plain || !word.contains(['/', '`']) {
                return Some(word);
            }
            // What a link says stands before its address.
            word.split_once("](").map(|(said, _)| said).filter(|said| !said.contains(['/', '`']))
        })
    })
}

/// The same words as a text.
pub(super) fn sample(text: &str) -> String {
    let mut prose = String::with_capacity(text.len());
    words(text).for_each(|word| prose.extend([word, " "]));
    prose
}

/// The language of a text that is long enough to tell. A language of other letters than most of the text is that of the
/// names in it.
pub(super) fn tongue(sample: &str, script: Option<Script>) -> Option<Lang> {
    if sample.len() < TELLING_BYTES {
        return None;
    }
    let info = whatlang::detect(sample)?;
    let is_latin = script.is_none_or(|script| script == Script::Latin);
    let fits = is_latin == (info.script() == whatlang::Script::Latin);
    (fits && info.is_reliable() && info.confidence() >= CONFIDENCE).then(|| info.lang())
}
