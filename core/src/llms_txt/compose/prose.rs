//! Markdown as plain sentences.

use std::borrow::Cow;

use memchr::memchr2;

use super::emphasis::Unmarked;
use crate::llms_txt::inline::{fold, without_schemes};
use crate::llms_txt::link::links;
use crate::phrases::Phrases;

/// The text of a piece of Markdown on one line: no links, images, emphasis, code marks, tags, permalink signs or
/// addresses.
pub(in crate::llms_txt) fn plain(markdown: &str) -> String {
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

/// Cuts out `![alt](address)`.
fn without_images(text: &str) -> Cow<'_, str> {
    if !text.contains("![") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, image)) = rest.split_once("![") {
        out.push_str(before);
        let after = image.split_once("](").and_then(|(_, address)| address.split_once(')'));
        let Some((_, after)) = after else {
            rest = image;
            break;
        };
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

/// The length in bytes of the first sentence: all of the text when it does not end before.
pub(super) fn first_sentence(text: &str) -> usize {
    let mut word_start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match c {
            '。' | '！' | '？' => return end,
            ' ' => word_start = end,
            '.' | '!' | '?' => {
                let mut after = text.get(end..).unwrap_or_default();
                let closed = after.trim_start_matches([')', '"', '\'', '\u{201d}', '\u{2019}']);
                let end = end + after.len() - closed.len();
                after = closed;
                if after.is_empty() {
                    return end;
                }
                let next = after.trim_start();
                let starts = next.len() < after.len() && !next.starts_with(char::is_lowercase);
                let word = text.get(word_start..at).unwrap_or_default();
                if starts && !(c == '.' && is_abbreviation(word)) {
                    return end;
                }
            }
            _ => {}
        }
    }
    text.len()
}

fn is_abbreviation(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '"', '\'']);
    let initial = word.chars().count() == 1 && word.starts_with(char::is_uppercase);
    initial
        || word.contains('.') && word.split('.').all(is_abbreviated)
        // The number of an appendix.
        || word.contains(char::is_alphabetic) && is_number(word)
        // An ellipsis that stands for something left out, the number of a chapter.
        || word.bytes().all(|b| b == b'.')
        || word.matches('.').count() > 1 && word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        || [
            "eg", "ie", "etc", "vs", "cf", "mr", "mrs", "dr", "no", "vol", "fig", "sec", "approx", "resp",
            "inc",
        ]
        .contains(&word.to_ascii_lowercase().as_str())
}

/// A part of `e.g`, `U.S`, `Ph.D`. A longer one is of the name of a file or a host, which may end a sentence.
fn is_abbreviated(part: &str) -> bool {
    (1..=2).contains(&part.chars().count()) && part.chars().all(char::is_alphabetic)
}

/// Whole sentences that fit into `room` characters, else what [`shorten`] leaves of the first.
pub(super) fn cut(text: &str, room: usize) -> String {
    let limit = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
    let mut end = 0;
    while end < text.len() {
        let rest = text.get(end..).unwrap_or_default();
        let gap = rest.len() - rest.trim_start().len();
        let next = end + gap + first_sentence(rest.trim_start());
        if next > limit {
            break;
        }
        end = next;
    }
    match text.get(..end).map(str::trim).filter(|whole| !whole.is_empty()) {
        Some(whole) => whole.to_owned(),
        None => shorten(text, room).0,
    }
}

/// How a sentence came to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// It is all there, but perhaps for words in parentheses.
    Whole,
    /// It ends where a clause of it ended.
    Clause,
    /// It is broken off.
    Words,
}

/// The shortest clause that stands for its sentence, in characters.
const CLAUSE_MIN_CHARS: usize = 40;
/// The same for a room so small that it would forbid every clause, as a share of the room in percent.
const CLAUSE_MIN_SHARE: usize = 50;

