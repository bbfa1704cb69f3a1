//! News that the menu across the top of the home page shows: sections of their own, called as the menu calls them.
//!
//! What no such menu shows can be skipped, and so can the news of a site that is documentation.

use super::CrawledPage;
use super::trail::{Trail, front_of};
use crate::maps::Set;
use crate::site::rank::{Class, classify};
use crate::url::below;

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
    let is_in = |at: usize, hub: usize| below(pages[at].url.path(), front_of(&pages[hub])).is_some();
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
