//! What a page offers to describe it with.

use std::collections::HashSet;

use super::lead::{Lead, Origin, leads};
use super::prose::{first_sentence, normal, plain, without_number};
use super::topics::{is_dull, topics};
use crate::llms_txt::blocks::{Block, Kind};
use crate::llms_txt::describe::gives_orders;
use crate::llms_txt::link::links;
use crate::page::Described;
use crate::site::outline::{Fetched, is_only_names};

/// How many paragraphs of each origin are considered.
const PARAGRAPHS: i32 = 5;
/// How many items of its lists are looked at.
const ITEMS_SEEN: usize = 64;
/// How many items of its lists stand for a page without prose and sub-headings.
const ITEMS: usize = 6;
/// Fewer items of several words than this are joined by those of one.
const ITEMS_MIN: usize = 2;
/// The shortest item of a list that stands for a page, in characters.
const ITEM_MIN_CHARS: usize = 4;
/// The longest item of a list that stands for a page, in characters.
const ITEM_MAX_CHARS: usize = 60;
/// The shortest description by the author that counts, in characters.
const DESCRIPTION_MIN_CHARS: usize = 25;

/// What stands between a title and what is said of it.
const DASHES: [&str; 5] = [" - ", " \u{2013} ", " \u{2014} ", " -- ", ": "];

/// What a page offers to describe it with, in plain text.
pub(super) struct Material {
    /// Its name as [`normal`] gives it.
    pub(super) title: String,
    /// Its address without the scheme.
    pub(super) place: String,
    /// Sentences, the best first.
    pub(super) leads: Vec<Lead>,
    /// Sub-headings.
    pub(super) topics: Vec<String>,
    /// First items of its lists.
    pub(super) items: Vec<String>,
}

impl Material {
    /// Collects it from a page and the blocks of its Markdown.
    pub(super) fn read(page: &Fetched, name: &str, blocks: &[Block<'_>]) -> Self {
        let title = normal(without_number(name));
        let mut texts = paragraphs(blocks, &title);
        if let Some(meta) = page.page.description.as_deref().map(plain) {
            let own = normal(&meta);
            // A description that only repeats a paragraph is no word of the author's on the page.
            let repeats =
                texts.iter().any(|(_, _, text)| shared_start(&normal(text), &own) >= own.len().min(60));
            let names = [name, page.page.site_name.as_deref().unwrap_or_default()];
            if !repeats && meta.chars().count() >= DESCRIPTION_MIN_CHARS && !is_only_names(&meta, &names) {
                // What was found on the page and is none of its paragraphs stands in a list or a table.
                let aside =
                    page.page.described == Described::Found || reads_as_prose(&meta, &meta) == Some(true);
                texts.push((if aside { Origin::Aside } else { Origin::Description }, "", meta));
            }
        }
        texts.retain(|(_, _, text)| !gives_orders(text));
        let said = normal(name);
        let mut found: Vec<Lead> = Vec::new();
        for (origin, markdown, text) in &texts {
            let stripped = without_title(text, &title);
            let origin = match origin {
                Origin::Opening(0) | Origin::Body(0) if stripped.len() < text.len() => Origin::Purpose,
                other => *other,
            };
            let is_code = |word: &str| {
                markdown.split('`').skip(1).step_by(2).any(|code| code.split(' ').next() == Some(word))
            };
            found.extend(leads(stripped, origin, name, &said, is_code));
        }
        found.sort_by_key(|lead| std::cmp::Reverse(lead.worth));
        let place = page.url.as_str().split_once("://").map_or("", |(_, rest)| rest).to_owned();
        let (topics, items) = (topics(blocks, &title), items(blocks, &title));
        Self { topics, items, title, place, leads: found }
    }
}

/// The first items of a page's lists that name something; those of several words where there are enough.
fn items(blocks: &[Block<'_>], title: &str) -> Vec<String> {
    let items = blocks.iter().filter(|b| matches!(b.kind, Kind::Item { .. })).filter_map(|b| item(b.text));
    let mut seen = HashSet::from([title.to_owned()]);
    let items = items.take(ITEMS_SEEN).filter(|item| seen.insert(normal(item)) && !gives_orders(item));
    let (mut long, mut short) = (Vec::new(), Vec::new());
    for item in items {
        if item.contains(' ') {
            long.push(item);
        } else {
            short.push(item);
        }
        if long.len() == ITEMS {
            return long;
        }
    }
    if long.len() < ITEMS_MIN {
        long.extend(short);
    }
    long.truncate(ITEMS);
    long
}

/// The first paragraphs that read as prose, with their origin, as written and in plain text.
fn paragraphs<'a>(blocks: &[Block<'a>], title: &str) -> Vec<(Origin, &'a str, String)> {
    let mut found = Vec::new();
    let (mut opening, mut body, mut asides) = (0, 0, 0);
    let mut below_heading = false;
    for block in blocks {
        match block.kind {
            Kind::Heading { .. } if !below_heading => {
                let said = normal(without_number(&plain(block.text)));
                // The title stands above everything; a name that repeats it too.
                below_heading = !is_dull(&said) && said != title && (opening > 0 || !title.contains(&said));
            }
            // What is indented belongs to an item of a list.
            Kind::Paragraph if !block.source.starts_with([' ', '\t']) => {
                // Only an aside could still be of use, and none is without a colon.
                let enough = !below_heading && opening >= PARAGRAPHS;
                if enough && (asides >= PARAGRAPHS || !block.text.contains(':')) {
                    continue;
                }
                let text = plain(block.text);
                let Some(aside) = reads_as_prose(block.text, &text) else { continue };
                let (count, origin): (_, fn(i32) -> Origin) = match (aside, below_heading) {
                    (true, _) => (&mut asides, |_| Origin::Aside),
                    (false, true) => (&mut body, Origin::Body),
                    (false, false) => (&mut opening, Origin::Opening),
                };
                if *count < PARAGRAPHS {
                    found.push((origin(*count), block.text, text));
                }
                *count += 1;
            }
            _ => {}
        }
        if body >= PARAGRAPHS {
            break;
        }
    }
    found
}

