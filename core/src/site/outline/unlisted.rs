//! Pages of no section. None is known by its name.
//!
//! Archives do nothing but list what was written under a word: the categories, series and authors of a blog. A post stands in
//! several of them and they say nothing of their own: most pages of one folder lead to posts, and to little besides.
//!
//! Members are pages of a function or a value of a class whose own page lists them all. A generator of references writes
//! thousands of them: a page that opens with code stands below another one that does.

use memchr::memmem;

use super::CrawledPage;
use super::trail::{Trails, front_of};
use crate::maps::{Counts, Map, Set};
use crate::site::rank::holder;
use crate::site::structure::Structure;

/// The fewest archives of a folder.
const MIN_ALIKE: usize = 3;
/// The most bytes before the first link of a page that opens with a post.
const MAX_LEAD: usize = 200;
/// The most bytes for each post of such a page: all of a short one.
const MAX_EACH: usize = 8_000;
/// The same of any other page: a title, an address and how the post begins.
const MAX_EACH_BESIDE: usize = 800;

/// Which of the pages are archives.
pub(super) fn archives(structure: &Structure, pages: &[CrawledPage], trails: &Trails) -> Set<usize> {
    let is_other = |at: usize| trails.pages.get(at).is_some_and(|trail| !trail.is_news() && !trail.is_home);
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

/// Fewer pages stand so by accident.
const MIN_MEMBERS: usize = 10;

/// Which of the pages are members.
pub(super) fn members(pages: &[CrawledPage]) -> Set<usize> {
    let opening = |(at, page): (usize, &'_ CrawledPage)| opens_with_code(&page.page.markdown).then_some(at);
    let opening: Vec<usize> = pages.iter().enumerate().filter_map(opening).collect();
    let fronts: Map<&str, usize> = opening.iter().map(|&at| (front_of(&pages[at]), at)).collect();
    // `/kiln/light` is below `/kiln`, and so is `/kiln.light`.
    let is_below = |&at: &usize| {
        let front = front_of(&pages[at]);
        let above = ['/', '.'].iter().filter_map(|&mark| front.rsplit_once(mark));
        above.into_iter().any(|(above, _)| fronts.contains_key(above))
    };
    let members: Set<usize> = opening.iter().copied().filter(is_below).collect();
    if members.len() < MIN_MEMBERS { Set::default() } else { members }
}

/// Whether the first thing below a page's title is code.
fn opens_with_code(markdown: &str) -> bool {
    let mut lines = markdown.lines().filter(|line| !line.is_empty()).peekable();
    lines.next_if(|line| line.starts_with('#'));
    lines.next().is_some_and(|line| line.starts_with("```"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;
    use crate::url::SiteUrl;

    #[test]
    fn pages_of_code_below_pages_of_code_are_members() {
        let page = |(path, text): (String, &str)| {
            let url = SiteUrl::parse(&format!("https://docs.example.org{path}")).unwrap();
            let markdown = format!("# {path}\n\n{text}\n");
            CrawledPage { link: url.clone(), url, page: Page { markdown, ..Page::default() } }
        };
        let (code, prose) = ("```\nfn light()\n```", "Lights it.");
        let of = |members: usize| {
            let all = (0..members).map(|n| (format!("/api/kiln/m{n}.html"), code));
            let beside = [
                ("/api/", prose),
                ("/api/kiln/", code),
                ("/api/kiln.heat.html", code),
                ("/api/kiln/use", prose),
                ("/api/kiln/all", "## All\n\n```\nlight\n```"),
            ];
            let beside = beside.map(|(path, text)| (path.to_owned(), text));
            super::members(&beside.into_iter().chain(all).map(page).collect::<Vec<_>>())
        };
        let expected: Set<usize> = std::iter::once(2).chain(5..14).collect();
        assert_eq!(of(9), expected);
        assert_eq!(of(8), Set::default());
    }
}
