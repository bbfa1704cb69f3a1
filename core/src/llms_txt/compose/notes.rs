//! What the index says of a page: its own best sentence, then what its sub-headings name.

use super::lead::{Lead, is_beside_the_point, is_prose};
use super::material::Material;
use super::prose::{Fit, cut, first_sentence, normal, shorten};
use crate::llms_txt::inline::{Name, Text};
use crate::maps::{Map, Set};

/// A first sentence shorter than this, in characters, is followed by more of them when no topics follow.
const SENTENCE_CHARS: usize = 60;
/// A sentence longer than this, in characters, gives way to its main clause.
const GLANCE_CHARS: usize = 140;
/// The fewest sub-headings that make a list.
const LIST_MIN: usize = 2;
/// So many sub-headings say more than a sentence, where there is no room for both.
const TELLING_LIST: usize = 3;

/// How long a description may be, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    /// Its first sentence.
    pub(super) sentence: usize,
    /// All of it, when it is more than a sentence.
    pub(super) whole: usize,
}

/// Takes from every page what others have too: it says nothing about any of them.
pub(super) fn keep_own(materials: &mut [Material<'_>]) {
    read_on(materials);
    keep(
        materials,
        |m| &mut m.leads,
        |lead| lead.said.clone(),
        |lead| {
            // Two pages may open alike, and one of them then keeps the sentence; more make it boilerplate.
            if lead.by_author { 1 } else { 2 }
        },
    );
    keep(materials, |m| &mut m.topics, |topic| normal(topic), |_| 1);
    // A table of contents repeats what those above it list: its part's, its book's.
    keep(materials, |m| &mut m.items, |item| normal(item), |_| 3);
    for material in materials {
        // What chapters have in common is still more than nothing.
        if material.leads.is_empty() && material.topics.is_empty() && material.items.len() < LIST_MIN {
            material.take_shared_items();
        }
    }
}

/// Reads on in the pages that open with no fair sentence of their own.
fn read_on(materials: &mut [Material<'_>]) {
    let mut pages: Map<&str, usize> = Map::default();
    for lead in materials.iter().flat_map(|material| &material.leads) {
        *pages.entry(&lead.said).or_default() += 1;
    }
    let is_own = |lead: &Lead| lead.worth >= FAIR && pages.get(lead.said.as_str()) == Some(&1);
    let wanting: Vec<bool> = materials.iter().map(|material| !material.leads.iter().any(is_own)).collect();
    for (material, _) in materials.iter_mut().zip(wanting).filter(|(_, wants)| *wants) {
        material.read_on();
    }
}

/// Keeps the texts of one kind that at most so many pages have; `said` is what [`normal`] makes of one.
fn keep<T>(
    materials: &mut [Material<'_>],
    kind: impl for<'m> Fn(&'m mut Material<'_>) -> &'m mut Vec<T>,
    said: impl Fn(&T) -> String,
    most: impl Fn(&T) -> usize,
) {
    let said: Vec<Vec<String>> = materials.iter_mut().map(|m| kind(m).iter().map(&said).collect()).collect();
    let mut pages: Map<&str, usize> = Map::default();
    for texts in &said {
        let unique: Set<&str> = texts.iter().map(String::as_str).collect();
        for text in unique {
            *pages.entry(text).or_default() += 1;
        }
    }
    for (material, texts) in materials.iter_mut().zip(&said) {
        let mut counts = texts.iter().map(|text| pages.get(text.as_str()).copied().unwrap_or_default());
        kind(material).retain(|one| counts.next().is_none_or(|count| count <= most(one)));
    }
}

/// Who gave a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// A model.
    Model,
    /// The page itself.
    Page,
    /// Nobody: it says where the page lies.
    Address,
}

/// A description and who gave it.
pub(super) struct Note {
    pub(super) text: Text,
    pub(super) by: By,
}

/// Of what a model said of each page, what it said of that page alone and what is no other page's name.
pub(super) fn keep_single<'a>(told: &[Option<&'a str>], names: &[Name]) -> Vec<Option<&'a str>> {
    let mut said: Map<String, usize> = Map::default();
    for text in told.iter().flatten() {
        *said.entry(normal(text)).or_default() += 1;
    }
    let names: Set<String> = names.iter().map(|name| normal(name.as_str())).collect();
    let single = |text: &&str| {
        let text = normal(text);
        said.get(&text) == Some(&1) && !names.contains(&text)
    };
    told.iter().map(|text| text.filter(single)).collect()
}

