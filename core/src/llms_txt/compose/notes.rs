//! What the index says of a page: its author's description, else its own first sentence; then what its own sub-headings
//! name. What several pages say describes none of them.

use super::headings::{headings, listed};
use super::opening::{Paragraph, chosen, letters, paragraphs};
use super::sentences::{cut, is_ended};
use crate::llms_txt::blocks::{Block, BlockKind};
use crate::llms_txt::describe::{gives_orders, is_unspaced};
use crate::llms_txt::inline::{Name, Text};
use crate::llms_txt::plain::{normal, plain};
use crate::maps::{Map, Set};
use crate::site::outline::CrawledPage;

/// Letters of a description that says something.
const DESCRIPTION_LETTERS: usize = 20;

/// How long the sentence is before sub-headings, in characters: these tell a reader more of what a page has.
const BESIDE_HEADINGS_CHARS: usize = 100;

/// On so many pages a label before a paragraph is no part of what it says.
const LABEL_PAGES: usize = 3;

/// A word on so many authors' descriptions, and on one in so many of them, is boilerplate.
const BOILERPLATE_MIN: usize = 12;
const BOILERPLATE_SHARE: usize = 4;

/// How long a description may be, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    /// Its first sentence.
    pub(super) sentence: usize,
    /// All of it, when it is more than a sentence.
    pub(super) whole: usize,
}

impl Room {
    /// The first sentence where sub-headings follow it: three quarters, and where room is short not less than says something.
    fn beside_headings(self) -> usize {
        self.sentence.min((self.whole * 3 / 4).max(BESIDE_HEADINGS_CHARS))
    }
}

/// What a page offers to describe it with, in plain text.
pub(super) struct Material {
    /// Its name as [`normal`] gives it.
    title: String,
    /// What its author says of it.
    declared: Option<String>,
    /// Its first paragraphs of prose.
    paragraphs: Vec<Paragraph>,
    /// Its sub-headings.
    headings: Vec<String>,
}

impl Material {
    /// Reads each page that is listed, under its name and with its blocks, and leaves it what no other page says.
    pub(super) fn of<'p>(
        listed: impl Iterator<Item = (&'p CrawledPage, &'p Name, &'p [Block<'p>])>,
        all: &[CrawledPage],
    ) -> Vec<Self> {
        let declared: Vec<Option<String>> =
            all.iter().map(|page| page.page.description.as_deref().map(without_numbers)).collect();
        let boilerplate = boilerplate(&declared);
        let declared = TextCounts::of(declared.iter().map(Option::as_deref));
        let mut materials: Vec<_> = listed
            .map(|(page, name, blocks)| Self::read(page, name, blocks, &declared, &boilerplate))
            .collect();
        drop_labels(&mut materials);
        keep_own(&mut materials, |material| &mut material.paragraphs, Paragraph::said);
        keep_own(&mut materials, |material| &mut material.headings, String::as_str);
        materials
    }

    fn read(
        page: &CrawledPage,
        name: &Name,
        blocks: &[Block<'_>],
        declared: &TextCounts<'_>,
        boilerplate: &str,
    ) -> Self {
        let title = normal(name.as_str());
        let own = page
            .page
            .description
            .as_deref()
            .filter(|text| declared.is_single(&without_numbers(text)))
            .map(plain);
        Self {
            declared: own.filter(|text| describes(text, page, name, blocks, boilerplate)),
            paragraphs: paragraphs(blocks.iter(), &title).collect(),
            headings: headings(blocks, &title),
            title,
        }
    }
}

/// The words that many of the texts have, as `declaration: package kiln.heat, class Kiln` does.
fn boilerplate(declared: &[Option<String>]) -> String {
    let words = declared.iter().flatten().map(|text| text.split(' '));
    let counts = TextCounts::of(words);
    let least = BOILERPLATE_MIN.max(declared.iter().flatten().count() / BOILERPLATE_SHARE);
    let shared = counts.0.into_iter().filter(|(_, count)| *count >= least).map(|(word, _)| word);
    shared.collect::<Vec<_>>().join(" ")
}

