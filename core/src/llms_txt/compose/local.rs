//! What Markdown lets one place of a text say about another, kept within its page: definitions of links are resolved where
//! they are used, and the names of footnotes are no other page's.
//!
//! In one file of many pages the first definition of a name would hold for all of them.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use memchr::memmem;
use pulldown_cmark::{CowStr, Event, LinkType, Parser, Tag};

use super::foreign::options;
use crate::llms_txt::inline::{Destination, fold};
use crate::maps::Set;

/// How often definitions are looked for: of those that define the same name only the first is found at a time.
const ROUNDS: usize = 8;

/// The names of footnotes that pages of the file have used.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    used: Set<String>,
    pages: usize,
}

impl Footnotes {
    /// The Markdown of the next page, with names of its own for footnotes that another page has too.
    pub(super) fn own<'t>(&mut self, markdown: &'t str) -> Cow<'t, str> {
        self.pages += 1;
        if memmem::find(markdown.as_bytes(), b"[^").is_none() {
            return Cow::Borrowed(markdown);
        }
        let (mut edits, mut own) = (Edits::default(), Set::default());
        for (event, range) in Parser::new_ext(markdown, options()).into_offset_iter() {
            if let Event::FootnoteReference(name) | Event::Start(Tag::FootnoteDefinition(name)) = event {
                let source = markdown.get(range.clone()).unwrap_or_default();
                let end = source.find(']').map(|at| range.start + at);
                if let Some(end) = end.filter(|_| self.used.contains(&*name)) {
                    edits.replace(end..end, format!("-{}", self.pages));
                }
                own.insert(name.into_string());
            }
        }
        self.used.extend(own);
        edits.apply(markdown)
    }
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
        let mut footnotes = Footnotes::default();
        let page = "Fire[^1] and air[^a].\n\n[^1]: Hot.\n\n[^a]: Thin.";
        assert_eq!(footnotes.own(page), page);
        assert_eq!(footnotes.own("No notes."), "No notes.");
        let expected = "Fire[^1-3] and air[^a-3].\n\n[^1-3]: Hot.\n\n[^a-3]: Thin.";
        assert_eq!(footnotes.own(page), expected);
        assert_eq!(footnotes.own("Code `[^1]` stays"), "Code `[^1]` stays");
    }

    proptest! {
        #[test]
        fn nothing_is_defined_any_more(text in "([\\[\\]():/#*_>` !ab\\n-]|\\PC){0,80}") {
            let text = resolved(&text);
            let left = Parser::new_ext(&text, options());
            prop_assert_eq!(left.reference_definitions().iter().count(), 0, "{}", text);
        }
    }
}
