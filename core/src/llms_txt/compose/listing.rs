//! Pages that only lead to others: in a file that holds the pages themselves they say nothing.

use std::cmp::Reverse;

use memchr::memmem::find_iter;

use crate::llms_txt::blocks::{BlockKind, blocks};
use crate::llms_txt::link::links;
use crate::llms_txt::plain::plain;

/// Links that make a list.
const MIN_LINKS: usize = 10;
/// Characters beside the links that a page may have and still say nothing.
const MAX_PROSE: usize = 200;
/// One character beside the links is nothing where this many stand in them: punctuation, numbers, short labels.
const PER_LINKED: usize = 4;
/// What most fences begin with.
const FENCE: &str = "\n```";

/// Whether a page consists of links and of what stands around them.
pub(super) fn only_lists(markdown: &str) -> bool {
    // Most pages are known by this: they have few links.
    if find_iter(markdown.as_bytes(), "](").take(MIN_LINKS).count() < MIN_LINKS {
        return false;
    }
    // So is a page with code.
    if !markdown.starts_with("---") && opens_fence(markdown) {
        return false;
    }
    let blocks = blocks(markdown);
    let said = || {
        blocks.iter().filter(|b| {
            !matches!(b.kind, BlockKind::Heading { .. } | BlockKind::FrontMatter | BlockKind::Rule)
        })
    };
    if said().any(|block| matches!(block.kind, BlockKind::Fence { .. } | BlockKind::Code)) {
        return false;
    }
    // What stands in links is no more than what is written there: more prose than this it cannot outweigh.
    let linked = |text| links(text).map(|link| link.name.len()).sum::<usize>();
    let mut said: Vec<_> = said().map(|block| (block.text, linked(block.text))).collect();
    let written: usize = said.iter().map(|(_, linked)| linked).sum();
    // A page that says something is known by the block that says most.
    said.sort_by_key(|(text, linked)| Reverse(text.len().saturating_sub(*linked)));
    let (mut count, mut linked, mut prose) = (0, 0, 0);
    for (text, _) in said {
        let mut named = 0;
        for link in links(text) {
            count += 1;
            named += plain(link.name).chars().count();
        }
        linked += named;
        prose += plain(text).chars().count().saturating_sub(named);
        if prose > MAX_PROSE.max(written / PER_LINKED) {
            return false;
        }
    }
    count >= MIN_LINKS && prose <= MAX_PROSE.max(linked / PER_LINKED)
}

/// Whether a line opens fenced code.
fn opens_fence(markdown: &str) -> bool {
    let behind = |at: usize| markdown.get(at + FENCE.len()..).unwrap_or_default();
    find_iter(markdown.as_bytes(), FENCE)
        .any(|at| !behind(at).lines().next().is_some_and(|info| info.contains('`')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(count: usize, behind: &str) -> String {
        format!("- [A chapter of the book](chapter.html){behind}\n").repeat(count)
    }

    #[test]
    fn lists_of_links_say_nothing_themselves() {
        for page in [list(20, ""), format!("# Contents\n\nAll of it:\n\n{}", list(40, " (1)"))] {
            assert!(only_lists(&page), "{page}");
        }
    }

    #[test]
    fn lists_with_text_beside_the_links_are_pages() {
        let said = ": what it is about, said in a sentence";
        let prose = "The book tells how pots are fired, from the first cone to the last glaze. ".repeat(5);
        for page in [
            list(20, said),
            list(5, ""),
            format!("{prose}\n\n{}", list(20, "")),
            format!("{}\n```\nx\n```", list(20, "")),
        ] {
            assert!(!only_lists(&page), "{page}");
        }
    }
}
