//! Markdown as plain text.

use std::borrow::Cow;
use std::collections::HashSet;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::llms_txt::inline::{fold, without_schemes};
use crate::maps::byte_set;
use crate::markdown::one_line;

/// The sign of a permalink, which hangs on the word that it is for.
const PERMALINK: char = '\u{b6}';

/// Signs beyond ASCII that a text may begin with: others stand for an icon.
const OPENING: [char; 15] =
    ['¿', '¡', '«', '„', '\u{201c}', '\u{2018}', '「', '『', '《', '〈', '【', '〔', '〖', '（', '［'];

/// What a text without these says is all that it is.
static MARKS: [bool; 256] = byte_set(b"\\`*_[<&~");

/// Elements of running text that never have an end. That of `p` is often left out; `P` may be a type.
const VOID: [&str; 4] = ["br", "hr", "img", "wbr"];

/// The longest text of an image that stands for a word, in bytes.
const WORD_BYTES: usize = 24;

/// The text of a piece of Markdown on one line: links by their text, an image in the midst of a sentence, as the logo of what
/// it is about, by the word that it stands for; no other images, no emphasis, code marks, tags, references to
/// footnotes, permalink signs or addresses. Linear in the text.
pub(in crate::llms_txt) fn plain(markdown: &str) -> String {
    // Most texts have no mark.
    if !markdown.bytes().any(|byte| MARKS[usize::from(byte)]) {
        return without_schemes(fold(&without_permalinks(markdown)));
    }
    let (line, start) = one_line(markdown);
    let mut text = String::with_capacity(line.len());
    // Links and images that are open, each with whether its text is skipped.
    let mut open: Vec<bool> = Vec::new();
    // The elements that have an end here.
    let mut closed: Option<HashSet<&str>> = None;
    // What the image says that was read last.
    let mut alt = String::new();
    for event in Parser::new_ext(&line, Options::ENABLE_STRIKETHROUGH | Options::ENABLE_OLD_FOOTNOTES) {
        let is_skipped = open.last() == Some(&true);
        match event {
            Event::Start(Tag::Image { .. } | Tag::Link { link_type: LinkType::Autolink, .. }) => {
                open.push(true);
            }
            Event::Start(Tag::Link { .. }) => open.push(is_skipped),
            Event::End(TagEnd::Image | TagEnd::Link) => drop(open.pop()),
            Event::Text(said) if is_skipped => alt.push_str(&said),
            _ if is_skipped => {}
            Event::Text(said) | Event::Code(said) => {
                let alt = std::mem::take(&mut alt);
                if is_word(&text, &alt, &said) {
                    text.push_str(&alt);
                }
                text.push_str(&said);
            }
            Event::InlineHtml(tag)
                if is_spoken_of(&tag, closed.get_or_insert_with(|| elements_closed(&line))) =>
            {
                text.push_str(&tag);
            }
            // No note is called so: these are brackets round words.
            Event::FootnoteReference(name) if name.contains(' ') => text.extend(["[^", &*name, "]"]),
            Event::FootnoteReference(_) => text.truncate(text.trim_end().len()),
            _ => {}
        }
    }
    without_schemes(fold(&without_permalinks(text.get(start..).unwrap_or_default())))
}

/// Whether a tag marks nothing up but stands for something: it begins with a capital, as in `Vec<T>`, or its element has no
/// end, as in "the <details> element".
fn is_spoken_of(tag: &str, closed: &HashSet<&str>) -> bool {
    let Some(name) = tag.strip_prefix('<').and_then(|name| name.strip_suffix('>')) else { return false };
    let is_void = VOID.iter().any(|void| name.eq_ignore_ascii_case(void));
    let is_name = !name.is_empty() && name.len() == element(name).len();
    !is_void && (name.starts_with(char::is_uppercase) || is_name && name != "p" && !closed.contains(name))
}

fn elements_closed(line: &str) -> HashSet<&str> {
    line.split("</").skip(1).map(element).collect()
}

/// The name of an element that a text begins with.
fn element(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or_default()
}

