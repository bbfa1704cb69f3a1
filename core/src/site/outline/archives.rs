//! Pages that do nothing but list what was written under a word: the categories, series and authors of a blog.
//!
//! A post stands in several of them and they say nothing of their own. None is known by its name: most pages of one folder
//! lead to posts that lie elsewhere, and say little besides.

use memchr::memmem;

use super::CrawledPage;
use super::trail::{Trails, front_of};
use crate::maps::{Counts, Map, Set};
use crate::page::{LinkPlace, PageLink};
use crate::url::UrlKey;

/// The fewest such pages of a folder.
const MIN_ALIKE: usize = 3;
/// The most bytes before the first link of a page that opens with a post.
const MAX_LEAD: usize = 200;
/// The most bytes for each post of such a page: its title, its address and how it begins, or all of a short one.
const MAX_EACH: usize = 4_000;
/// The same of any other page.
const MAX_EACH_BESIDE: usize = 800;

/// Which of the pages those are.
pub(super) fn archives(pages: &[CrawledPage], trails: &Trails) -> Set<usize> {
    let numbers: Map<UrlKey, usize> =
        pages.iter().enumerate().map(|(at, page)| (page.url.key(), at)).collect();
    let others = pages.iter().enumerate().filter(|&(at, _)| {
        let trail = &trails.pages[at];
        !trail.is_news && !trail.is_home
    });
    let others: Vec<(usize, &CrawledPage)> = others.filter(|(_, page)| !folder(page).is_empty()).collect();
    let lists_posts = |page: &CrawledPage| {
        let in_text = page.page.links.iter().filter(|link| link.place == LinkPlace::Content);
        let known = in_text.filter_map(|link: &PageLink| numbers.get(&link.url.key()));
        // A post is told with the other words that it stands under.
        let is_beside = |at: &usize| pages[*at].url.path().starts_with(folder(page));
        let (posts, rest): (Set<usize>, Set<usize>) =
            known.copied().filter(|at| !is_beside(at)).partition(|&at| trails.pages[at].is_news);
        let text = page.page.markdown.as_str();
        let opens = memmem::find(text.as_bytes(), b"](").is_some_and(|first| first <= MAX_LEAD);
        let each = if opens { MAX_EACH } else { MAX_EACH_BESIDE };
        posts.len() > rest.len() && text.len() <= posts.len() * each
    };
    let all: Counts<&str> = others.iter().map(|(_, page)| folder(page)).collect();
    let alike: Counts<&str> =
        others.iter().filter(|(_, page)| lists_posts(page)).map(|(_, page)| folder(page)).collect();
    let is_archive = |page: &CrawledPage| {
        let listing = alike.of(&folder(page));
        listing >= MIN_ALIKE && listing * 2 > all.of(&folder(page))
    };
    others.into_iter().filter(|(_, page)| is_archive(page)).map(|(at, _)| at).collect()
}

/// The folder that holds a page, or what it stands in front of.
fn folder(page: &CrawledPage) -> &str {
    front_of(page).rsplit_once('/').map_or("", |(folder, _)| folder)
}
