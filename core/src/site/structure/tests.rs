use super::*;
use crate::page::{Crumb, PageSource, read_html};
use crate::work::Work;

fn url(path: &str) -> SiteUrl {
    SiteUrl::parse(&format!("https://example.com{path}")).unwrap()
}

const TEXT: &str =
    "<p>This page explains one thing at some length, with words enough to be the text of a page.</p>";

/// A page with a menu beside a text.
fn page(menu: &str, text: &str) -> Page {
    let html =
        format!("<title>Site</title><nav class=sidebar>{menu}</nav><main><h1>Page</h1>{TEXT}{text}</main>");
    let source = PageSource { url: &url("/"), body: html.as_bytes(), content_type: None, x_robots_tag: None };
    read_html(&source, &Work::unbounded()).unwrap()
}

fn structure(pages: &[(&str, Page)]) -> Structure {
    let mut structure = Structure::new(&url("/"), 1_000);
    for (path, page) in pages {
        structure.read(&url(path), page);
    }
    structure
}

/// The way to a page as the site names it.
fn way(structure: &Structure, path: &str) -> String {
    let Some(id) = structure.addresses().find(&url(path)) else { return "unknown".to_owned() };
    let name = |step: &Step<'_>| match (step.label, step.entry) {
        (Some(label), _) => label.to_owned(),
        (None, Some(page)) => structure.addresses().url(page).unwrap().path().to_owned(),
        (None, None) => String::new(),
    };
    structure.trail(id).iter().map(name).collect::<Vec<_>>().join(" > ")
}

fn in_order(structure: &Structure, paths: &[&str]) -> bool {
    let rank = |path: &&str| structure.rank(structure.addresses().find(&url(path)).unwrap(), None).unwrap();
    paths.iter().map(rank).is_sorted()
}

#[test]
fn a_nested_list_belongs_to_the_entry_that_holds_it() {
    let menu = "<h2>Book</h2><ol><li><a href=/start>I. Start</a><ol><li><a href=/setup>1. Setup</a><ol>\
        <li><a href=/tools>Tools</a></ol></ol><li><a href=/more>II. More</a></ol>";
    let structure = structure(&[("/", page(menu, ""))]);
    assert_eq!(way(&structure, "/tools"), "Book > I. Start > 1. Setup");
    assert_eq!(way(&structure, "/more"), "Book");
    assert_eq!(structure.label(&url("/more")), Some("II. More"));
}

#[test]
fn a_post_places_none_of_what_it_lists() {
    let links: String = ["a", "b", "c", "d", "e"]
        .map(|name| format!("<li><a href=/works/{name}>{name} of ours</a>"))
        .concat();
    let list = page("", &format!("<ul>{links}</ul>"));
    let home = page("", "<ul><li><a href=/2021/05/news/>News</a><li><a href=/all-works/>Works</a></ul>");
    let placed = |hub: &str| way(&structure(&[("/", home.clone()), (hub, list.clone())]), "/works/a");
    assert_eq!((placed("/2021/05/news/").as_str(), placed("/all-works/").as_str()), ("", "/all-works/"));
}

#[test]
fn a_site_has_one_logo() {
    let (logo, entry) = ("<a href=/>Kiln</a>", "<ul><li><a href=/docs>Manual</a></ul>");
    let inside = page("<ul><li><a href=/docs>Intro</a><li><a href=/docs/x>X</a></ul>", "");
    let called = |menu: &str| {
        let structure = structure(&[("/", page(menu, "")), ("/docs", inside.clone())]);
        structure.label(&url("/docs")).map(str::to_owned)
    };
    assert_eq!(called(&format!("{logo}{entry}")).as_deref(), Some("Manual"));
    assert_eq!(called(entry).as_deref(), Some("Intro"));
}

#[test]
fn of_the_names_of_an_address_and_of_where_it_leads_the_first_counts() {
    let menu = |path: &str, text: &str| {
        page(&format!("<ul><li><a href={path}>{text}</a><li><a href=/x>X</a></ul>"), "")
    };
    let mut structure = structure(&[("/", menu("/docs", "Manual")), ("/docs/", menu("/docs/", "Intro"))]);
    let [from, to] = ["/docs", "/docs/"].map(|path| structure.addresses().find(&url(path)).unwrap());
    structure.forward(from, to);
    assert_eq!(structure.label(&url("/docs/")), Some("Manual"));
}

