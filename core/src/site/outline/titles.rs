//! What the titles of a site's pages have in common is the site's name, not theirs: `Install (Kiln 4)`,
//! `Kiln: Install`, `install - Kiln Server`.

use super::CrawledPage;
use crate::maps::{Counts, Map, Set};
use crate::page::Page;
use crate::separators::{marks_in, separators_in, tight_separators_in};
use crate::site::rank::names_a_kind;
use crate::url::above;

/// Fewer pages than this may share a word by accident.
const MIN_PAGES: usize = 5;

/// How many parts of a title may be the site's.
const MAX_PARTS: usize = 3;

/// Pages that have the same heading before it is that of the site's frame and none of theirs, or a part of the home page's title.
const FRAME: usize = 3;

/// What one in so many pages has for a title is the site's.
const SITES: usize = 5;

/// A title in two parts: the page's own, and what may be the site's.
type TitleParts<'a> = (&'a str, &'a str);

/// Cuts from every title what more than half of them have in front or behind, and takes it for the site's name where a
/// page gives none; before that, what its own page calls the site. A heading that many pages have is taken from all of them.
/// What the title of the `home` page begins with is the site's where a few have it.
pub fn settle_titles(home: Option<&Page>, pages: &mut [CrawledPage]) {
    let parts = recurring_parts(home, pages);
    drop_frames(pages, &parts);
    for page in pages.iter_mut().map(|fetched| &mut fetched.page) {
        page.title = own_part(page).map(str::to_owned).or(page.title.take());
    }
    let mut sites = Vec::new();
    for split in [behind as fn(&str) -> Vec<TitleParts<'_>>, in_front] {
        for _ in 0..MAX_PARTS {
            let Some(shared) = shared_by_most(pages, split) else { break };
            for page in pages.iter_mut().map(|fetched| &mut fetched.page) {
                let parts = page.title.as_deref().map(split).unwrap_or_default();
                let own = parts.into_iter().find(|(_, site)| *site == shared).map(|(own, _)| own.to_owned());
                if own.is_some() {
                    page.title = own;
                    // What still has such a mark inside is the names of parts beside that of the site.
                    if tight_separators_in(&shared).next().is_none() {
                        page.site_name.get_or_insert_with(|| shared.clone());
                    }
                }
            }
            sites.push(shared);
        }
    }
    for name in pages.iter_mut().filter_map(|fetched| fetched.page.site_name.as_mut()) {
        if let Some(part) = only_part(name, &sites) {
            *name = part;
        }
    }
    if let Some(name) = home.and_then(|home| home.title.as_deref()) {
        drop_beginning(pages, name);
    }
    drop_shared(pages);
}

/// The one part of a site's name that titles have, where they have no other: a theme may put its own before it.
fn only_part(name: &str, sites: &[String]) -> Option<String> {
    let mark = separators_in(name).find(|mark| name.contains(mark))?;
    let mut known = name.split(mark).filter(|part| sites.iter().any(|site| site == part));
    let part = known.next()?;
    (known.next().is_none() && !names_a_kind(part)).then(|| part.to_owned())
}

/// Cuts from the titles what a few of them have in front or behind and what `name` begins with.
fn drop_beginning(pages: &mut [CrawledPage], name: &str) {
    let begins =
        |part: &str| name.strip_prefix(part).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    let first = name.split_whitespace().next().unwrap_or_default();
    let own = |page: &Page| {
        let title = page.title.as_deref().filter(|title| *title != name && title.contains(first))?;
        let (own, site) = behind(title).into_iter().chain(in_front(title)).find(|(_, site)| begins(site))?;
        Some((own.to_owned(), site.to_owned()))
    };
    let found: Vec<Option<(String, String)>> = pages.iter().map(|fetched| own(&fetched.page)).collect();
    if found.iter().flatten().nth(FRAME - 1).is_some() {
        for (page, found) in pages.iter_mut().map(|fetched| &mut fetched.page).zip(found) {
            let Some((own, site)) = found else { continue };
            page.title = Some(own);
            page.site_name.get_or_insert(site);
        }
    }
}