/// Whether an image that says `alt` goes on the sentence before it, which goes on after it.
fn is_word(before: &str, alt: &str, after: &str) -> bool {
    alt.len() <= WORD_BYTES
        && alt.contains(char::is_alphabetic)
        && before.ends_with(' ')
        && before.trim_end().ends_with(char::is_alphabetic)
        && after.trim_start().starts_with(|c: char| c == ',' || c == '.' || c.is_lowercase())
}

/// Letters and digits in lower case, single spaces between: what makes two texts the same to a reader.
pub(in crate::llms_txt) fn normal(text: &str) -> String {
    if text.is_ascii() {
        return normal_ascii(text.as_bytes());
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
    out
}

/// The same of a text in ASCII, which most are, and which a byte tells the letters of.
fn normal_ascii(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut ends_word = false;
    for &byte in text {
        if !byte.is_ascii_alphanumeric() {
            ends_word = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut ends_word) {
            out.push(' ');
        }
        out.push(char::from(byte.to_ascii_lowercase()));
    }
    out
}

/// A [`normal`] text without its numbers: digits within a word are part of a name.
pub(in crate::llms_txt) fn without_numbers(text: &str) -> String {
    let text = normal(text);
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return text;
    }
    let is_word = |word: &&str| !word.bytes().all(|byte| byte.is_ascii_digit());
    text.split(' ').filter(is_word).collect::<Vec<_>>().join(" ")
}

/// A text without what stands for an icon before it.
pub(in crate::llms_txt) fn without_icon(text: &str) -> &str {
    // A quotation has an end, an arrow has none.
    let quotes = |c: char| OPENING.contains(&c) && (c != '«' || text.contains('»'));
    let is_icon = |c: char| !c.is_ascii() && !c.is_alphanumeric() && !quotes(c);
    text.trim_start_matches(is_icon).trim_start()
}

fn without_permalinks(text: &str) -> Cow<'_, str> {
    if !text.contains(PERMALINK) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != PERMALINK || out.is_empty() || out.ends_with(char::is_whitespace) {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_prose() {
        let source =
            "**Run** [`git add`](x \"t\") on *all* snake_case files, 2 * 3, ![logo](y) <br>see https://a.b/c";
        assert_eq!(plain(source), "Run git add on all snake_case files, 2 * 3, see a.b/c");
        assert_eq!(plain("a \\_b\\_ `__init__`"), "a _b_ __init__");
        assert_eq!(plain("on the use of ![R](r.svg), born here"), "on the use of R, born here");
        assert_eq!(plain("## 1. Kilns - old\nand new!"), plain("## 1. Kilns - old and new!"));
        assert_eq!(plain("\\<lang>\\_X, lon\u{b6} and \u{b6} 3"), "<lang>_X, lon and \u{b6} 3");
        assert_eq!(plain("It melts [^1]. [^a b] x[^2][^3] `[^4]`"), "It melts. [^a b] x [^4]");
        assert_eq!(plain("Vec<T> of `<div>` <b>x</b>"), "Vec<T> of <div> x");
        assert_eq!(plain("The <details> element<br>opens"), "The <details> elementopens");
        assert_eq!(plain("An <a> in an <article>x</article><BR>"), "An <a> in an x");
    }

    #[test]
    fn icons_go_and_brackets_stay() {
        assert_eq!(without_icon("\u{1f525} Kiln"), "Kiln");
        assert_eq!([without_icon("« Kiln"), without_icon("« Kiln » et four")], ["Kiln", "« Kiln » et four"]);
        assert_eq!(without_icon("\u{3010}Kiln\u{3011}heat"), "\u{3010}Kiln\u{3011}heat");
    }

    #[test]
    fn only_emphasis_is_removed() {
        for same in
            ["<LANG>_EXTENSIONS", "const char *sql", "a * b * c", "snake_case_name", "int **p", "2*3", "~/x"]
        {
            assert_eq!(plain(same), same);
        }
        assert_eq!(plain("*a* **b** ***c*** _d_ __e__ ~~f~~ *a **b***"), "a b c d e f a b");
        assert_eq!(plain("\\*a\\* **b*"), "*a* *b");
    }

    #[test]
    fn equivalent_documents_are_equal() {
        assert_eq!(normal(" A-b  C.\u{c9}t\u{e9} 2! "), "a b c \u{e9}t\u{e9} 2");
        assert_eq!(normal("..."), "");
    }
}
