//! What a page offers to describe it with: its author's description, its first paragraphs, its sub-headings. What several
//! pages say describes none of them.

use super::declared::{describes, drop_sentences, unbroken};
use super::headings::{LIST_MIN, entries, headings};
use super::opening::{Paragraph, SENTENCE_LETTERS, letters, paragraphs};
use super::options::{IndexOptions, spend};
use super::sentences::sentences;
use crate::llms_txt::blocks::blocks;
use crate::llms_txt::inline::Name;
use crate::llms_txt::plain::{normal, plain, without_numbers};
use crate::maps::{Counts, Map, Set};
use crate::site::outline::CrawledPage;

/// On so many pages a label before a paragraph is no part of what it says.
const LABEL_PAGES: usize = 3;

/// A page that repeats so many others is a collection of them.
const COLLECTED_PAGES: usize = 3;

/// What the parameters of a name stand in.
const BRACKETS: [char; 3] = ['<', '(', '['];

/// What stands behind a name that a sentence or a list is about.
const NAME_ENDS: [&str; 4] = [": ", " - ", " \u{2013} ", " \u{2014} "];

/// So many pages on one subject may say the same.
const NAMESAKES: usize = 3;

/// A word on so many authors' descriptions, and on one in so many of them, is boilerplate.
const BOILERPLATE_MIN: usize = 12;
const BOILERPLATE_SHARE: usize = 4;

/// Letters of what is left of a sentence without its links, if it is to be told again.
const FRAME_LETTERS: usize = 15;

/// What a page offers to describe it with, in plain text.
pub(super) struct Material {
    /// Its name as [`normal`] gives it.
    pub(super) title: String,
    /// What it calls itself, without what is in brackets: `Kiln` for `Kiln<T>`.
    subject: String,
    /// What its author says of it.
    pub(super) declared: Option<String>,
    /// Its first paragraphs of prose.
    pub(super) paragraphs: Vec<Paragraph>,
    /// Its sub-headings, or the entries of its lists where it has nothing else.
    pub(super) headings: Vec<String>,
}

/// What each of the `listed` pages, under its name, offers that no other of them does.
pub(super) fn materials<'n>(
    pages: &[CrawledPage],
    listed: impl Iterator<Item = (usize, &'n Name)>,
    options: &IndexOptions<'_>,
) -> Vec<Material> {
    let said = |page: &CrawledPage| page.page.description.as_deref().map(without_numbers);
    let keys: Vec<Option<String>> = pages.iter().map(said).collect();
    let counts: Counts<&str> = keys.iter().flatten().map(String::as_str).collect();
    let subjects = subjects(pages.iter().map(subject).zip(keys.iter().map(Option::as_slice)));
    // What the author says of one page and of no other.
    let is_single = |key: &&String| counts.of(key.as_str()) <= NAMESAKES && subjects.of(key.as_str()) == 1;
    let boilerplate = boilerplate(&keys);
    let mut materials: Vec<Material> = Vec::new();
    for (at, name) in listed {
        let page = &pages[at];
        let title = normal(name.as_str());
        let blocks = if spend(options.work, page) { blocks(&page.page.markdown) } else { Vec::new() };
        let declared = keys[at].as_ref().filter(is_single).and(page.page.description.as_deref()).map(plain);
        let declared = declared.map(|text| unbroken(behind_name(text, &title)));
        let declared = declared.filter(|text| describes(text, page, name, &blocks, &boilerplate));
        let paragraphs: Vec<_> = paragraphs(blocks.iter(), &title).collect();
        let is_mute = declared.is_none() && paragraphs.is_empty();
        let mut headings = headings(&blocks, &title);
        if is_mute && headings.len() < LIST_MIN {
            headings = entries(&blocks);
        }
        if let Some(declared) = &declared {
            let declared = normal(declared);
            headings.retain(|heading| normal(heading) != declared);
        }
        materials.push(Material { declared, paragraphs, headings, subject: subject(page), title });
    }
    drop_prefixes(&mut materials);
    drop_refrains(&mut materials);
    drop_labels(&mut materials);
    drop_templates(&mut materials);
    keep_own(&mut materials);
    materials
}

/// The words that many of the texts have, as `declaration: package kiln.heat, class Kiln` does.
fn boilerplate(declared: &[Option<String>]) -> String {
    let words = declared.iter().flatten().map(|text| text.split(' '));
    let counts = on_pages(words);
    let least = BOILERPLATE_MIN.max(declared.iter().flatten().count() / BOILERPLATE_SHARE);
    let shared = counts.0.into_iter().filter(|(_, count)| *count >= least).map(|(word, _)| word);
    shared.collect::<Vec<_>>().join(" ")
}

