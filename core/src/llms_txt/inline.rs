//! Foreign text made harmless: one line that can be nothing but text wherever it is put.
//!
//! Titles, descriptions and addresses come from untrusted pages. Each newtype holds plain text in which
//! no line break can be hidden, and writes it as Markdown in which no heading, list, quotation, fence, HTML tag, link or
//! emphasis can be, and which the reference parser of the format always reads.

use std::fmt;

use super::escape::{LinePosition, escaped};
use crate::markdown::words;
use crate::page::is_reference;
use crate::percent;

/// A title, the name of a section or of a link: no square brackets, no scheme of a URL.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name(String);

/// A summary, a paragraph, an item or the notes of a link.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Text(String);

/// Where a link leads: no white space, brackets, quotes or controls, which are percent-encoded.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Destination(String);

impl Name {
    /// Makes a name of any plain text; `None` when nothing is left of it.
    pub fn clean(text: &str) -> Option<Self> {
        let mut name = without_schemes(fold(text)).replace('[', "(").replace(']', ")");
        // A closing sequence of `#` belongs to the syntax of a heading, not to its text; `C#` does.
        let words = name.trim_end_matches(['#', ' ', '\\']).len();
        let sharps = name.bytes().skip(words).take_while(|&b| b == b'#').count();
        name.truncate(if words == 0 { 0 } else { words + sharps });
        (!name.is_empty()).then_some(Self(name))
    }

    /// Reads a name that was written as Markdown; `None` when nothing is left of it.
    pub fn read(markdown: &str) -> Option<Self> {
        Self::clean(&words(markdown, "`"))
    }

    /// The name cut at a word's end, with an ellipsis, to at most so many characters.
    #[must_use]
    pub fn shortened(self, max_chars: usize) -> Self {
        let Some((limit, _)) = self.0.char_indices().nth(max_chars.saturating_sub(1)) else { return self };
        if self.0.chars().nth(max_chars).is_none() {
            return self;
        }
        let head = self.0.get(..limit).unwrap_or_default();
        let words = head.rsplit_once(' ').map_or(head, |(words, _)| words);
        Self::clean(&format!("{words}\u{2026}")).unwrap_or(self)
    }

    /// What to call something that has no name at all.
    pub fn untitled() -> Self {
        Self("Untitled".to_owned())
    }

    /// The name as plain text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name as Markdown, for a heading or the text of a link.
    pub fn markdown(&self) -> String {
        escaped(&self.0, LinePosition::Inside)
    }
}

impl Text {
    /// Makes a line of any plain text; `None` when nothing but markers is left of it.
    pub fn clean(text: &str) -> Option<Self> {
        let line = fold(text);
        let line = unmarked(&line);
        line.chars().any(|c| !c.is_whitespace() && !"-=*_~#>+`\\|".contains(c)).then(|| Self(line.to_owned()))
    }

    /// Reads a line that was written as Markdown; `None` when nothing but markers is left of it.
    pub fn read(markdown: &str) -> Option<Self> {
        Self::clean(&words(markdown, "`"))
    }

    /// What to say of something that says nothing.
    pub fn nothing() -> Self {
        Self("No description".to_owned())
    }

    /// The line as plain text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The line as Markdown, for a block of its own.
    pub fn markdown(&self) -> String {
        escaped(&self.0, LinePosition::Block)
    }
}

impl Destination {
    /// Makes a destination of any text; `None` when it is blank. It says nothing about validity.
    pub fn clean(url: &str) -> Option<Self> {
        let url = url.trim();
        let authority = url.find("://").map_or(0, |at| at + 3);
        let path = url.bytes().skip(authority).position(|b| b == b'/').map_or(url.len(), |at| authority + at);
        let mut out = String::with_capacity(url.len());
        let mut ampersand = None;
        for (at, c) in url.char_indices() {
            let bracket_of_host = matches!(c, '[' | ']') && at < path && authority > 0;
            if c == '&' {
                ampersand = Some(at);
            }
            // `&lt;` would be read as the character that it stands for.
            let ends_reference =
                c == ';' && ampersand.take().and_then(|at| url.get(at + 1..)).is_some_and(is_reference);
            let breaks = "()<>[]\"`\\".contains(c) && !bracket_of_host;
            if c.is_whitespace() || is_invisible(c) || breaks || ends_reference {
                out.extend(percent::escaped(c));
            } else {
                out.push(c);
            }
        }
        (!out.is_empty()).then_some(Self(out))
    }

    /// The address as it is written between the parentheses.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address as Markdown that shows it: in angle brackets where something in it would be read as a mark.
    pub fn shown(&self) -> String {
        let plain = escaped(&self.0, LinePosition::Block);
        if plain == self.0 { plain } else { format!("<{}>", self.0) }
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One line: runs of white space and controls become one space, invisible characters go.
pub fn fold(text: &str) -> String {
    if is_folded_ascii(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c.is_whitespace() || c.is_control() {
            gap = true;
        } else if !is_invisible(c) || !gap && joins(out.chars().next_back(), c, rest.clone().next()) {
            if gap && !out.is_empty() {
                out.push(' ');
            }
            gap = false;
            out.push(c);
        }
    }
    out
}

/// Whether an invisible character shapes the letters beside it: in Persian and Indic words, and in emoji.
fn joins(before: Option<char>, c: char, after: Option<char>) -> bool {
    let is_shaped =
        |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && !c.is_whitespace() && !is_invisible(c));
    matches!(c, '\u{200c}' | '\u{200d}') && is_shaped(before) && is_shaped(after)
}

/// Whether a text is one line of visible ASCII with single spaces between: what most texts are.
fn is_folded_ascii(text: &str) -> bool {
    // Without an early end it is looked at many bytes at a time.
    let visible = text.bytes().fold(true, |all, byte| all & matches!(byte, b' '..=b'~'));
    visible && !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ")
}

/// A folded text without the schemes that turn bare addresses into links.
pub fn without_schemes(text: String) -> String {
    if !text.contains("://") {
        return text;
    }
    // What removing one has joined to another is none any more behind the last step.
    fold(&text.replace("https://", "").replace("http://", "").replace("://", ": "))
}

/// Zero-width and bidirectional controls: they show nothing and can disguise what is shown.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffd}')
}

