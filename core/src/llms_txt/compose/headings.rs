//! What a page covers, by its own sub-headings or the entries of its lists.

use super::opening::MARKUP;
use super::sentences::{comma, is_ended};
use crate::llms_txt::blocks::{Block, BlockKind};
use crate::llms_txt::describe::gives_orders;
use crate::llms_txt::link::{InlineLink, links};
use crate::llms_txt::plain::{normal, plain, without_icon};
use crate::maps::Set;

/// How many sub-headings of a page are considered.
const HEADINGS: usize = 64;
/// The longest that is named, in characters.
const HEADING_MAX_CHARS: usize = 60;
/// The fewest that make a list.
pub(super) const LIST_MIN: usize = 2;

/// The sub-headings of a page called `title`, as [`normal`] gives it: those of the two highest levels below the title.
pub(super) fn headings(blocks: &[Block<'_>], title: &str) -> Vec<String> {
    let headings = blocks.iter().filter_map(|block| match block.kind {
        BlockKind::Heading { level, .. } => Some((level, heading(block.text))),
        _ => None,
    });
    let headings: Vec<_> = headings.filter(|(_, text)| normal(text) != title).collect();
    let below = |floor| headings.iter().map(|(level, _)| *level).filter(|level| *level > floor).min();
    let Some(highest) = below(1) else { return Vec::new() };
    let second = below(highest).unwrap_or(highest);
    distinct(headings.into_iter().filter(|(level, _)| (2..=second).contains(level)).map(|(_, text)| text))
}

/// What a page's own lists name, by a link or in bold: steps have an order, and check boxes and sentences no name.
pub(super) fn entries(blocks: &[Block<'_>]) -> Vec<String> {
    let is_entry = |block: &&Block<'_>| {
        block.kind == BlockKind::Item { indent: 0 } && block.source.starts_with(['-', '*', '+'])
    };
    let name = |text: &str| {
        // A file tells nothing by its own name.
        let is_file = |link: &InlineLink<'_>| {
            let path = link
                .url
                .split_once("://")
                .map_or(link.url, |(_, rest)| rest.split_once('/').unwrap_or_default().1);
            let ends = link.name.rfind('.').and_then(|dot| link.name.get(dot..));
            ends.is_some_and(|ends| ends.len() > 1 && path.ends_with(ends))
        };
        let link = links(text).next().filter(|link| link.before.is_empty() && !is_file(link));
        let link = link.map(|link| link.name);
        let bold = || Some(text.strip_prefix("**")?.split_once("**")?.0);
        link.or_else(bold).filter(|name| !is_ended(name)).map(heading)
    };
    let names = distinct(blocks.iter().filter(is_entry).filter_map(|block| name(block.text)));
    Some(names).filter(|names| names.len() >= LIST_MIN).unwrap_or_default()
}

/// The first of `names` that may stand in a list, each once.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = Set::default();
    let kept = names.filter(|text| {
        let said = normal(text);
        text.chars().nth(HEADING_MAX_CHARS).is_none()
            && said.contains(char::is_alphabetic)
            && !text.contains(MARKUP)
            && !gives_orders(text)
            && seen.insert(said)
    });
    kept.take(HEADINGS).collect()
}

/// A heading without its number, which tells nothing where others of its row are left out, and its final stop.
fn heading(markdown: &str) -> String {
    let text = plain(markdown);
    let text = without_icon(&text).trim_end_matches(['\u{b6}', '#', '\u{1f517}', ':', '：', '.', ' ']);
    let said = text.trim_start_matches(|c: char| c.is_ascii_digit() || ".)".contains(c));
    // A day is no such number.
    let is_number = text.get(..text.len() - said.len()).is_some_and(|number| number.contains(['.', ')']));
    if is_number && said.starts_with(char::is_whitespace) { said.trim_start() } else { text }.to_owned()
}

/// As many of them as fit into `room` characters, spread evenly over the page; `None` when not even [`LIST_MIN`] do. The names
/// of what a program has say nothing to those who do not know it.
pub(super) fn listed(headings: &[String], room: usize) -> Option<String> {
    let headings: Vec<&str> =
        headings.iter().map(String::as_str).filter(|heading| !is_code(heading)).collect();
    let comma = comma(&headings);
    let fits = |count: &usize| {
        let chars: usize =
            spread(&headings, *count).map(|heading| heading.chars().count() + comma.len()).sum();
        chars <= room + comma.len()
    };
    let count = (LIST_MIN..=headings.len()).take_while(fits).last()?;
    Some(spread(&headings, count).collect::<Vec<_>>().join(comma))
}

fn spread<'h>(headings: &[&'h str], count: usize) -> impl Iterator<Item = &'h str> {
    (0..count).filter_map(move |at| headings.get(at * headings.len() / count)).copied()
}

/// Whether a heading is the name of a function, of a field or the like: `light()`, `kiln::heat`, `wood_store`.
fn is_code(heading: &str) -> bool {
    let first = heading.split(' ').next().filter(|word| word.is_ascii()).unwrap_or_default();
    let inner = first.get(1..).unwrap_or_default();
    heading.contains("()") || inner.contains(['_', '(']) || inner.contains("::")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llms_txt::blocks::blocks;

    #[test]
    fn a_page_covers_what_its_highest_headings_name() {
        let page = "# Kiln\n\n## 1.2. Wiring the heater\n\n## Kiln\n\n## Glazes:\n\n### Deep\n\n#### Deeper\n\n## 3.1\n";
        assert_eq!(headings(&blocks(page), "kiln"), ["Wiring the heater", "Glazes", "Deep"]);
    }

    #[test]
    fn files_are_no_entries_by_their_own_names() {
        let list = "- [Plans of kilns](a.pdf)\n- [files/kiln_final (2).pdf](files/kiln_final%20(2).pdf)\n- [Ovens](b.pdf)\n";
        assert_eq!(entries(&blocks(list)), ["Plans of kilns", "Ovens"]);
        let names = "- [Kiln.js](/docs/kilnjs)\n- [kilns.io](https://kilns.io)\n";
        assert_eq!(entries(&blocks(names)), ["Kiln.js", "kilns.io"]);
    }

    #[test]
    fn an_icon_is_no_part_of_a_heading() {
        let page = "# Kiln\n\n## \u{1f4c4}\u{fe0f} Heat\n\n## \u{5bb6} kilns\n\n## ¿Qué es?\n";
        assert_eq!(headings(&blocks(page), "kiln"), ["Heat", "\u{5bb6} kilns", "¿Qué es?"]);
    }

    #[test]
    fn headings_are_sampled_over_the_whole_page() {
        let all: Vec<String> = ["One", "Two", "Three", "Four"].map(str::to_owned).to_vec();
        assert_eq!(listed(&all, 100).as_deref(), Some("One, Two, Three, Four"));
        assert_eq!(listed(&all, 12).as_deref(), Some("One, Three"));
        assert_eq!(listed(&all, 9), None);
        let code = ["Use", "light() [1/2]", "wood_store", "operator bool()", "fire::Kiln", "Burn (wood)"];
        assert_eq!(listed(&code.map(str::to_owned), 100).as_deref(), Some("Use, Burn (wood)"));
        assert_eq!(listed(&["A, b".to_owned(), "C".to_owned()], 20).as_deref(), Some("A, b; C"));
    }
}
