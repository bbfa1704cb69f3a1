//! Pages that only lead to others: in a file that holds the pages themselves they say nothing.

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

/// Whether a page consists of links and of what stands around them.
pub(super) fn only_lists(markdown: &str) -> bool {
    // Most pages are known by this: they have few links.
    if find_iter(markdown.as_bytes(), "](").take(MIN_LINKS).count() < MIN_LINKS {
        return false;
    }
    // So is a page with code whose fence is a line of its own.
    if markdown.contains("\n```\n") && !markdown.starts_with("---") {
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
    let written: usize = said().flat_map(|block| links(block.text)).map(|link| link.name.len()).sum();
    let (mut count, mut linked, mut prose) = (0, 0, 0);
    for block in said() {
        let mut named = 0;
        for link in links(block.text) {
            count += 1;
            named += plain(link.name).chars().count();
        }
        linked += named;
        prose += plain(block.text).chars().count().saturating_sub(named);
        if prose > MAX_PROSE.max(written / PER_LINKED) {
            return false;
        }
    }
    count >= MIN_LINKS && prose <= MAX_PROSE.max(linked / PER_LINKED)
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
