//! Whether what an author says of a page describes it.

use super::opening::{SENTENCE_LETTERS, letters};
use super::sentences::{OPENING, end_in, is_ended, sentences};
use crate::llms_txt::blocks::{Block, BlockKind};
use crate::llms_txt::code::code_spans;
use crate::llms_txt::describe::gives_orders;
use crate::llms_txt::inline::Name;
use crate::llms_txt::link::links;
use crate::llms_txt::plain::{normal, plain};
use crate::maps::Set;
use crate::site::outline::CrawledPage;

/// So many bytes on either side of where two blocks meet tell that place.
const SEAM_BYTES: usize = 24;

/// Among so many blocks of a page stands what an excerpt of it is made from.
const FIRST_BLOCKS: usize = 8;

/// Whether what an author says of a page describes it: no name, not the page's own text run together or broken off.
pub(super) fn describes(
    text: &str,
    page: &CrawledPage,
    name: &Name,
    blocks: &[Block<'_>],
    boilerplate: &str,
) -> bool {
    let said = &page.page;
    let names = [said.title.as_deref(), said.name(), said.site_name.as_deref()];
    let names = names.into_iter().flatten().chain([name.as_str(), page.url.path(), boilerplate]);
    // One word as long as that is an address, and what is half of them is made of script.
    let paths = || text.split_whitespace().filter(|word| word.matches('/').nth(1).is_some()).count();
    let is_address =
        || text.is_ascii() && !text.contains(' ') || paths() * 2 >= text.split_whitespace().count();
    letters(text) >= SENTENCE_LETTERS
        && text.chars().filter(char::is_ascii_digit).count() < letters(text)
        && !is_address()
        && !text.ends_with([':', '：'])
        && !text.starts_with(OPENING)
        && !is_markup(text)
        && !gives_orders(text)
        && !is_only_names(text, names)
        && !is_cut_from(text, blocks)
        && !has_holes(text, blocks)
}

/// Whether a text is markup that was cut out of a page; one that speaks of an element names it alone.
fn is_markup(text: &str) -> bool {
    ["</", "><", "> <"].iter().any(|mark| text.contains(mark))
}

/// Whether a text was broken off, as excerpts are: `Kilns are made of [...]`.
fn is_broken(text: &str) -> bool {
    let said = text.trim_end_matches([']', ')', ' ']);
    said.ends_with('\u{2026}') || said.ends_with("...")
}

/// A text without its last sentence, if that was broken off and is not all of it.
pub(super) fn unbroken(mut text: String) -> String {
    if is_broken(&text) {
        drop_sentences(&mut text, 1);
    }
    text
}

/// Takes so many sentences from the end of a text, unless that is all of it.
pub(super) fn drop_sentences(text: &mut String, dropped: usize) {
    let ends: Vec<usize> = sentences(text).map(|sentence| end_in(text, sentence)).collect();
    if let Some(last) = ends.len().checked_sub(dropped + 1) {
        text.truncate(ends[last]);
    }
}

/// Whether a text says nothing but names.
fn is_only_names<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> bool {
    let names: Vec<String> = names.map(normal).collect();
    let names: Set<&str> = names.iter().flat_map(|name| name.split(' ')).collect();
    normal(text).split(' ').all(|word| names.contains(word))
}

/// Whether a text is what a page begins with: run together over several of its blocks, broken off in one, or a heading. Only
/// letters are compared, since generators run blocks together with a blank or without.
fn is_cut_from(text: &str, blocks: &[Block<'_>]) -> bool {
    let own = bare(text);
    // Behind as many letters it begins no more.
    let (mut begin, mut above, mut meets) = (String::new(), String::new(), false);
    // Behind the title, whoever wrote a page and when may stand, which is no part of an excerpt.
    let is_heading = |block: &Block<'_>| matches!(block.kind, BlockKind::Heading { .. });
    let heads = blocks.first().filter(|block| is_heading(block));
    let below = heads.and_then(|block| own.strip_prefix(&bare(&plain(block.text)))).unwrap_or_default();
    for (nth, block) in blocks.iter().enumerate() {
        let said = bare(&plain(block.text));
        // A theme may show the description below the title: what follows it is another heading.
        let is_tagline =
            nth == 1 && heads.is_some() && is_heading(block) && blocks.get(2).is_some_and(is_heading);
        if is_tagline && said == own {
            return false;
        }
        if said.contains(&own) {
            let is_broken_off = (!is_ended(text) || is_broken(text)) && said.len() > own.len();
            return is_broken_off || is_heading(block);
        }
        if said.is_empty() {
            continue;
        }
        // Where two blocks meet tells it though code between others is left out.
        let last = above.split_off(above.ceil_char_boundary(above.len().saturating_sub(SEAM_BYTES)));
        let front = said.get(..said.floor_char_boundary(SEAM_BYTES)).unwrap_or_default();
        meets |= front.len() + 2 >= SEAM_BYTES && below.starts_with(front);
        let seam = last + front;
        meets |= seam.len() > SEAM_BYTES && own.contains(&seam);
        begin.push_str(&said);
        above = said;
        if begin.len() > 2 * own.len() {
            break;
        }
    }
    meets || begin.contains(&own)
}

/// Whether a text is what a page begins with but for the code, or the links inside a block, which generators leave out of their
/// excerpts.
fn has_holes(text: &str, blocks: &[Block<'_>]) -> bool {
    let own = bare(text);
    let is_part = |one: &String, other: &String| one.contains(other) || other.contains(one);
    blocks.iter().take(FIRST_BLOCKS).any(|block| {
        let links = links(block.text).filter(|link| !link.before.is_empty() && !link.after.is_empty());
        let links = links.map(|link| link.before.len()..block.text.len() - link.after.len());
        let mut spans = code_spans(block.text);
        let has_code = !spans.is_empty();
        spans.extend(links);
        spans.sort_unstable_by_key(|span| span.start);
        let (mut prose, mut at) = (String::new(), 0);
        for span in spans {
            prose.push_str(block.text.get(at..span.start).unwrap_or_default());
            at = at.max(span.end);
        }
        if at == 0 {
            return false;
        }
        prose.push_str(block.text.get(at..).unwrap_or_default());
        let said = bare(&plain(&prose));
        let is_short = said.len() <= SEAM_BYTES;
        (said == own || !is_short && (said.contains(&own) || has_code && own.contains(&said)))
            && !is_part(&bare(&plain(block.text)), &own)
    })
}

/// The letters and numbers of a text, in lower case.
fn bare(text: &str) -> String {
    normal(text).replace(' ', "")
}
