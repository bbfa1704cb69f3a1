mod addresses;
mod languages;
mod lists;
mod traps;

use proptest::prelude::*;

use super::*;
use crate::page::{LinkList, PageLink};

fn url(path: &str) -> SiteUrl {
    SiteUrl::parse(&format!("https://example.com{path}")).unwrap()
}

fn link(path: &str, place: LinkPlace) -> PageLink {
    PageLink { url: url(path), text: path.to_owned(), place, list: None, turns: false, nofollow: false }
}

fn page(links: Vec<PageLink>) -> Page {
    Page { language: Some("en".to_owned()), links, ..Page::default() }
}

fn frontier(max_pages: usize) -> Frontier {
    let seed = url("/");
    Frontier::new(&seed, Scope::new(&seed), FrontierLimits { max_pages, ..FrontierLimits::default() })
}

/// A frontier whose home page has these links in its text.
fn after_home(max_pages: usize, paths: &[&str]) -> Frontier {
    let mut frontier = frontier(max_pages);
    assert_eq!(frontier.next(), Some(url("/")));
    frontier.offer_page(&url("/"), &page(paths.iter().map(|p| link(p, LinkPlace::Content)).collect()));
    frontier.settle(&url("/"), Outcome::Kept);
    frontier
}

fn drain(frontier: &mut Frontier) -> Vec<String> {
    let mut order = Vec::new();
    while let Some(next) = frontier.next() {
        order.push(next.path().to_owned());
        frontier.settle(&next, Outcome::Kept);
    }
    order
}

#[test]
fn home_page_is_fetched_first() {
    let mut frontier = frontier(10);
    frontier.offer_sitemap(0, &[sitemap::Entry { url: url("/docs/a"), alternates: Vec::new() }]);
    assert_eq!(frontier.next(), Some(url("/")));
    assert_eq!(frontier.next(), None);
    assert!(!frontier.is_finished());
    frontier.settle(&url("/"), Outcome::Failed("time-out".to_owned()));
    assert_eq!(frontier.next(), Some(url("/docs/a")));
}

#[test]
fn a_page_in_a_frame_is_a_menu_of_the_page_that_shows_it() {
    let mut frontier = frontier(10);
    frontier.next();
    let home = Page { frames: vec![url("/toc.html")], ..page(vec![link("/late", LinkPlace::Content)]) };
    frontier.offer_page(&url("/"), &home);
    frontier.settle(&url("/"), Outcome::Kept);
    assert_eq!(frontier.next(), Some(url("/toc.html")));
    frontier.offer_page(&url("/toc.html"), &page(vec![link("/first", LinkPlace::Content)]));
    frontier.settle(&url("/toc.html"), Outcome::LeftOut(LeftOut::NoIndex));
    assert_eq!(drain(&mut frontier), ["/first", "/late"]);
    assert!(frontier.into_structure().is_on_home(&url("/first")));
}

#[test]
fn what_a_frame_shows_is_a_page_where_it_has_a_text_and_a_menu_where_it_has_none() {
    let links = || ["/a", "/b", "/c"].map(|path| link(path, LinkPlace::Content)).into();
    for (text, judged) in
        [("Kilns. ".repeat(99), None), (String::new(), Some(Outcome::LeftOut(LeftOut::Index)))]
    {
        let mut frontier = frontier(10);
        frontier.next();
        frontier.offer_page(&url("/"), &Page { frames: vec![url("/part")], ..page(Vec::new()) });
        let part = Page { markdown: text, ..page(links()) };
        frontier.offer_page(&url("/part"), &part);
        assert_eq!(frontier.judge(&url("/part"), &part), judged);
    }
}

/// A frontier that has read its home page, which links to these pages, and the pages that list others.
fn after_hubs(max_pages: usize, home: &[&str], hubs: &[(&str, Vec<String>)]) -> Frontier {
    let mut frontier = after_home(max_pages, home);
    for _ in home {
        let hub = frontier.next().unwrap();
        let listed = hubs.iter().find(|(path, _)| *path == hub.path()).map(|(_, listed)| listed);
        let links =
            listed.into_iter().flatten().map(|p| PageLink { list: Some(0), ..link(p, LinkPlace::Content) });
        frontier.offer_page(&hub, &page(links.collect()));
        frontier.settle(&hub, Outcome::Kept);
    }
    frontier
}

