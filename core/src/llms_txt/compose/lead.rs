//! Which sentence of a page says best what the page is about.

use memchr::memchr_iter;

use super::prose::{Fit, first_sentence, is_number, normal, shorten};
use crate::page::is_about_rights;
use crate::phrases::Phrases;

/// Sentences of one paragraph that are considered.
const SENTENCES: usize = 3;
/// A sentence of more characters than this is better told in a clause.
const LONG_CHARS: usize = 220;
/// The shortest sentence that says something, in characters.
const TELLING_CHARS: usize = 10;
/// A sentence shorter than this, in characters, seldom says what a page is about.
const FULL_CHARS: usize = 25;

/// Words of the title beyond the first that speak for a sentence, at most so many.
const SHARED_WORDS: usize = 2;

/// Where a paragraph stands; each is worth less than the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// What a manual's `NAME` line says after the name.
    Purpose,
    /// What the page's author wrote to describe it.
    Description,
    /// A paragraph before the first sub-heading, counted from 0.
    Opening(i32),
    /// A paragraph below a sub-heading, counted from 0.
    Body(i32),
    /// A note, a warning, a remark on versions.
    Aside,
}

impl Origin {
    fn worth(self) -> i32 {
        match self {
            Self::Purpose => 12,
            Self::Description => 6,
            Self::Opening(at) => -4 * at,
            Self::Body(at) => -13 - 2 * at,
            Self::Aside => -14,
        }
    }
}

/// A sentence that may describe a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lead {
    /// The sentence.
    pub(super) sentence: String,
    /// The same as [`normal`] gives it.
    pub(super) said: String,
    /// What follows it in its paragraph.
    pub(super) rest: String,
    /// Its first word is the name of a program or a piece of code and keeps its case.
    pub(super) keeps_case: bool,
    /// The author wrote it to describe the page.
    pub(super) by_author: bool,
    /// The higher the better.
    pub(super) worth: i32,
}

/// The sentences of a paragraph that may describe the page `name`, in plain text; `title` is what [`normal`] makes
/// of the name.
pub(super) fn leads<'a>(
    text: &'a str,
    origin: Origin,
    name: &'a str,
    title: &'a str,
    is_code: impl Fn(&str) -> bool + 'a,
) -> impl Iterator<Item = Lead> + 'a {
    let long = long_words(title);
    let mut rest = text.trim();
    let sentences = (0..SENTENCES).map_while(move |at| {
        let (sentence, after) = rest.split_at_checked(first_sentence(rest)).filter(|(s, _)| !s.is_empty())?;
        rest = after.trim_start();
        Some((at, sentence, rest))
    });
    sentences.filter_map(move |(at, sentence, rest)| {
        let said = normal(sentence);
        let telling = sentence.chars().count() >= TELLING_CHARS
            && sentence.contains(char::is_alphabetic)
            && said != title
            && is_prose(sentence, &said);
        let keeps_case = || {
            first_word(sentence)
                .is_some_and(|word| name.split([' ', '(', ',', ':']).any(|own| own == word) || is_code(word))
        };
        let begins = at == 0 && !matches!(origin, Origin::Opening(1..) | Origin::Body(_));
        telling.then(|| Lead {
            worth: origin.worth() + worth(sentence, &said, at, begins, &long),
            sentence: sentence.to_owned(),
            rest: rest.to_owned(),
            keeps_case: keeps_case(),
            by_author: origin == Origin::Description,
            said,
        })
    })
}

/// The words of a title that speak for a sentence, each with the blank before it.
fn long_words(title: &str) -> Vec<String> {
    title.split(' ').filter(|word| word.chars().nth(3).is_some()).map(|word| format!(" {word}")).collect()
}

fn first_word(text: &str) -> Option<&str> {
    text.split([' ', ',', ':', ';'])
        .next()
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !word.is_empty())
}

/// Not the line of a copyright or of the last change, not the synopsis of a command, not code, not a table of
/// contents, no footnote and nothing else that bears a number. `said` is what [`normal`] makes of the sentence.
pub(super) fn is_prose(sentence: &str, said: &str) -> bool {
    let mut signs = Signs::default();
    let mut start = 0;
    for end in memchr_iter(b' ', sentence.as_bytes()).chain([sentence.len()]) {
        signs.read(sentence.get(start..end).unwrap_or_default());
        start = end + 1;
    }
    let synopsis = signs.bracketed + signs.options >= 2
        || (signs.bracketed == 1 && signs.words < 8 && sentence.contains("..."));
    !synopsis
        && signs.code * 4 <= signs.words
        && signs.comments < 2
        && (signs.labels < 2 || signs.labels * 3 < signs.words)
        && signs.chapters < 2
        && !is_about_rights(sentence)
        && !is_numbered(sentence)
        && !is_dateline(said)
        && !is_version_remark(said)
}

