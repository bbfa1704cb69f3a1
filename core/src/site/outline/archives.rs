//! Pages that do nothing but list what was written under a word: the categories, series and authors of a blog.
//!
//! A post stands in several of them and they say nothing of their own. None is known by its name: several pages of one folder
//! open with links to posts that lie elsewhere.

use memchr::memmem;

use super::CrawledPage;
use super::trail::{Trails, front_of};
use crate::maps::{Counts, Map, Set};
use crate::url::UrlKey;

/// The fewest such pages of a folder.
const MIN_ALIKE: usize = 3;
/// The most bytes before the first link, and of a page beside such pages that has none.
const MAX_LEAD: usize = 200;
/// The most bytes for each post: its title, its address and how it begins.
const MAX_EACH: usize = 800;

/// Which of the pages those are.
pub(super) fn archives(pages: &[CrawledPage], trails: &Trails) -> Set<usize> {
    let numbers: Map<UrlKey, usize> =
        pages.iter().enumerate().map(|(at, page)| (page.url.key(), at)).collect();
    let is_post = |at: usize, of: &CrawledPage| {
        let rest = pages[at].url.path().strip_prefix(front_of(of));
        trails.pages[at].is_news && !rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let folder =
        |page: &CrawledPage| front_of(page).rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    // How many posts a page links to, if it opens with a link and links to nothing else of the site.
    let posts = |page: &CrawledPage| {
        let text = page.page.markdown.as_str();
        let target = |at: usize| text.get(at + 2..)?.split([')', ' ', '\n']).next();
        let mut links = memmem::find_iter(text.as_bytes(), "](").peekable();
        if links.peek().is_some_and(|&first| first > MAX_LEAD) {
            return None;
        }
        let mut known = links.filter_map(|at| numbers.get(&page.url.join(target(at)?).ok()?.key()));
        // A post is told with the other words that it stands under.
        let beside = folder(page);
        known.try_fold(0, |posts, &at| match is_post(at, page) {
            true => Some(posts + 1),
            false => (!beside.is_empty() && pages[at].url.path().starts_with(&beside)).then_some(posts),
        })
    };
    let others = pages.iter().enumerate().filter(|&(at, _)| {
        let trail = &trails.pages[at];
        !trail.is_news && !trail.is_home
    });
    let lists = others.filter_map(|(at, page)| {
        let (posts, bytes) = (posts(page)?, page.page.markdown.len());
        (bytes <= (posts * MAX_EACH).max(MAX_LEAD)).then(|| (at, posts, folder(page)))
    });
    let lists: Vec<(usize, usize, String)> = lists.collect();
    let listing = lists.iter().filter(|(_, posts, _)| *posts > 0);
    let alike: Counts<String> = listing.map(|(.., folder)| folder.clone()).collect();
    lists.into_iter().filter(|(.., folder)| alike.of(folder) >= MIN_ALIKE).map(|(at, ..)| at).collect()
}
