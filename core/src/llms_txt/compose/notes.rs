//! What the index says of a page: its own best sentence, then what its sub-headings name.

use std::collections::{HashMap, HashSet};

use super::prose::{cut, first_sentence, normal, plain, without_number};
use crate::llms_txt::blocks::{Block, Kind};
use crate::llms_txt::inline::Text;
use crate::llms_txt::link::links;
use crate::site::outline::Fetched;

/// How many paragraphs of a page are considered.
const PARAGRAPHS: usize = 6;
/// How many sub-headings of a page are considered.
const TOPICS: usize = 64;
/// How many items of its lists stand for a page without prose and sub-headings.
const ITEMS: usize = 5;
/// The longest sub-heading that makes a topic, in characters.
const TOPIC_MAX_CHARS: usize = 60;
/// The share of the room that the first sentence may take when topics follow, in percent.
const LEAD_SHARE: usize = 60;
/// A first sentence shorter than this, in characters, is followed by more of them when no topics follow.
const SENTENCE_CHARS: usize = 60;
/// The shortest text that says something, in characters.
const TELLING_CHARS: usize = 10;

/// What a page offers to describe it with, in plain text.
pub(super) struct Material {
    title: String,
    place: String,
    leads: Vec<String>,
    topics: Vec<String>,
    items: Vec<String>,
}

impl Material {
    /// Collects it from a page and the blocks of its Markdown.
    pub(super) fn read(page: &Fetched, name: &str, blocks: &[Block<'_>]) -> Self {
        let title = normal(without_number(name));
        let meta = page.page.description.as_deref().map(plain).filter(|meta| meta.chars().count() >= 25);
        let paragraphs = || blocks.iter().filter(|b| b.kind == Kind::Paragraph).map(|b| b.text);
        let prose = paragraphs().filter_map(|text| paragraph(text, false)).take(PARAGRAPHS);
        let asides = paragraphs().take(PARAGRAPHS).filter_map(|text| paragraph(text, true));
        let leads = meta.into_iter().chain(prose).chain(asides);
        let leads =
            leads.map(|lead| without_title(&lead, &title)).filter(|lead| telling(lead, &title)).collect();
        let items =
            blocks.iter().filter(|b| matches!(b.kind, Kind::Item { .. })).filter_map(|b| item(b.text));
        let mut seen = HashSet::from([title.clone()]);
        let items = items.filter(|item| seen.insert(normal(item))).take(ITEMS).collect();
        let place = page.url.as_str().split_once("://").map_or("", |(_, rest)| rest).to_owned();
        Self { topics: topics(blocks, &title), title, place, leads, items }
    }
}

/// Describes every page in at most `room` characters each, no two alike.
pub(super) fn describe(materials: &[Material], room: usize) -> Vec<Text> {
    let mut leads: HashMap<String, usize> = HashMap::new();
    let mut topics: HashMap<String, usize> = HashMap::new();
    let mut items: HashMap<String, usize> = HashMap::new();
    for material in materials {
        count(&mut leads, &material.leads);
        count(&mut topics, &material.topics);
        count(&mut items, &material.items);
    }
    let mut taken = HashSet::new();
    let describe_one = |material: &Material| {
        // What other pages say too says nothing about this one.
        let leads = own(&leads, &material.leads);
        let topics = own(&topics, &material.topics);
        let items = own(&items, &material.items);
        let leads = leads.into_iter().map(Some).chain([None]);
        let ways = leads.filter_map(|lead| compose(lead, &topics, &items, room));
        let mut ways = ways.chain(Text::clean(&cut(&format!("Page at {}", material.place), room)));
        let way = ways.find(|text| {
            let said = normal(text.as_str());
            said != material.title && taken.insert(said)
        });
        way.or_else(|| Text::clean(&format!("Page at {}", material.place)))
    };
    materials.iter().map(describe_one).map(|text| text.unwrap_or_else(Text::nothing)).collect()
}

/// One description in at most `room` characters: the lead, then what the page covers.
fn compose(lead: Option<&str>, topics: &[&str], items: &[&str], room: usize) -> Option<Text> {
    let lead_room = if topics.is_empty() { room } else { room * LEAD_SHARE / 100 };
    let lead = lead.map(|lead| {
        let sentence = lead.get(..first_sentence(lead)).unwrap_or(lead);
        let enough = !topics.is_empty() || sentence.chars().count() >= SENTENCE_CHARS;
        finished(&cut(if enough { sentence } else { lead }, lead_room))
    });
    let used = lead.as_ref().map_or(0, |lead| lead.chars().count() + 1);
    let list = listed("Covers", topics, room.saturating_sub(used));
    let list = list.or_else(|| lead.is_none().then(|| listed("Lists", items, room))?);
    let text = match (lead, list) {
        (Some(lead), Some(list)) => format!("{lead} {list}"),
        (lead, list) => lead.or(list)?,
    };
    Text::clean(&text)
}

/// Adds one to the count of each text.
fn count(counts: &mut HashMap<String, usize>, texts: &[String]) {
    let unique: HashSet<_> = texts.iter().map(|text| normal(text)).collect();
    for text in unique {
        *counts.entry(text).or_default() += 1;
    }
}

/// The texts that only one page has.
fn own<'a>(counts: &HashMap<String, usize>, texts: &'a [String]) -> Vec<&'a str> {
    texts.iter().filter(|text| counts.get(&normal(text)) == Some(&1)).map(String::as_str).collect()
}

