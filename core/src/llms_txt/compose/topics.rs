//! What a page covers, by its sub-headings.

use std::sync::LazyLock;

use super::prose::{normal, plain, without_number};
use crate::llms_txt::blocks::{Block, Kind};
use crate::llms_txt::describe::gives_orders;
use crate::maps::{Map, Set};

/// How many sub-headings of a page are considered.
const TOPICS: usize = 64;
/// The longest sub-heading that makes a topic, in characters.
const TOPIC_MAX_CHARS: usize = 60;

/// The longest word that may be an acronym, in characters.
const ACRONYM_MAX_CHARS: usize = 6;

/// What words of a heading are set apart with.
const BETWEEN_WORDS: [char; 6] = [' ', '-', '/', ',', '(', ')'];

/// Headings that every other page has too.
static DULL: LazyLock<Set<&str>> = LazyLock::new(|| {
    "introduction|overview|summary|description|example|examples|see also|note|notes|contents|\
     table of contents|index|navigation|reference|references|name|synopsis|parameters|usage|this page|\
     previous topic|next topic|search|options|on this page|footnotes|syntax|arguments|returns|\
     return value|related|related pages|next steps|further reading|quick links|more information|\
     feedback|outputs|compatibility|background|abstract|author|authors|copyright|license|conclusion"
        .split('|')
        .collect()
});

/// A heading that says what part of a page it is, not what the page is about.
pub(super) fn is_dull(heading: &str) -> bool {
    DULL.contains(heading)
}

/// The sub-headings that name something, those of the two highest levels below the title.
pub(super) fn topics(blocks: &[Block<'_>], title: &str) -> Vec<String> {
    let headings = blocks.iter().filter_map(|b| match b.kind {
        Kind::Heading { level, .. } => Some((level, heading(b.text))),
        _ => None,
    });
    let headings: Vec<_> = headings.filter(|(_, text)| normal(text) != title).collect();
    let below = |floor| headings.iter().map(|(level, _)| *level).filter(|level| *level > floor).min();
    let Some(highest) = below(1) else { return Vec::new() };
    let second = below(highest).unwrap_or(highest);
    let mut seen = Set::default();
    let kept = headings.into_iter().filter(|(level, text)| {
        let said = normal(text);
        let fits = (3..=TOPIC_MAX_CHARS).contains(&text.chars().count());
        (2..=second).contains(level)
            && fits
            && !said.is_empty()
            && !is_dull(&said)
            && !gives_orders(text)
            && seen.insert(said)
    });
    let mut kept: Vec<String> = kept.map(|(_, text)| text).take(TOPICS).collect();
    without_shouting(&mut kept, blocks);
    kept
}

/// A heading without its number, permalink mark and final stop.
fn heading(markdown: &str) -> String {
    let text = plain(markdown);
    let text = without_number(&text).trim_end_matches(['\u{b6}', '#', ':', '.', ' ']);
    text.trim_start_matches(['\u{2026}', ' ']).to_owned()
}

/// Spells headings that are all capitals as the prose of the page spells their words: an acronym stays.
/// Looks through the page for each of them, of which there are no more than [`TOPICS`].
fn without_shouting(headings: &mut [String], blocks: &[Block<'_>]) {
    let shouts = |text: &str| {
        text.chars().filter(|c| c.is_uppercase()).count() > 3
            && !text.contains(|c: char| c.is_lowercase() || c == '_')
    };
    let shouted = headings.iter().filter(|text| shouts(text)).flat_map(|text| text.split(BETWEEN_WORDS));
    let mut spellings: Map<String, Map<&str, usize>> =
        shouted.map(|word| (word.to_lowercase(), Map::default())).collect();
    if spellings.is_empty() {
        return;
    }
    let prose = blocks.iter().filter(|b| matches!(b.kind, Kind::Paragraph | Kind::Item { .. }));
    let words = prose.flat_map(|b| b.text.split(|c: char| !c.is_alphanumeric()));
    let mut lower = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        lower.clear();
        if word.is_ascii() {
            lower.push_str(word);
            lower.make_ascii_lowercase();
        } else {
            lower.push_str(&word.to_lowercase());
        }
        if let Some(own) = spellings.get_mut(&lower) {
            *own.entry(word).or_default() += 1;
        }
    }
    // A word may stand in many headings and be spelt in many ways: which of them is usual is asked once.
    let usual: Map<String, Option<String>> = spellings.into_iter().map(usual).collect();
    for text in headings.iter_mut().filter(|text| shouts(text) && !is_code(text, blocks)) {
        let words = text.split_inclusive(BETWEEN_WORDS).map(|word| {
            let bare = word.trim_end_matches(BETWEEN_WORDS);
            Some(usual.get(&bare.to_lowercase())?.clone()? + word.strip_prefix(bare)?)
        });
        // A word that nobody spells may be an acronym, and half a heading in capitals reads worse than all of it.
        if let Some(mut spelt) = words.collect::<Option<String>>() {
            if let Some(first) = spelt.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            *text = spelt;
        }
    }
}

/// How a word in small letters is spelt, by how often it is spelt so; an acronym that nobody spells is not known.
fn usual((lower, spellings): (String, Map<&str, usize>)) -> (String, Option<String>) {
    let long = lower.chars().count() > ACRONYM_MAX_CHARS;
    // Of two that are as frequent the one with more small letters.
    let own = spellings.iter().filter(|(spelling, _)| !long || spelling.contains(char::is_lowercase));
    let own = own.max_by_key(|(spelling, count)| (**count, **spelling));
    let own = own.map(|(spelling, _)| (*spelling).to_owned());
    let own = own.or_else(|| (long || !lower.contains(char::is_alphabetic)).then(|| lower.clone()));
    (lower, own)
}

/// Whether what a heading names is written in capitals in the page's code too, as a keyword is.
fn is_code(heading: &str, blocks: &[Block<'_>]) -> bool {
    let span = format!("`{heading}");
    blocks.iter().any(|block| match block.kind {
        Kind::Fence { .. } | Kind::Code => block.text.contains(heading),
        _ => block.text.contains(&span),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llms_txt::blocks::blocks;

    #[test]
    fn capitals_become_what_the_prose_writes() {
        let page = "# Pots\n\nA kiln has commands of a kiln; its commands use SQL; other commands use the GUI.\n\n\
     ## KILN COMMANDS\n\n## SQL COMMANDS\n\n## FIRING ORDER\n\n## DETERMINING KILN\n\n## GUI\n";
        assert_eq!(
            topics(&blocks(page), "pots"),
            ["Kiln commands", "SQL commands", "FIRING ORDER", "Determining kiln", "GUI"]
        );
    }

    #[test]
    fn keywords_stay_in_capitals() {
        let page = "# Pots\n\nA kiln may fire at any time; see FIRING ORDER.\n\n## FIRE KILN\n\nWith `FIRE KILN` it is lit.\n\n\
                    ## AT TIME\n\n```\nfire AT TIME now\n```\n\n## FIRING ORDER\n\nThe firing order of the kiln.\n";
        assert_eq!(topics(&blocks(page), "pots"), ["FIRE KILN", "AT TIME", "Firing order"]);
    }

    #[test]
    fn what_every_page_has_is_no_topic() {
        let page =
            "# Kiln\n\n## 1.2. Wiring the heater\n\n## See also\n\n## Glazes:\n\n### Deep\n\n#### Deeper\n";
        assert_eq!(topics(&blocks(page), "kiln"), ["Wiring the heater", "Glazes", "Deep"]);
    }
}
