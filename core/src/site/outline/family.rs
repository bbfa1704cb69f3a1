//! Pages of a flat folder that nothing groups: the first word of their file names tells families apart
//! (`sql-select`, `sql-insert`; `app_start`, `app_stop`).

use super::CrawledPage;
use super::name::humanised;
use super::trail::Trail;
use crate::maps::Counts;
use crate::site::rank::{content_segments, stem};

/// The fewest pages whose common first word names them.
const MIN_FAMILY: usize = 4;
/// So many percent of the site must be loose.
const MANY: usize = 40;

/// Names the pages that stand for themselves by the first word of their file names, where they are many.
pub(super) fn name_by_prefix(pages: &[CrawledPage], trails: &mut [Trail]) {
    let is_loose = |trail: &Trail| trail.names.is_empty() && !trail.is_home;
    let loose = trails.iter().filter(|trail| is_loose(trail)).count();
    if loose * 100 <= trails.len() * MANY {
        return;
    }
    let found = pages.iter().zip(trails.iter()).filter(|(_, trail)| is_loose(trail));
    let sizes: Counts<&str> = found.filter_map(|(page, _)| first_word(page)).collect();
    let named: usize = sizes.0.values().filter(|&&size| size >= MIN_FAMILY).sum();
    // Where most have no family, those of the others are chance.
    if named * 2 < loose {
        return;
    }
    for (page, trail) in pages.iter().zip(trails).filter(|(_, trail)| is_loose(trail)) {
        let word = first_word(page).filter(|word| sizes.of(word) >= MIN_FAMILY);
        trail.names.extend(word.map(humanised));
    }
}

/// `sql` for `sql-select.html`; `None` for names of one word.
fn first_word(page: &CrawledPage) -> Option<&str> {
    let file = content_segments(page.url.path()).last()?;
    let (word, _) = stem(file).split_once(['-', '_', '.'])?;
    word.contains(char::is_alphabetic).then_some(word)
}
