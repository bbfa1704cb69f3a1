mod posts;
mod sites;

use proptest::prelude::*;

use super::*;
use crate::maps::Set;
use crate::page::{Crumb, LinkList, LinkPlace, PageLink};

fn url(path: &str) -> SiteUrl {
    SiteUrl::parse(&format!("https://example.com{path}")).unwrap()
}

/// Path, text, place and label of a link.
type Listed<'a> = (String, String, LinkPlace, Option<&'a str>);

fn link<'a>(path: &str, text: &str, place: LinkPlace, group: Option<&'a str>) -> Listed<'a> {
    (path.to_owned(), text.to_owned(), place, group)
}

fn fetched(path: &str, title: &str, links: Vec<Listed<'_>>) -> CrawledPage {
    let mut page = Page { title: Some(title.to_owned()), ..Page::default() };
    for (path, text, place, group) in links {
        let same = |list: &LinkList| list.label.as_deref() == group && list.place == place;
        let at = page.lists.iter().position(same).unwrap_or_else(|| {
            let first = u32::try_from(page.links.len()).unwrap();
            page.lists.push(LinkList {
                label: group.map(Into::into),
                entry: None,
                outer: None,
                place,
                bar: false,
                first,
            });
            page.lists.len() - 1
        });
        let list = u32::try_from(at).ok();
        page.links.push(PageLink { url: url(&path), text, place, list, turns: false, nofollow: false });
    }
    CrawledPage { url: url(path), link: url(path), page }
}

fn outlined(pages: &[CrawledPage]) -> Outline {
    let mut structure = Structure::new(&url("/"), 10_000);
    for page in pages {
        structure.read(&page.url, &page.page);
    }
    outline(pages.first().map(|p| &p.page), &structure, pages)
}

fn shape(outline: &Outline, pages: &[CrawledPage]) -> Vec<(String, Vec<String>)> {
    let path = |&at: &usize| pages[at].url.path().to_owned();
    outline.sections.iter().map(|s| (s.name.clone(), s.pages.iter().map(path).collect())).collect()
}

fn names(outline: &Outline) -> Vec<&str> {
    outline.sections.iter().map(|s| s.name.as_str()).collect()
}

#[test]
fn headings_over_lists_of_the_home_page_name_the_sections() {
    let mut links = Vec::new();
    let mut pages = Vec::new();
    for (group, folder) in [("The model layer", "m"), ("The view layer", "v"), ("Forms", "f")] {
        for n in 0..4 {
            let path = format!("/{folder}{n}.html");
            links.push(link(&path, &format!("{group} {n}"), LinkPlace::Content, Some(group)));
            pages.push(fetched(&path, &format!("{group} {n}"), Vec::new()));
        }
    }
    pages.insert(0, fetched("/", "Site", links));
    let outline = outlined(&pages);
    assert_eq!(names(&outline), ["The model layer", "The view layer", "Forms"]);
    assert_eq!(shape(&outline, &pages)[0].1[..2], ["/", "/m0.html"]);
}

#[test]
fn without_navigation_the_folders_name_the_sections() {
    let paths = [
        "/docs/guides/a",
        "/docs/guides/b",
        "/docs/api-reference/c",
        "/docs/api-reference/d",
        "/docs/x/e",
        "/docs/x/f",
    ];
    let pages: Vec<_> = paths.iter().map(|p| fetched(p, p, Vec::new())).collect();
    let outline = outlined(&pages);
    assert_eq!(names(&outline), ["Api reference", "Guides", "X"]);
}

#[test]
fn news_and_legal_pages_are_optional_and_last() {
    let pages = [
        fetched("/", "Acme", Vec::new()),
        fetched("/blog/a", "A", Vec::new()),
        fetched("/privacy", "Privacy", Vec::new()),
        fetched("/docs/a", "A", Vec::new()),
        fetched("/docs/b", "B", Vec::new()),
        fetched("/docs/changelog", "Changes", Vec::new()),
    ];
    let outline = outlined(&pages);
    let last = outline.sections.last().unwrap();
    assert!(
        last.optional && last.name == "Optional" && last.pages.len() == 3,
        "{:?}",
        shape(&outline, &pages)
    );
}

#[test]
fn what_a_menu_of_the_home_page_shows_is_not_skipped() {
    let menu = ["/clay", "/contact"].map(|path| link(path, path, LinkPlace::Navigation, Some("Guild")));
    let mut pages = vec![fetched("/", "Kilns", menu.to_vec())];
    pages.extend(
        ["/clay", "/contact", "/privacy", "/a", "/b", "/c", "/d", "/e"]
            .map(|path| fetched(path, path, Vec::new())),
    );
    let sections = shape(&outlined(&pages), &pages);
    assert_eq!(sections.last(), Some(&(OPTIONAL.to_owned(), vec!["/privacy".to_owned()])), "{sections:?}");
    // Nor does it make a site of what is a blog.
    let posts = (0..9).map(|n| fetched(&format!("/blog/{n}"), "T", Vec::new()));
    let pages: Vec<_> = pages.into_iter().take(3).chain(posts).collect();
    assert!(outlined(&pages).sections.iter().all(|section| !section.optional));
}