#[test]
fn the_pages_own_word_comes_first() {
    let own = "<p>Guides</p><ul><li><a href=/x>X</a><li><a href=/y>Y</a></ul>";
    let other = "<p>Popular</p><ul><li><a href=/x>X</a><li><a href=/y>Y</a></ul>";
    let mut crumbed = page(own, "");
    crumbed.crumbs = vec![
        Crumb { text: "Home".to_owned(), url: Some(url("/")) },
        Crumb { text: "Manual".to_owned(), url: Some(url("/m")) },
    ];
    let structure = structure(&[("/", page(other, "")), ("/x", page(own, "")), ("/y", crumbed)]);
    assert_eq!(way(&structure, "/x"), "Guides");
    assert_eq!(way(&structure, "/y"), "Manual > Guides");
}

#[test]
fn a_step_without_a_link_is_the_page_itself_if_no_other_page_has_it() {
    let crumb = |text: &str| Crumb { text: text.to_owned(), url: None };
    let with = |text: &str| {
        let mut page = page("", "");
        page.crumbs = vec![crumb("Images"), crumb(text)];
        page
    };
    let structure = structure(&[("/a", with("Old")), ("/b", with("Old")), ("/c", with("Its own"))]);
    assert_eq!(way(&structure, "/a"), "Images > Old");
    assert_eq!(way(&structure, "/c"), "Images");
}

#[test]
fn next_and_previous_links_make_no_group() {
    let at = |here: &str, next: &str| {
        (here.to_owned(), page(&format!("<h3>Next topic</h3><ul><li><a href={next}>Further</a></ul>"), ""))
    };
    let pages = [at("/a", "/b"), at("/b", "/c"), at("/c", "/d"), at("/d", "/e")];
    let pages: Vec<_> = pages.iter().map(|(path, page)| (path.as_str(), page.clone())).collect();
    let structure = structure(&pages);
    assert_eq!(way(&structure, "/c"), "");
}

#[test]
fn a_list_of_what_lies_below_beats_a_list_elsewhere_whichever_comes_first() {
    let list = |heading: &str| {
        let links = "<ul><li><a href=/lib/a>a</a><li><a href=/lib/b>b</a><li><a href=/lib/c>c</a></ul>";
        format!("<h2>{heading}</h2>{links}")
    };
    let structure =
        structure(&[("/other", page("", &list("Seen here"))), ("/lib/", page("", &list("Services")))]);
    assert_eq!(way(&structure, "/lib/b"), "/lib/ > Services");
}

#[test]
fn classes_inside_a_class_stand_with_the_others() {
    let list = |names: &[&str]| {
        let link = |name: &&str| format!("<li><a href=/api/{name}.html>{name}</a>");
        format!("<h2>Classes</h2><ul>{}</ul>", names.iter().map(link).collect::<String>())
    };
    let inner = ["Kiln.Door", "Kiln.Fire", "Kiln.Pot"];
    let all = list(&[&inner[..], &["Glaze", "Kiln"]].concat());
    let structure =
        structure(&[("/api/Kiln.html", page("", &list(&inner))), ("/api/index.html", page("", &all))]);
    assert_eq!(way(&structure, "/api/Kiln.Fire.html"), way(&structure, "/api/Glaze.html"));
}

#[test]
fn a_heading_that_many_pages_have_names_no_group() {
    let list = |n: usize| {
        let links = [0, 1, 2].map(|i| format!("<li><a href=/p{n}/{i}>{i}</a>")).concat();
        (format!("/p{n}"), page("", &format!("<h2>In this part</h2><ul>{links}</ul>")))
    };
    let pages: Vec<_> = (0..5).map(list).collect();
    let pages: Vec<_> = pages.iter().map(|(path, page)| (path.as_str(), page.clone())).collect();
    assert_eq!(way(&structure(&pages), "/p3/1"), "/p3");
}

#[test]
fn folded_menus_are_put_together() {
    let menu = |a: &str, b: &str| {
        format!("<ul><li><a href=/a>A</a>{a}<li><a href=/b>B</a>{b}<li><a href=/c>C</a></ul>")
    };
    let inner = |name: &str| format!("<ul><li><a href=/{name}1>1</a><li><a href=/{name}2>2</a></ul>");
    let structure = structure(&[
        ("/", page(&menu("", ""), "")),
        ("/b", page(&menu("", &inner("b")), "")),
        ("/a", page(&menu(&inner("a"), ""), "")),
    ]);
    assert!(in_order(&structure, &["/a", "/a1", "/a2", "/b", "/b1", "/b2", "/c"]));
    assert_eq!(way(&structure, "/b2"), "B");
}

#[test]
fn redirects_take_their_place_along() {
    let mut structure =
        structure(&[("/", page("<p>Guides</p><ul><li><a href=/old>X</a><li><a href=/y>Y</a></ul>", ""))]);
    let (from, to) = (structure.intern(&url("/old")).unwrap(), structure.intern(&url("/new")).unwrap());
    structure.forward(from, to);
    assert_eq!(way(&structure, "/new"), "Guides");
    assert_eq!(structure.label(&url("/old")), Some("X"));
    assert!(in_order(&structure, &["/new", "/y"]));
}

