//! Where the posts of a blog stand.

use super::*;

#[test]
fn posts_by_month_are_one_section_whatever_lists_show_of_them() {
    let posts = ["a", "b", "c", "d", "e", "f"].map(|name| format!("/2021/05/{name}/"));
    let list = |posts: &'static str, paths: &[String]| -> Vec<Listed<'static>> {
        paths.iter().map(|path| link(path, path, LinkPlace::Content, Some(posts))).collect()
    };
    let home = fetched("/", "Kilns", [list("Latest", &posts[..3]), list("Ours", &posts[3..])].concat());
    let beside = ["/2021/05/a/picture/", "/2021/05/a/plan/"].map(|path| fetched(path, path, Vec::new()));
    let posts = posts.iter().map(|path| fetched(path, path, Vec::new()));
    let pages: Vec<_> = std::iter::once(home).chain(posts).chain(beside).collect();
    assert_eq!(names(&outlined(&pages)).len(), 1);
}

#[test]
fn topics_that_a_menu_shows_and_that_divide_posts_keep_them() {
    let posts = |range: std::ops::Range<u8>| range.map(|n| format!("/20{}/05/post-{n}/", 10 + n));
    let of =
        |range| posts(range).map(|path| link(&path, &path, LinkPlace::Content, None)).collect::<Vec<_>>();
    let sections = |clay: std::ops::Range<u8>, fire: std::ops::Range<u8>| {
        let menu = ["/clay/", "/fire/"].map(|path| link(path, path, LinkPlace::Navigation, None));
        let mut pages = vec![fetched("/", "Kilns", menu.to_vec())];
        pages.push(fetched("/clay/", "Clay", of(clay)));
        pages.push(fetched("/fire/", "Fire", of(fire)));
        pages.extend(posts(0..16).map(|path| fetched(&path, &path, Vec::new())));
        let shape = shape(&outlined(&pages), &pages);
        let count = |paths: Vec<String>| paths.iter().filter(|path| path.starts_with("/20")).count();
        shape.into_iter().map(|(_, paths)| count(paths)).filter(|&posts| posts > 0).collect::<Vec<_>>()
    };
    assert_eq!(sections(0..10, 10..16), [10, 6]);
    assert_eq!(sections(0..10, 4..16).len(), 1, "an archive lists what topics do");
}

#[test]
fn a_blog_is_not_optional_to_itself() {
    let pages: Vec<_> = (0..6).map(|n| fetched(&format!("/blog/{n}"), "T", Vec::new())).collect();
    assert!(outlined(&pages).sections.iter().all(|s| !s.optional));
    let pages = ["/", "/blog/a", "/privacy"].map(|path| fetched(path, path, Vec::new()));
    assert!(outlined(&pages).sections.iter().all(|s| !s.optional), "it has nothing else");
}

#[test]
fn posts_are_what_a_site_is_that_has_hardly_anything_else() {
    let paths = ["/", "/about", "/posts/", "/posts/a", "/posts/b", "/posts/c", "/privacy"];
    let pages: Vec<_> = paths.iter().map(|path| fetched(path, path, Vec::new())).collect();
    let outline = outlined(&pages);
    let last = outline.sections.last().unwrap();
    assert!(last.optional && last.pages == [6], "{:?}", shape(&outline, &pages));
}

#[test]
fn posts_that_are_filed_behind_their_day_are_one_section() {
    let path = |n: usize| {
        format!("/2022/04/{:02}/{}/{n}/", n + 10, if n.is_multiple_of(2) { "tools" } else { "clay" })
    };
    let on = |n: usize, label| link(&path(n), "On kilns", LinkPlace::Content, label);
    let words = ["/by/clay/", "/by/ash/"].map(|path| link(path, path, LinkPlace::Navigation, Some("Words")));
    let latest = (0..3).map(|n| on(n, Some("Latest")));
    let mut pages = vec![fetched("/", "Kilns", latest.chain(words).collect())];
    pages.push(fetched("/by/clay/", "Clay", (2..6).map(|n| on(n, None)).collect()));
    pages.push(fetched("/by/ash/", "Ash", vec![on(6, None)]));
    pages.extend((0..8).map(|n| fetched(&path(n), &format!("Post {n}"), Vec::new())));
    let sections = shape(&outlined(&pages), &pages);
    let posts = sections.iter().filter(|(_, paths)| paths.contains(&path(0)));
    assert_eq!(posts.map(|(_, paths)| paths.len()).collect::<Vec<_>>(), [9], "{sections:?}");
}