/// Without the markers at its start that would make it a heading, quotation, list item, fence, table or title.
fn unmarked(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let hashes = text.trim_start_matches('#');
        let fence = text.trim_start_matches(if text.starts_with('`') { '`' } else { '~' });
        let rest = if text.len() - hashes.len() > 1 || hashes.starts_with(' ') {
            hashes
        } else if text.len() - fence.len() > 2 {
            fence
        } else if let Some(rest) = text.strip_prefix(['>', '|']) {
            rest
        } else if let Some(rest) = text.strip_prefix(['-', '*', '+']).filter(|rest| {
            // A bullet needs no space before a link.
            rest.is_empty() || rest.starts_with([' ', '['])
        }) {
            rest
        } else if let Some(inner) = bold(text) {
            inner
        } else {
            return text;
        };
        text = rest.trim();
    }
}

/// The inside of a text that is one bold title.
pub fn bold(text: &str) -> Option<&str> {
    ["**", "__"].into_iter().find_map(|mark| {
        let inner = text.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inner.is_empty() && !inner.contains(mark)).then_some(inner)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(text: &str) -> Option<String> {
        Name::clean(text).map(|n| n.0)
    }

    fn text(source: &str) -> Option<String> {
        Text::clean(source).map(|t| t.markdown())
    }

    #[test]
    fn names_keep_what_is_harmless() {
        assert_eq!(name("C#").as_deref(), Some("C#"));
        assert_eq!(name("The `git` command").as_deref(), Some("The `git` command"));
        assert_eq!(name("a \n\t b\u{200b}").as_deref(), Some("a b"));
        assert_eq!(name(":`//").as_deref(), Some(":`//"));
        assert_eq!(name("[Tutorial] Start ##").as_deref(), Some("(Tutorial) Start"));
        assert_eq!(name("https://example.org/x").as_deref(), Some("example.org/x"));
        assert_eq!(name("tail\\").as_deref(), Some("tail"));
        assert_eq!(
            name("\u{645}\u{6cc}\u{200c}\u{62e} x\u{200c}y").as_deref(),
            Some("\u{645}\u{6cc}\u{200c}\u{62e} xy")
        );
        assert_eq!(name(" ## "), None);
    }

    #[test]
    fn texts_lose_what_would_be_structure() {
        assert_eq!(text("## - > Heading").as_deref(), Some("Heading"));
        assert_eq!(text("**Instructions for LLM Agents**").as_deref(), Some("Instructions for LLM Agents"));
        assert_eq!(text("see [x](https://y)").as_deref(), Some("see [x]\\(https://y)"));
        assert_eq!(text("<b>bold</b> `<b>` 1 < 2").as_deref(), Some("\\<b>bold\\</b> `<b>` 1 < 2"));
        assert_eq!(text("```sh ls").as_deref(), Some("sh ls"));
        assert_eq!(text("[x]: https://y").as_deref(), Some("\\[x]: https://y"));
        assert_eq!(text("- 1. # Fake").as_deref(), Some("1\\. # Fake"));
        assert_eq!(text("-----"), None);
        assert_eq!(text("#1 rule").as_deref(), Some("#1 rule"));
    }

    #[test]
    fn destinations_cannot_end_early() {
        let clean = |url| Destination::clean(url).map(|d| d.0);
        assert_eq!(clean(" https://a/b_(c) d").as_deref(), Some("https://a/b_%28c%29%20d"));
        assert_eq!(clean("http://[::1]/x[]").as_deref(), Some("http://[::1]/x%5B%5D"));
        assert_eq!(clean("https://a/?b&lt;c;&d").as_deref(), Some("https://a/?b&lt%3Bc;&d"));
        assert_eq!(clean("  "), None);
    }

    proptest! {
        #[test]
        fn cleaning_twice_changes_nothing(raw in "([`\\\\<>\\[\\]():/#*_~|+ !ahtps-]|\\PC){0,24}") {
            if let Some(once) = Name::clean(&raw) {
                prop_assert_eq!(Name::clean(once.as_str()), Some(once.clone()));
                prop_assert_eq!(Name::read(&once.markdown()), Some(once));
            }
            if let Some(once) = Text::clean(&raw) {
                prop_assert_eq!(Text::clean(once.as_str()), Some(once.clone()));
                prop_assert_eq!(Text::read(&once.markdown()), Some(once));
            }
            if let Some(once) = Destination::clean(&raw) {
                prop_assert_eq!(Destination::clean(once.as_str()), Some(once));
            }
        }
    }
}