fn chapters(folder: &str, count: usize) -> Vec<String> {
    ('a'..='z').take(count).map(|name| format!("{folder}{name}.html")).collect()
}

#[test]
fn a_small_section_is_had_to_its_end_beside_a_large_one() {
    let (tutorial, library) = (chapters("/tutorial/", 12), chapters("/library/", 26));
    let hubs = [("/library/", library), ("/tutorial/", tutorial.clone())];
    let mut frontier = after_hubs(3 + 24, &["/library/", "/tutorial/"], &hubs);
    let order = drain(&mut frontier);
    assert_eq!(order.len(), 24);
    // In the order of the site, and no section before the other has as much.
    let own: Vec<_> = order.iter().filter(|path| path.starts_with("/tutorial/")).cloned().collect();
    assert_eq!(own, tutorial);
}

#[test]
fn the_page_of_a_folder_comes_before_what_lies_in_it() {
    let mut frontier = frontier(5);
    let paths = ["/guide/b", "/guide/a", "/api/x", "/api/y", "/z", "/api.html", "/guide/"];
    let entry = |path: &&str| sitemap::Entry { url: url(path), alternates: Vec::new() };
    frontier.offer_sitemap(0, &paths.iter().map(entry).collect::<Vec<_>>());
    assert_eq!(drain(&mut frontier), ["/", "/z", "/guide/", "/guide/b", "/api.html"]);
}

#[test]
fn pages_over_a_folders_share_wait() {
    let sitemap = |paths: Vec<String>| {
        paths.into_iter().map(|path| sitemap::Entry { url: url(&path), alternates: Vec::new() })
    };
    let mut frontier = frontier(19);
    frontier.offer_sitemap(
        0,
        &sitemap(chapters("/posts/", 26)).chain(sitemap(chapters("/guide/x/", 26))).collect::<Vec<_>>(),
    );
    let menu = chapters("/posts/", 26).iter().map(|path| link(path, LinkPlace::Navigation)).collect();
    assert_eq!(frontier.next(), Some(url("/")));
    frontier.settle(&url("/"), Outcome::Kept);
    frontier.offer_page(&url("/posts/a.html"), &page(menu));
    let order = drain(&mut frontier);
    // Two for one, since a menu names them, up to a third of the pages; then the others'.
    let posts = |count: usize| order[..count].iter().filter(|path| path.starts_with("/posts/")).count();
    assert_eq!((posts(9), posts(14)), (6, 7), "{order:?}");
}

#[test]
fn a_menu_comes_before_the_text() {
    let mut frontier = frontier(10);
    frontier.next();
    let links = vec![
        link("/x", LinkPlace::Margin),
        link("/y", LinkPlace::Content),
        link("/z", LinkPlace::Navigation),
    ];
    frontier.offer_page(&url("/"), &page(links));
    frontier.settle(&url("/"), Outcome::Kept);
    assert_eq!(drain(&mut frontier), ["/z", "/y", "/x"]);
}

#[test]
fn the_budget_counts_kept_pages_and_pages_in_flight() {
    let mut frontier = after_home(2, &["/a", "/b", "/c"]);
    let first = frontier.next().unwrap();
    assert_eq!(frontier.next(), None);
    frontier.settle(&first, Outcome::Duplicate(url("/")));
    let second = frontier.next().unwrap();
    frontier.settle(&second, Outcome::Kept);
    assert_eq!(frontier.next(), None);
    assert!(frontier.is_finished());
    assert_eq!((frontier.counts().kept, frontier.counts().duplicates, frontier.counts().queued), (2, 1, 1));
}

#[test]
fn failed_pages_free_their_budget() {
    let mut frontier = after_home(3, &["/a", "/b", "/c", "/d"]);
    frontier.next();
    frontier.settle(&url("/a"), Outcome::Kept);
    frontier.next();
    frontier.settle(&url("/b"), Outcome::Duplicate(url("/a")));
    frontier.next();
    frontier.settle(&url("/c"), Outcome::Kept);
    assert_eq!(frontier.next(), None);
    frontier.take_back(&url("/a"), &[url("/b")]);
    frontier.take_back(&url("/a"), &[]);
    let counts = frontier.counts();
    assert_eq!((counts.kept, counts.duplicates, counts.failures()), (2, 0, 2));
    assert_eq!(counts.failed.get(NOT_FOUND), Some(&2));
    assert_eq!(frontier.next(), Some(url("/d")));
}

