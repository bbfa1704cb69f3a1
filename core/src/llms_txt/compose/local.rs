//! What Markdown lets one place of a text say about another, kept within its page: definitions of links are resolved where
//! they are used, and the names of footnotes are no other page's.
//!
//! In one file of many pages the first definition of a name would hold for all of them.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use memchr::{memchr2, memmem};
use pulldown_cmark::{CowStr, Event, LinkType, Parser, Tag};

use super::foreign::options;
use crate::llms_txt::inline::{Destination, fold};
use crate::maps::Map;

/// How often definitions are looked for: of those that define the same name only the first is found at a time.
const ROUNDS: usize = 8;

/// Which pages of a file speak of which footnotes.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    /// The number of the page that has a name, 0 where several have it.
    pages: Map<String, usize>,
    /// The names that a page may define. Without a definition a name is text.
    defined: Map<usize, Vec<String>>,
}

impl Footnotes {
    /// Takes in what page number `page` (from 1) speaks of: whatever may be the name of a footnote.
    pub(super) fn mention(&mut self, page: usize, markdown: &str) {
        for at in memmem::find_iter(markdown.as_bytes(), b"[^") {
            let label = markdown.get(at + 2..).unwrap_or_default();
            let name = key(label);
            // A label has no line breaks.
            if label.lines().next().is_some_and(|line| line.contains("]:")) {
                self.defined.entry(page).or_default().push(name.clone());
            }
            let pages = self.pages.entry(name).or_insert(page);
            *pages = if *pages == page { page } else { 0 };
        }
    }

    /// Whether another page speaks of a name that `page` may define.
    pub(super) fn meet_on(&self, page: usize) -> bool {
        let is_shared = |name: &String| self.pages.get(name).is_some_and(|&other| other != page);
        self.defined.get(&page).is_some_and(|names| names.iter().any(is_shared))
    }

    /// Whether another page speaks of a name that `page` has.
    pub(super) fn is_shared(&self, page: usize, name: &str) -> bool {
        self.pages.get(&key(name)).is_some_and(|&other| other != page)
    }

    /// The Markdown of a page, with names of its own for footnotes that another page speaks of, too.
    pub(super) fn own<'t>(&mut self, page: usize, markdown: &'t str) -> Cow<'t, str> {
        if !self.meet_on(page) {
            return Cow::Borrowed(markdown);
        }
        let mut edits = Edits::default();
        let mut named: Map<String, String> = Map::default();
        for (event, range) in Parser::new_ext(markdown, options()).into_offset_iter() {
            let (name, end) = match event {
                Event::FootnoteReference(name) => (name, Some(range.end - 1)),
                Event::Start(Tag::FootnoteDefinition(name)) => {
                    let label = markdown.get(range.clone()).and_then(|source| source.find("]:"));
                    (name, label.map(|at| range.start + at))
                }
                _ => continue,
            };
            if let Some(end) = end.filter(|_| self.is_shared(page, &name)) {
                let addition = named.entry(key(&name)).or_insert_with(|| self.addition(page, &name));
                edits.replace(end..end, addition.clone());
            }
        }
        edits.apply(markdown)
    }

    /// What makes a name unique.
    fn addition(&mut self, page: usize, name: &str) -> String {
        let mut addition = format!("-{page}");
        while self.pages.contains_key(&key(&format!("{name}{addition}"))) {
            let _ = write!(addition, "-{page}");
        }
        self.pages.insert(key(&format!("{name}{addition}")), page);
        addition
    }
}

/// What makes names the same: letters of either case, any white space. All up to the first bracket, which ends most.
fn key(label: &str) -> String {
    let name = label.get(..memchr2(b'[', b']', label.as_bytes()).unwrap_or(label.len())).unwrap_or_default();
    // Both ways: there are letters that only one of them makes the same.
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase().to_lowercase()
}

/// A page's Markdown without definitions of links: whatever refers to one names its address itself. Linear in the text.
pub(super) fn resolved(markdown: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(markdown);
    for _ in 0..ROUNDS {
        if !text.contains("]:") {
            break;
        }
        let edits = resolve(&text);
        if edits.0.is_empty() {
            break;
        }
        text = Cow::Owned(edits.apply(&text).into_owned());
    }
    text
}

