//! What pages have in common: it says nothing about any of them.

use super::paragraphs::is_own_paragraph;
use crate::llms_txt::blocks::{Block, Kind};
use crate::maps::{Map, Set};

/// How many pages may have the same text before it says nothing about any of them.
const PAGES_MAX: usize = 3;

/// How many paragraphs of a page are looked at for that, and how many items of its lists.
const PARAGRAPHS_COUNTED: usize = 10;
const ITEMS_COUNTED: usize = 16;

/// Paragraphs and items of lists, as written, that many pages begin with, read or not.
#[derive(Default)]
pub(super) struct Shared<'a>(Set<&'a str>);

impl<'a> Shared<'a> {
    /// Those of a site, from the blocks of its pages.
    pub(super) fn among(pages: &[Vec<Block<'a>>]) -> Self {
        // How many pages have it, and the last of them.
        let mut counts: Map<&str, (usize, usize)> = Map::default();
        for (at, blocks) in pages.iter().enumerate() {
            let of = |is: fn(&Block<'_>) -> bool| blocks.iter().filter(move |b| is(b) && !b.text.is_empty());
            // Further down stands what a page says of others.
            let paragraphs = of(is_own_paragraph).take(PARAGRAPHS_COUNTED);
            let items = of(|block| matches!(block.kind, Kind::Item { .. })).take(ITEMS_COUNTED);
            for block in paragraphs.chain(items) {
                let (count, last) = counts.entry(block.text).or_insert((0, usize::MAX));
                *count += usize::from(*last != at);
                *last = at;
            }
        }
        Self(counts.into_iter().filter(|(_, (count, _))| *count > PAGES_MAX).map(|(text, _)| text).collect())
    }

    pub(super) fn contains(&self, text: &str) -> bool {
        self.0.contains(text)
    }
}