/// A paragraph that reads as prose: no label, no breadcrumb, no list of links; an admonition only if `asides`
/// are wanted.
fn paragraph(markdown: &str, asides: bool) -> Option<String> {
    let text = plain(markdown);
    let chars = text.chars().count();
    let ended = text.ends_with(['.', '!', '?', ':', ')', '\u{2026}', '。', '！', '？']);
    let named = [" - ", " \u{2013} ", " \u{2014} "].iter().any(|dash| text.contains(dash));
    let spaced = text.split(' ').nth(3).is_some() || text.chars().any(|c| c > '\u{2e80}');
    if !spaced || !(ended || named || chars >= 80) {
        return None;
    }
    let label =
        text.split_once(':').map(|(label, _)| label).filter(|label| label.split(' ').nth(5).is_none());
    let aside = label.is_some_and(|label| {
        is_one_of(&normal(label), ADMONITIONS)
            || label.contains(" in version")
            || label.contains(" since version")
    });
    let labelled = label.is_some_and(|label| label.split(' ').nth(3).is_none()) && (!ended || chars < 60);
    let breadcrumb = !ended && [" > ", " \u{bb} ", " | ", " / "].iter().any(|mark| text.contains(mark));
    let linked: usize = links(markdown).map(|link| link.name.chars().count()).sum();
    (aside == asides && !breadcrumb && !labelled && linked * 10 <= chars * 6).then_some(text)
}

/// Labels of paragraphs that are asides.
const ADMONITIONS: &str = "note|notes|warning|tip|caution|important|danger|info|hint|attention|see also|deprecated|\
                           source code|last updated";

/// Headings that every other page has too.
const DULL: &str = "introduction|overview|summary|description|example|examples|see also|note|notes|contents|\
                    table of contents|index|navigation|reference|references|name|synopsis|parameters|usage|this page|\
                    previous topic|next topic|search|options|on this page|footnotes|syntax|arguments|returns|\
                    return value|related|related pages|next steps|further reading|quick links|more information|\
                    feedback|outputs|compatibility|background|abstract|author|authors|copyright|license|conclusion";

fn is_one_of(words: &str, list: &str) -> bool {
    list.split('|').any(|entry| entry == words)
}

