//! Texts that menus repeat, each kept once; and what a text of a menu is worth.

use std::hash::BuildHasher;
use std::num::NonZeroU32;

use crate::maps::{Hashing, Map};

/// The number of a text, counted from 1.
pub(super) type Word = NonZeroU32;

/// The longest text that names anything, in bytes.
const MAX_BYTES: usize = 160;

/// How many texts are kept.
const MAX_WORDS: usize = 400_000;

/// Every text once.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// By the hash of the text, which is kept once. What is found is looked at.
    numbers: Map<u64, Word>,
    texts: Vec<Box<str>>,
    hasher: Hashing,
}

impl Words {
    /// The number of a text; `None` for empty and overlong ones.
    pub(super) fn intern(&mut self, text: &str) -> Option<Word> {
        let text = text.trim();
        if text.is_empty() || text.len() > MAX_BYTES {
            return None;
        }
        let hash = self.hasher.hash_one(text);
        if let Some(&word) = self.numbers.get(&hash)
            && self.text(word) == Some(text)
        {
            return Some(word);
        }
        if self.texts.len() >= MAX_WORDS {
            return None;
        }
        self.texts.push(text.into());
        let word = u32::try_from(self.texts.len()).ok().and_then(Word::new)?;
        self.numbers.insert(hash, word);
        Some(word)
    }

    pub(super) fn text(&self, word: Word) -> Option<&str> {
        self.texts.get(word.get() as usize - 1).map(AsRef::as_ref)
    }
}

/// Captions that say where a list stands instead of what is in it, lower case.
const HOLLOW_GROUPS: &[&str] = &[
    "all pages",
    "breadcrumb",
    "breadcrumbs",
    "browse",
    "common links",
    "content",
    "contents",
    "documentation menu",
    "explore",
    "home",
    "index",
    "index and search",
    "indices and tables",
    "inhalt",
    "links",
    "main menu",
    "main navigation",
    "menu",
    "more",
    "more links",
    "navigation",
    "next",
    "next topic",
    "on this page",
    "other links",
    "other resources",
    "page contents",
    "pages",
    "popular",
    "previous topic",
    "prev",
    "quick links",
    "quick search",
    "quicklinks",
    "read more",
    "related",
    "related articles",
    "related links",
    "related pages",
    "related topics",
    "resources and links",
    "search",
    "see also",
    "seiteninhalt",
    "sitemap",
    "site map",
    "source",
    "summary",
    "table of contents",
    "this page",
    "toc",
    "useful links",
    "welcome",
    "you are here",
    "in this article",
    "in this section",
    "description",
    "options",
    "synopsis",
    "notes",
    "configuration",
];

/// Labels that lead through a site instead of naming a page, lower case.
const HOLLOW_LABELS: &[&str] = &[
    "",
    "back",
    "click here",
    "here",
    "home",
    "index",
    "learn more",
    "more",
    "more information",
    "next",
    "next page",
    "next topic",
    "prev",
    "previous",
    "previous page",
    "previous topic",
    "read more",
    "show source",
    "skip to content",
    "top",
    "up",
    "weiter",
    "zurück",
    "¶",
    "#",
    "»",
    "«",
    "→",
    "←",
];

/// A caption without colon and permalink sign.
fn bare(caption: &str) -> &str {
    caption.trim().trim_end_matches([':', '¶', '#', ' '])
}

/// Whether a list in lower case holds a text, whatever its case.
fn holds(list: &[&str], text: &str) -> bool {
    if text.is_ascii() {
        return list.iter().any(|entry| entry.eq_ignore_ascii_case(text));
    }
    list.contains(&text.to_lowercase().as_str())
}

/// Captions over lists of pages that belong elsewhere, lower case.
const ASIDES: &[&str] = &[
    "further reading",
    "learn more",
    "more information",
    "next steps",
    "next topic",
    "previous topic",
    "references",
    "related",
    "related articles",
    "related links",
    "related pages",
    "related posts",
    "related topics",
    "see also",
    "siehe auch",
    "voir aussi",
    "what's next",
    "what’s next",
    "where to go from here",
    "you may also like",
];

/// Whether a caption stands over pages that belong elsewhere.
pub(super) fn is_aside(caption: &str) -> bool {
    holds(ASIDES, bare(caption))
}

/// Whether a caption names what its list holds.
pub(super) fn names_a_group(text: &str) -> bool {
    let text = bare(text);
    text.chars().any(char::is_alphabetic) && !holds(HOLLOW_GROUPS, text)
}

/// Whether a label names the page it leads to.
pub(super) fn names_a_page(text: &str) -> bool {
    let text = text.trim();
    text.chars().any(char::is_alphanumeric) && !holds(HOLLOW_LABELS, text)
}

/// Whether a link leads to the next page of a book, to the one before or above, rather than naming a page.
pub(crate) fn turns_the_page(text: &str, group: Option<&str>) -> bool {
    !names_a_page(text) || group.is_some_and(is_aside)
}

/// A caption that begins as a sentence does ("Why people choose it") heads a text rather than a list. "How to"
/// and "What's new" head lists.
pub(super) fn is_prose(caption: &str) -> bool {
    let mut words = caption.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let asks =
        ["why", "what", "who", "where", "when", "which", "how"].iter().any(|w| first.eq_ignore_ascii_case(w));
    (asks && !second.eq_ignore_ascii_case("to") && !second.is_empty()) || caption.ends_with(['?', '!', '.'])
}
