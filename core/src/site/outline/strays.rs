//! Pages that no list of the site names: their folders, or what they are called after, place them.

use super::CrawledPage;
use super::name::humanised;
use super::trail::{Trail, common, folders, front_of};
use crate::maps::{Counts, Map, Set};
use crate::site::addresses::Id;
use crate::site::rank::{content_segments, is_post};
use crate::site::version::is_year;

/// How many folders above a page are asked where their pages stand.
const MAX_FOLDERS: usize = 8;
/// One in so many pages of a folder must be placed to tell where the others belong.
const FEW_PLACED: usize = 4;
/// The most pages at the root of a site that is a folder of its host.
const MAX_AT_ROOT: usize = 3;
/// How many folders of an address name a page that nothing else places.
const NAMED_FOLDERS: usize = 2;
/// So many pages of one folder whose names begin with one word belong together,
const MIN_SERIES: usize = 10;
/// and the word has so many bytes.
const MIN_WORD: usize = 4;

/// The `strays`, which no list names, go where the other pages of their folder are, else below the page that stands for their folder
/// or is named as they are, else their folder names them. Answers the pages that got the name they give.
pub(super) fn settle_strays<'n>(
    pages: &[CrawledPage],
    ids: &[Option<Id>],
    name: impl Fn(Id) -> Option<&'n str>,
    (homes, in_menus): (&Map<String, Vec<String>>, &Set<usize>),
    strays: &[usize],
    trails: &mut [Trail],
) -> Vec<usize> {
    let fronts: Map<&str, usize> = (pages.iter().zip(trails.iter()).enumerate())
        .filter(|(_, (page, trail))| !trail.is_home && !is_post(&page.url))
        .map(|(at, (page, _))| (front_of(page), at))
        .collect();
    let front_name = |at: usize| ids.get(at).copied().flatten().and_then(&name);
    let shared = shared_folders(pages);
    let series = series(pages, in_menus, strays);
    let mut settled: Vec<(usize, Vec<String>)> = Vec::new();
    let mut named_by_path: Map<usize, String> = Map::default();
    let mut leading: Map<usize, String> = Map::default();
    for &at in strays {
        let Some(page) = pages.get(at) else { continue };
        let mut below = |front: usize, by_folder: Option<String>| {
            let own = front_name(front).map(str::to_owned).or(by_folder)?;
            leading.insert(front, own.clone());
            let mut names = trails.get(front).map(|trail| trail.names.clone()).unwrap_or_default();
            if names.last() != Some(&own) {
                names.push(own);
            }
            Some(names)
        };
        let by_folders = folders_above(page).find_map(|folder| {
            // What a menu shows beside a group is not in it, unless it stands for the group's folder.
            let is_beside = in_menus.contains(&at) && front_of(page) != folder;
            if let Some(names) = homes.get(folder).filter(|_| !is_beside) {
                return Some(names.clone());
            }
            let &front = fronts.get(folder).filter(|&&front| front != at)?;
            below(front, content_segments(folder).last().map(humanised))
        });
        let above = by_folders.or_else(|| below(*series.get(&at)?, None));
        // What stands behind the day of a post is how it is filed.
        let is_filed = |folder: &&str| trails.get(at).is_some_and(Trail::is_news) && is_year(folder);
        let by_path = || {
            folders(page)
                .take_while(|folder| !is_filed(folder))
                .skip(shared)
                .filter(|folder| folder.contains(char::is_alphabetic))
                .take(NAMED_FOLDERS)
                .map(humanised)
                .collect::<Vec<_>>()
        };
        if above.is_none() {
            named_by_path.extend(by_path().into_iter().next().map(|name| (at, name)));
        }
        settled.push((at, above.unwrap_or_else(by_path)));
    }
    // A folder of one page is no group.
    let sizes: Counts<&str> = named_by_path.values().map(String::as_str).collect();
    let is_alone = |at: &usize| named_by_path.get(at).is_some_and(|name| sizes.of(name.as_str()) == 1);
    settled.retain(|(at, _)| !is_alone(at));
    for (at, names) in settled {
        if let Some(trail) = trails.get_mut(at) {
            trail.names = names;
        }
    }
    let mut named = Vec::new();
    for (at, own) in leading {
        if let Some(trail) = trails.get_mut(at).filter(|trail| trail.names.is_empty()) {
            trail.names.push(own);
            named.push(at);
        }
    }
    named
}