/// Whether a paragraph is an aside, if it reads as prose: no label, no breadcrumb, no list of links.
fn reads_as_prose(markdown: &str, text: &str) -> Option<bool> {
    let chars = text.chars().count();
    let ended = text.ends_with(['.', '!', '?', ':', ')', '\u{2026}', '。', '！', '？']);
    let named = [" - ", " \u{2013} ", " \u{2014} "].iter().any(|dash| text.contains(dash));
    // Three words that end like a sentence are one; without the stop they are a label.
    let words = if text.ends_with('.') { 3 } else { 4 };
    let spaced = text.split(' ').nth(words - 1).is_some() || text.chars().any(|c| c > '\u{2e80}');
    if !spaced || !(ended || named || chars >= 80) {
        return None;
    }
    let label =
        text.split_once(':').map(|(label, _)| label).filter(|label| label.split(' ').nth(5).is_none());
    let aside = label.is_some_and(|label| {
        let said = normal(label);
        ADMONITIONS.split('|').any(|entry| entry == said)
            || label.contains(" in version")
            || label.contains(" since version")
    }) || has_run_in_heading(markdown);
    let labelled = label.is_some_and(|label| label.split(' ').nth(3).is_none()) && (!ended || chars < 60);
    let breadcrumb = !ended && [" > ", " \u{bb} ", " | ", " / "].iter().any(|mark| text.contains(mark));
    let linked: usize = links(markdown).map(|link| link.name.chars().count()).sum();
    (!breadcrumb && (aside || !labelled) && linked * 10 <= chars * 6).then_some(aside)
}

/// Whether a paragraph opens with a heading of its own: `**Undoing it:** use`.
fn has_run_in_heading(markdown: &str) -> bool {
    let bold = markdown.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    bold.is_some_and(|(heading, rest)| heading.ends_with([':', '.']) || rest.starts_with(':'))
}

/// Labels of paragraphs that are asides.
const ADMONITIONS: &str = "note|notes|warning|tip|caution|important|danger|info|hint|attention|see also|deprecated|\
                           source code|last updated";

/// The first sentence of an item, where it is short and more than a letter.
fn item(markdown: &str) -> Option<String> {
    let text = plain(markdown);
    // The number of a chapter ends no sentence.
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
    let sentence = text.get(..first_sentence(text))?.trim_end_matches(['.', ':', ';', ',', ' ']);
    let ornament = |c: char| !c.is_alphanumeric() && !c.is_ascii() && !"\u{201c}\u{2018}\u{ab}".contains(c);
    let sentence = sentence.trim_start_matches(|c| c == ' ' || ornament(c));
    let chars = sentence.chars().count();
    (ITEM_MIN_CHARS..=ITEM_MAX_CHARS).contains(&chars).then(|| sentence.to_owned())
}

/// Without the title in front of it, as in `name - what it does`.
fn without_title<'a>(text: &'a str, title: &str) -> &'a str {
    // Whether there is one is told sooner than where.
    for &dash in DASHES.iter().filter(|dash| text.contains(**dash)) {
        if let Some((head, rest)) = text.split_once(dash) {
            let head = normal(head);
            if !head.is_empty() && (title == head || title.split(&head).nth(1).is_some() && dash != ": ") {
                return rest.trim();
            }
        }
    }
    text
}

fn shared_start(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}
