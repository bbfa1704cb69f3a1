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
fn a_link_to_the_next_page_draws_no_crawl_along() {
    let mut frontier = after_home(10, &["/a"]);
    let first = frontier.next().unwrap();
    let next = PageLink { turns: true, ..link("/b", LinkPlace::Navigation) };
    frontier.offer_page(
        &first,
        &page(vec![next, link("/c", LinkPlace::Content), link("/d", LinkPlace::Navigation)]),
    );
    frontier.settle(&first, Outcome::Kept);
    assert_eq!(drain(&mut frontier), ["/d", "/c", "/b"]);
}

#[test]
fn what_a_list_goes_on_with_is_read_for_its_links_where_no_sitemap_tells_them() {
    let read = |has_sitemap: bool| {
        let mut frontier = frontier(10);
        if has_sitemap {
            let entry = sitemap::Entry { url: url("/blog/a"), alternates: Vec::new() };
            frontier.offer_sitemap(0, &[entry]);
        }
        frontier.next();
        let home = ["/blog/page/2/", "/blog/a"].map(|path| link(path, LinkPlace::Content)).to_vec();
        frontier.offer_page(&url("/"), &page(home));
        frontier.settle(&url("/"), Outcome::Kept);
        let mut order = Vec::new();
        while let Some(next) = frontier.next() {
            let links = if next.path() == "/blog/page/2/" {
                vec![link("/blog/b", LinkPlace::Content)]
            } else {
                Vec::new()
            };
            frontier.offer_page(&next, &page(links));
            let outcome = frontier.judge(&next, &page(Vec::new())).unwrap_or(Outcome::Kept);
            order.push((next.path().to_owned(), outcome == Outcome::Kept));
            frontier.settle(&next, outcome);
        }
        order
    };
    let kept = |path: &str| (path.to_owned(), true);
    assert_eq!(read(false), [kept("/blog/a"), ("/blog/page/2/".to_owned(), false), kept("/blog/b")]);
    assert_eq!(read(true), [kept("/blog/a")]);
}

#[test]
fn what_a_list_goes_on_with_stands_below_the_page_that_it_begins_on() {
    let placed = |first: &str, further: &str| {
        let mut frontier = after_home(10, &[first, further]);
        let posts = |names: [&str; 3]| {
            let list = |name: &&str| PageLink {
                list: Some(0),
                ..link(&format!("{first}{name}"), LinkPlace::Content)
            };
            let (place, first) = (LinkPlace::Content, 0);
            let lists = vec![LinkList { label: None, entry: None, outer: None, place, bar: false, first }];
            Page { lists, ..page(names.iter().map(list).collect()) }
        };
        let pages = [(first, posts(["a", "b", "c"])), (further, posts(["d", "e", "f"]))];
        while let Some(next) = frontier.next() {
            let read = pages.iter().find(|(at, _)| next == url(at)).map(|(_, page)| page.clone());
            let read = read.unwrap_or_else(|| page(Vec::new()));
            frontier.offer_page(&next, &read);
            let outcome = frontier.judge(&next, &read).unwrap_or(Outcome::Kept);
            frontier.settle(&next, outcome);
        }
        let structure = frontier.into_structure();
        let post = structure.addresses().find(&url(&format!("{first}e"))).unwrap();
        let above = structure.trail(post).into_iter().filter_map(|step| step.entry).next_back();
        above.and_then(|page| structure.addresses().url(page)).map(|page| page.path().to_owned())
    };
    for further in ["/news/page/2/", "/news/2/", "/news/?page=2"] {
        assert_eq!(placed("/news/", further).as_deref(), Some("/news/"), "{further}");
    }
}

