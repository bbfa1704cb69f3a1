//! Pages of one member each: a function, a value of a class whose own page lists them all.
//!
//! A generator of references writes thousands of them. None is known by a name: a page that opens with code stands below another
//! one that does.

use super::CrawledPage;
use super::trail::front_of;
use crate::maps::{Map, Set};

/// Fewer such pages stand so by accident.
const MIN_MEMBERS: usize = 10;

/// Which of the pages those are.
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
