//! One page under several addresses: redirects, canonical addresses, shells.

use super::*;

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