/// What follows the main clause of a sentence and can go without making the rest untrue.
static CLAUSE_MARKS: Phrases = Phrases::new(&[
    "; ",
    ": ",
    " \u{2014} ",
    " \u{2013} ",
    " -- ",
    " - ",
    "\u{2014}",
    ", which ",
    ", where ",
    ", while ",
    ", whereas ",
    ", although ",
    ", though ",
    ", but ",
    ", so ",
    ", because ",
    " because ",
    ", since ",
    ", including ",
    " including ",
    ", such as ",
    " such as ",
    ", as well as ",
    ", for example",
    ", e.g.",
    ", i.e.",
    ", and it ",
    ", and they ",
    ", and you ",
    ", and this ",
    ", and is ",
    ", and are ",
    ", and can ",
    ", and will ",
    ", and also ",
    ", and then ",
    ", and so ",
    ", making ",
    ", allowing ",
    ", providing ",
    ", using ",
    ", rather than ",
    ", whose ",
    ", thus ",
    ", in which ",
    ", in order to ",
    " so that ",
    ", though ",
    ", like ",
    ", especially ",
    ", developed ",
    ", designed ",
    ", available ",
    ", depending ",
    ", followed by ",
    ", usually ",
    ", even ",
]);

/// Words that open a clause before the main one.
const SUBORDINATE: &[&str] = &[
    "if",
    "when",
    "whenever",
    "while",
    "as",
    "although",
    "though",
    "because",
    "since",
    "before",
    "after",
    "once",
    "besides",
    "in",
    "to",
    "for",
    "with",
    "without",
    "given",
    "starting",
    "beginning",
    "until",
    "unless",
    "at",
    "by",
    "on",
    "under",
    "during",
    "from",
    "like",
    "unlike",
    "instead",
    "where",
    "so",
    "even",
    "despite",
    "using",
];

/// A sentence in at most `room` characters: without its parentheses, else without what follows its main clause,
/// else the words that fit and an ellipsis.
pub(super) fn shorten(sentence: &str, room: usize) -> (String, Fit) {
    if sentence.chars().nth(room).is_none() {
        return (sentence.to_owned(), Fit::Whole);
    }
    let sentence = without_parentheses(sentence);
    if sentence.chars().nth(room).is_none() {
        return (sentence, Fit::Whole);
    }
    let limit = sentence.char_indices().nth(room.saturating_sub(1)).map_or(0, |(at, _)| at);
    let head = sentence.get(..limit).unwrap_or_default();
    let shortest = CLAUSE_MIN_CHARS.min(room * CLAUSE_MIN_SHARE / 100);
    // The mark itself may lie beyond the limit.
    let clause = CLAUSE_MARKS
        .places_in(&sentence)
        .filter_map(|at| head.get(..at))
        .filter(|clause| stands_alone(clause, shortest));
    if let Some(clause) = clause.max_by_key(|clause| clause.len()) {
        return (format!("{}.", clause.trim_end_matches(['.', ' ', ',', ':', ';'])), Fit::Clause);
    }
    let words = head.rsplit_once(' ').map_or(head, |(words, _)| words);
    let words = words.trim_end_matches([' ', ',', ';', ':', '-', '(', '\u{2014}', '\u{2013}']);
    (format!("{words}\u{2026}"), Fit::Words)
}

/// The start of a sentence that has its main clause and closes what it opens.
fn stands_alone(clause: &str, shortest: usize) -> bool {
    let opening = clause.split([' ', ',']).next().unwrap_or_default().to_lowercase();
    let count = |c: char| clause.matches(c).count();
    clause.chars().count() >= shortest
        && (!SUBORDINATE.contains(&opening.as_str()) || clause.contains(", "))
        && count('(') == count(')')
        && count('"') % 2 == 0
        && count('\u{201c}') == count('\u{201d}')
}

