//! Every page that may be listed as a link with its description: what its author says, else its own first sentence; then what
//! its own sub-headings name.

use super::headings::listed;
use super::material::{Material, materials};
use super::opening::{QUESTIONS, chosen};
use super::options::IndexOptions;
use super::plan::Planned;
use super::sentences::{cut, is_ended, stop};
use super::titles::names;
use crate::llms_txt::document::Link;
use crate::llms_txt::inline::{Destination, Name, Text};
use crate::llms_txt::plain::normal;
use crate::maps::{Counts, Map, Set};
use crate::site::outline::{CrawledPage, Outline};
use crate::wording::{Wording, fill};

/// The characters of a link's line besides its name, address and description.
pub(super) const LINK_CHARS: usize = 10;

/// What its name and its address mostly take.
const NAME_AND_ADDRESS_CHARS: usize = 120;
/// The most characters of a description that is not one sentence.
const USUAL_CHARS: usize = 220;

/// How many characters a description may have.
#[derive(Clone, Copy)]
struct NotesRoom {
    all: usize,
    /// The same for a single sentence, which is better told in full.
    sentence: usize,
}

impl NotesRoom {
    /// As many whole sentences as there is room for.
    fn tell(self, said: &str) -> String {
        let told = cut(said, self.all);
        if told.ends_with('\u{2026}') { cut(said, self.sentence) } else { told }
    }
}

/// A link on its way into the file.
pub(super) struct LinkEntry {
    pub(super) link: Link,
    /// A model described it.
    pub(super) is_told: bool,
}

impl LinkEntry {
    /// Its page tells nothing of itself.
    pub(super) fn is_silent(&self) -> bool {
        self.link.notes.is_none()
    }

    pub(super) fn chars(&self) -> usize {
        let mut text = String::new();
        self.link.render(&mut text);
        text.chars().count()
    }
}

/// Every planned page as a link, and how many descriptions of a model are repetitions.
pub(super) fn entries(
    plan: &[Planned],
    outline: &Outline,
    pages: &[CrawledPage],
    options: &IndexOptions<'_>,
    wording: &Wording,
) -> (Map<usize, LinkEntry>, usize) {
    let order: Vec<usize> = plan.iter().flat_map(|section| section.pages.iter().copied()).collect();
    let names = names(plan, pages, outline);
    let materials = materials(pages, order.iter().copied().zip(&names), options);
    let told = options.written.map(|written| &written.descriptions);
    let told: Vec<_> = order.iter().map(|&at| told?.get(&pages[at].url).map(String::as_str)).collect();
    let single = keep_single(&told, &names);
    let repeated = told.iter().flatten().count() - single.iter().flatten().count();
    // Where few pages are listed there is room for whole sentences.
    let each = (options.max_chars / order.len().max(1)).saturating_sub(NAME_AND_ADDRESS_CHARS);
    let all = options.max_notes_chars.min(USUAL_CHARS);
    let room = NotesRoom { all, sentence: each.clamp(all, options.max_notes_chars) };
    let notes = describe(&materials, &single, room, wording);
    let all = order.into_iter().zip(names).zip(notes).zip(single);
    let entries = all.filter_map(|(((at, name), notes), told)| {
        let url = Destination::clean(pages[at].link.as_str())?;
        Some((at, LinkEntry { link: Link { name, url, notes }, is_told: told.is_some() }))
    });
    (entries.collect(), repeated)
}

/// Of what a model said of each page, what it said of that page alone and what is no other page's name.
fn keep_single(told: &[Option<&str>], names: &[Name]) -> Vec<Option<Text>> {
    let said: Counts<String> = told.iter().flatten().map(|text| normal(text)).collect();
    let names: Set<String> = names.iter().map(|name| normal(name.as_str())).collect();
    let single = |text: &&str| {
        let text = normal(text);
        said.of(&text) == 1 && !names.contains(&text)
    };
    told.iter().map(|text| text.filter(single).and_then(Text::clean)).collect()
}

/// Describes every page within `room` characters, if there is anything to say; `told` is what a model said of each, which goes
/// first.
fn describe(
    materials: &[Material],
    told: &[Option<Text>],
    room: NotesRoom,
    wording: &Wording,
) -> Vec<Option<Text>> {
    // What a model said of one page is not what another page says of itself.
    let taken: Set<String> = told.iter().flatten().map(|text| normal(text.as_str())).collect();
    let own = |material: &Material| {
        ways(material, room, wording).find(|text| {
            let said = normal(text.as_str());
            said != material.title && !taken.contains(&said)
        })
    };
    materials.iter().zip(told).map(|(material, told)| told.clone().or_else(|| own(material))).collect()
}

/// The descriptions of one page, the best first.
fn ways(material: &Material, room: NotesRoom, wording: &Wording) -> impl Iterator<Item = Text> {
    let has_parts = material.headings.len() > 1;
    let own = || chosen(&material.paragraphs, &material.title, has_parts).map(|said| room.tell(said));
    // A question is nothing without its answer.
    let own = || own().filter(|said| !said.ends_with(QUESTIONS));
    let said = material.declared.as_deref().map(|said| room.tell(said)).or_else(own);
    let said = said.map(|said| with_headings(said, &material.headings, room.all, wording));
    let list = std::iter::once_with(move || listed(&material.headings, room.all));
    said.into_iter().chain(list.flatten()).filter_map(|text| Text::clean(&text))
}

/// A description, and behind it as many of the sub-headings as there is room for.
fn with_headings(mut said: String, headings: &[String], room: usize, wording: &Wording) -> String {
    let stop = if is_ended(&said) { "" } else { stop(&said) };
    let label = |list: &str| fill(&wording.sections, &[("{headings}", list)]);
    let used = [&said, stop, &label("")].iter().map(|text| text.chars().count()).sum::<usize>() + 1;
    if let Some(list) = listed(headings, room.saturating_sub(used)) {
        said.extend([stop, " ", &label(&list)]);
    }
    said
}