#[test]
fn a_heading_over_one_link_names_that_link() {
    let news =
        [1, 2, 3, 4].map(|n| format!("<section><h2>Kiln 1.{n}</h2><a href=/notes/{n}>View</a></section>"));
    let text = format!("<h2>Help</h2><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>{}", news.concat());
    let structure = structure(&[("/", page("", &text))]);
    assert_eq!(way(&structure, "/a"), "Help");
    assert_eq!(way(&structure, "/notes/2"), "");
    assert_eq!(structure.label(&url("/notes/2")), Some("View"));
}

#[test]
fn common_link_texts_name_no_page() {
    let text = [1, 2, 3, 4, 5, 6, 7].map(|n| format!("<li><a href=/notes/{n}>View</a>")).concat();
    let structure = structure(&[("/", page("", &format!("<ul>{text}<li><a href=/a>A</a></ul>")))]);
    assert_eq!(structure.label(&url("/notes/2")), None);
    assert_eq!(structure.label(&url("/a")), Some("A"));
}

#[test]
fn what_a_menu_calls_many_pages_is_said_better_by_a_page_of_its_links() {
    let paths = ["/ash/", "/clay/", "/fire/", "/glaze/", "/heat/"];
    let row = |text: &str| {
        let links = paths
            .map(|path| format!("<li><a href={path}>{text} {}</a>", if text == "Start" { "" } else { path }));
        format!("<ul>{}</ul>", links.concat())
    };
    let menu = row("Start");
    let pages = [("/", page(&menu, "")), ("/all", page(&menu, &row("About"))), ("/ash/", page(&menu, ""))];
    let structure = structure(&pages);
    assert_eq!(structure.label(&url("/clay/")), Some("About /clay/"));
}

#[test]
fn what_the_main_part_of_a_page_lists_behind_its_text_is_its_own() {
    let cards = ["/all/c", "/all/a", "/all/b"]
        .map(|path| format!("<div><a href={path}><h4>On {path}</h4></a></div>"));
    let html = format!(
        "<title>Site</title><main><div><div class=content><h1>All</h1>{TEXT}{TEXT}</div><div>{}</div></div></main>",
        cards.concat()
    );
    let source =
        PageSource { url: &url("/all/"), body: html.as_bytes(), content_type: None, x_robots_tag: None };
    let all = read_html(&source, &Work::unbounded()).unwrap();
    let structure =
        structure(&[("/", page("", "<p>See <a href=/all/>all of them</a>.</p>")), ("/all/", all)]);
    assert_eq!(way(&structure, "/all/a"), "/all/");
    assert!(in_order(&structure, &["/all/c", "/all/a", "/all/b"]));
}

#[test]
fn a_menu_that_a_page_itself_does_not_show_places_it_only_where_several_have_it() {
    let menu = |of: &str| format!("<p>{of}</p><ul><li><a href=/x>X</a><li><a href=/{of}>Own</a></ul>");
    let pages = [("/a", page(&menu("a"), "")), ("/b", page(&menu("a"), "")), ("/x", page("", ""))];
    assert_eq!(way(&structure(&pages[..2]), "/x"), "a");
    assert_eq!(way(&structure(&pages), "/x"), "");
}

#[test]
fn the_menu_of_a_page_without_a_text_is_what_it_shows() {
    let list = |of: &str| {
        let links = [1, 2, 3, 4, 5].map(|n| format!("<li><a href=/{of}/{n}>{of} {n}</a>")).concat();
        format!("<h3>{of}</h3><ul>{links}</ul>")
    };
    let html = format!("<header><a href=/>Home</a></header><nav>{}{}</nav>", list("Soups"), list("Salads"));
    let source =
        PageSource { url: &url("/all"), body: html.as_bytes(), content_type: None, x_robots_tag: None };
    let directory = read_html(&source, &Work::unbounded()).unwrap();
    let items = [("/Soups/1", page("", "")), ("/Soups/2", page("", "")), ("/Salads/1", page("", ""))];
    let home = page("", "<p>See <a href=/all>all of them</a>.</p>");
    let structure = structure(&[[("/", home), ("/all", directory)].as_slice(), &items].concat());
    assert_eq!(way(&structure, "/Soups/1"), "/all > Soups");
}