/// Without the words in parentheses; those inside a word (`f(x)`, `file(s)`) stay.
fn without_parentheses(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(" (") {
        out.push_str(before);
        let inside = after.find(['(', ')']);
        if let Some(after) = inside.and_then(|at| after.get(at..)?.strip_prefix(')')) {
            rest = after;
        } else {
            out.push_str(" (");
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// A heading without the number of its chapter (`4.2.`, `F.5.`, `3.1`).
pub(super) fn without_number(text: &str) -> &str {
    let Some((number, rest)) = text.split_once(' ') else { return text };
    if is_number(number) && rest.contains(char::is_alphabetic) { rest.trim_start() } else { text }
}

/// The number of a chapter.
pub(super) fn is_number(word: &str) -> bool {
    let mut parts = word.trim_end_matches('.').split('.');
    let first = parts.next().unwrap_or_default();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let lettered = first.len() == 1 && first.bytes().all(|b| b.is_ascii_uppercase());
    word.contains('.') && (digits(first) || lettered && word.len() > 2) && parts.all(digits)
}

/// Letters and digits in lower case, single spaces between: what makes two texts the same to a reader.
pub(in crate::llms_txt) fn normal(text: &str) -> String {
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

    #[test]
    fn sentences_end_where_a_reader_would_say() {
        let first = |text: &'static str| text.get(..first_sentence(text)).unwrap();
        assert_eq!(first("Tools, e.g. Git. And more."), "Tools, e.g. Git.");
        assert_eq!(first("Version 3.11 is out (new!). Yes"), "Version 3.11 is out (new!).");
        assert_eq!(first("It reads kiln.conf. Then it starts."), "It reads kiln.conf.");
        assert_eq!(first("By J. Doe. Next"), "By J. Doe.");
        assert_eq!(first("See Table 8.9. More follows."), "See Table 8.9.");
        assert_eq!(first("Use ALTER ... ENABLE it. Then"), "Use ALTER ... ENABLE it.");
        assert_eq!(first("1.2.3. Pots 1.2.4. Pans."), "1.2.3. Pots 1.2.4. Pans.");
        assert_eq!(cut("One two three. Four five six seven.", 20), "One two three.");
        assert_eq!(cut("One two three four five", 15), "One two three\u{2026}");
        assert_eq!(cut("One two three; four five", 20), "One two three.");
    }

    #[test]
    fn long_sentences_end_with_a_clause() {
        let text =
            "The kiln heats pots to a thousand degrees (or more), which takes a day and a lot of wood.";
        assert_eq!(shorten(text, 70), ("The kiln heats pots to a thousand degrees.".to_owned(), Fit::Clause));
        let when =
            "When a kiln is heated for the very first time, its walls crack a little everywhere inside.";
        assert_eq!(shorten(when, 60).1, Fit::Words);
        let plural = "The pot(s) (all of them) that a potter made on the wheel today are dry by tomorrow.";
        let whole = "The pot(s) that a potter made on the wheel today are dry by tomorrow.";
        assert_eq!(shorten(plural, 75), (whole.to_owned(), Fit::Whole));
    }

    #[test]
    fn numbers_of_chapters_go() {
        assert_eq!(without_number("4.2. Arrays"), "Arrays");
        assert_eq!(without_number("F.5.1 Author"), "Author");
        assert_eq!(without_number("7 steps"), "7 steps");
        assert_eq!(without_number("J. Doe"), "J. Doe");
        assert_eq!(without_number("3.11"), "3.11");
    }

    proptest! {
        #[test]
        fn a_cut_text_fits(text in "([.!? ()]|\\PC){0,60}", room in 10_usize..40) {
            prop_assert!(cut(&plain(&text), room).chars().count() <= room.max(1));
        }

        #[test]
        fn what_readers_take_for_the_same_is_the_same(text in "([A-Za-z0-9 .*-]|\\PC){0,40}") {
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let words = words.map(|word| word.chars().flat_map(char::to_lowercase).collect::<String>());
            prop_assert_eq!(normal(&text), words.collect::<Vec<_>>().join(" "));
        }
    }
}