#[test]
fn what_only_lists_posts_by_a_word_is_left_out_unless_a_menu_shows_it() {
    let listing = |path: &str, listed: &str| {
        let links = listed.split(' ').map(|path| link(path, path, LinkPlace::Content, None));
        let mut page = fetched(path, path, links.collect());
        page.page.markdown =
            listed.split(' ').map(|path| format!("[On {path}]({path})")).collect::<Vec<_>>().join("\n");
        page
    };
    let menu = ["/about", "/by/clay"].map(|path| link(path, path, LinkPlace::Navigation, None));
    let mut pages = vec![fetched("/", "Kilns", menu.to_vec()), fetched("/about", "About", Vec::new())];
    pages.extend((0..6).map(|n| fetched(&format!("/blog/{n}"), "T", Vec::new())));
    pages.extend([
        listing("/by/clay", "/blog/0 /blog/1"),
        listing("/by/fire", "/blog/1"),
        listing("/by/ash", "/blog/2 /by/fire /blog/3"),
        fetched("/by/gas", "Gas", Vec::new()),
        listing("/by/", "/by/clay /by/fire /by/ash"),
        listing("/blog/", "/blog/0 /blog/1"),
        listing("/best", "/blog/1 /about"),
    ]);
    let sections = shape(&outlined(&pages), &pages);
    let skipped = sections.last().map(|(name, paths)| (name.as_str(), paths.last().map(String::as_str)));
    assert_eq!(skipped, Some((OPTIONAL, Some("/by/clay"))));
    let listed: Vec<String> = sections.into_iter().flat_map(|(_, paths)| paths).collect();
    let posts = (0..6).map(|n| format!("/blog/{n}")).chain(["/blog/".to_owned()]);
    let others = ["/", "/about", "/best", "/by/", "/by/clay"].map(str::to_owned);
    assert_eq!(listed.into_iter().collect::<Set<_>>(), others.into_iter().chain(posts).collect());
}

#[test]
fn a_long_blog_is_optional_beside_the_pages_of_a_product() {
    let posts = (0..60).map(|n| fetched(&format!("/blog/{n}"), "T", Vec::new()));
    let product =
        ["/", "/kilns", "/pots", "/clay", "/glaze", "/fuel"].map(|path| fetched(path, path, Vec::new()));
    let pages: Vec<_> = product.into_iter().chain(posts).collect();
    let outline = outlined(&pages);
    let last = outline.sections.last().unwrap();
    assert!(last.optional && last.pages.len() == 60, "{:?}", shape(&outline, &pages));
}

#[test]
fn pages_with_a_day_are_posts_where_the_newest_are_shown_first() {
    let sections = |days: [u8; 12]| {
        // The list goes on behind its sixth entry, on a page that was read first.
        let path = |day: u8| format!("/tips/tip-{day}");
        let tips = |days: &[u8]| -> Vec<_> {
            days.iter().map(|&day| link(&path(day), "On kilns", LinkPlace::Content, None)).collect()
        };
        let mut pages =
            vec![fetched("/", "Kilns", vec![link("/tips/", "Tips", LinkPlace::Navigation, None)])];
        pages.push(fetched("/tips/older", "Tips", tips(&days[6..])));
        pages.push(fetched("/tips/", "Tips", tips(&days[..6])));
        pages.extend(days.iter().map(|&day| {
            let mut tip = fetched(&path(day), &path(day), Vec::new());
            tip.page.published = Some(format!("2024-05-{day:02}"));
            tip
        }));
        let outline = outlined(&pages);
        let mut shown: Vec<_> = shape(&outline, &pages).into_iter().flat_map(|(_, paths)| paths).collect();
        shown.retain(|path| path.starts_with("/tips/tip"));
        (shown, outline.posts.len())
    };
    let newest_first = [22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11];
    assert_eq!(sections(newest_first), (newest_first.map(|day| format!("/tips/tip-{day}")).to_vec(), 12));
    assert_eq!(sections([11, 18, 12, 17, 13, 16, 14, 15, 22, 19, 21, 20]).1, 0, "a manual has days, too");
}
