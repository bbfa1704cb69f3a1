use super::*;

fn url(path: &str) -> SiteUrl {
    SiteUrl::parse(&format!("https://example.com{path}")).unwrap()
}

fn page(title: &str, links: &[(&str, &str, Place, Option<&str>, u8)]) -> Page {
    let links = links.iter().map(|&(path, text, place, group, depth)| Link {
        url: url(path),
        text: text.to_owned(),
        place,
        group: group.map(Into::into),
        depth,
        nofollow: false,
    });
    Page { title: Some(title.to_owned()), links: links.collect(), ..Page::default() }
}

fn navigation(pages: &[(&str, Page)]) -> Navigation {
    let mut navigation = Navigation::new(&url("/"), 1_000);
    for (path, page) in pages {
        navigation.read(&url(path), page);
    }
    navigation
}

#[test]
fn a_nested_list_belongs_to_the_item_that_holds_it() {
    use Place::Navigation as Nav;
    let home = page(
        "Book",
        &[
            ("/start", "I. Start", Nav, Some("Book"), 1),
            ("/setup", "1. Setup", Nav, Some("I. Start"), 2),
            ("/tools", "Tools", Nav, Some("1. Setup"), 3),
            ("/more", "II. More", Nav, Some("Book"), 1),
        ],
    );
    let navigation = navigation(&[("/", home)]);
    assert_eq!(navigation.parent(&url("/setup")), Some(&url("/start")));
    assert_eq!(navigation.parent(&url("/tools")), Some(&url("/setup")));
    assert_eq!(navigation.parent(&url("/more")), None);
    assert_eq!(navigation.label(&url("/more")), Some("II. More"));
}

#[test]
fn hollow_captions_name_no_group() {
    let home = page("Home", &[("/a", "A", Place::Content, Some("Quick links"), 1)]);
    let navigation = navigation(&[("/", home)]);
    assert_eq!(navigation.group(&url("/a")), None);
    assert_eq!(navigation.label(&url("/a")), Some("A"));
}

#[test]
fn a_list_of_kin_beats_a_list_elsewhere_whichever_comes_first() {
    use Place::Content;
    let list = |_: &str| {
        [
            ("/lib/a", "a", Content, Some("Services"), 1),
            ("/lib/b", "b", Content, Some("Services"), 1),
            ("/lib/c", "c", Content, Some("Services"), 1),
        ]
    };
    let other = page("Other", &list("x").map(|(u, t, p, _, d)| (u, t, p, Some("See those"), d)));
    let hub = page("Library", &list("y"));
    let navigation = navigation(&[("/other", other), ("/lib/", hub)]);
    assert_eq!(navigation.group(&url("/lib/b")), Some("Services"));
    assert_eq!(navigation.parent(&url("/lib/b")), Some(&url("/lib/")));
}

#[test]
fn the_menu_of_inner_pages_names_groups() {
    let inner = page("Intro", &[("/docs/x", "X", Place::Navigation, Some("Guides"), 1)]);
    let navigation = navigation(&[("/docs/intro", inner)]);
    assert_eq!(navigation.group(&url("/docs/x")), Some("Guides"));
}

#[test]
fn a_caption_names_the_page_above_even_when_its_own_item_is_missing() {
    use Place::Navigation as Nav;
    let home = page("Book", &[("/ddl", "5. Data", Nav, Some("II. SQL"), 2)]);
    let part = page("II. SQL", &[("/ddl-basics", "5.1. Basics", Nav, Some("5. Data"), 2)]);
    let navigation = navigation(&[("/", home), ("/sql", part)]);
    assert_eq!(navigation.parent(&url("/ddl-basics")), Some(&url("/ddl")));
}

#[test]
fn a_page_of_all_contents_is_heard_last() {
    use Place::Content;
    let all = [
        ("/a/x", "X", Content, Some("All"), 1),
        ("/a/y", "Y", Content, Some("All"), 1),
        ("/a/z", "Z", Content, Some("All"), 1),
    ];
    let contents = page("Contents", &all);
    let hub = page("A", &all.map(|(u, t, p, _, d)| (u, t, p, Some("Part"), d)));
    let navigation = navigation(&[("/contents.html", contents), ("/a/", hub)]);
    assert_eq!(navigation.group(&url("/a/x")), Some("Part"));
}