/// The sub-headings that name something, those of the two highest levels below the title.
fn topics(blocks: &[Block<'_>], title: &str) -> Vec<String> {
    let headings = blocks.iter().filter_map(|b| match b.kind {
        Kind::Heading { level, .. } => Some((level, heading(b.text))),
        _ => None,
    });
    let mut headings: Vec<_> = headings.filter(|(_, text)| normal(text) != title).collect();
    without_shouting(&mut headings);
    let below = |floor| headings.iter().map(|(level, _)| *level).filter(|level| *level > floor).min();
    let Some(highest) = below(1) else { return Vec::new() };
    let second = below(highest).unwrap_or(highest);
    let mut seen = HashSet::new();
    let kept = headings.into_iter().filter(|(level, text)| {
        let said = normal(text);
        let fits = (3..=TOPIC_MAX_CHARS).contains(&text.chars().count());
        (2..=second).contains(level)
            && fits
            && !said.is_empty()
            && !is_one_of(&said, DULL)
            && seen.insert(said)
    });
    kept.map(|(_, text)| text).take(TOPICS).collect()
}

/// A heading without its number, permalink mark and final stop.
fn heading(markdown: &str) -> String {
    let text = plain(markdown);
    without_number(&text).trim_end_matches(['\u{b6}', '#', ':', '.', ' ']).to_owned()
}

/// Headings that are all capitals, in lower case where that is the page's way and not an acronym's.
fn without_shouting(headings: &mut [(usize, String)]) {
    let shouts = |text: &str| {
        text.chars().filter(|c| c.is_uppercase()).count() > 3
            && !text.contains(|c: char| c.is_lowercase() || c == '_')
    };
    if headings.iter().filter(|(_, text)| shouts(text)).count() * 2 > headings.len() {
        for (_, text) in headings.iter_mut().filter(|(_, text)| shouts(text)) {
            *text = text.to_lowercase();
        }
    }
}

/// The first sentence of an item, where it is short and more than a word.
fn item(markdown: &str) -> Option<String> {
    let text = plain(markdown);
    let sentence = text.get(..first_sentence(&text))?.trim_end_matches(['.', ':', ';', ',', ' ']);
    (sentence.contains(' ') && sentence.chars().count() <= TOPIC_MAX_CHARS).then(|| sentence.to_owned())
}

/// `Covers a, b, c.` with as many as fit, spread evenly over the page; `None` when not one does.
fn listed(verb: &str, topics: &[impl AsRef<str>], room: usize) -> Option<String> {
    let comma = if topics.iter().any(|topic| topic.as_ref().contains(',')) { "; " } else { ", " };
    let fits = |count: usize| {
        let chosen = spread(topics, count);
        let chars: usize = chosen.map(|topic| topic.chars().count() + comma.len()).sum();
        verb.len() + 1 + chars <= room
    };
    let count = (1..=topics.len()).take_while(|&count| fits(count)).last()?;
    let chosen: Vec<_> = spread(topics, count).collect();
    Some(finished(&format!("{verb} {}", chosen.join(comma))))
}

fn spread<T: AsRef<str>>(topics: &[T], count: usize) -> impl Iterator<Item = &str> {
    (0..count).filter_map(move |at| topics.get(at * topics.len() / count)).map(AsRef::as_ref)
}

/// Without the title in front of it, as in `name - what it does`.
fn without_title(text: &str, title: &str) -> String {
    for dash in [" - ", " \u{2013} ", " \u{2014} ", " -- ", ": "] {
        if let Some((head, rest)) = text.split_once(dash) {
            let head = normal(head);
            if !head.is_empty() && (title == head || title.split(&head).nth(1).is_some() && dash != ": ") {
                return rest.trim().to_owned();
            }
        }
    }
    text.to_owned()
}

fn telling(text: &str, title: &str) -> bool {
    text.chars().count() >= TELLING_CHARS && normal(text) != title && text.chars().any(char::is_alphabetic)
}

/// With a capital at its start and a stop at its end.
fn finished(text: &str) -> String {
    let text = text.trim_end_matches([' ', ':', ';', ',', '-', '\u{2014}']);
    let mut chars = text.chars();
    let first_word_is_plain = text.split(' ').next().is_some_and(|word| word.chars().all(char::is_lowercase));
    let mut out: String = match chars.next() {
        Some(first) if first_word_is_plain => first.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    };
    if !out.ends_with(['.', '!', '?', '\u{2026}', '。', '！', '？']) {
        out.push('.');
    }
    out
}