fn resolve(text: &str) -> Edits {
    let parser = Parser::new_ext(text, options());
    let mut edits = Edits::default();
    for (_, definition) in parser.reference_definitions().iter() {
        edits.replace(definition.span.clone(), String::new());
    }
    for (event, range) in parser.into_offset_iter() {
        let Event::Start(
            Tag::Link { link_type, dest_url, title, .. } | Tag::Image { link_type, dest_url, title, .. },
        ) = event
        else {
            continue;
        };
        let source = text.get(range.clone()).unwrap_or_default();
        // `[text][name]`, `[text][]`, `[text]`: all behind the text gives way. The parser may end the second before its
        // empty brackets.
        let (behind, end) = match link_type {
            LinkType::Reference => (source.rfind("]["), range.end),
            LinkType::Collapsed if source.ends_with("][]") => {
                (source.len().checked_sub("][]".len()), range.end)
            }
            LinkType::Collapsed => (source.len().checked_sub("]".len()), range.end + "[]".len()),
            LinkType::Shortcut => (source.len().checked_sub("]".len()), range.end),
            _ => continue,
        };
        if let Some(behind) = behind {
            edits.replace(range.start + behind..end, target(&dest_url, &title));
        }
    }
    edits
}

/// What stands behind the text of a link that names its address.
fn target(url: &CowStr<'_>, title: &CowStr<'_>) -> String {
    let mut out = String::from("](");
    if let Some(url) = Destination::clean(url) {
        out.push_str(url.as_str());
    }
    if !title.is_empty() {
        // A title may hold anything but an end that is not escaped.
        let _ = write!(out, " \"{}\"", fold(title).replace('\\', "\\\\").replace('"', "\\\""));
    }
    out.push(')');
    out
}

/// Places of a text and what goes there.
#[derive(Debug, Default)]
struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    fn replace(&mut self, place: Range<usize>, with: String) {
        self.0.push((place, with));
    }

    fn apply(mut self, text: &str) -> Cow<'_, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(text);
        }
        self.0.sort_unstable_by_key(|(place, _)| (place.start, place.end));
        let mut out = String::with_capacity(text.len());
        let mut copied = 0;
        for (place, with) in self.0.iter().filter(|(place, _)| place.start <= place.end) {
            // What lies inside a place that is gone is gone with it.
            let Some(kept) = text.get(copied..place.start) else { continue };
            out.push_str(kept);
            out.push_str(with);
            copied = place.end;
        }
        out.push_str(text.get(copied..).unwrap_or_default());
        Cow::Owned(out)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn links_name_their_addresses_themselves() {
        for (text, expected) in [
            (
                "See [the kiln][k], [K][] and [k].\n\n[k]: /kiln \"A \\\"kiln\\\"\"\n",
                "See [the kiln](/kiln \"A \\\"kiln\\\"\"), [K](/kiln \"A \\\"kiln\\\"\") and [k](/kiln \"A \\\"kiln\\\"\").\n\n\n",
            ),
            ("[![pot][p]][k]\n\n[p]: <a b.png>\n[k]: k", "[![pot](a%20b.png)](k)\n\n\n"),
            ("[k]: one\n[k]: two\n\n[k]", "\n\n\n[k](one)"),
            ("`[k]: x` and [k] stay, and [a](b) too", "`[k]: x` and [k] stay, and [a](b) too"),
            ("```\n[k]: x\n```\n[k]", "```\n[k]: x\n```\n[k]"),
        ] {
            assert_eq!(resolved(text), expected);
        }
    }

    #[test]
    fn footnotes_are_told_apart_only_where_they_meet() {
        let texts = [
            "Fire[^1] and air[^a].\n\n[^1]: Hot.\n\n[^a]: Thin.",
            "No notes, but [^A].",
            "Fire[^1] and [^1-3].\n\n[^1]: Hot.",
            "Code `[^2]` and [^c]\n\n[^c]: Thin.",
        ];
        let mut footnotes = Footnotes::default();
        for (at, text) in texts.iter().enumerate() {
            footnotes.mention(at + 1, text);
        }
        let own: Vec<_> = texts.iter().enumerate().map(|(at, text)| footnotes.own(at + 1, text)).collect();
        assert_eq!(own[0], "Fire[^1-1] and air[^a-1].\n\n[^1-1]: Hot.\n\n[^a-1]: Thin.");
        assert_eq!(own[1], texts[1]);
        assert_eq!(own[2], "Fire[^1-3-3] and [^1-3].\n\n[^1-3-3]: Hot.");
        assert_eq!(own[3], texts[3]);
        assert!(!footnotes.is_shared(3, "1-3-3") && footnotes.is_shared(2, "1-3-3"));
    }

    proptest! {
        #[test]
        fn link_definitions_are_removed(text in "([\\[\\]():/#*_>` !ab\\n-]|\\PC){0,80}") {
            let text = resolved(&text);
            let left = Parser::new_ext(&text, options());
            prop_assert_eq!(left.reference_definitions().iter().count(), 0, "{}", text);
        }
    }
}