/// A footnote (`[1] Since`), a question of a list (`(1) How`), a heading (`12.1.1. What`).
fn is_numbered(sentence: &str) -> bool {
    let Some((number, rest)) = sentence.split_once(' ') else { return false };
    let inside = [('[', ']'), ('(', ')')]
        .into_iter()
        .find_map(|(open, close)| number.trim_end_matches('.').strip_prefix(open)?.strip_suffix(close));
    let counted = inside.is_some_and(|inside| inside.bytes().all(|b| b.is_ascii_digit() || b == b'.'));
    // A version may begin a sentence, but not without an end.
    counted || is_number(number) && (number.ends_with('.') || !rest.ends_with(['.', '!']))
}

/// When the page was made or changed last.
fn is_dateline(said: &str) -> bool {
    let after = |text, starts: &[&str]| -> Option<usize> {
        let text: &str = text;
        starts.iter().find(|start| text.starts_with(**start)).map(|start| start.len())
    };
    let mut rest = said;
    for skipped in [&["this ", "the "][..], &["page ", "document ", "article ", "file "], &["was ", "is "]] {
        rest = rest.get(after(rest, skipped).unwrap_or_default()..).unwrap_or_default();
    }
    let changed = [
        "last modified ",
        "last updated ",
        "last edited ",
        "last changed ",
        "last revised ",
        "last reviewed ",
        "generated ",
    ];
    let when = after(rest, &changed).and_then(|end| rest.get(end..));
    when.is_some_and(|when| {
        when.starts_with(|c: char| c.is_ascii_digit()) || after(when, &["on ", "at ", "by ", "in "]).is_some()
    })
}

/// A remark on when something came or went, and nothing else.
fn is_version_remark(said: &str) -> bool {
    let mut words = said.split(' ').skip(1);
    matches!(words.next(), Some("in" | "since")) && words.next() == Some("version") && words.nth(2).is_none()
}

/// How many words of a sentence look like something other than prose.
#[derive(Default)]
struct Signs {
    words: usize,
    bracketed: usize,
    options: usize,
    comments: usize,
    labels: usize,
    code: usize,
    chapters: usize,
}

impl Signs {
    fn read(&mut self, word: &str) {
        self.words += 1;
        // Nearly all words are letters and a stop.
        if word.bytes().all(|b| b.is_ascii_alphabetic() || b == b',') {
            return;
        }
        let bare = word.trim_end_matches([';', ')']);
        self.bracketed += usize::from(word.starts_with(['[', '<', '{']));
        self.options += usize::from(word.starts_with("--") && word.len() > 2);
        self.comments += usize::from(word == "/");
        self.labels += usize::from(word.ends_with(':'));
        let angled = word.get(1..).is_some_and(|rest| rest.contains(['<', '>']));
        self.code += usize::from(angled || bare.bytes().any(|b| b"_(){}=;#/*|\\$".contains(&b)));
        self.chapters += usize::from(is_number(word));
    }
}

/// Whether a sentence, as [`normal`] gives it, is about what another page said, or who wrote the page and when.
pub(super) fn is_beside_the_point(said: &str) -> bool {
    BESIDE.any_in(said)
}

/// How well a sentence serves, by what it says, where in its paragraph it stands, whether it begins the page, and which of
/// the title's [`long_words`] its own begin with.
fn worth(sentence: &str, said: &str, at: usize, begins: bool, title: &[String]) -> i32 {
    let said = [said, " "].concat();
    let first = said.bytes().next();
    let starts =
        |list: &[&str]| list.iter().any(|start| start.bytes().next() == first && said.starts_with(start));
    let mut worth = -3 * i32::try_from(at).unwrap_or_default();
    // Leans on what was said before it.
    if starts(CONNECTED) || at > 0 && starts(BACKWARD) || !begins && starts(ANAPHORIC) {
        worth -= 6;
    }
    if is_beside_the_point(&said) {
        worth -= 7;
    }
    if starts(SCENIC) {
        worth -= 4;
    }
    if starts(POINTERS)
        || points_to_a_table(&said)
        || sentence.ends_with([':', '\u{2026}'])
        || ANNOUNCING.any_in(&said)
    {
        worth -= 7;
    }
    if starts(PERSONAL) {
        worth -= 1;
    }
    // What stands in brackets is said beside the point.
    if sentence.starts_with('(') && sentence.trim_end_matches('.').ends_with(')') {
        worth -= 7;
    }
    if sentence.ends_with(['?', '!']) {
        worth -= 4;
    }
    let begins_a_word = |word: &&String| said.contains(word.as_str()) || said.starts_with(word.trim_start());
    let shared = title.iter().filter(begins_a_word).count();
    if shared > 0 || DEFINING.any_in(&said) {
        worth += 2;
    }
    worth += i32::try_from(shared.saturating_sub(1).min(SHARED_WORDS)).unwrap_or_default();
    let chars = sentence.chars().count();
    worth -= if chars < FULL_CHARS && sentence.is_ascii() { 4 } else { 0 };
    if sentence.len() <= LONG_CHARS {
        return worth;
    }
    worth
        - match shorten(sentence, LONG_CHARS).1 {
            Fit::Whole => 0,
            Fit::Clause => 1,
            Fit::Words => 5,
        }
}

