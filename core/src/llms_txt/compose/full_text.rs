//! The text of `llms-full.txt`: that of its pages, with a few lines between them.
//!
//! What is taken over from a page stays where it lies. Put together, all pages would be in memory a second time.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::site::outline::CrawledPage;

/// The text of an `llms-full.txt`, in pieces: [`Display`](fmt::Display) and [`Serialize`] put it together.
#[derive(Clone)]
pub struct FullText {
    pages: Arc<Vec<CrawledPage>>,
    /// What is no page's, one behind the other.
    own: String,
    pieces: Vec<Piece>,
    len: usize,
}

/// A stretch of a page's Markdown, or of what is no page's.
#[derive(Debug, Clone)]
struct Piece {
    page: Option<usize>,
    range: Range<usize>,
}

impl FullText {
    /// Nothing yet, to be filled with what these pages say.
    pub(super) fn of(pages: Arc<Vec<CrawledPage>>) -> Self {
        Self { pages, own: String::new(), pieces: Vec::new(), len: 0 }
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All of it, piece by piece.
    pub fn pieces(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.pieces.iter().map(|piece| self.str(piece))
    }

    /// Appends what is no page's.
    pub(super) fn push(&mut self, text: &str) {
        let start = self.own.len();
        self.own.push_str(text);
        self.append(Piece { page: None, range: start..self.own.len() });
    }

    /// Appends a stretch of a page's Markdown; one that lies outside of it, or begins or ends inside a character, is none.
    pub(super) fn push_page(&mut self, page: usize, range: Range<usize>) {
        self.append(Piece { page: Some(page), range });
    }

    fn append(&mut self, piece: Piece) {
        let len = self.str(&piece).len();
        if len == 0 {
            return;
        }
        self.len += len;
        match self.pieces.last_mut() {
            Some(last) if last.page == piece.page && last.range.end == piece.range.start => {
                last.range.end = piece.range.end;
            }
            _ => self.pieces.push(piece),
        }
    }

    fn str(&self, piece: &Piece) -> &str {
        let text = match piece.page {
            Some(page) => self.pages.get(page).map_or("", |page| &page.page.markdown),
            None => &self.own,
        };
        text.get(piece.range.clone()).unwrap_or_default()
    }

    /// Whether the next line begins behind an empty one.
    pub(super) fn ends_with_empty_line(&self) -> bool {
        self.pieces().rev().flat_map(|piece| piece.bytes().rev()).take(2).eq(*b"\n\n")
    }

    /// Appends what another one holds of the same pages.
    pub(super) fn extend(&mut self, part: &Self) {
        for piece in &part.pieces {
            match piece.page {
                Some(page) => self.push_page(page, piece.range.clone()),
                None => self.push(part.str(piece)),
            }
        }
    }

    /// Takes line ends and spaces from its end.
    pub(super) fn trim_end(&mut self) {
        while let Some(mut last) = self.pieces.pop() {
            let kept = self.str(&last).trim_end_matches(['\n', ' ']).len();
            self.len -= last.range.len() - kept;
            if kept > 0 {
                last.range.end = last.range.start + kept;
                return self.pieces.push(last);
            }
        }
    }
}

impl fmt::Display for FullText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| f.write_str(piece))
    }
}

impl fmt::Debug for FullText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.pieces()).finish()
    }
}

impl PartialEq for FullText {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.pieces().flat_map(str::bytes).eq(other.pieces().flat_map(str::bytes))
    }
}

impl Eq for FullText {}

impl Serialize for FullText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::page::Page;
    use crate::url::SiteUrl;

    fn pages(texts: &[&str]) -> Arc<Vec<CrawledPage>> {
        let url = SiteUrl::parse("https://example.com/").unwrap();
        let page = |text: &&str| CrawledPage {
            url: url.clone(),
            link: url.clone(),
            page: Page { markdown: (*text).to_owned(), ..Page::default() },
        };
        Arc::new(texts.iter().map(page).collect())
    }

    #[test]
    fn text_that_is_no_part_of_a_page_is_copied() {
        let mut text = FullText::of(pages(&["h\u{e9}"]));
        for (page, range) in [(0, 0..2), (0, 2..9), (1, 0..1), (0, 1..1)] {
            text.push_page(page, range);
        }
        assert!(text.is_empty() && text.to_string().is_empty());
        text.push_page(0, 1..3);
        assert_eq!((text.to_string().as_str(), text.len()), ("\u{e9}", 2));
    }

    proptest! {
        /// Whatever is done to the pieces is what would be done to the text.
        #[test]
        fn full_text_is_one_contiguous_text(
            steps in vec((0..7_usize, "[a\u{e9} \n]{0,4}", 0..12_usize, 0..12_usize), 0..20),
        ) {
            let taken = ["first\n\n page ", "\n\u{e9}\n second"];
            let (mut text, mut plain) = (FullText::of(pages(&taken)), String::new());
            for (step, own, start, end) in &steps {
                match step {
                    0 | 1 => {
                        text.push(own);
                        plain.push_str(own);
                    }
                    2..=4 => {
                        text.push_page(step % 2, *start..*end);
                        plain.push_str(taken[step % 2].get(*start..*end).unwrap_or_default());
                    }
                    5 => {
                        text.trim_end();
                        plain.truncate(plain.trim_end_matches(['\n', ' ']).len());
                    }
                    _ => {
                        let part = text.clone();
                        text.extend(&part);
                        plain = plain.repeat(2);
                    }
                }
                prop_assert_eq!(text.to_string(), plain.as_str());
                prop_assert_eq!(text.len(), plain.len());
                prop_assert_eq!(text.ends_with_empty_line(), plain.ends_with("\n\n"));
            }
            prop_assert_eq!(serde_json::to_string(&text).unwrap(), serde_json::to_string(&plain).unwrap());
        }
    }
}
