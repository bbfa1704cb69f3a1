//! Pages that only lead to others: in a file that holds the pages themselves they say nothing.

use memchr::memmem::find_iter;

use super::opening::letters;
use crate::llms_txt::blocks::{BlockKind, blocks};
use crate::llms_txt::link::links;
use crate::llms_txt::plain::plain;

/// Links that make a list.
const MIN_LINKS: usize = 10;
/// Letters beside the links that a page may have and still say nothing.
const MAX_PROSE: usize = 160;
/// One letter beside the links is nothing where this many stand in them.
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
    let (mut count, mut linked, mut prose) = (0, 0, 0);
    for block in blocks(markdown) {
        match block.kind {
            BlockKind::Fence { .. } | BlockKind::Code => return false,
            BlockKind::Heading { .. } | BlockKind::FrontMatter | BlockKind::Rule => {}
            _ => {
                let mut end = 0;
                for link in links(block.text) {
                    count += 1;
                    linked += shown(link.name);
                    prose += shown(block.text.get(end..link.before.len()).unwrap_or_default());
                    end = block.text.len() - link.after.len();
                }
                prose += shown(block.text.get(end..).unwrap_or_default());
            }
        }
    }
    count >= MIN_LINKS && prose <= MAX_PROSE.max(linked / PER_LINKED)
}

/// The letters of a text without those of addresses of images.
fn shown(text: &str) -> usize {
    if text.contains("![") { letters(&plain(text)) } else { letters(text) }
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
