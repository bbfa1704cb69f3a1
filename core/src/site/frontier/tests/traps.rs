//! What is cut as a trap, and what never is.

use super::*;

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