/// A text without the page's name that it begins with, as in `Kilns: how they are built`, if what is left says something.
fn behind_name(text: String, title: &str) -> String {
    let own = parted(&text).find(|(name, rest)| normal(name) == title && letters(rest) >= SENTENCE_LETTERS);
    own.map(|(_, rest)| capitalised(rest)).unwrap_or(text)
}

/// What stands before and behind each of the marks that end a name.
fn parted(text: &str) -> impl Iterator<Item = (&str, &str)> {
    NAME_ENDS.iter().filter_map(|mark| text.split_once(mark))
}

/// A text that goes on with a word as one that begins with it.
fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    let is_word = chars.clone().next().is_none_or(|second| !second.is_uppercase());
    if is_word { first.chain(chars).collect() } else { text.to_owned() }
}

/// Takes from the authors' descriptions what many of them begin with, as titles do: `Acme Kilns - how to fire pots`.
fn drop_prefixes(materials: &mut [Material]) {
    let fronts = materials.iter().filter_map(|material| prefixed(material.declared.as_deref()?));
    let counts: Counts<String> = fronts.map(|(front, _)| front.to_owned()).collect();
    for text in materials.iter_mut().filter_map(|material| material.declared.as_mut()) {
        let shared = prefixed(text).filter(|(front, _)| counts.of(*front) > NAMESAKES);
        if let Some(rest) = shared.map(|(_, rest)| capitalised(rest)) {
            *text = rest;
        }
    }
}

/// What stands before and behind the first mark that ends a name, if the latter says something.
fn prefixed(text: &str) -> Option<(&str, &str)> {
    parted(text).next().filter(|(_, rest)| letters(rest) >= SENTENCE_LETTERS)
}

/// Takes from the authors' descriptions the sentences that many of them end with: "We compare all prices."; and all of one that
/// many have behind the names of their pages.
fn drop_refrains(materials: &mut [Material]) {
    let all = materials.iter().filter_map(|material| material.declared.as_deref());
    let all: Vec<Vec<String>> = all.map(|text| sentences(text).map(without_numbers).collect()).collect();
    let counts = on_pages(all.iter().map(|own| own.iter().map(String::as_str)));
    let declared = materials.iter_mut().filter_map(|material| material.declared.as_mut());
    for (text, own) in declared.zip(&all) {
        let is_refrain = |sentence: &&String| counts.of(sentence.as_str()) > NAMESAKES;
        match own.iter().skip(1).rev().take_while(is_refrain).count() {
            0 => {}
            refrains => drop_sentences(text, refrains),
        }
    }
    let said = |material: &Material| material.declared.as_deref().map(without_numbers);
    let counts: Counts<String> = materials.iter().filter_map(said).collect();
    for material in materials {
        let is_shared = |text: &mut String| counts.of(&without_numbers(text)) >= BOILERPLATE_MIN;
        material.declared.take_if(is_shared);
    }
}

/// Takes from the paragraphs the labels that several pages have before theirs: `Abstract: ...`, `Last updated: ...`.
fn drop_labels(materials: &mut [Material]) {
    let labels = |material: &Material| -> Vec<String> {
        material.paragraphs.iter().filter_map(|p| p.label().map(str::to_owned)).collect()
    };
    let labels: Vec<Vec<String>> = materials.iter().map(labels).collect();
    let counts = on_pages(labels.iter().map(|labels| labels.iter().map(String::as_str)));
    for paragraphs in materials.iter_mut().map(|material| &mut material.paragraphs) {
        let is_shared = |p: &Paragraph| p.label().is_some_and(|label| counts.of(label) >= LABEL_PAGES);
        paragraphs.retain_mut(|paragraph| !is_shared(paragraph) || paragraph.drop_label());
    }
}

/// Takes away the sentences that a generator says of many pages, with other links or the name of the page in the same words.
fn drop_templates(materials: &mut [Material]) {
    let frames = |material: &Material| -> Vec<String> {
        let name = without_numbers(&material.title);
        let frame = |p: &Paragraph| without_name(&p.frame, &name).unwrap_or_else(|| p.frame.clone());
        material.paragraphs.iter().map(frame).collect()
    };
    let frames: Vec<Vec<String>> = materials.iter().map(frames).collect();
    let counts = on_pages(frames.iter().map(|frames| frames.iter().map(String::as_str)));
    for (material, frames) in materials.iter_mut().zip(&frames) {
        let is_own =
            |frame: &String| letters(frame) < FRAME_LETTERS || counts.of(frame.as_str()) < BOILERPLATE_MIN;
        let mut own = frames.iter().map(is_own);
        material.paragraphs.retain(|_| own.next() == Some(true));
    }
}

