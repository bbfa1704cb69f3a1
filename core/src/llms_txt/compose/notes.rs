//! What the index says of a page: its author's description, else its own first sentence; then what its own sub-headings
//! name.

use super::headings::listed;
use super::material::Material;
use super::opening::{QUESTIONS, chosen};
use super::sentences::{cut, is_ended, stop};
use crate::llms_txt::inline::{Name, Text};
use crate::llms_txt::plain::normal;
use crate::maps::{Counts, Set};
use crate::wording::{Wording, fill};

/// Of what a model said of each page, what it said of that page alone and what is no other page's name.
pub(super) fn keep_single(told: &[Option<&str>], names: &[Name]) -> Vec<Option<Text>> {
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
pub(super) fn describe(
    materials: &[Material],
    told: &[Option<Text>],
    room: usize,
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
fn ways(material: &Material, room: usize, wording: &Wording) -> impl Iterator<Item = Text> {
    let has_parts = material.headings.len() > 1;
    let own = || chosen(&material.paragraphs, &material.title, has_parts).map(|said| cut(said, room));
    // A question is nothing without its answer.
    let own = || own().filter(|said| !said.ends_with(QUESTIONS));
    let said = material.declared.as_deref().map(|said| cut(said, room)).or_else(own);
    let said = said.map(|said| with_headings(said, &material.headings, room, wording));
    let list = std::iter::once_with(move || listed(&material.headings, room));
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