/// Whether what an author says of a page describes it: no name, not the page's own text run together or broken off.
fn describes(text: &str, page: &CrawledPage, name: &Name, blocks: &[Block<'_>], boilerplate: &str) -> bool {
    let said = &page.page;
    let names = [said.title.as_deref(), said.name(), said.site_name.as_deref()];
    let names = names.into_iter().flatten().chain([name.as_str(), page.url.path(), boilerplate]);
    letters(text) >= DESCRIPTION_LETTERS
        && !text.ends_with([':', '：'])
        && !gives_orders(text)
        && !is_only_names(text, names)
        && !is_cut_from(text, blocks)
}

/// Whether a text says nothing but names.
fn is_only_names<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> bool {
    let names: Vec<String> = names.map(normal).collect();
    let names: Set<&str> = names.iter().flat_map(|name| name.split(' ')).collect();
    normal(text).split(' ').all(|word| names.contains(word))
}

/// Whether a text is what a page begins with: run together over several of its blocks, broken off in one, or a heading.
fn is_cut_from(text: &str, blocks: &[Block<'_>]) -> bool {
    let own = normal(text);
    // Behind as many letters it begins no more.
    let mut begin = String::new();
    for block in blocks {
        let said = normal(&plain(block.text));
        if said.contains(&own) {
            let is_broken_off = !is_ended(text) && said.len() > own.len();
            return is_broken_off || matches!(block.kind, BlockKind::Heading { .. });
        }
        begin.extend([said.as_str(), " "]);
        if begin.len() > 2 * own.len() {
            break;
        }
    }
    begin.contains(&own)
}

/// Takes from the paragraphs the labels that several pages have before theirs: `Abstract: ...`, `Last updated: ...`.
fn drop_labels(materials: &mut [Material]) {
    let labels = |material: &Material| -> Vec<String> {
        material.paragraphs.iter().filter_map(|p| p.label().map(str::to_owned)).collect()
    };
    let labels: Vec<Vec<String>> = materials.iter().map(labels).collect();
    let counts = TextCounts::of(labels.iter().map(|labels| labels.iter().map(String::as_str)));
    for paragraphs in materials.iter_mut().map(|material| &mut material.paragraphs) {
        let is_shared = |p: &Paragraph| p.label().is_some_and(|label| counts.on(label) >= LABEL_PAGES);
        paragraphs.retain_mut(|paragraph| !is_shared(paragraph) || paragraph.drop_label());
    }
}

/// Leaves each page what no other page says.
fn keep_own<T>(materials: &mut [Material], of: fn(&mut Material) -> &mut Vec<T>, said: fn(&T) -> &str) {
    let keys = |material| of(material).iter().map(|text| without_numbers(said(text))).collect();
    let keys: Vec<Vec<String>> = materials.iter_mut().map(keys).collect();
    let counts = TextCounts::of(keys.iter().map(|keys| keys.iter().map(String::as_str)));
    for (material, keys) in materials.iter_mut().zip(&keys) {
        let mut keys = keys.iter();
        of(material).retain(|_| keys.next().is_some_and(|key| counts.is_single(key)));
    }
}

/// On how many pages each text stands, whatever numbers are in it.
struct TextCounts<'t>(Map<&'t str, usize>);

impl<'t> TextCounts<'t> {
    /// Of what each page says, as [`without_numbers`] gives it.
    fn of<I: IntoIterator<Item = &'t str>>(pages: impl Iterator<Item = I>) -> Self {
        let mut counts: Map<&str, usize> = Map::default();
        for page in pages {
            let texts: Set<&str> = page.into_iter().collect();
            for text in texts {
                *counts.entry(text).or_default() += 1;
            }
        }
        Self(counts)
    }

    fn on(&self, key: &str) -> usize {
        self.0.get(key).copied().unwrap_or(0)
    }

    /// Whether no other page says so.
    fn is_single(&self, key: &str) -> bool {
        self.on(key) < 2
    }
}

fn without_numbers(text: &str) -> String {
    let mut said = normal(text);
    said.retain(|c| !c.is_ascii_digit());
    said
}

/// Who gave a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// A model.
    Model,
    /// The page itself.
    Page,
    /// By none: there is no description.
    Nobody,
}

/// A description and who gave it.
pub(super) struct Note {
    pub(super) text: Option<Text>,
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
pub(super) fn describe(materials: &[Material], told: &[Option<&str>], room: Room) -> Vec<Note> {
    let told: Vec<_> = told.iter().map(|text| text.and_then(Text::clean)).collect();
    // What a model said of one page is not what another page says of itself.
    let mut taken: Set<String> = told.iter().flatten().map(|text| normal(text.as_str())).collect();
    let describe_one = |(material, told): (&Material, Option<Text>)| {
        if told.is_some() {
            return Note { text: told, by: By::Model };
        }
        let text = ways(material, room).find(|text| {
            let said = normal(text.as_str());
            said != material.title && taken.insert(said)
        });
        let by = if text.is_some() { By::Page } else { By::Nobody };
        Note { text, by }
    };
    materials.iter().zip(told).map(describe_one).collect()
}

/// The descriptions of one page, the best first.
fn ways(material: &Material, room: Room) -> impl Iterator<Item = Text> {
    let has_parts = material.headings.len() > 1;
    let said = || chosen(&material.paragraphs, &material.title, has_parts);
    let said = material.declared.as_deref().or_else(said);
    let most = if material.headings.is_empty() { room.sentence } else { room.beside_headings() };
    let said = said.map(|said| with_headings(cut(said, most), &material.headings, room.whole));
    let list = std::iter::once_with(move || listed(&material.headings, room.whole));
    said.into_iter().chain(list.flatten()).filter_map(|text| Text::clean(&text))
}

/// A description, and behind it as many of the sub-headings as there is room for.
fn with_headings(mut said: String, headings: &[String], room: usize) -> String {
    let stop = if is_ended(&said) { "" } else { stop(&said) };
    let used = said.chars().count() + stop.len() + 1;
    if let Some(list) = listed(headings, room.saturating_sub(used)) {
        said.extend([stop, " ", &list]);
    }
    said
}

/// What a sentence ends with that has no stop.
fn stop(said: &str) -> &'static str {
    if said.ends_with(is_unspaced) { "。" } else { "." }
}