#[test]
fn links_to_a_page_count_where_its_section_has_the_order_of_the_alphabet() {
    let cited = |paths: &[&str]| {
        let all =
            paths.iter().map(|path| link(path, path, LinkPlace::Navigation, Some("Commands"))).collect();
        let mut pages = vec![fetched("/", "Kilns", all)];
        pages.extend(
            paths.iter().map(|path| fetched(path, path, vec![link(paths[5], "F", LinkPlace::Content, None)])),
        );
        let outline = outlined(&pages);
        pages
            .iter()
            .position(|page| page.url.path() == paths[5])
            .and_then(|at| outline.cited.get(&at).copied())
    };
    let mut paths = ["/c/a", "/c/b", "/c/c", "/c/d", "/c/e", "/c/f", "/c/g", "/c/h", "/c/i", "/c/j"];
    assert_eq!(cited(&paths), Some(9));
    paths.reverse();
    assert_eq!(cited(&paths), None);
    let chapters = (1..=12).map(|n| format!("/book/ch{n:02}")).collect::<Vec<_>>();
    assert_eq!(cited(&chapters.iter().map(String::as_str).collect::<Vec<_>>()), None, "numbers are an order");
}

#[test]
fn a_huge_section_is_split_as_its_index_is() {
    let mut home = vec![link("/manual", "Manual", LinkPlace::Content, Some("Docs"))];
    home.push(link("/tour", "Tour", LinkPlace::Content, Some("Docs")));
    let mut list = Vec::new();
    let mut pages = Vec::new();
    for group in ["Commands", "Variables", "Policies"] {
        for n in 0..20 {
            let path = format!("/manual/{}-{n}", group.to_lowercase());
            list.push(link(&path, &format!("{group} {n}"), LinkPlace::Content, Some(group)));
            pages.push(fetched(&path, &path, Vec::new()));
        }
    }
    pages.insert(0, fetched("/", "Tool", home));
    pages.insert(1, fetched("/manual", "Manual", list));
    pages.insert(2, fetched("/tour", "Tour", Vec::new()));
    let outline = outlined(&pages);
    for name in ["Commands", "Variables", "Policies"] {
        assert!(names(&outline).contains(&name), "{:?}", names(&outline));
    }
}

#[test]
fn the_site_name_is_what_the_pages_agree_on() {
    let mut pages: Vec<_> = (0..3).map(|n| fetched(&format!("/{n}"), "T", Vec::new())).collect();
    for page in &mut pages {
        page.page.site_name = Some("Acme Docs".to_owned());
    }
    assert_eq!(outlined(&pages).site_name, "Acme Docs");
}

#[test]
fn a_site_of_several_books_has_the_name_of_none() {
    let mut pages: Vec<_> = (0..90).map(|n| fetched(&format!("/{n}"), "T", Vec::new())).collect();
    pages.insert(0, fetched("/", "Kiln Documentation", Vec::new()));
    for (n, page) in pages.iter_mut().skip(1).enumerate() {
        page.page.site_name = Some(["The Clay Book", "The Fire Book", "The Glaze Book"][n % 3].to_owned());
    }
    assert_eq!(outlined(&pages).site_name, "Kiln Documentation");
}

proptest! {
    #[test]
    fn every_page_is_in_exactly_one_section_of_a_unique_name(
        shapes in proptest::collection::vec(("[a-d]{1,2}(/[a-c]{1,2}){0,3}/?", "[A-C ]{0,3}", 0u8..4, 0usize..30), 0..60),
    ) {
        let paths: std::collections::BTreeSet<String> = shapes.iter().map(|s| format!("/{}", s.0)).collect();
        let all: Vec<String> = paths.into_iter().collect();
        let mut pages: Vec<CrawledPage> = vec![fetched("/", "Home", Vec::new())];
        for path in &all {
            pages.push(fetched(path, path, Vec::new()));
        }
        let count = pages.len();
        for (n, (_, group, depth, to)) in shapes.iter().enumerate() {
            let Some(target) = all.get(*to) else { continue };
            let place = if n % 2 == 0 { LinkPlace::Content } else { LinkPlace::Navigation };
            let mut page = fetched("/x", "T", vec![link(target, group, place, Some(group))]).page;
            let known = &mut pages[n % count].page;
            let outer = u32::try_from(known.lists.len()).unwrap();
            page.lists[0].outer = (*depth > 1 && outer > 0).then(|| outer - 1);
            page.links[0].list = (*depth > 0).then_some(outer);
            known.lists.append(&mut page.lists);
            known.links.append(&mut page.links);
        }
        let outline = outlined(&pages);
        let mut seen: Vec<usize> = outline.sections.iter().flat_map(|s| s.pages.clone()).collect();
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..count).collect::<Vec<_>>());
        let mut unique: Vec<String> = outline.sections.iter().map(|s| s.name.to_lowercase()).collect();
        unique.sort();
        unique.dedup();
        prop_assert_eq!(unique.len(), outline.sections.len());
        prop_assert!(outline.sections.iter().all(|s| !s.pages.is_empty()));
        prop_assert!(outline.sections.len() <= 62);
    }
}