/// Describes every page within `room`, no two alike; `told` is what a model said of each, which goes first.
pub(super) fn describe(materials: &[Material<'_>], told: &[Option<&str>], room: Room) -> Vec<Note> {
    let mut taken = Set::default();
    let told: Vec<_> = told.iter().map(|text| text.and_then(Text::clean)).collect();
    // What a model said of one page is not what another page says of itself.
    taken.extend(told.iter().flatten().map(|text| normal(text.as_str())));
    let describe_one = |(material, told): (&Material<'_>, Option<Text>)| {
        if let Some(text) = told {
            return Note { text, by: By::Model };
        }
        let mut ways = ways(material, room);
        let way = ways.find(|text| {
            let said = normal(text.as_str());
            said != material.title && taken.insert(said)
        });
        if let Some(text) = way {
            return Note { text, by: By::Page };
        }
        let place = format!("Page at {}", material.place());
        let short = Text::clean(&cut(&place, room.sentence));
        let short = short.filter(|text| taken.insert(normal(text.as_str())));
        let text = short.or_else(|| Text::clean(&place)).unwrap_or_else(Text::nothing);
        Note { text, by: By::Address }
    };
    materials.iter().zip(told).map(describe_one).collect()
}

/// The descriptions of one page, the best first.
fn ways<'m>(material: &'m Material<'_>, room: Room) -> impl Iterator<Item = Text> + 'm {
    let (topics, items) = (&material.topics, &material.items);
    // A sentence of little worth is better than none, but not than a list.
    let leads = move |least: i32, most: i32| {
        let between = material.leads.iter().filter(move |lead| (least..most).contains(&lead.worth));
        between.map(move |lead| Some(sentence(lead, topics, room)))
    };
    let list = |verb, of| std::iter::once_with(move || listed(verb, of, room.whole));
    let only = topics.first().filter(|topic| topic.contains(' ') && !material.title.contains(&normal(topic)));
    let only = only.map(|topic| format!("Covers {topic}."));
    let ways = leads(FAIR, i32::MAX)
        .chain(list("Covers", topics))
        .chain(leads(POOR, FAIR))
        .chain(list("Lists", items))
        .chain(leads(i32::MIN, POOR))
        .chain([only]);
    ways.flatten().filter_map(|text| Text::clean(&text))
}

/// Of sentences worth less than this a list of topics is better.
const FAIR: i32 = -4;
/// Of sentences worth less than this the items of the page's lists are better.
const POOR: i32 = -12;

/// The lead, then what the page covers or what comes next in its paragraph.
fn sentence(lead: &Lead, topics: &[String], room: Room) -> String {
    // Its main clause where it is long, else all of it.
    let (first, fit) = match shorten(&lead.sentence, GLANCE_CHARS.min(room.sentence)) {
        (_, Fit::Words) => shorten(&lead.sentence, room.sentence),
        clause => clause,
    };
    let mut text = if lead.keeps_case { first } else { capital(&first) };
    end(&mut text);
    let left = room.whole.saturating_sub(text.chars().count() + 1);
    if fit == Fit::Words {
        return text;
    }
    let next = || {
        let next = lead.rest.get(..first_sentence(&lead.rest)).filter(|next| !next.is_empty())?;
        let fits = next.chars().count() <= left && next.ends_with(['.', '。']) && fit == Fit::Whole;
        let serves = |said: &str| is_prose(next, said) && !is_beside_the_point(said);
        (text.chars().count() < SENTENCE_CHARS && fits && serves(&normal(next))).then(|| next.to_owned())
    };
    let more = listed("Covers", topics, left);
    if more.is_none()
        && topics.len() >= TELLING_LIST
        && !lead.by_author
        && let Some(list) = listed("Covers", topics, room.whole)
    {
        return list;
    }
    if let Some(more) = more.or_else(next) {
        text.push(' ');
        text.push_str(&more);
    }
    text
}

/// `Covers a, b, c.` with as many as fit, spread evenly over the page; `None` when not even [`LIST_MIN`] do.
pub(super) fn listed(verb: &str, topics: &[impl AsRef<str>], room: usize) -> Option<String> {
    let comma = if topics.iter().any(|topic| topic.as_ref().contains(',')) { "; " } else { ", " };
    let fits = |count: usize| {
        let chosen = spread(topics, count);
        let chars: usize = chosen.map(|topic| topic.chars().count() + comma.len()).sum();
        verb.len() + 1 + chars <= room
    };
    let count = (LIST_MIN..=topics.len()).take_while(|&count| fits(count)).last()?;
    let chosen: Vec<_> = spread(topics, count).collect();
    let mut text = format!("{verb} {}", chosen.join(comma));
    end(&mut text);
    Some(text)
}

fn spread<T: AsRef<str>>(topics: &[T], count: usize) -> impl Iterator<Item = &str> {
    (0..count).filter_map(move |at| topics.get(at * topics.len() / count)).map(AsRef::as_ref)
}

/// With a capital at its start.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    // A word with a digit, a sign or a capital inside is a name.
    let plain = text.split(' ').next().unwrap_or_default();
    let plain = plain.trim_end_matches([',', ':', ';']).chars().all(|c| c.is_lowercase() || c == '-');
    match chars.next() {
        Some(first) if plain => first.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// Puts a stop at the end of a sentence.
fn end(text: &mut String) {
    text.truncate(text.trim_end_matches([' ', ':', ';', ',', '-', '\u{2014}']).len());
    let said = text.trim_end_matches(['"', '\u{201d}', '\u{2019}', ')']);
    if !said.ends_with(['.', '!', '?', '\u{2026}', '。', '！', '？']) {
        text.push('.');
    }
}
