//! Pages of a flat folder that nothing groups: the first word of their file names tells families apart
//! (`sql-select`, `sql-insert`; `app_start`, `app_stop`).

use super::Fetched;
use super::name::humanised;
use super::trail::Trail;
use crate::maps::Map;
use crate::site::rank::{content_segments, stem};

/// The fewest pages whose common first word names them.
const MIN_FAMILY: usize = 4;

/// What the files of a book begin with, in short, and what such files are.
const PARTS_OF_BOOKS: [(&str, &str); 8] = [
    ("ap", "Appendices"),
    ("appendix", "Appendices"),
    ("ch", "Chapters"),
    ("chap", "Chapters"),
    ("chapter", "Chapters"),
    ("part", "Parts"),
    ("sec", "Sections"),
    ("sect", "Sections"),
];

/// Names the pages that stand for themselves by the first word of their file names, where such pages make up more
/// than two fifths of the site.
pub(super) fn name_by_prefix(pages: &[Fetched], trails: &mut [Trail]) {
    let is_loose = |trail: &Trail| trail.names.is_empty() && !trail.is_home;
    let loose = trails.iter().filter(|t| is_loose(t)).count();
    if loose * 5 <= trails.len() * 2 {
        return;
    }
    let mut sizes: Map<&str, usize> = Map::default();
    for (page, _) in pages.iter().zip(trails.iter()).filter(|(_, t)| is_loose(t)) {
        if let Some(word) = first_word(page) {
            *sizes.entry(word).or_default() += 1;
        }
    }
    for (page, trail) in pages.iter().zip(trails).filter(|(_, t)| is_loose(t)) {
        if let Some(word) = first_word(page).filter(|w| sizes.get(w).is_some_and(|&n| n >= MIN_FAMILY)) {
            trail.names.push(family_name(word));
        }
    }
}

fn family_name(word: &str) -> String {
    let of_book = PARTS_OF_BOOKS.iter().find(|(short, _)| word.eq_ignore_ascii_case(short));
    of_book.map_or_else(|| humanised(word), |(_, name)| (*name).to_owned())
}

/// `sql` for `sql-select.html`; `None` for names of one word.
fn first_word(page: &Fetched) -> Option<&str> {
    let file = content_segments(page.url.path()).last()?;
    let (word, _) = stem(file).split_once(['-', '_', '.'])?;
    word.contains(char::is_alphabetic).then_some(word)
}