#[test]
fn the_home_page_orders_what_menus_of_few_links_show_otherwise() {
    let home = page("", "<p><a href=/a>A</a></p><p><a href=/b>B</a></p><p><a href=/c>C</a></p>");
    let crumbs =
        |own: &str| page(&format!("<ul><li><a href=/index>Index</a><li><a href={own}>Own</a></ul>"), "");
    let pages = [("/", home), ("/c", crumbs("/c")), ("/b", crumbs("/b")), ("/a", crumbs("/a"))];
    assert!(in_order(&structure(&pages), &["/a", "/b", "/c"]));
}

#[test]
fn a_menu_of_languages_or_versions_groups_nothing() {
    let menu = "<p>Read in</p><ul><li><a href=/de/x>Deutsch</a><li><a href=/fr/x>Français</a></ul>\
        <p>Versions</p><ul><li><a href=/v1/>1</a><li><a href=/v2/>2</a></ul>\
        <p>The office rests</p><ul><li><a href=/about>English</a><li><a href=/ueber>Deutsch</a></ul>\
        <p>Kilns</p><ul><li><a href=/y>Y</a><li><a href=/de>Germany</a><li><a href=/z>Z</a></ul>";
    let structure = structure(&[("/", page("", "")), ("/x", page(menu, ""))]);
    let ways = ["/de/x", "/v1/", "/about", "/y", "/z"].map(|path| way(&structure, path));
    assert_eq!(ways, ["", "", "", "Kilns", "Kilns"]);
}

#[test]
fn numbers_of_pages_name_neither_pages_nor_groups() {
    let list = |n: u8| format!("<ul><li><a href=/{n}a>{n}</a><li><a href=/{n}b>B</a></ul>");
    let menu = format!("<h2>3</h2>{}<h2>2024</h2>{}", list(3), list(4));
    let structure = structure(&[("/", page(&menu, ""))]);
    assert_eq!((way(&structure, "/3b"), structure.label(&url("/3a"))), (String::new(), None));
    assert_eq!(way(&structure, "/4b"), "2024");
}

#[test]
fn a_link_to_the_page_itself_is_no_entry_of_the_top_menu() {
    let bar = |own: &str| {
        let html = format!(
            "<header><nav><a href=/a>A</a> <a href=/b>B</a> <a href=''>Dark</a></nav></header><main><h1>Page</h1>{TEXT}</main>"
        );
        let own = url(own);
        read_html(
            &PageSource { url: &own, body: html.as_bytes(), content_type: None, x_robots_tag: None },
            &Work::unbounded(),
        )
        .unwrap()
    };
    let home = page("", "<ul><li><a href=/c>C</a><li><a href=/d>D</a><li><a href=/e>E</a></ul>");
    let home = Page { links: [bar("/").links, home.links.clone()].concat(), lists: bar("/").lists, ..home };
    let structure = structure(&[("/", home), ("/c", bar("/c"))]);
    let in_bar = |path| structure.is_in_top_menu(structure.addresses().find(&url(path)).unwrap());
    assert_eq!(["/a", "/b", "/c"].map(in_bar), [true, true, false]);
}

#[test]
fn links_to_the_pages_beside_a_page_put_them_in_no_menu() {
    let turns = "<a rel=prev href=/a>A</a><a rel=next href=/c>C</a><ul><li><a href=/d>D</a></ul>";
    let structure = structure(&[("/", page("", "")), ("/b", page(turns, ""))]);
    let in_menu = |path| structure.is_in_menu(structure.addresses().find(&url(path)).unwrap());
    assert_eq!(["/a", "/c", "/d"].map(in_menu), [false, false, true]);
}

#[test]
fn a_page_is_placed_by_the_breadcrumbs_of_its_first_reading() {
    let with = |text: &str| {
        let mut page = page("", "");
        page.crumbs = vec![Crumb { text: text.to_owned(), url: Some(url("/m")) }];
        page
    };
    let structure = structure(&[("/m", page("", "")), ("/a", with("Manual")), ("/a", with("Page 2"))]);
    assert_eq!(way(&structure, "/a"), "Manual");
}

#[test]
fn a_heading_of_the_home_page_over_a_few_of_a_longer_list_is_no_group() {
    let list = |links: &[&str]| {
        let items = links.iter().map(|path| format!("<li><a href=/news/{path}>On {path}</a>"));
        format!("<ul>{}</ul>", items.collect::<String>())
    };
    let placed = |all: &[&str]| {
        let home = page("", &format!("<h2>Latest</h2>{}", list(&["a", "b"])));
        let mut structure = structure(&[("/", home), ("/news/", page("", &list(all)))]);
        structure.drop_excerpts();
        way(&structure, "/news/a")
    };
    assert_eq!(placed(&["a", "b", "c", "d"]), "/news/");
    assert_eq!(placed(&["a", "b", "c"]), "Latest");
}
