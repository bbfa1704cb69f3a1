//! Every page that may be listed as a link with its description.

use super::material::materials;
use super::notes::{describe, keep_single};
use super::options::IndexOptions;
use super::plan::Planned;
use super::titles::names;
use crate::llms_txt::document::Link;
use crate::llms_txt::inline::Destination;
use crate::maps::Map;
use crate::site::outline::{CrawledPage, Outline};
use crate::wording::Wording;

/// The characters of a link's line besides its name, address and description.
pub(super) const LINK_CHARS: usize = 10;

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
    let notes = describe(&materials, &single, options.max_notes_chars, wording);
    let all = order.into_iter().zip(names).zip(notes).zip(single);
    let entries = all.filter_map(|(((at, name), notes), told)| {
        let url = Destination::clean(pages[at].link.as_str())?;
        Some((at, LinkEntry { link: Link { name, url, notes }, is_told: told.is_some() }))
    });
    (entries.collect(), repeated)
}