/// Takes the title from pages without a heading where many have the same: it is that of the site.
fn drop_shared(pages: &mut [CrawledPage]) {
    let all = pages.len();
    let counts: Counts<String> = pages.iter().filter_map(|fetched| fetched.page.title.clone()).collect();
    let unheaded = pages.iter_mut().map(|fetched| &mut fetched.page).filter(|page| page.heading.is_none());
    for page in unheaded {
        page.title.take_if(|title| counts.of(title) >= MIN_PAGES && counts.of(title) * SITES >= all);
    }
}

/// What a title says besides the name that its page gives the site.
fn own_part(page: &Page) -> Option<&str> {
    let name = page.site_name.as_deref()?;
    let heading = page.heading.as_deref().unwrap_or_default();
    let own = without_site(page.title.as_deref()?, name)?;
    // A heading that says both is all of the page's own: `Class: Kiln`.
    let says_both = heading
        .split_once(own)
        .is_some_and(|(front, behind)| [front, behind].iter().any(|part| part.contains(name)));
    (!says_both).then_some(own)
}

/// A title without the part that is the site's `name`, if it has one.
pub(crate) fn without_site<'t>(title: &'t str, name: &str) -> Option<&'t str> {
    let mut parts = behind(title).into_iter().chain(in_front(title));
    parts.find(|(_, site)| site.eq_ignore_ascii_case(name)).map(|(own, _)| own)
}

fn drop_frames(pages: &mut [CrawledPage], parts: &Set<String>) {
    let counts: Counts<String> = pages.iter().filter_map(|fetched| fetched.page.heading.clone()).collect();
    for heading in pages.iter_mut().map(|fetched| &mut fetched.page.heading) {
        heading.take_if(|heading| counts.of(heading) >= FRAME && !parts.contains(heading));
    }
}

/// What heading and title of several pages agree on, one in each folder: chapters have a part of the same name ("Exercises"). What
/// the `home` page is called is the site's.
fn recurring_parts(home: Option<&Page>, pages: &[CrawledPage]) -> Set<String> {
    let of_home =
        [home.and_then(|home| home.title.as_deref()), home.and_then(|home| home.heading.as_deref())];
    let mut folders: Map<&str, Vec<&str>> = Map::default();
    for page in pages {
        let Some(title) = page.page.title.as_deref() else { continue };
        let heading = page.page.heading.as_deref().filter(|heading| says(title, heading));
        if let Some(heading) = heading.filter(|&heading| !of_home.contains(&Some(heading))) {
            folders.entry(heading).or_default().push(above(page.url.path().trim_end_matches('/')));
        }
    }
    let is_apart = |own: &Vec<&str>| own.iter().collect::<Set<_>>().len() == own.len();
    // What most pages have is the site's.
    let is_shared = |own: &Vec<&str>| own.len() * 2 > pages.len().max(2 * FRAME);
    let parts = folders.into_iter().filter(|(_, own)| own.len() >= FRAME && is_apart(own) && !is_shared(own));
    parts.map(|(heading, _)| heading.to_owned()).collect()
}

/// Whether a title, or what it says beside the site's part, is a heading, whatever its case.
fn says(title: &str, heading: &str) -> bool {
    let heading = heading.to_lowercase();
    let parts = || behind(title).into_iter().chain(in_front(title)).map(|(own, _)| own);
    [title].into_iter().chain(parts()).any(|own| own.to_lowercase() == heading)
}

