//! What lists go on with, and what lists all pages.

use super::*;

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
