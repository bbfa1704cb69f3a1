//! What the titles of a site's pages have in common is the site's name, not theirs: `Install (Kiln 4)`,
//! `Kiln: Install`, `install - Kiln Server`.

use std::collections::HashMap;

use super::Fetched;

/// What separates a page's own title from the site's name on either side of it.
const MARKS: [&str; 8] = [" | ", " -- ", " \u{2014} ", " \u{2013} ", " \u{b7} ", " :: ", " \u{bb} ", " - "];
/// Fewer pages than this may share a word by accident.
const MIN_PAGES: usize = 5;

/// A title in two parts: the page's own, and what may be the site's.
type Parts<'a> = (&'a str, &'a str);

/// Cuts from every title what more than half of them have in front or behind, and takes it for the site's name where a
/// page gives none.
pub fn settle_titles(pages: &mut [Fetched]) {
    for split in [behind as fn(&str) -> Option<Parts<'_>>, in_front] {
        let Some(shared) = shared_by_most(pages, split) else { continue };
        for page in pages.iter_mut().map(|fetched| &mut fetched.page) {
            let own = page.title.as_deref().and_then(split).filter(|(_, site)| *site == shared);
            if let Some(own) = own.map(|(own, _)| own.to_owned()) {
                page.title = Some(own);
                page.site_name.get_or_insert_with(|| shared.clone());
            }
        }
    }
}

fn shared_by_most(pages: &[Fetched], split: impl Fn(&str) -> Option<Parts<'_>>) -> Option<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let titles = pages.iter().filter_map(|fetched| fetched.page.title.as_deref());
    for (_, site) in titles.filter_map(split) {
        *counts.entry(site).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.filter(|(_, count)| *count >= MIN_PAGES && count * 2 > pages.len()).map(|(site, _)| site.to_owned())
}

/// Parts a title before its last part, or before what it ends with in parentheses.
fn behind(title: &str) -> Option<Parts<'_>> {
    let inside = title.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
    // Where the last of the marks stands.
    let part = || MARKS.iter().filter_map(|mark| title.rsplit_once(mark)).min_by_key(|(_, site)| site.len());
    inside.or_else(part).filter(is_telling)
}

/// Parts a title behind its first part.
fn in_front(title: &str) -> Option<Parts<'_>> {
    let marks = MARKS.iter().chain([&": "]);
    let first = marks.filter_map(|mark| title.split_once(mark)).min_by_key(|(site, _)| site.len());
    first.map(|(site, own)| (own, site)).filter(is_telling)
}

fn is_telling((own, site): &Parts<'_>) -> bool {
    [own, site].iter().all(|part| part.contains(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;
    use crate::site::url::SiteUrl;

    fn settled(titles: &[&str]) -> Vec<(String, Option<String>)> {
        let url = SiteUrl::parse("https://docs.example.org/").unwrap();
        let page = |title: &&str| Page { title: Some((*title).to_owned()), ..Page::default() };
        let fetched = |page| Fetched { url: url.clone(), link: url.clone(), page };
        let mut pages: Vec<_> = titles.iter().map(page).map(fetched).collect();
        settle_titles(&mut pages);
        pages.into_iter().map(|page| (page.page.title.unwrap(), page.page.site_name)).collect()
    }

    fn own(titles: &[&str]) -> Vec<String> {
        settled(titles).into_iter().map(|(own, _)| own).collect()
    }

    #[test]
    fn what_most_titles_share_is_the_sites() {
        let titles =
            ["A (Kiln 4)", "B (C) (Kiln 4)", "Kiln (Kiln 4)", "D: E (Kiln 4)", "F (Kiln 4)", "About us"];
        assert_eq!(own(&titles), ["A", "B (C)", "Kiln", "D: E", "F", "About us"]);
        assert_eq!(settled(&titles)[0].1.as_deref(), Some("Kiln 4"));
        let titles = ["Kiln: A", "Kiln: A: B", "Kiln: C - D", "Kiln: E", "Kiln: F"];
        assert_eq!(own(&titles), ["A", "A: B", "C - D", "E", "F"]);
        let titles = [
            "a - Kiln Server",
            "b-c - Kiln Server",
            "d - e - Kiln Server",
            "f - Kiln Server",
            "g - Kiln Server",
        ];
        assert_eq!(own(&titles), ["a", "b-c", "d - e", "f", "g"]);
    }

    #[test]
    fn what_some_share_is_theirs() {
        let titles = ["A - Linux", "B - Linux", "C - Linux", "A - macOS", "B - macOS", "C - macOS"];
        assert_eq!(own(&titles), titles);
        let few = ["A - Kiln", "B - Kiln", "C - Kiln"];
        assert_eq!(own(&few), few);
    }
}