/// What most titles share, but for those whose page repeats it in its heading: there it is the page's own, as in
/// `Class: Kiln`. The title of a home page is the name itself, which may have the same marks inside (`Kiln: the manual`): of
/// parts that nearly as many share, the longer one is the name.
fn shared_by_most(pages: &[CrawledPage], split: impl Fn(&str) -> Vec<TitleParts<'_>>) -> Option<String> {
    let shared = pages.iter().map(|fetched| &fetched.page).flat_map(|page| {
        let heading = page.heading.as_deref().unwrap_or_default();
        let parts = page.title.as_deref().map(&split).unwrap_or_default().into_iter();
        parts.filter(|(own, site)| !(heading.contains(own) && heading.contains(site)))
    });
    let mut parts = Map::<&str, Vec<&str>>::default();
    for (own, site) in shared {
        parts.entry(site).or_default().push(own);
    }
    // What stands beside one and the same text everywhere is a part of that.
    let differ = |own: &Vec<&str>| own.iter().collect::<Set<_>>().len() >= MIN_PAGES;
    let counts = parts.into_iter().filter(|(_, own)| differ(own)).map(|(site, own)| (site, own.len()));
    let counts: Vec<(&str, usize)> = counts.collect();
    let most = counts.iter().map(|(_, count)| *count).max().filter(|&most| most * 2 > pages.len())?;
    let shared = counts.into_iter().filter(|(_, count)| count * 10 >= most * 9);
    shared.max_by_key(|(site, count)| (site.len(), *count, *site)).map(|(site, _)| site.to_owned())
}

/// Parts a title before what it ends with in brackets, or before the last of each mark.
fn behind(title: &str) -> Vec<TitleParts<'_>> {
    let in_brackets = |(open, close)| title.strip_suffix(close).and_then(|text: &str| text.rsplit_once(open));
    let inside = [(" (", ')'), (" [", ']')].into_iter().find_map(in_brackets);
    let parts = marks_in(title).filter_map(|mark| title.rsplit_once(mark));
    inside.into_iter().chain(parts).filter(is_telling).collect()
}

/// Parts a title behind the first of each mark.
fn in_front(title: &str) -> Vec<TitleParts<'_>> {
    let parts = marks_in(title).filter_map(|mark| title.split_once(mark));
    parts.map(|(site, own)| (own, site)).filter(is_telling).collect()
}

