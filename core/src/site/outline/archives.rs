//! Pages that do nothing but list what was written under a word: the categories, series and authors of a blog.
//!
//! A post stands in several of them and they say nothing of their own. None is known by its name: several pages of one folder
//! open with links to posts that lie elsewhere.

use memchr::memmem;

use super::CrawledPage;
use super::trail::{Trail, front_of};
use crate::maps::{Counts, Map, Set};
use crate::url::UrlKey;

/// The fewest such pages of a folder.
const MIN_ALIKE: usize = 3;
/// The most bytes before the first link, and of a page beside such pages that has none.
const MAX_LEAD: usize = 200;

/// Those of the pages.
pub(super) fn archives(pages: &[CrawledPage], trails: &[Trail]) -> Set<usize> {
    let numbers: Map<UrlKey, usize> =
        pages.iter().enumerate().map(|(at, page)| (page.url.key(), at)).collect();
    let is_news = |at: usize| trails.get(at).is_some_and(|trail| trail.is_news);
    let is_home = |at: usize| trails.get(at).is_none_or(|trail| trail.is_home);
    let others = pages.iter().enumerate().filter(|&(at, _)| !is_news(at) && !is_home(at));
    let others: Vec<_> = others.map(|(at, page)| (at, page, listed(page, &numbers))).collect();
    let folder =
        |page: &'_ CrawledPage| front_of(page).rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let is_below = |at: usize, of: &CrawledPage| {
        let path = pages.get(at).and_then(|page| page.url.path().strip_prefix(front_of(of)));
        path.is_some_and(|rest| rest.starts_with('/'))
    };
    let lists_posts = |(_, page, listed): &&(usize, &CrawledPage, Vec<usize>)| {
        !listed.is_empty() && listed.iter().all(|&post| is_news(post) && !is_below(post, page))
    };
    let alike: Counts<String> = others.iter().filter(lists_posts).map(|(_, page, _)| folder(page)).collect();
    let is_one = |other: &&(usize, &CrawledPage, Vec<usize>)| {
        let (_, page, listed) = other;
        let is_short = listed.is_empty() && page.page.markdown.len() <= MAX_LEAD;
        (is_short || lists_posts(other)) && alike.of(&folder(page)) >= MIN_ALIKE
    };
    others.iter().filter(is_one).map(|(at, ..)| *at).collect()
}

/// The pages that the text of a page links to, if it opens with a link.
fn listed(page: &CrawledPage, numbers: &Map<UrlKey, usize>) -> Vec<usize> {
    let text = page.page.markdown.as_str();
    let mut links = memmem::find_iter(text.as_bytes(), "](").peekable();
    if links.peek().is_none_or(|&first| first > MAX_LEAD) {
        return Vec::new();
    }
    let target = |at: usize| text.get(at + 2..)?.split([')', ' ', '\n']).next();
    links.filter_map(|at| numbers.get(&page.url.join(target(at)?).ok()?.key()).copied()).collect()
}