#[test]
fn left_out_addresses_are_counted_by_reason() {
    let frontier = after_home(10, &["/login", "/tag/a", "/tag/b", "/logo.png", "/a"]);
    let counts = frontier.counts();
    assert_eq!(counts.left_out.get(&LeftOut::Tag), Some(&2));
    assert_eq!(counts.left_out.get(&LeftOut::Account), Some(&1));
    assert_eq!(counts.left_out.get(&LeftOut::File), Some(&1));
    assert_eq!(counts.queued, 1);
}

#[test]
fn other_versions_are_left_out_even_when_the_newest_is_met_last() {
    let mut frontier = after_home(10, &["/docs/1.0/a", "/docs/2.0/a"]);
    assert_eq!(drain(&mut frontier), ["/docs/2.0/a"]);
    assert_eq!(frontier.counts().left_out.get(&LeftOut::Version), Some(&1));
}

#[test]
fn the_version_that_the_footer_of_the_home_page_leads_to_counts() {
    let mut frontier = frontier(10);
    frontier.next();
    let links = [("/docs/main/a", LinkPlace::Margin), ("/docs/1.0/a", LinkPlace::Content)];
    frontier.offer_page(&url("/"), &page(links.map(|(path, place)| link(path, place)).to_vec()));
    frontier.settle(&url("/"), Outcome::Kept);
    assert_eq!(drain(&mut frontier), ["/docs/main/a"]);
}

#[test]
fn addresses_beyond_memory_are_counted() {
    let seed = url("/");
    let limits = FrontierLimits { max_known: 3, ..FrontierLimits::default() };
    let mut frontier = Frontier::new(&seed, Scope::new(&seed), limits);
    frontier.next();
    let links = ["/a", "/b", "/c", "/d"].map(|p| link(p, LinkPlace::Content)).to_vec();
    frontier.offer_page(&seed, &page(links));
    assert_eq!(frontier.counts().left_out.get(&LeftOut::Overflow), Some(&2));
}

#[test]
fn pages_over_budget_are_told_from_left_out_ones() {
    let mut frontier = after_home(2, &["/docs/1.0/a", "/docs/2.0/a", "/docs/2.0/b"]);
    assert_eq!(drain(&mut frontier).len(), 1);
    frontier.sweep();
    let counts = frontier.counts();
    assert_eq!((counts.queued, counts.left_out.get(&LeftOut::Version)), (1, Some(&1)));
}

#[test]
fn a_kept_page_of_an_outdone_version_no_longer_belongs() {
    let mut frontier = after_home(10, &["/docs/1.0/a"]);
    assert_eq!(drain(&mut frontier), ["/docs/1.0/a"]);
    frontier.offer_page(&url("/docs/1.0/a"), &page(vec![link("/docs/2.0/a", LinkPlace::Navigation)]));
    assert_eq!(frontier.refused_since(&url("/docs/1.0/a")), Some(LeftOut::Version));
    assert_eq!(frontier.refused_since(&url("/")), None);
}

#[test]
fn a_site_of_failures_ends_by_itself() {
    let paths: Vec<String> = (0..60).map(|i| format!("/p{i}")).collect();
    let mut frontier = after_home(10, &paths.iter().map(String::as_str).collect::<Vec<_>>());
    frontier.limits.spare_fetches = 5;
    let mut fetches = 1;
    while let Some(next) = frontier.next() {
        fetches += 1;
        frontier.settle(&next, Outcome::Failed("server error".to_owned()));
    }
    assert_eq!(fetches, 3 * 10 + 5);
    assert!(frontier.is_finished());
    assert_eq!(frontier.counts().queued, 26);
}

