//! Every page that may be listed as a link with its description.

use super::material::Reader;
use super::notes::{By, Note, Room, describe, keep_single};
use super::options::IndexOptions;
use super::plan::Planned;
use super::titles::names;
use crate::llms_txt::document::Link;
use crate::llms_txt::inline::Destination;
use crate::maps::Map;
use crate::site::outline::{CrawledPage, Outline};
use crate::wording::Wording;

/// How short a description becomes before links are dropped instead, in characters, when it is more than one
/// sentence; a sentence stays whole.
const LIST_MIN_CHARS: usize = 160;
/// In how many steps descriptions become shorter.
const ROOM_STEPS: usize = 5;
/// The characters of a link's line besides its name, address and description.
pub(super) const LINK_CHARS: usize = 10;

/// A link on its way into the file.
pub(super) struct LinkEntry {
    pub(super) link: Link,
    pub(super) by: By,
}

impl LinkEntry {
    /// Its page tells nothing of itself.
    pub(super) fn is_silent(&self) -> bool {
        self.by == By::Nobody
    }

    pub(super) fn chars(&self) -> usize {
        let mut text = String::new();
        self.link.render(&mut text);
        text.chars().count()
    }
}

/// Every planned page as a link, within `room` characters of all if the lists in the descriptions can give way;
/// a sentence only to a list that says more. And how many descriptions of a model are repetitions.
pub(super) fn entries(
    plan: &[Planned],
    outline: &Outline,
    pages: &[CrawledPage],
    reader: &mut Reader<'_>,
    (options, wording): (&IndexOptions<'_>, &Wording),
    room: usize,
) -> (Map<usize, LinkEntry>, usize) {
    let order: Vec<usize> = plan.iter().flat_map(|section| section.pages.iter().copied()).collect();
    let names = names(plan, pages, outline);
    let materials = reader.materials(order.iter().copied().zip(&names), options);
    let bare: usize = (order.iter().zip(&names))
        .map(|(&at, name)| {
            name.as_str().chars().count() + pages[at].link.as_str().chars().count() + LINK_CHARS
        })
        .sum();
    let told = options.written.map(|written| &written.descriptions);
    let told: Vec<_> = order.iter().map(|&at| told?.get(&pages[at].url).map(String::as_str)).collect();
    let single = keep_single(&told, &names);
    let repeated = told.iter().flatten().count() - single.iter().flatten().count();
    let most = options.max_notes_chars;
    let with = |step| {
        let whole = most - (most - most.min(LIST_MIN_CHARS)) * step / ROOM_STEPS;
        describe(&materials, &single, Room { sentence: most, whole }, wording)
    };
    let fits = |notes: &[Note]| {
        bare + notes
            .iter()
            .flat_map(|note| &note.text)
            .map(|text| text.as_str().chars().count())
            .sum::<usize>()
            <= room
    };
    let (mut notes, mut too_wide, mut step) = (with(0), 0, ROOM_STEPS);
    if !fits(&notes) {
        notes = with(step);
        // Where even the shortest lists do not fit, links have to go in any case.
        while step - too_wide > 1 && fits(&notes) {
            let middle = usize::midpoint(too_wide, step);
            let wider = with(middle);
            if fits(&wider) {
                (notes, step) = (wider, middle);
            } else {
                too_wide = middle;
            }
        }
    }
    let entries = order.into_iter().zip(names).zip(notes).filter_map(|((at, name), note)| {
        let url = Destination::clean(pages[at].link.as_str())?;
        Some((at, LinkEntry { link: Link { name, url, notes: note.text }, by: note.by }))
    });
    (entries.collect(), repeated)
}