#[test]
fn pages_named_after_a_page_of_the_menu_stand_with_it() {
    let menu = |path, text| link(path, text, LinkPlace::Navigation, None);
    let links =
        vec![menu("/papers.html", "Papers"), menu("/talks.html", "Talks"), menu("/help.html", "Help")];
    let mut pages = vec![fetched("/", "Site", links)];
    pages.extend(
        [("/papers.html", "Papers"), ("/talks.html", "Talks"), ("/help.html", "Help")]
            .map(|(path, title)| fetched(path, title, Vec::new())),
    );
    pages.extend((0..10).map(|n| fetched(&format!("/paper_{n}.html"), &format!("On kiln {n}"), Vec::new())));
    pages.extend((0..4).map(|n| fetched(&format!("/talk_{n}.html"), &format!("Of kiln {n}"), Vec::new())));
    let outline = outlined(&pages);
    let papers = outline.sections.iter().find(|section| section.name == "Papers").unwrap();
    assert_eq!(papers.pages.first().map(|&at| pages[at].url.path()), Some("/papers.html"));
    assert_eq!(papers.pages.len(), 11);
    assert!(outline.sections.iter().all(|section| section.name != "Talks"));
}

#[test]
fn a_step_that_spells_its_address_has_the_name_that_the_menu_gives_it() {
    let menu = |path, text| link(path, text, LinkPlace::Navigation, None);
    let links = vec![
        menu("/kiln/", "Fire"),
        menu("/glaze/", "Overview"),
        menu("/clay/", "Overview"),
        menu("/a", "A"),
        menu("/b", "B"),
    ];
    let below = |path: &str, step: &str| {
        let mut page = fetched(path, &format!("On {path}"), Vec::new());
        let (folder, _) = path.rsplit_once('/').unwrap();
        page.page.crumbs = vec![Crumb { text: step.to_owned(), url: Some(url(&format!("{folder}/"))) }];
        page
    };
    let mut pages = vec![fetched("/", "Site", links)];
    let leads = ["/kiln/", "/glaze/", "/clay/", "/a", "/b"];
    pages.extend(leads.map(|path| fetched(path, &format!("All of {path}"), Vec::new())));
    for (step, folder) in [("KILN", "kiln"), ("GLAZE", "glaze"), ("Clays", "clay")] {
        pages.extend((0..4).map(|n| below(&format!("/{folder}/{n}"), step)));
    }
    let outline = outlined(&pages);
    assert_eq!(names(&outline)[..3], ["Fire", "GLAZE", "Clays"]);
}

#[test]
fn what_stands_beside_hardly_any_group_is_the_sites_own() {
    let named = |loose: usize| {
        let own = |n: usize| (format!("/p{n}.html"), format!("Page {n}"));
        let group = ["/wood/", "/wood/oak.html", "/wood/ash.html", "/wood/elm.html"];
        let links = group.iter().map(|path| link(path, path, LinkPlace::Content, None));
        let rest = (0..loose).map(own).map(|(path, title)| link(&path, &title, LinkPlace::Content, None));
        let mut pages = vec![fetched("/", "Kiln", links.chain(rest).collect())];
        pages.extend(group.map(|path| fetched(path, path, Vec::new())));
        pages.extend((0..loose).map(own).map(|(path, title)| fetched(&path, &title, Vec::new())));
        names(&outlined(&pages)).last().map(|name| (*name).to_owned())
    };
    assert_eq!(named(6).as_deref(), Some("Overview"));
    assert_eq!(named(8).as_deref(), Some("Kiln"));
}

#[test]
fn what_menus_call_several_pages_names_none_of_their_groups() {
    let menu = |path, text| link(path, text, LinkPlace::Navigation, None);
    let parts = [("/kiln/", "Kilns"), ("/glaze/", "Glazes"), ("/clay/", "Clays")];
    let of = |label: &dyn Fn(&'static str) -> &'static str| {
        let links = parts.iter().map(|&(path, title)| menu(path, label(title))).collect();
        let mut pages = vec![fetched("/", "Site", links)];
        pages.extend(parts.map(|(path, title)| fetched(path, title, Vec::new())));
        for (path, _) in parts {
            let below = |n| fetched(&format!("{path}{n}"), &format!("On {path}{n}"), Vec::new());
            pages.extend((0..4).map(below));
        }
        let outline = outlined(&pages);
        names(&outline).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of(&|_| "Previous")[..3], ["Kilns", "Glazes", "Clays"]);
    let two = |title| if title == "Clays" { "Earth" } else { "Fire" };
    assert!(of(&two).contains(&"Earth".to_owned()) && of(&two).contains(&"Fire".to_owned()));
    let next = |title| if title == "Clays" { "All" } else { "Next glazes" };
    assert!(of(&next).contains(&"Glazes".to_owned()));
}