#[test]
fn a_number_beside_the_pages_it_lists_is_what_a_list_goes_on_with() {
    let judged = |path: &str, links: &[&str]| {
        let mut frontier = after_home(10, &[path]);
        let at = frontier.next().unwrap();
        frontier.judge(&at, &page(links.iter().map(|path| link(path, LinkPlace::Content)).collect()))
    };
    let posts = ["/blog/a/", "/blog/b/", "/blog/2026/c/", "/blog/3/"];
    assert_eq!(judged("/blog/2/", &posts), Some(Outcome::LeftOut(LeftOut::Pagination)));
    for (path, links) in [
        ("/blog/2/", &["/blog/a/", "/blog/b/"][..]),
        ("/blog/2/", &["/blog/a/", "/blog/b/", "/blog/c/", "/d/", "/e/", "/f/"]),
        ("/book/2/", &["/book/1/", "/book/3/", "/book/4/"]),
        ("/docs/2/", &["/docs/2/a", "/docs/2/b", "/docs/2/c"]),
        ("/blog/202/", &posts),
    ] {
        assert_eq!(judged(path, links), None, "{path}");
    }
}

#[test]
fn a_list_of_all_pages_leads_to_them_and_places_none() {
    let mut frontier = after_home(10, &["/sitemap/"]);
    let map = page(vec![link("/a", LinkPlace::Content), link("/b", LinkPlace::Content)]);
    let at = frontier.next().unwrap();
    frontier.offer_page(&at, &map);
    assert_eq!([frontier.next(), frontier.next()], [Some(url("/a")), Some(url("/b"))]);
    let structure = frontier.into_structure();
    let page = structure.addresses().find(&url("/a")).unwrap();
    assert!(
        structure.is_linked(page) && structure.trail(page).is_empty() && structure.rank(page, None).is_none()
    );
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
fn declared_translations_are_left_out() {
    let mut frontier = frontier(10);
    frontier.next();
    let mut home = page(vec![link("/de/preise", LinkPlace::Content), link("/prices", LinkPlace::Content)]);
    home.translations = vec![("de".to_owned(), url("/de/")), ("en".to_owned(), url("/"))];
    frontier.offer_page(&url("/"), &home);
    frontier.settle(&url("/"), Outcome::Kept);
    assert_eq!(drain(&mut frontier), ["/prices"]);
    assert_eq!(frontier.counts().left_out.get(&LeftOut::Language), Some(&1));
}

#[test]
fn a_page_to_choose_a_language_on_begins_with_that_of_the_site() {
    let mut frontier = frontier(10);
    frontier.next();
    let choices = [("English", "/en/"), ("\u{7b80}\u{4f53}\u{4e2d}\u{6587}", "/zh-cn/"), ("Deutsch", "/de/")];
    let choices =
        choices.map(|(text, path)| PageLink { text: text.to_owned(), ..link(path, LinkPlace::Content) });
    frontier.offer_page(
        &url("/"),
        &Page {
            markdown: choices.each_ref().map(|link| link.text.as_str()).join(" "),
            ..page(choices.into())
        },
    );
    frontier.settle(&url("/"), Outcome::Kept);
    assert_eq!(drain(&mut frontier), ["/en/"]);
}

#[test]
fn every_language_that_is_left_out_is_told_with_its_home_page() {
    let mut frontier = frontier(10);
    let mut home = page(vec![
        PageLink { text: "Deutsch".to_owned(), ..link("/de/", LinkPlace::Margin) },
        PageLink { text: "preise".to_owned(), ..link("/de/preise", LinkPlace::Content) },
        PageLink { text: "Fran\u{e7}ais".to_owned(), ..link("/fr-fr/start", LinkPlace::Margin) },
        PageLink { text: "Accueil".to_owned(), ..link("/fr-fr/", LinkPlace::Margin) },
        PageLink { text: "\u{1f1ee}\u{1f1f9}".to_owned(), ..link("/it/", LinkPlace::Margin) },
        PageLink { text: "undefined".to_owned(), ..link("/es/", LinkPlace::Margin) },
        PageLink { text: "undefined".to_owned(), ..link("/pl/", LinkPlace::Margin) },
        PageLink { text: "Forno".to_owned(), ..link("/pt/oven", LinkPlace::Content) },
        PageLink { text: "Begin".to_owned(), ..link("/nl/begin", LinkPlace::Content) },
        link("/guide", LinkPlace::Content),
    ]);
    home.translations = ["de", "x-default", "en", "it", "es", "pl"]
        .map(|tag| (tag.to_owned(), url(&format!("/{tag}/"))))
        .to_vec();
    // One that is declared stays, whatever else of its language is linked to, as long as it does not stand above that.
    let declared = [("pt", "/pt/kilns/start"), ("nl", "/nl.html")];
    home.translations.extend(declared.map(|(tag, path)| (tag.to_owned(), url(path))));
    frontier.next();
    frontier.offer_page(&url("/"), &home);
    frontier.settle(&url("/"), Outcome::Kept);
    let told = frontier
        .into_structure()
        .translations()
        .iter()
        .map(|t| format!("{} {}", t.name, t.url.path()))
        .collect::<Vec<_>>();
    assert_eq!(
        told,
        [
            "Deutsch /de/",
            "Italiano /it/",
            "Español /es/",
            "Polski /pl/",
            "Português /pt/kilns/start",
            "Nederlands /nl.html",
            "Accueil /fr-fr/"
        ]
    );
}

#[test]
fn a_redirect_to_a_known_page_is_that_page() {
    let mut frontier = after_home(10, &["/old", "/new"]);
    assert_eq!(frontier.next(), Some(url("/old")));
    assert!(frontier.redirected(&url("/old"), &url("/new")));
    frontier.settle(&url("/new"), Outcome::Kept);
    assert_eq!(frontier.next(), None);
    assert!(frontier.is_finished());
    assert_eq!(frontier.counts().kept, 2);
}

#[test]
fn a_redirect_to_a_fetched_page_is_a_duplicate() {
    let mut frontier = after_home(10, &["/new", "/old"]);
    let kept = frontier.next().unwrap();
    frontier.settle(&kept, Outcome::Kept);
    assert_eq!(frontier.next(), Some(url("/old")));
    assert!(!frontier.redirected(&url("/old"), &url("/new")));
    frontier.settle(&url("/old"), Outcome::Duplicate(kept));
    assert_eq!((frontier.counts().duplicates, frontier.counts().in_flight), (1, 0));
}

#[test]
fn what_the_home_page_links_to_is_the_page_that_it_leads_to_whichever_came_first() {
    for is_first in [true, false] {
        let mut frontier = after_home(10, &["/old"]);
        frontier.offer_sitemap(0, &[sitemap::Entry { url: url("/new"), alternates: Vec::new() }]);
        let [old, new] = [url("/old"), url("/new")];
        assert_eq!([frontier.next(), frontier.next()], [Some(old.clone()), Some(new.clone())]);
        if is_first {
            frontier.settle(&new, Outcome::Kept);
        }
        assert!(!frontier.redirected(&old, &new));
        frontier.settle(&old, Outcome::Duplicate(new.clone()));
        frontier.settle(&new, Outcome::Kept);
        assert!(frontier.into_structure().is_on_home(&new));
    }
}

#[test]
fn a_canonical_address_stands_for_its_copies() {
    let mut frontier = after_home(10, &["/docs/copy"]);
    let copy = frontier.next().unwrap();
    let mut says = page(Vec::new());
    says.canonical = Some(url("/docs/real"));
    assert_eq!(frontier.judge(&copy, &says), Some(Outcome::Duplicate(url("/docs/real"))));
    frontier.settle(&copy, Outcome::Duplicate(url("/docs/real")));
    assert_eq!(frontier.next(), Some(url("/docs/real")));
    // The real one fails: the copy has its turn after all, and this time it counts.
    frontier.settle(&url("/docs/real"), Outcome::Failed("404".to_owned()));
    assert_eq!(frontier.next(), Some(copy.clone()));
    assert_eq!(frontier.judge(&copy, &says), None);
}

#[test]
fn what_the_home_page_names_apart_is_two_pages_whatever_one_says() {
    let mut frontier = after_home(10, &["/docs/copy", "/docs/real"]);
    let mut says = page(Vec::new());
    says.canonical = Some(url("/docs/real"));
    assert_eq!(frontier.judge(&url("/docs/copy"), &says), None);
}

#[test]
fn what_only_asks_for_more_than_its_canonical_address_gives_way() {
    let mut frontier = after_home(10, &["/docs/kilns?tab=wood", "/docs/kilns"]);
    let canonical = url("/docs/kilns");
    let says = Page { canonical: Some(canonical.clone()), ..page(Vec::new()) };
    assert_eq!(
        frontier.judge(&url("/docs/kilns?tab=wood"), &says),
        Some(Outcome::Duplicate(canonical.clone()))
    );
    // What it says of itself is the other's, then.
    let head = Page {
        title: Some("Kilns".to_owned()),
        description: Some("All kilns.".to_owned()),
        shell: true,
        ..says
    };
    let mut frontier = after_home(10, &["/docs/kilns?tab=wood", "/docs/kilns"]);
    assert_eq!(
        frontier.judge(&url("/docs/kilns?tab=wood"), &head),
        Some(Outcome::Duplicate(canonical.clone()))
    );
    assert_eq!(frontier.judge(&canonical, &head), None);
}

#[test]
fn pages_that_name_each_other_in_a_ring_are_pages_of_their_own() {
    let mut frontier = after_home(10, &["/docs/a"]);
    while let Some(next) = frontier.next() {
        let mut says = page(Vec::new());
        says.canonical = Some(url(match next.path() {
            "/docs/a" => "/docs/b",
            "/docs/b" => "/docs/c",
            _ => "/docs/a",
        }));
        let outcome = frontier.judge(&next, &says).unwrap_or(Outcome::Kept);
        frontier.settle(&next, outcome);
    }
    assert_eq!((frontier.counts().kept, frontier.counts().duplicates), (4, 0));
}

#[test]
fn what_the_home_page_names_apart_is_two_pages_with_a_slash_or_without() {
    let mut frontier = after_home(10, &["/docs/copy", "/docs/real"]);
    let met = frontier.next().unwrap();
    let (target, other) = (url("/docs/copy/"), url("/docs/real/"));
    assert!(frontier.redirected(&met, &target));
    let mut says = page(Vec::new());
    says.canonical = Some(other);
    assert_eq!(frontier.judge(&target, &says), None);
}

#[test]
fn a_page_whose_canonical_address_leads_back_to_it_counts() {
    let gives_way = || {
        let mut frontier = after_home(10, &["/docs"]);
        let met = frontier.next().unwrap();
        let mut says = page(Vec::new());
        says.canonical = Some(url("/docs/"));
        assert_eq!(frontier.judge(&met, &says), Some(Outcome::Duplicate(url("/docs/"))));
        frontier.settle(&met, Outcome::Duplicate(url("/docs/")));
        assert_eq!(frontier.next(), Some(url("/docs/")));
        (frontier, met, says)
    };
    // With the page in hand, and as one that was read before.
    let (mut frontier, page, says) = gives_way();
    assert!(frontier.redirected(&url("/docs/"), &page));
    assert_eq!(frontier.judge(&page, &says), None);
    let (mut frontier, page, says) = gives_way();
    frontier.settle(&url("/docs/"), Outcome::Duplicate(page.clone()));
    assert_eq!(frontier.next(), Some(page.clone()));
    assert_eq!(frontier.judge(&page, &says), None);
    frontier.settle(&page, Outcome::Kept);
    assert_eq!((frontier.counts().kept, frontier.counts().duplicates), (2, 1));
}

#[test]
fn canonical_addresses_of_a_broken_template_do_not_empty_the_site() {
    let paths: Vec<String> = (0..50).map(|i| format!("/p{i}")).collect();
    for canonical in ["/", "/p0"] {
        let mut frontier = after_home(100, &paths.iter().map(String::as_str).collect::<Vec<_>>());
        let mut says = page(Vec::new());
        says.canonical = Some(url(canonical));
        while let Some(next) = frontier.next() {
            let outcome = frontier.judge(&next, &says).unwrap_or(Outcome::Kept);
            frontier.settle(&next, outcome);
        }
        assert!(frontier.counts().kept >= 48, "{canonical}: {:?}", frontier.counts());
    }
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
fn translations_of_a_sitemap_wait_for_the_language_of_the_home_page() {
    let mut frontier = frontier(10);
    let alternates = vec![("en".to_owned(), url("/a")), ("de".to_owned(), url("/de/a"))];
    frontier.offer_sitemap(
        0,
        &[
            sitemap::Entry { url: url("/a"), alternates },
            sitemap::Entry { url: url("/de/b"), alternates: Vec::new() },
        ],
    );
    frontier.next();
    frontier.offer_page(&url("/"), &page(Vec::new()));
    frontier.settle(&url("/"), Outcome::Kept);
    assert_eq!(drain(&mut frontier), ["/a"]);
    assert_eq!(frontier.counts().left_out.get(&LeftOut::Language), Some(&2));
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

/// A frontier that has read its home page and is at `/hub/`, which that page links to.
fn at_a_hub() -> Frontier {
    let mut frontier = after_home(10_000, &["/hub/"]);
    assert_eq!(frontier.next(), Some(url("/hub/")));
    frontier
}

fn trapped(frontier: &Frontier) -> usize {
    frontier.counts().left_out.get(&LeftOut::Trap).copied().unwrap_or(0)
}

#[test]
fn named_addresses_are_no_traps_in_any_order() {
    let leaves: Vec<String> = (0..700).map(|n| format!("/hub/leaf-{n}")).collect();
    let in_text = |frontier: &mut Frontier| {
        let links = leaves.iter().map(|path| link(path, LinkPlace::Content)).collect();
        frontier.offer_page(&url("/hub/"), &page(links));
    };
    let in_sitemap = |frontier: &mut Frontier| {
        let entry = |path: &String| sitemap::Entry { url: url(path), alternates: Vec::new() };
        frontier.offer_sitemap(0, &leaves.iter().map(entry).collect::<Vec<_>>());
    };
    let in_menu = |frontier: &mut Frontier| {
        let links = leaves.iter().map(|path| link(path, LinkPlace::Navigation)).collect();
        frontier.offer_page(&url("/hub/leaf-7"), &page(links));
    };
    let mut frontier = at_a_hub();
    in_text(&mut frontier);
    assert_eq!(trapped(&frontier), 200);
    let others: [&dyn Fn(&mut Frontier); 2] = [&in_sitemap, &in_menu];
    for (other, is_first) in others.iter().flat_map(|other| [(other, true), (other, false)]) {
        let mut frontier = at_a_hub();
        if is_first {
            other(&mut frontier);
        }
        in_text(&mut frontier);
        if !is_first {
            other(&mut frontier);
        }
        frontier.settle(&url("/hub/"), Outcome::Kept);
        assert_eq!(frontier.counts().left_out.get(&LeftOut::Trap), None);
        assert_eq!(frontier.counts().queued, 700);
        assert_eq!(drain(&mut frontier).len(), 700);
    }
}

#[test]
fn sitemap_entries_are_never_traps() {
    let mut frontier = at_a_hub();
    let (deep, piled) = ("/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q", "/x/y/x/y/x/y/x");
    frontier.offer_page(&url("/hub/"), &page([deep, piled].map(|p| link(p, LinkPlace::Navigation)).to_vec()));
    assert_eq!((trapped(&frontier), frontier.counts().queued), (2, 0));
    let entries = [deep, piled].map(|path| sitemap::Entry { url: url(path), alternates: Vec::new() });
    frontier.offer_sitemap(0, &entries);
    assert_eq!((trapped(&frontier), frontier.counts().queued), (0, 2));
}

#[test]
fn months_that_name_each_other_end_wherever_their_links_stand() {
    for place in [LinkPlace::Navigation, LinkPlace::Content] {
        let mut frontier = after_home(100_000, &["/calendar/1"]);
        let mut read = 0;
        while let Some(month) = frontier.next() {
            let others = [0, 1].map(|digit| link(&format!("{}{digit}", month.path()), place));
            frontier.offer_page(&month, &page(others.to_vec()));
            frontier.settle(&month, Outcome::Kept);
            read += 1;
        }
        // The one on the home page, as many as pass in passing, and what the menus of as many name.
        let limit = FrontierLimits::default().pages_per_template;
        assert!(read <= 1 + limit * 3, "{read} {place:?}");
        assert!(trapped(&frontier) > 0, "{place:?}");
    }
}

#[test]
fn traps_leave_room_for_what_the_site_names() {
    let seed = url("/");
    let limits = FrontierLimits {
        max_pages: 1_000,
        max_known: 100,
        pages_per_template: 5,
        ..FrontierLimits::default()
    };
    let mut frontier = Frontier::new(&seed, Scope::new(&seed), limits);
    frontier.next();
    frontier.offer_page(&seed, &page(vec![link("/calendar/now", LinkPlace::Content)]));
    frontier.settle(&seed, Outcome::Kept);
    let links = (0..500).map(|n| link(&format!("/calendar/{n}"), LinkPlace::Content));
    frontier.offer_page(&url("/calendar/now"), &page(links.collect()));
    // So many hashes are remembered beside the half of the room.
    assert_eq!(trapped(&frontier), 50 + 100);
    assert_eq!(frontier.counts().left_out.get(&LeftOut::Overflow), Some(&(500 - 5 - 150)));
    let entry = |n| sitemap::Entry { url: url(&format!("/{n}")), alternates: Vec::new() };
    frontier.offer_sitemap(0, &["a", "calendar/7", "calendar/100", "calendar/400"].map(entry));
    assert_eq!(frontier.counts().queued, 1 + 5 + 4);
    assert_eq!(trapped(&frontier), 50 + 100 - 2);
}

#[test]
fn a_page_in_another_language_that_only_the_menu_shows_is_the_sites() {
    let french = "Le four est chauffé pendant un jour et une nuit avant la cuisson des pots, et il refroidit aussi longtemps. ";
    let english =
        "The kiln is heated for a day and a night before the pots are fired, and it cools for as long. ";
    let mut frontier = frontier(10);
    frontier.next();
    let shown = ["/ateliers", "/visite-fr.html", "/guide/", "/guide/kilns"]
        .map(|path| link(path, LinkPlace::Navigation));
    let home = page(shown.into_iter().chain([link("/passant", LinkPlace::Content)]).collect());
    frontier.offer_page(&url("/"), &Page { markdown: english.repeat(9), ..home });
    frontier.settle(&url("/"), Outcome::Kept);
    let mut judged = |path: &str, language: &str, text: &str| {
        let page = Page { markdown: text.repeat(9), language: Some(language.to_owned()), ..Page::default() };
        frontier.offer_page(&url(path), &page);
        frontier.judge(&url(path), &page)
    };
    assert_eq!(judged("/guide/", "en", english), None);
    assert_eq!(judged("/guide/kilns", "en", english), None);
    assert_eq!(judged("/ateliers", "fr", french), None);
    assert_eq!(judged("/visite-fr.html", "fr", french), Some(Outcome::LeftOut(LeftOut::Language)));
    assert_eq!(judged("/passant", "fr", french), Some(Outcome::LeftOut(LeftOut::Language)));
}

#[test]
fn shells_count_by_heads_of_their_own() {
    let mut frontier = after_home(10, &["/a", "/b", "/c", "/d"]);
    let shell = |title: &str, says: &str| Page {
        title: Some(title.to_owned()),
        description: (!says.is_empty()).then(|| says.to_owned()),
        shell: true,
        ..page(Vec::new())
    };
    let mut judge = |path: &str, page: &Page| {
        frontier.offer_page(&url(path), page);
        frontier.judge(&url(path), page)
    };
    let left_out = Some(Outcome::LeftOut(LeftOut::Shell));
    assert_eq!(judge("/", &shell("Kilns", "All kilns.")), left_out, "the home page is no index");
    assert_eq!(judge("/a", &shell("Wood", "Kilns for wood.")), None);
    assert_eq!(judge("/b", &shell("Kilns", "All kilns.")), left_out);
    assert_eq!(judge("/c", &shell("Gas", "")), left_out);
    assert_eq!(judge("/d", &shell("Gas", "Kilns for gas.")), None);
}
