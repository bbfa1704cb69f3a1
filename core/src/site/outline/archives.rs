//! Pages that do nothing but list what was written under a word: the categories, series and authors of a blog.
//!
//! A post stands in several of them and they say nothing of their own. None is known by its name: most pages of one folder
//! lead to posts, and to little besides.

use memchr::memmem;

use super::CrawledPage;
use super::trail::Trails;
use crate::maps::{Counts, Set};
use crate::site::rank::holder;
use crate::site::structure::Structure;

/// The fewest such pages of a folder.
const MIN_ALIKE: usize = 3;
/// The most bytes before the first link of a page that opens with a post.
const MAX_LEAD: usize = 200;
/// The most bytes for each post of such a page: all of a short one.
const MAX_EACH: usize = 8_000;
/// The same of any other page: a title, an address and how the post begins.
const MAX_EACH_BESIDE: usize = 800;

/// Which of the pages those are.
pub(super) fn archives(structure: &Structure, pages: &[CrawledPage], trails: &Trails) -> Set<usize> {
    let is_other = |at: usize| trails.pages.get(at).is_some_and(|trail| !trail.is_news && !trail.is_home);
    let others = pages.iter().enumerate().filter(|&(at, page)| is_other(at) && !folder(page).is_empty());
    let others: Vec<(usize, &CrawledPage)> = others.collect();
    let posts_of = |page: &CrawledPage| {
        let leads = structure.leads(&page.url);
        let text = page.page.markdown.as_bytes();
        let opens = memmem::find(text, b"](").is_some_and(|first| first <= MAX_LEAD);
        let each = if opens { MAX_EACH } else { MAX_EACH_BESIDE };
        (leads.posts > leads.others && text.len() <= leads.posts as usize * each).then_some(leads.which)
    };
    let all: Counts<&str> = others.iter().map(|(_, page)| folder(page)).collect();
    // News that a template shows beside any text are the same on all pages.
    let lists: Set<(&str, u32)> =
        others.iter().filter_map(|(_, page)| Some((folder(page), posts_of(page)?))).collect();
    let alike: Counts<&str> = lists.into_iter().map(|(folder, _)| folder).collect();
    let is_archive = |page: &CrawledPage| {
        let alike = alike.of(&folder(page));
        alike >= MIN_ALIKE && alike * 2 > all.of(&folder(page))
    };
    others.into_iter().filter(|(_, page)| is_archive(page)).map(|(at, _)| at).collect()
}

fn folder(page: &CrawledPage) -> &str {
    holder(page.url.path())
}