/// What a page calls itself, up to the first bracket.
fn subject(page: &CrawledPage) -> String {
    let name = page.page.name().unwrap_or_default();
    let whole = || normal(name);
    name.split(BRACKETS).next().map(normal).filter(|subject| !subject.is_empty()).unwrap_or_else(whole)
}

/// Leaves each page what no other page says but a few on the same subject, and of its headings those that not many have with other
/// names in them. Or none but a collection of pages: the index of a blog repeats its posts, a book on one page its chapters.
fn keep_own(materials: &mut [Material]) {
    let texts = |material: &Material| -> Vec<String> {
        let said = material.paragraphs.iter().map(Paragraph::said);
        said.chain(material.headings.iter().map(String::as_str)).map(without_numbers).collect()
    };
    let texts: Vec<Vec<String>> = materials.iter().map(texts).collect();
    let counts = on_pages(texts.iter().map(|texts| texts.iter().map(String::as_str)));
    let subjects = subjects(
        materials.iter().map(|material| material.subject.clone()).zip(texts.iter().map(Vec::as_slice)),
    );
    let named = |(material, texts): (&Material, &Vec<String>)| -> Vec<Option<String>> {
        let name = without_numbers(&material.title);
        texts.iter().skip(material.paragraphs.len()).map(|text| without_name(text, &name)).collect()
    };
    let named: Vec<Vec<Option<String>>> = materials.iter().zip(&texts).map(named).collect();
    let templates = on_pages(named.iter().map(|named| named.iter().flatten().map(String::as_str)));
    // Texts of two pages, with the first and the last that say so.
    let mut pairs: Map<&str, [usize; 2]> = Map::default();
    for (at, texts) in texts.iter().enumerate() {
        for text in texts.iter().map(String::as_str).filter(|text| counts.of(text) == 2) {
            pairs.entry(text).or_insert([at, at])[1] = at;
        }
    }
    let mut repeated = vec![Set::default(); texts.len()];
    for &[one, other] in pairs.values() {
        repeated[one].insert(other);
        repeated[other].insert(one);
    }
    let is_collection = |at: usize| repeated[at].len() >= COLLECTED_PAGES;
    let is_collected = |at, pair: &[usize; 2]| !is_collection(at) && pair.iter().any(|&at| is_collection(at));
    for (at, ((material, texts), named)) in materials.iter_mut().zip(&texts).zip(&named).enumerate() {
        let is_own = |text: &String| {
            counts.of(text.as_str()) <= NAMESAKES && subjects.of(text.as_str()) == 1
                || pairs.get(text.as_str()).is_some_and(|pair| is_collected(at, pair))
        };
        let mut own = texts.iter().map(is_own);
        material.paragraphs.retain(|_| own.next() == Some(true));
        let mut few =
            named.iter().map(|said| said.as_deref().is_none_or(|said| templates.of(&said) <= NAMESAKES));
        material.headings.retain(|_| (own.next(), few.next()) == (Some(true), Some(true)));
    }
}

/// What is left of a text where the name of its page stands in it, if that is longer than a word: `faq about wood kilns`, too, is
/// what every page has.
fn without_name(text: &str, name: &str) -> Option<String> {
    if !name.contains(' ') || !text.contains(name) {
        return None;
    }
    let rest = format!(" {text} ").replace(&format!(" {name} "), " ").trim().to_owned();
    (letters(&rest) > 0 && rest != text).then_some(rest)
}

/// Of how many subjects each text is said.
fn subjects<'t>(said: impl Iterator<Item = (String, &'t [String])>) -> Counts<&'t str> {
    let mut by_subject: Map<String, Vec<&str>> = Map::default();
    for (subject, texts) in said {
        by_subject.entry(subject).or_default().extend(texts.iter().map(String::as_str));
    }
    on_pages(by_subject.into_values())
}

/// On how many pages each text stands.
fn on_pages<'t, I: IntoIterator<Item = &'t str>>(pages: impl Iterator<Item = I>) -> Counts<&'t str> {
    pages.flat_map(|page| page.into_iter().collect::<Set<_>>()).collect()
}