fn is_telling((own, site): &TitleParts<'_>) -> bool {
    let says_something = [own, site].iter().all(|part| part.contains(char::is_alphanumeric));
    let is_whole = site.matches('(').count() == site.matches(')').count();
    says_something && is_whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::SiteUrl;

    fn page(title: &&str) -> CrawledPage {
        let url = SiteUrl::parse("https://docs.example.org/").unwrap();
        CrawledPage {
            link: url.clone(),
            url,
            page: Page { title: Some((*title).to_owned()), ..Page::default() },
        }
    }

    fn settled(titles: &[&str]) -> Vec<(String, Option<String>)> {
        let mut pages: Vec<_> = titles.iter().map(page).collect();
        settle_titles(None, &mut pages);
        pages.into_iter().map(|page| (page.page.title.unwrap(), page.page.site_name)).collect()
    }

    fn own(titles: &[&str]) -> Vec<String> {
        settled(titles).into_iter().map(|(own, _)| own).collect()
    }

    #[test]
    fn what_stands_beside_one_text_everywhere_is_no_sites() {
        let mut pages = vec![page(&"Kiln: a re-host"); 6];
        settle_titles(None, &mut pages);
        assert!(pages.iter().all(|page| page.page.site_name.is_none()));
    }

    #[test]
    fn a_part_of_the_sites_name_that_no_title_has_is_the_themes() {
        let named = |said: &str, shared: &str| {
            let titles = ["Clay", "Fire", "Ash", "Glaze", "Pots"].map(|own| format!("{own} - {shared}"));
            let mut pages: Vec<_> = titles.iter().map(|title| page(&title.as_str())).collect();
            for page in &mut pages {
                page.page.site_name = Some(said.to_owned());
            }
            settle_titles(None, &mut pages);
            pages.pop().and_then(|page| page.page.site_name).unwrap()
        };
        assert_eq!(named("My blog - Kiln Guild", "Kiln Guild"), "Kiln Guild");
        assert_eq!(named("Guild - Kilns", "Kiln Guild"), "Guild - Kilns");
        assert_eq!(named("Kilns - Documentation", "Documentation"), "Kilns - Documentation");
    }

    #[test]
    fn the_same_part_of_several_chapters_keeps_its_name() {
        let named = |folders: [&str; 3]| {
            let part = |folder: &str| {
                let url = SiteUrl::parse(&format!("https://docs.example.org{folder}exercises/")).unwrap();
                let name = Some("Exercises".to_owned());
                let page = Page { title: name.clone(), heading: name, ..Page::default() };
                CrawledPage { link: url.clone(), url, page }
            };
            let mut pages: Vec<_> = folders.into_iter().map(part).collect();
            settle_titles(None, &mut pages);
            pages.into_iter().map(|page| page.page.heading).collect::<Vec<_>>()
        };
        assert!(named(["/clay/", "/fire/", "/glaze/"]).iter().all(Option::is_some));
        assert!(named(["/clay/", "/clay/", "/glaze/"]).iter().all(Option::is_none));
    }

    #[test]
    fn a_heading_that_the_title_says_in_another_case_is_a_part_of_each_chapter() {
        let part = |folder: &str| {
            let url = SiteUrl::parse(&format!("https://docs.example.org/{folder}/notes/")).unwrap();
            let said = |text: &str| Some(text.to_owned());
            let page = Page { title: said("Notes - Kiln"), heading: said("NOTES"), ..Page::default() };
            CrawledPage { link: url.clone(), url, page }
        };
        let mut pages: Vec<_> = ["clay", "fire", "ash"].map(part).into();
        settle_titles(None, &mut pages);
        assert!(pages.iter().all(|page| page.page.heading.is_some()));
    }

    #[test]
    fn common_title_part_is_the_site_name() {
        let titles =
            ["A (Kiln 4)", "B (C) (Kiln 4)", "Kiln (Kiln 4)", "D: E (Kiln 4)", "F (Kiln 4)", "About us"];
        assert_eq!(own(&titles), ["A", "B (C)", "Kiln", "D: E", "F", "About us"]);
        assert_eq!(settled(&titles)[0].1.as_deref(), Some("Kiln 4"));
        let titles = ["Kiln: A", "Kiln: A: B", "Kiln: C - D", "Kiln: E", "Kiln: F"];
        assert_eq!(own(&titles), ["A", "A: B", "C - D", "E", "F"]);
        let titles = [
            "A: Kiln 4 Manual",
            "B: C: Kiln 4 Manual",
            "D - E: Kiln 4 Manual",
            "F: Kiln 4 Manual",
            "Kiln 4 Manual",
        ];
        assert_eq!(own(&titles[..4]), titles[..4]);
        let titles = [titles[0], titles[1], titles[2], titles[3], "G: Kiln 4 Manual", titles[4]];
        assert_eq!(own(&titles), ["A", "B: C", "D - E", "F", "G", "Kiln 4 Manual"]);
        let titles = [
            "A - Kiln: the manual",
            "B: C - Kiln: the manual",
            "D - Kiln: the manual",
            "E - Kiln: the manual",
            "F - Kiln: the manual",
            "G - Kiln: the manual",
            "H - Kiln: the manual",
            "I - Kiln: the manual",
            "J - Kiln: the manual",
            "Kiln: the manual",
        ];
        assert_eq!(own(&titles)[..2], ["A", "B: C"]);
        assert_eq!(own(&titles)[9], "Kiln: the manual");
        let titles = [
            "a - Kiln Server",
            "b-c - Kiln Server",
            "d - e - Kiln Server",
            "f - Kiln Server",
            "g - Kiln Server",
        ];
        assert_eq!(own(&titles), ["a", "b-c", "d - e", "f", "g"]);
        let titles = ["a [Kiln]", "b [c] [Kiln]", "d [Kiln]", "e [Kiln]", "f [Kiln]"];
        assert_eq!(own(&titles), ["a", "b [c]", "d", "e", "f"]);
    }

    #[test]
    fn a_title_that_pages_without_a_heading_share_is_none_of_theirs() {
        let settled = |shared: usize, others: usize| {
            let titles =
                (0..shared).map(|_| "Kiln".to_owned()).chain((0..others).map(|n| format!("Pot {n}")));
            let mut pages: Vec<_> = titles.map(|title| page(&title.as_str())).collect();
            pages[0].page.heading = Some("Firing".to_owned());
            settle_titles(None, &mut pages);
            pages.into_iter().map(|page| page.page.title).collect::<Vec<_>>()
        };
        let titles = settled(5, 10);
        assert_eq!((titles[0].as_deref(), &titles[1..5]), (Some("Kiln"), &[const { None }; 4][..]));
        assert!(titles[5..].iter().chain(&settled(4, 10)).chain(&settled(5, 30)).all(Option::is_some));
    }

    #[test]
    fn what_the_home_page_begins_with_is_no_part_of_a_few_titles() {
        let home = Page { title: Some("Kiln \u{2665} pots".to_owned()), ..Page::default() };
        let own = |titles: &[&str]| {
            let mut pages: Vec<_> = titles.iter().map(page).collect();
            settle_titles(Some(&home), &mut pages);
            pages.into_iter().filter_map(|page| page.page.title).collect::<Vec<_>>()
        };
        let many = ["A", "B", "C", "D", "E", "F | Kilns"];
        let few = ["Wood | Kiln", "Kiln: coal", "Gas - Kiln", "Kiln \u{2665} pots"];
        assert_eq!(own(&[&many[..], &few].concat())[6..], ["Wood", "coal", "Gas", few[3]]);
        assert_eq!(own(&[&many[..], &few[..2]].concat())[6..], few[..2]);
    }

    #[test]
    fn scripts_without_spaces_part_titles_by_the_mark_alone() {
        let titles = ["火_窑炉", "木柴_窑炉", "门-釉_窑炉", "灰_窑炉", "烟囱_窑炉"];
        assert_eq!(own(&titles), ["火", "木柴", "门-釉", "灰", "烟囱"]);
        assert_eq!(settled(&titles)[0].1.as_deref(), Some("窑炉"));
        let parts = titles.map(|title| format!("{title}-指南"));
        let named = settled(&parts.each_ref().map(String::as_str));
        assert_eq!(named[0].0, "火");
        let words = ["x-ray", "wood-ray", "sting-ray", "sun-ray", "moon-ray"];
        assert_eq!(own(&words), words);
    }

    #[test]
    fn a_name_that_the_page_gives_the_site_is_no_part_of_its_title() {
        let titles = ["Firing | Kiln", "Kiln: Glazes", "Wood - Kilns", "Kiln 4 | Kiln", "Class: Kiln"];
        let mut pages: Vec<_> = titles.iter().map(page).collect();
        pages[3].page.heading = Some("Kiln 4".to_owned());
        pages[4].page.heading = Some("Class: Kiln".to_owned());
        for page in &mut pages {
            page.page.site_name = Some("Kiln".to_owned());
        }
        settle_titles(None, &mut pages);
        let own: Vec<_> = pages.iter().filter_map(|page| page.page.title.as_deref()).collect();
        assert_eq!(own, ["Firing", "Glazes", "Wood - Kilns", "Kiln 4", "Class: Kiln"]);
    }

    #[test]
    fn rare_title_part_is_kept() {
        let titles = ["A - Linux", "B - Linux", "C - Linux", "A - macOS", "B - macOS", "C - macOS"];
        assert_eq!(own(&titles), titles);
        let kinds = ["Class: A", "Class: B", "Class: C", "Class: D", "Class: E"];
        assert_eq!(own(&kinds), ["A", "B", "C", "D", "E"]);
        let mut headed: Vec<_> = kinds.iter().map(page).collect();
        for page in &mut headed {
            page.page.heading.clone_from(&page.page.title);
        }
        settle_titles(None, &mut headed);
        assert!(headed.iter().zip(kinds).all(|(page, title)| page.page.title.as_deref() == Some(title)));
        let inside = ["A (x - Kiln)", "B (y - Kiln)", "C (z - Kiln)", "D (v - Kiln)", "E (w - Kiln)"];
        assert_eq!(own(&inside), inside);
        let few = ["A - Kiln", "B - Kiln", "C - Kiln"];
        assert_eq!(own(&few), few);
    }
}
