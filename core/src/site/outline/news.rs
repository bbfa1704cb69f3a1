//! News that the menu across the top of the home page shows: sections of their own, called as the menu calls them.
//!
//! What no such menu shows can be skipped, and so can the news of a site that is documentation. Beside them, what a site shows
//! from the newest to the oldest.

use super::CrawledPage;
use super::trail::{Trail, lies_below};
use crate::maps::{Map, Set};
use crate::site::rank::{Class, classify};

/// The fewest pages that are older than the one before them in a list that shows the newest first.
const MIN_FALLING: usize = 7;

/// Takes the pages of a group for posts where nearly all have a day and the site shows the newest first, whatever it calls them. A
/// list that goes on over several pages rises where each begins. They stand where the first of them does.
pub(super) fn settle_dated(pages: &[CrawledPage], hubs: &Set<usize>, trails: &mut [Trail]) {
    let mut groups: Map<&[String], Vec<usize>> = Map::default();
    for (at, trail) in trails.iter().enumerate().filter(|(at, trail)| !trail.is_home && !hubs.contains(at)) {
        groups.entry(&trail.names).or_default().push(at);
    }
    let day = |at: usize| pages[at].page.published.as_deref();
    let mut posts = Vec::new();
    for (_, own) in groups.into_iter().filter(|(names, _)| !names.is_empty()) {
        let mut dated: Vec<usize> = own.iter().copied().filter(|&at| day(at).is_some()).collect();
        dated.sort_by_key(|&at| trails[at].order);
        let steps =
            || dated.windows(2).map(|pair| (day(pair[0]), day(pair[1]))).filter(|(one, next)| one != next);
        let falling = steps().filter(|(one, next)| one > next).count();
        let is_list = dated.len() * 5 >= own.len() * 4 && falling >= MIN_FALLING;
        let all = steps().count();
        if is_list && falling * 5 >= all * 4 && all * 2 >= dated.len() {
            let first = trails[dated[0]].order;
            posts.extend(dated.into_iter().map(|at| (at, first)));
        }
    }
    for (at, first) in posts {
        trails[at].published.clone_from(&pages[at].page.published);
        trails[at].order = first;
    }
}

/// Puts news under the page of the menu that lists them: the one in whose folder they lie, or of posts the only one. Answers
/// those pages, each of which names its section. `name` is what the site calls a page.
pub(super) fn settle_news<'n>(
    pages: &[CrawledPage],
    in_bar: &Set<usize>,
    name: impl Fn(usize) -> Option<&'n str>,
    trails: &mut [Trail],
) -> Vec<usize> {
    let others = pages.iter().zip(trails.iter()).filter(|(_, trail)| !trail.is_news() && !trail.is_home);
    let (docs, rest): (Vec<_>, Vec<_>) = others.partition(|(page, _)| classify(&page.url) == Class::Docs);
    if docs.len() > rest.len() {
        return Vec::new();
    }
    let mut hubs: Vec<usize> = in_bar.iter().copied().filter(|&at| trails[at].is_news()).collect();
    hubs.sort_by_key(|&at| trails[at].order);
    let is_in = |at: usize, hub: usize| lies_below(&pages[at].url, &pages[hub].url);
    // Lists of posts, by a word or a month, have addresses of news and no day.
    let is_post =
        |at: usize, trail: &Trail| trail.published.is_some() || classify(&pages[at].url) != Class::News;
    let hub_of = |at: usize, trail: &Trail| match *hubs {
        [only] if is_post(at, trail) => Some(only),
        _ => hubs.iter().copied().find(|&hub| is_in(at, hub)),
    };
    let news: Vec<usize> = (0..trails.len()).filter(|&at| trails[at].is_news()).collect();
    for at in news {
        let Some(called) = hub_of(at, &trails[at]).and_then(&name) else { continue };
        let trail = &mut trails[at];
        trail.is_optional = false;
        if trail.names.first().is_none_or(|first| first != called) {
            trail.names = vec![called.to_owned()];
        }
    }
    hubs
}