/// Whether a sentence begins with a table or a picture of its page: `Table 9.32 shows`.
fn points_to_a_table(said: &str) -> bool {
    let mut words = said.split(' ');
    matches!(words.next(), Some("table" | "figure" | "listing" | "example"))
        && words.next().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Starts that continue a thought.
const CONNECTED: &[&str] = &[
    "however ",
    "therefore ",
    "thus ",
    "hence ",
    "also ",
    "moreover ",
    "furthermore ",
    "in addition ",
    "for example ",
    "then ",
    "but ",
    "and ",
    "or ",
    "so ",
    "otherwise ",
    "instead ",
    "besides ",
    "until now ",
    "up to now ",
    "at this point ",
    "as mentioned ",
    "as described ",
    "as noted ",
    "next ",
    "again ",
    "finally ",
    "of course ",
    "similarly ",
    "likewise ",
    "more specifically ",
    "in this case ",
    "in that case ",
    "either way ",
    "perhaps ",
    "is ",
    "are ",
    "was ",
    "has ",
    "can ",
];

/// Starts that mean something said in the sentence before.
const BACKWARD: &[&str] = &[
    "it ",
    "its ",
    "they ",
    "their ",
    "these ",
    "those ",
    "this ",
    "that ",
    "such ",
    "both ",
    "each ",
    "he ",
    "there ",
    "here ",
    "one of ",
    "some ",
    "most ",
    "all ",
    "note that ",
];

/// Starts that mean something said in the paragraph before.
const ANAPHORIC: &[&str] = &[
    "it ",
    "they ",
    "this is ",
    "this was ",
    "this can ",
    "this may ",
    "this will ",
    "this means ",
    "this makes ",
    "this allows ",
    "this creates ",
    "this lets ",
    "this gives ",
    "these are ",
    "all these ",
    "the above ",
];

/// Starts that set the scene before they come to the point.
const SCENIC: &[&str] = &[
    "in the following ",
    "before ",
    "because ",
    "since ",
    "as of ",
    "starting with ",
    "beginning with ",
    "new in ",
    "added in ",
    "changed in ",
    "first ",
    "suppose ",
    "let s ",
    "now ",
    "once ",
    "although ",
    "while ",
    "sometimes ",
    "there are ",
    "there is ",
    "it is recommended ",
    "it is possible ",
    "it is important ",
    "in general ",
];

/// Sentences about what comes next, or about another page.
const POINTERS: &[&str] = &[
    "the following ",
    "see ",
    "for more ",
    "for information ",
    "for details ",
    "for additional ",
    "for further ",
    "refer to ",
    "click ",
    "please ",
    "at least one ",
    "welcome ",
    "recall ",
];

/// Words about what comes next, wherever they stand.
static ANNOUNCING: Phrases = Phrases::new(&[" the following ", " left off "]);

/// Words about what another page said, then about who wrote the page.
static BESIDE: Phrases = Phrases::new(&[
    "previous section",
    "previous chapter",
    "previous part",
    "previous page",
    "previous tutorial",
    "preceding section",
    "preceding chapter",
    "last section",
    "last chapter",
    "earlier section",
    "earlier chapter",
    "we saw ",
    "we have seen ",
    "discussed above ",
    "described above ",
    "written by ",
    "originated as ",
    "translated by ",
    "last modified ",
    "last updated ",
]);

/// Sentences about the writer or the reader.
const PERSONAL: &[&str] = &["i ", "we ", "you ", "if you ", "when you ", "so you ", "our ", "your "];

/// What a definition says.
static DEFINING: Phrases = Phrases::new(&[
    " is a ",
    " is an ",
    " is the ",
    " are the ",
    " provides ",
    " provide ",
    " describes ",
    " describe ",
    " explains ",
    " defines ",
    " implements ",
    " introduces ",
    " documents ",
    " contains ",
    " covers ",
    " lets you ",
    " allows ",
    " shows ",
    " supports ",
    " is used to ",
    " is responsible ",
]);

#[cfg(test)]
mod tests {
    use super::*;

    fn best(name: &str, paragraphs: &[(Origin, &str)]) -> String {
        let title = normal(name);
        let all = paragraphs.iter().flat_map(|(origin, text)| leads(text, *origin, name, &title, |_| false));
        all.max_by_key(|lead| lead.worth).map(|lead| lead.sentence).unwrap_or_default()
    }

    #[test]
    fn what_is_said_beats_what_is_announced() {
        let tutorial =
            "This tutorial begins where Part 1 left off. We will set up the kiln and fire a first pot.";
        assert_eq!(
            best("Part 2", &[(Origin::Opening(0), tutorial)]),
            "We will set up the kiln and fire a first pot."
        );
        let alone = "This tutorial begins where Part 1 left off.";
        assert_eq!(best("Part 2", &[(Origin::Opening(0), alone)]), alone);
        let brackets =
            (Origin::Opening(0), "(See the glossary, which tells a kiln from an oven, if you like.)");
        let later = (Origin::Opening(1), "Wood is dry when it rings.");
        assert_eq!(best("Fuel", &[brackets, later]), later.1);
        let options = (Origin::Opening(0), "The following options control what is fired.");
        let about = (Origin::Opening(1), "kiln-fire heats the kiln to the temperature that a glaze needs.");
        assert_eq!(best("kiln-fire", &[options, about]), about.1);
    }

    #[test]
    fn copyrights_and_synopses_describe_nothing() {
        for text in [
            "Copyright \u{a9} 1996\u{2013}2026 The Kiln Group.",
            "You may redistribute it and/or modify it under the terms of the licence.",
            "New in version 0.6.",
            "This document was generated on May 4, 2026 using kiln2html.",
            "kiln [connection-option...] [option...] name.",
            "kiln fire [--hot] [--cold] POT.",
            "template<typename Pot, int Size> class Kiln::Ref< Pot, Size >.",
            "declaration: module: kiln.base, package: kiln.fire, class: Pot.",
            "\u{a9} 2026 Kiln. All rights reserved.",
            "int kiln_complete(const char *clay);",
            "[1] Since a kiln is hot, it must not be opened by hand.",
            "(1) How do I open a kiln that is still hot?",
            "12.1.1. What Is a Document?",
            "3.2 Kilns of the Old World",
            "This page last modified on 2019-09-28 19:02:24 UTC.",
            "Last updated: 3 May 2026.",
        ] {
            assert_eq!(best("kiln", &[(Origin::Opening(0), text)]), "", "{text}");
        }
    }

    #[test]
    fn numbers_and_changes_may_be_told_in_prose() {
        for text in [
            "Returns when a pot was last modified by its potter.",
            "The last modified time of a pot.",
            "3.11 is the version of the kiln that first fired pots.",
            "(Optional) kilns are fired with wood that is dry.",
        ] {
            assert_eq!(best("kiln", &[(Origin::Opening(0), text)]), text);
        }
    }

    #[test]
    fn a_purpose_beats_prose_and_the_opening_beats_the_body() {
        let purpose = (Origin::Purpose, "heat a kiln");
        let opening = (Origin::Opening(0), "The kiln is a furnace for pots and other ware.");
        assert_eq!(best("kiln(1)", &[opening, purpose]), purpose.1);
        let body = (Origin::Body(0), "Glaze is a layer of glass that is fused to a pot.");
        assert_eq!(
            best("Pots", &[body, (Origin::Opening(0), "Because of heat, things melt in there.")]),
            "Because of heat, things melt in there."
        );
    }

    #[test]
    fn names_of_programs_keep_their_case() {
        let keeps = |name: &str, text: &str, code: &'static str| {
            leads(text, Origin::Opening(0), name, &normal(name), move |word| word == code)
                .any(|lead| lead.keeps_case)
        };
        assert!(keeps("dropkiln", "dropkiln removes a kiln.", ""));
        assert!(keeps("kiln-stop(1)", "kiln-stop stops it.", ""));
        assert!(keeps("Heating", "fire() heats a pot.", "fire()"));
        assert!(!keeps("clusterkiln", "cluster a kiln.", ""));
    }
}
