//! The lists of one page, taken apart.

use crate::maps::Map;
use crate::page::{Link, Place};

/// What tells the lists of a page apart.
pub(super) fn list_of(link: &Link) -> (Place, Option<&str>, bool) {
    (link.place, link.group.as_deref(), link.depth > 0)
}

/// Links in a row that stand in the same list, with their positions. Links in running text stand in none and do
/// not interrupt one.
pub(super) fn runs(links: &[Link]) -> Vec<Vec<(usize, &Link)>> {
    let mut runs: Vec<Vec<(usize, &Link)>> = Vec::new();
    let mut loose = Vec::new();
    for (at, link) in links.iter().enumerate() {
        if link.depth == 0 && link.group.is_none() {
            loose.push((at, link));
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|(_, last)| list_of(last) == list_of(link)) => {
                run.push((at, link));
            }
            _ => runs.push(vec![(at, link)]),
        }
    }
    runs.push(loose);
    runs
}

/// How many links each list has, however often nested lists interrupt it.
pub(super) fn sizes<'a>(runs: &[Vec<(usize, &'a Link)>]) -> Map<(Place, Option<&'a str>, bool), usize> {
    let mut sizes = Map::default();
    for run in runs {
        if let Some((_, first)) = run.first() {
            *sizes.entry(list_of(first)).or_default() += run.len();
        }
    }
    sizes
}