/// The `strays` that are named as a page in a menu is, with that page: `paper_1`, `paper_2` and so on beside `papers`.
fn series(pages: &[CrawledPage], in_menus: &Set<usize>, strays: &[usize]) -> Map<usize, usize> {
    let parts = |at: &usize| pages.get(*at).and_then(|page| front_of(page).rsplit_once('/'));
    let beginning = |at: &usize| {
        let (folder, file) = parts(at).filter(|_| !in_menus.contains(at))?;
        let (word, _) = file.split_once(['_', '-', '.'])?;
        (word.len() >= MIN_WORD).then_some((folder, word))
    };
    let sizes: Counts<(&str, &str)> = strays.iter().filter_map(beginning).collect();
    let hub = |(folder, word): (&str, &str)| {
        let is_hub = |at: &&usize| {
            let rest =
                parts(at).filter(|(own, _)| *own == folder).and_then(|(_, file)| file.strip_prefix(word));
            rest.is_some_and(|rest| rest.chars().all(char::is_alphanumeric))
        };
        let mut hubs = in_menus.iter().filter(is_hub);
        hubs.next().filter(|_| hubs.next().is_none()).copied()
    };
    let long = sizes.0.iter().filter(|(_, count)| **count >= MIN_SERIES);
    let hubs: Map<(&str, &str), usize> = long.filter_map(|(&words, _)| Some((words, hub(words)?))).collect();
    strays.iter().filter_map(|at| Some((*at, *hubs.get(&beginning(at)?)?))).collect()
}

/// For each folder where most of its pages stand: two names deep, else one. What has no place of its own lies in the home
/// page's folder, and stands nowhere for that.
pub(super) fn folder_homes(pages: &[CrawledPage], trails: &[Trail]) -> Map<String, Vec<String>> {
    let mut votes: Map<&str, (usize, Map<&[String], usize>)> = Map::default();
    for (page, trail) in pages.iter().zip(trails) {
        let names = trail.names.get(..2).unwrap_or(&trail.names);
        for folder in folders_above(page) {
            let (all, votes) = votes.entry(folder).or_default();
            *all += 1;
            if !names.is_empty() {
                *votes.entry(names).or_default() += 1;
            }
        }
    }
    let home = pages.iter().zip(trails).find(|(_, trail)| trail.is_home).map(|(page, _)| front_of(page));
    let inner = votes.into_iter().filter(|(folder, _)| home != Some(*folder));
    let homes = inner.filter_map(|(folder, (all, votes))| {
        let placed: usize = votes.values().sum();
        let home = elected(&votes).filter(|_| placed * FEW_PLACED >= all)?;
        Some((folder.to_owned(), home.to_vec()))
    });
    homes.collect()
}

/// The place that most pages of a folder have: two names deep, else one, else none.
fn elected<'a>(votes: &Map<&'a [String], usize>) -> Option<&'a [String]> {
    let all: usize = votes.values().sum();
    let (names, count) = votes.iter().max_by_key(|(names, count)| (**count, **names))?;
    if count * 2 > all {
        return Some(names);
    }
    let mut firsts: Map<&[String], usize> = Map::default();
    for (names, count) in votes {
        *firsts.entry(names.get(..1)?).or_default() += count;
    }
    let (first, count) = firsts.into_iter().max_by_key(|(names, count)| (*count, *names))?;
    (count * 2 > all).then_some(first)
}

/// The folders that a page lies in, from the innermost, without the root.
fn folders_above(page: &CrawledPage) -> impl Iterator<Item = &str> {
    let parent = |path: &str| path.rfind('/');
    let path = page.url.path();
    let first = parent(path).and_then(|end| path.get(..end));
    std::iter::successors(first, move |folder| folder.get(..parent(folder)?))
        .take_while(|folder| !folder.is_empty())
        .take(MAX_FOLDERS)
}

/// How many leading folders all pages below the root share: they tell nothing, unless other pages stand at the root.
fn shared_folders(pages: &[CrawledPage]) -> usize {
    let at_root = pages.iter().filter(|p| folders(p).next().is_none()).count();
    if at_root > MAX_AT_ROOT {
        return 0;
    }
    common(pages.iter().map(|page| folders(page).collect::<Vec<_>>()).filter(|folders| !folders.is_empty()))
}