#[test]
fn links_into_a_missing_folder_are_left_out_after_a_few() {
    let paths: Vec<String> = (0..30).map(|i| format!("/usr/share/doc/{i}.html")).collect();
    let mut frontier = after_home(100, &paths.iter().map(String::as_str).collect::<Vec<_>>());
    while let Some(next) = frontier.next() {
        frontier.settle(&next, Outcome::Failed(NOT_FOUND.to_owned()));
    }
    let counts = frontier.counts();
    assert_eq!((counts.failures(), counts.left_out.get(&LeftOut::MissingFolder)), (8, Some(&22)));
}

#[test]
fn a_sitemap_gives_every_folder_its_turn() {
    let mut frontier = frontier(10);
    let entry = |path: String| sitemap::Entry { url: url(&path), alternates: Vec::new() };
    let all = ["a", "b", "c"].map(|folder| (0..9).map(move |n| entry(format!("/{folder}/{n}"))));
    frontier.offer_sitemap(0, &all.into_iter().flatten().collect::<Vec<_>>());
    let order = drain(&mut frontier);
    for folder in ["/a/", "/b/", "/c/"] {
        assert_eq!(order.iter().filter(|path| path.starts_with(folder)).count(), 3, "{order:?}");
    }
}

proptest! {
    #[test]
    fn every_crawl_ends_within_its_caps(
        web in proptest::collection::vec(proptest::collection::vec((0u8..60, 0u8..3, 0u8..4), 0..12), 60),
        budget in 1usize..20,
        max_known in 1usize..50,
    ) {
        let seed = url("/");
        let limits = FrontierLimits { max_pages: budget, max_known, ..FrontierLimits::default() };
        let mut frontier = Frontier::new(&seed, Scope::new(&seed), limits);
        let mut handed = std::collections::HashSet::new();
        let mut flying = Vec::new();
        loop {
            let next = frontier.next();
            if let Some(next) = next {
                prop_assert!(handed.insert(next.key()), "{next} twice");
                flying.push(next);
            } else if flying.is_empty() {
                break;
            }
            let counts = frontier.counts();
            prop_assert!(counts.kept + counts.in_flight <= budget);
            prop_assert!(counts.discovered <= max_known.max(1));
            prop_assert_eq!(counts.in_flight, flying.len());
            if flying.len() == 4 || frontier.counts().queued == 0 || counts.kept + flying.len() == budget
                || counts.discovered == 1
            {
                let done = flying.remove(0);
                let number: usize = done.path().trim_start_matches("/n").trim_end_matches("/x").parse().unwrap_or(0);
                let row = web.get(number).cloned().unwrap_or_default();
                let links = row.iter().map(|(to, place, kind)| {
                    let path = if *kind == 3 { format!("/n{to}/x") } else { format!("/n{to}") };
                    link(&path, [LinkPlace::Navigation, LinkPlace::Content, LinkPlace::Margin][usize::from(*place)])
                });
                frontier.offer_page(&done, &page(links.collect()));
                frontier.settle(&done, match number % 4 {
                    0 => Outcome::Failed("500".to_owned()),
                    1 => Outcome::Duplicate(seed.clone()),
                    _ => Outcome::Kept,
                });
            }
        }
        let counts = frontier.counts();
        let settled = counts.kept + counts.duplicates + counts.failures();
        prop_assert_eq!(settled, handed.len());
        prop_assert!(frontier.is_finished());
    }
}

#[test]
fn choice_is_independent_of_arrival_order() {
    let pages = [
        ("/docs/a", vec![link("/docs/x", LinkPlace::Content), link("/docs/y", LinkPlace::Content)]),
        ("/docs/b", vec![link("/docs/z", LinkPlace::Content), link("/docs/x", LinkPlace::Content)]),
        ("/docs/c", vec![link("/docs/y", LinkPlace::Margin), link("/docs/w", LinkPlace::Content)]),
    ];
    let order = |numbers: [usize; 3]| {
        let mut frontier = after_home(20, &["/docs/a", "/docs/b", "/docs/c"]);
        for _ in 0..3 {
            frontier.next().unwrap();
        }
        for number in numbers {
            let (path, links) = &pages[number];
            frontier.offer_page(&url(path), &page(links.clone()));
            frontier.settle(&url(path), Outcome::Kept);
        }
        drain(&mut frontier)
    };
    let first = order([0, 1, 2]);
    assert_eq!(first.len(), 4);
    for numbers in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(order(numbers), first, "{numbers:?}");
    }
}
