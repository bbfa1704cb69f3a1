//! Whole small sites of the common kinds, from their HTML to their sections.

use super::super::{CrawledPage, outline};
use crate::page::{PageSource, read_html};
use crate::site::structure::Structure;
use crate::url::SiteUrl;
use crate::work::Work;

/// The sections of a site whose pages are given by path and body, the home page first.
fn sections(site: &[(String, String)]) -> Vec<(String, Vec<String>)> {
    let url = |path: &str| SiteUrl::parse(&format!("https://example.com{path}")).unwrap();
    let mut structure = Structure::new(&url(&site[0].0), 10_000);
    let pages: Vec<CrawledPage> = site
        .iter()
        .filter_map(|(path, body)| {
            let url = url(path);
            let html = format!(
                "<!doctype html><html lang=en><head><title>{path}</title></head><body>{body}</body></html>"
            );
            let page = read_html(
                &PageSource { url: &url, body: html.as_bytes(), content_type: None, x_robots_tag: None },
                &Work::unbounded(),
            )
            .unwrap();
            structure.read(&url, &page);
            (!page.is_empty()).then(|| CrawledPage { link: url.clone(), url, page })
        })
        .collect();
    let home = pages.first().map(|p| &p.page);
    let path = |&at: &usize| pages[at].url.path().to_owned();
    let outline = outline(home, &structure, &pages);
    outline.sections.iter().map(|s| (s.name.clone(), s.pages.iter().map(path).collect())).collect()
}

fn names(sections: &[(String, Vec<String>)]) -> Vec<&str> {
    sections.iter().map(|(name, _)| name.as_str()).collect()
}

fn pages_of<'a>(sections: &'a [(String, Vec<String>)], name: &str) -> Vec<&'a str> {
    sections.iter().filter(|s| s.0 == name).flat_map(|s| &s.1).map(String::as_str).collect()
}

/// A list of links.
fn listed(paths: &[&str]) -> String {
    let links = paths.iter().map(|path| format!("<li><a href={path}>On {path}</a></li>"));
    format!("<ul>{}</ul>", links.collect::<Vec<_>>().concat())
}

const TEXT: &str = "<p>This page explains one thing at some length, with words enough to be the text of a page and \
    not of its menu, which stands beside it and is much the same on every page of the site.</p>";

/// The same menu on every page, round a text that differs.
fn with_menu(menu: &str, home: &str, paths: &[&str]) -> Vec<(String, String)> {
    let page = |path: &str, text: &str| {
        (path.to_owned(), format!("{menu}<main><h1>About {path}</h1><p>{path}</p>{text}</main>"))
    };
    std::iter::once(page("/", home)).chain(paths.iter().map(|path| page(path, TEXT))).collect()
}

#[test]
fn a_sidebar_of_categories_that_lead_nowhere() {
    let menu = "<nav class=navbar><a href=/>Tool</a><a href=/docs/intro>Docs</a><a href=/blog>Blog</a></nav>\
        <aside class=theme-doc-sidebar-container><nav class=menu><ul class=menu__list>\
        <li><a class=menu__link href=/docs/intro>Introduction</a></li>\
        <li><div><a class=menu__link href='#'>Guides</a></div><ul><li><a href=/docs/setup>Setup</a></li>\
        <li><a href=/docs/deploy>Deploy</a></li><li><a href=/docs/scale>Scale</a></li></ul></li>\
        <li><div><a class=menu__link href='#'>API</a></div><ul><li><a href=/docs/client>Client</a></li>\
        <li><a href=/docs/server>Server</a></li><li><a href=/docs/errors>Errors</a></li></ul></li></ul></nav></aside>";
    let paths = [
        "/docs/intro",
        "/docs/setup",
        "/docs/deploy",
        "/docs/scale",
        "/docs/client",
        "/docs/server",
        "/docs/errors",
    ];
    let mut site = with_menu(menu, TEXT, &paths);
    // The front page is for sale and has no sidebar.
    site[0].1 =
        "<nav class=navbar><a href=/docs/intro>Docs</a><a href=/blog>Blog</a></nav><main><h1>Tool</h1>\
        <h2>Why Tool</h2><p>It is fast. See <a href=/docs/scale>how it scales</a>.</p></main>"
            .to_owned();
    let sections = sections(&site);
    assert_eq!(names(&sections), ["example.com", "Guides", "API"], "{sections:?}");
    let guides = ["/docs/setup", "/docs/deploy", "/docs/scale"];
    assert_eq!(pages_of(&sections, "Guides"), guides, "{sections:?}");
    assert_eq!(pages_of(&sections, "API"), ["/docs/client", "/docs/server", "/docs/errors"], "{sections:?}");
}

#[test]
fn a_book_whose_chapters_nest() {
    let menu = "<nav id=sidebar class=sidebar><ol class=chapter><li><a href=/intro.html>Introduction</a></li>\
        <li class=part-title>User Guide</li><li><a href=/start.html>1. Start</a></li><li><ol class=section>\
        <li><a href=/install.html>1.1. Install</a></li><li><a href=/first.html>1.2. First steps</a></li></ol></li>\
        <li class=part-title>Reference</li><li><a href=/cli.html>2. Commands</a></li><li><ol class=section>\
        <li><a href=/build.html>2.1. build</a></li><li><a href=/test.html>2.2. test</a></li></ol></li></ol></nav>";
    let paths = [
        "/intro.html",
        "/start.html",
        "/install.html",
        "/first.html",
        "/cli.html",
        "/build.html",
        "/test.html",
    ];
    let sections = sections(&with_menu(menu, TEXT, &paths));
    // What stands before all groups is in none of them.
    assert_eq!(names(&sections), ["example.com", "User Guide", "Reference"], "{sections:?}");
    assert_eq!(pages_of(&sections, "example.com"), ["/", "/intro.html"], "{sections:?}");
    let guide = ["/start.html", "/install.html", "/first.html"];
    assert_eq!(pages_of(&sections, "User Guide"), guide, "{sections:?}");
    assert_eq!(pages_of(&sections, "Reference"), ["/cli.html", "/build.html", "/test.html"], "{sections:?}");
}

#[test]
fn a_company_with_a_menu_of_groups_a_blog_and_a_footer() {
    let menu = "<header><nav><ul><li><a href='#'>Products</a><ul><li><a href=/crm/>CRM</a></li>\
        <li><a href=/billing/>Billing</a></li><li><a href=/mail/>Mail</a></li></ul></li>\
        <li><a href='#'>Company</a><ul><li><a href=/about/>About</a></li><li><a href=/offices/>Offices</a></li>\
        <li><a href=/people/>People</a></li></ul></li><li><a href=/pricing/>Pricing</a></li>\
        <li><a href=/blog/>Blog</a></li></ul></nav></header>";
    let paths = [
        "/crm/",
        "/billing/",
        "/mail/",
        "/about/",
        "/offices/",
        "/people/",
        "/pricing/",
        "/blog/",
        "/blog/one/",
        "/blog/two/",
        "/privacy-policy/",
    ];
    let sections = sections(&with_menu(menu, TEXT, &paths));
    assert_eq!(names(&sections), ["Products", "Company", "Blog", "example.com", "Optional"], "{sections:?}");
    assert_eq!(pages_of(&sections, "example.com"), ["/", "/pricing/"]);
    assert_eq!(pages_of(&sections, "Blog"), ["/blog/", "/blog/one/", "/blog/two/"]);
    assert_eq!(pages_of(&sections, "Optional"), ["/privacy-policy/"]);
    assert_eq!(pages_of(&sections, "Products"), ["/crm/", "/billing/", "/mail/"]);
}

#[test]
fn what_the_menu_names_beside_its_groups_opens_the_index_under_the_name_of_the_site() {
    let menu = "<nav><ul><li><a href=/intro/>Introduction</a></li><li><a href=/start/>Where to start</a></li>\
        <li><a href='#'>Guides</a><ul><li><a href=/setup/>Setup</a></li><li><a href=/fire/>Fire</a></li>\
        <li><a href=/glaze/>Glaze</a></li></ul></li><li><a href=/price/>Price</a></li></ul></nav>";
    let sections =
        sections(&with_menu(menu, TEXT, &["/intro/", "/start/", "/setup/", "/fire/", "/glaze/", "/price/"]));
    let (first, pages) = &sections[0];
    assert!(first == "example.com" && sections.len() == 2, "{sections:?}");
    assert_eq!(pages, &["/", "/intro/", "/start/", "/price/"]);
}

#[test]
fn single_pages_of_the_top_menu_stand_behind_several_groups() {
    let group = |name: &str| {
        let pages =
            ["one", "two", "three"].map(|page| format!("<li><a href=/{name}/{page}>{name} {page}</a></li>"));
        format!("<li>{name}<ul>{}</ul></li>", pages.concat())
    };
    let menu = |groups: &str| {
        format!(
            "<header><nav><ul><li><a href=/get/>Get it</a></li><li><a href=/price/>Price</a></li>{groups}</ul></nav></header>"
        )
    };
    let mut paths = vec!["/get/".to_owned(), "/price/".to_owned()];
    for name in ["Clay", "Wood", "Gas"] {
        paths.extend(["one", "two", "three"].map(|page| format!("/{name}/{page}")));
    }
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let groups = ["Clay", "Wood", "Gas"].map(group);
    let many = sections(&with_menu(&menu(&groups.concat()), TEXT, &paths));
    assert_eq!(names(&many), ["Clay", "Wood", "Gas", "example.com"], "{many:?}");
    let few = sections(&with_menu(&menu(&groups[0]), TEXT, &paths[..5]));
    assert_eq!(names(&few), ["example.com", "Clay"], "{few:?}");
}

#[test]
fn a_shop_is_grouped_by_its_folders() {
    let menu = "<nav><ul><li><a href=/shoes/>Shoes</a></li><li><a href=/bags/>Bags</a></li></ul></nav>";
    let goods: Vec<String> =
        ["shoes", "bags"].iter().flat_map(|kind| (0..5).map(move |n| format!("/{kind}/item-{n}"))).collect();
    let mut paths = vec!["/shoes/", "/bags/"];
    paths.extend(goods.iter().map(String::as_str));
    let sections = sections(&with_menu(menu, TEXT, &paths));
    assert_eq!(names(&sections), ["Shoes", "Bags"]);
    assert_eq!(pages_of(&sections, "Bags").len(), 6, "{sections:?}");
}

#[test]
fn a_site_of_one_page_has_one_section() {
    let sections = sections(&with_menu("", TEXT, &[]));
    assert_eq!(sections.len(), 1);
}

#[test]
fn the_menu_beats_links_in_the_text_of_the_home_page() {
    let menu = "<nav><ul><li><a href=/docs/>Documentation</a><ul><li><a href=/docs/install>Install</a></li>\
        <li><a href=/docs/queries>Queries</a></li><li><a href=/docs/operations>Operations</a></li></ul></li>\
        <li><a href=/pricing>Pricing</a></li></ul></nav>";
    let home = "<h2>Features</h2><ul><li><a href=/docs/install>Install it</a> in a minute.</li>\
        <li><a href=/docs/queries>Ask</a> anything.</li><li><a href=/docs/operations>Rest</a> at night.</li></ul>";
    let paths = ["/docs/", "/docs/install", "/docs/queries", "/docs/operations", "/pricing"];
    let sections = sections(&with_menu(menu, home, &paths));
    let docs = ["/docs/", "/docs/install", "/docs/queries", "/docs/operations"];
    assert_eq!(pages_of(&sections, "Documentation"), docs, "{sections:?}");
}

#[test]
fn folders_that_a_flat_sidebar_leads_through_are_groups_of_their_own() {
    let folders = ["ash", "clay", "fire"];
    let top = "<ul><li><a href=/all.html>All</a></li><li><a href=https://kiln.dev/>More</a></li></ul>";
    let page = |path: &str, title: &str, beside: &[String]| {
        let row = beside.iter().map(|path| format!("<li><a href={path}>Introduction</a></li>"));
        let row = row.collect::<Vec<_>>().concat();
        let body = format!(
            "<header class=navbar><nav>{top}</nav></header><aside class=sidebar><nav>{top}</nav><ul>{row}</ul></aside>\
            <main><h1>{title}</h1><p>{path}</p>{TEXT}</main>"
        );
        (path.to_owned(), body)
    };
    let fronts = folders.map(|folder| format!("/{folder}/"));
    let mut site = vec![page("/", "Kilns", &fronts), page("/all.html", "All", &fronts)];
    for folder in folders {
        let inner = ["", "one/", "two/"].map(|name| format!("/{folder}/{name}"));
        let titles = ["Introduction", &inner[1], &inner[2]];
        site.extend(inner.iter().zip(titles).map(|(path, title)| page(path, title, &inner)));
    }
    let sections = sections(&site);
    for folder in ["Ash", "Clay", "Fire"] {
        let inner = ["", "one/", "two/"].map(|name| format!("/{}/{name}", folder.to_lowercase()));
        assert_eq!(pages_of(&sections, folder), inner, "{sections:?}");
    }
}

#[test]
fn the_contents_of_a_page_name_no_menu_behind_them() {
    let menu = "<aside class=sidebar><details open><summary><h3>On this page</h3></summary><div><a href=#one>One</a>\
        <a href=#two>Two</a></div></details><nav><a href=/a/>A</a><a href=/b/>B</a><a href=/c/>C</a></nav></aside>";
    let sections = sections(&with_menu(menu, TEXT, &["/a/", "/b/", "/c/"]));
    assert!(!names(&sections).contains(&"On this page"), "{sections:?}");
}

#[test]
fn what_opens_the_whole_menu_names_no_group() {
    let menu = "<nav><input id=toc type=checkbox><label for=toc>Toggle the menu</label><ul><li>Guides<ul>\
        <li><a href=/a/>A</a></li><li><a href=/b/>B</a></li></ul></li><li><a href=/c/>C</a></li>\
        <li><a href=/d/>D</a></li></ul></nav>";
    let sections = sections(&with_menu(menu, TEXT, &["/a/", "/b/", "/c/", "/d/"]));
    assert_eq!(names(&sections), ["Guides", "example.com"], "{sections:?}");
}

#[test]
fn a_page_of_the_top_menu_stands_below_no_page_that_only_speaks_of_it() {
    let menu = "<header><nav class=navbar><a href=/a>A</a><a href=/b>B</a></nav></header>";
    let footer = "<footer><a href=/tested>Tested</a></footer>";
    let mut site = with_menu(menu, &format!("{TEXT}{footer}"), &["/a", "/b", "/w/c", "/w/d", "/w/e"]);
    let all = listed(&["/a", "/w/c", "/w/d", "/w/e", "/w/f"]);
    site.push((
        "/tested".to_owned(),
        format!("{menu}<main><h1>Tested</h1>{TEXT}<h2>Tried pages</h2>{all}</main>{footer}"),
    ));
    let sections = sections(&site);
    let at = sections.iter().find(|(_, pages)| pages.iter().any(|page| page == "/a"));
    assert!(at.is_some_and(|(_, pages)| pages.iter().any(|page| page == "/b")), "{sections:?}");
}

#[test]
fn the_letters_of_a_list_by_the_alphabet_are_no_groups() {
    let menu = "<nav><ul><li><a href=/all>All kilns</a></li><li><a href=/plan>Plan</a></li></ul></nav>";
    let letters = ["a", "b", "c"].map(|letter| [1, 2, 3].map(|n| format!("/all/{letter}{n}")));
    let paths: Vec<&str> =
        ["/plan"].into_iter().chain(letters.iter().flatten().map(String::as_str)).collect();
    let headed = |head: &str| {
        let mut site = with_menu(menu, TEXT, &paths);
        let list = |at: usize| {
            let list = letters[at].each_ref().map(String::as_str);
            format!("<h3>{}{head}</h3>{}", ["A", "B", "C"][at], listed(&list))
        };
        let lists = [0, 1, 2].map(list).concat();
        site.push(("/all".to_owned(), format!("{menu}<main><h1>All kilns</h1>{TEXT}{lists}</main>")));
        sections(&site)
    };
    assert_eq!(names(&headed("")), ["All kilns", "example.com"]);
    let named = headed(" kilns");
    assert!(names(&named).contains(&"A kilns"), "{named:?}");
}

#[test]
fn what_nothing_leads_to_can_be_skipped_where_all_else_is_led_to() {
    let menu =
        "<nav><ul><li><a href=/a>A</a></li><li><a href=/b>B</a></li><li><a href=/c>C</a></li></ul></nav>";
    let left = sections(&with_menu(menu, TEXT, &["/a", "/b", "/c", "/elements"]));
    assert_eq!(pages_of(&left, "Optional"), ["/elements"], "{left:?}");
    let paths = ["/a", "/b", "/c", "/one/x", "/one/y", "/two/x", "/two/y"];
    let mut site = with_menu(menu, TEXT, &paths);
    site.push((
        "/examples".to_owned(),
        format!("{menu}<main><h1>Examples</h1>{TEXT}{}</main>", listed(&paths[3..])),
    ));
    let placed = sections(&site);
    assert_eq!(pages_of(&placed, "Examples"), Vec::<&str>::new(), "{placed:?}");
    let unled = sections(&with_menu(menu, TEXT, &["/a", "/b", "/c", "/one", "/two"]));
    assert_eq!(pages_of(&unled, "Optional"), Vec::<&str>::new(), "{unled:?}");
}

#[test]
fn a_page_that_the_menu_shows_beside_a_group_is_not_put_into_it() {
    let menu = "<nav><ul><li><a href=/docs/intro>Introduction</a></li><li><a href=/docs/plan>Plan</a></li><li>Design<ul>\
        <li><a href=/docs/a>A</a></li><li><a href=/docs/b>B</a></li><li><a href=/docs/c>C</a></li></ul></li></ul></nav>";
    let paths = ["/docs/intro", "/docs/plan", "/docs/a", "/docs/b", "/docs/c", "/docs/d"];
    let sections = sections(&with_menu(menu, TEXT, &paths));
    assert_eq!(pages_of(&sections, "Design"), ["/docs/a", "/docs/b", "/docs/c", "/docs/d"], "{sections:?}");
}

#[test]
fn the_page_of_a_groups_folder_stands_in_the_group() {
    let menu = "<nav><ul><li><a href=/guide/>All of the guide</a></li><li><a href=/plan/>Plan</a></li><li>Guide<ul>\
        <li><a href=/guide/a>A</a></li><li><a href=/guide/b>B</a></li><li><a href=/guide/c>C</a></li></ul></li></ul></nav>";
    let sections =
        sections(&with_menu(menu, TEXT, &["/guide/", "/plan/", "/guide/a", "/guide/b", "/guide/c"]));
    assert!(pages_of(&sections, "Guide").contains(&"/guide/"), "{sections:?}");
}

#[test]
fn a_menu_of_many_pages_puts_the_few_that_the_home_page_names_in_their_order() {
    let list = |paths: [&str; 2]| paths.map(|path| format!("<li><a href={path}>On {path}</a></li>")).concat();
    let group = |name: &str, paths| format!("<li>{name}<ul>{}</ul></li>", list(paths));
    let parts = [group("Clay", ["/clay/a", "/clay/b"]), group("Wood", ["/wood/a", "/wood/b"])].concat();
    let menu = format!("<nav class=sidebar><ul>{parts}</ul></nav>");
    let mut site = with_menu(&menu, TEXT, &["/clay/a", "/clay/b", "/wood/a", "/wood/b"]);
    let text = "<p>Read <a href=/wood/a>of wood</a> to know what <a href=/clay/a>clay</a> is.</p>";
    site[0].1 = format!("<main><h1>Kilns</h1>{TEXT}{text}</main>");
    assert_eq!(names(&sections(&site)), ["Clay", "Wood"]);
}

#[test]
fn what_no_list_names_stands_behind_the_groups_of_the_page_for_its_folder() {
    let group = |name: &str, paths: [&str; 3]| {
        let links = paths.map(|path| format!("<li><a href={path}>On {path}</a></li>")).concat();
        format!("<h2>{name}</h2><ul>{links}</ul>")
    };
    let groups =
        [group("Clay", ["/ref/a", "/ref/b", "/ref/c"]), group("Wood", ["/ref/d", "/ref/e", "/ref/f"])];
    let listed = ["/ref/a", "/ref/b", "/ref/c", "/ref/d", "/ref/e", "/ref/f"];
    let others = ["/ref/x", "/ref/y", "/ref/z"];
    let menu = "<nav><a href=/>Kiln</a><a href=/ref/>Reference</a></nav>";
    let mut site = with_menu(menu, TEXT, &[&["/ref/"], &listed[..], &others].concat());
    site[1].1 = format!("{menu}<main><h1>Reference</h1>{}</main>", groups.concat());
    let sections = sections(&site);
    assert_eq!(names(&sections), ["Clay", "Wood", "Reference"], "{sections:?}");
    assert_eq!(pages_of(&sections, "Reference"), [&["/", "/ref/"], &others[..]].concat(), "{sections:?}");
}

#[test]
fn a_group_of_a_sidebar_may_be_called_as_its_first_page() {
    let menu = "<nav class=sidebar><ul><li>Fire<ul><li><a href=/f/wood>Wood</a></li><li><a href=/f/coal>Coal</a></li></ul></li>\
        <li>Clay<ul><li><a href=/x/clay>Clay</a></li><li><a href=/w/silt>Silt</a></li>\
        <li><a href=/w/loam>Loam</a></li></ul></li></ul></nav>";
    let paths = ["/f/wood", "/f/coal", "/x/clay", "/w/silt", "/w/loam"];
    let sections = sections(&with_menu(menu, TEXT, &paths));
    assert_eq!(pages_of(&sections, "Clay"), ["/x/clay", "/w/silt", "/w/loam"], "{sections:?}");
}

#[test]
fn what_leads_nowhere_does_not_follow_the_few_pages_of_a_group_beside_the_home_page() {
    let paths = ["/k/a.html", "/k/b.html", "/k/c.html", "/k/d.html", "/k/e.html", "/k/f.html"];
    let mut site = with_menu("", TEXT, &paths);
    site[0].0 = "/k/".to_owned();
    site[0].1 = "<main><h1>Kiln</h1><h2>Code</h2><ul><li><a href=/k/a.html>A</a></li><li><a href=/k/b.html>B</a></li></ul></main>"
        .to_owned();
    let sections = sections(&site);
    assert_eq!(pages_of(&sections, "Code"), ["/k/a.html", "/k/b.html"], "{sections:?}");
}

#[test]
fn a_page_that_leads_others_is_called_as_it_calls_itself_and_not_as_texts_do() {
    let below = ["/kilns/wood", "/kilns/gas", "/kilns/coal"];
    let home =
        format!("<p>Light the <a href=/kilns>first kind</a> of all.</p><p><a href=/pots>Pots</a></p>{TEXT}");
    let lists =
        |logo: &str| format!("<nav>{logo}</nav><main><h1>All the kilns</h1>{TEXT}{}</main>", listed(&below));
    for logo in ["", "<a href=/kilns>Kilns 4.2</a>"] {
        let mut site = with_menu("", &home, &below);
        site.extend([
            ("/kilns".to_owned(), lists(logo)),
            ("/pots".to_owned(), format!("<main><h1>Pots</h1>{TEXT}</main>")),
        ]);
        assert!(names(&sections(&site)).contains(&"All the kilns"), "{:?}", sections(&site));
    }
}

#[test]
fn a_sentence_before_a_list_names_no_section() {
    let said = "For all that is known of how kilns are lit and of what they are fed with see";
    let lists = |label: &str| {
        let menu = "<nav><ul><li><a href=/>Home</a></li><li><a href=/kilns>Kilns</a></li></ul></nav>";
        let listed = listed(&["/a", "/b", "/c"]);
        let mut site = with_menu(menu, &format!("<h2>{label}</h2>{listed}"), &["/a", "/b", "/c", "/kilns"]);
        site[0].1.push_str(TEXT);
        sections(&site)
    };
    assert!(names(&lists("All of the fuel")).contains(&"All of the fuel"));
    assert!(!names(&lists(said)).contains(&said));
}

#[test]
fn a_list_that_no_link_names_names_no_section() {
    let crawl =
        "<a href=/api/a.html></a><a href=/api/b.html></a><a href=/api/c.html></a><a href=/api/d.html></a>";
    let mut site = with_menu("", TEXT, &["/api/a.html", "/api/b.html", "/api/c.html", "/api/d.html"]);
    site[0].1.push_str("<a href=/api/crawl_all.html></a>");
    site.insert(1, ("/api/crawl_all.html".to_owned(), format!("<ul><li>{crawl}</ul>")));
    let sections = sections(&site);
    assert!(!names(&sections).contains(&"Crawl all"), "{sections:?}");
}

#[test]
fn a_blog_with_a_few_notes_beside_it_is_what_the_site_is() {
    let posts =
        ["/posts/2014-07-clay/", "/posts/2015-02-loam/", "/posts/2014-09-silt/", "/posts/2015-01-slip/"];
    let links = posts.map(|path| format!("<li><a href={path}>On {path}</a></li>")).concat();
    let notes = ["/notes/a/", "/notes/b/"];
    let mut site = with_menu("<nav><a href=/notes/a/>A</a></nav>", TEXT, &[&posts[..], &notes].concat());
    site[0].1 = format!("<main><h1>A blog</h1><h2>Earth</h2><ul>{links}</ul></main>");
    let sections = sections(&site);
    assert_eq!(
        pages_of(&sections, "Earth"),
        ["/posts/2015-02-loam/", "/posts/2015-01-slip/", "/posts/2014-09-silt/", "/posts/2014-07-clay/"],
        "{sections:?}"
    );
}

#[test]
fn a_page_with_a_single_page_below_it_leads_no_group() {
    let paths = ["/k/clay", "/k/pot", "/k/pot-1", "/k/silt", "/k/loam"];
    let mut site = with_menu("", TEXT, &paths);
    site[0].1 =
        format!("<main><h1>Kilns</h1><h2>Earth</h2>{}</main>", listed(&["/k/clay", "/k/silt", "/k/loam"]));
    site[2].1 = format!("<main><h1>Pots</h1>{TEXT}<h2>Kinds</h2>{}</main>", listed(&["/k/pot-1", "/k/clay"]));
    let sections = sections(&site);
    assert!(!sections.iter().any(|(_, pages)| pages.len() == 2), "{sections:?}");
}

#[test]
fn a_page_that_the_home_page_names_leads_the_few_beside_it_that_it_lists() {
    let (hubs, own) = (["/k/clay", "/m/fire", "/m/ash", "/m/wood"], ["/k/silt", "/k/loam", "/k/slip"]);
    let mut site = with_menu("", TEXT, &[&hubs[..], &own].concat());
    site[0].1 = format!("<main><h1>Kilns</h1>{TEXT}{}</main>", listed(&hubs));
    // A heading that many pages have says of none what it lists.
    for page in &mut site[1..=hubs.len()] {
        let news = if page.0 == hubs[0] { listed(&own) } else { listed(&["/k/clay", "/k/silt"]) };
        page.1 = format!("<main><h1>About {}</h1>{TEXT}<h2>Content</h2>{news}</main>", page.0);
    }
    let sections = sections(&site);
    assert_eq!(pages_of(&sections, "On /k/clay"), [&["/", hubs[0]], &own[..]].concat(), "{sections:?}");
}

#[test]
fn a_folder_of_nearly_all_posts_divides_them_not() {
    let posts: Vec<String> =
        (0..45).map(|n| format!("/kilns/2019/{:02}/{:02}/post/", n / 4 + 1, n % 4 + 1)).collect();
    let others = ["/pots/2018/01/01/post/", "/pots/2018/02/01/post/", "/pots/2018/03/01/post/"];
    let paths: Vec<&str> =
        posts.iter().map(String::as_str).chain(others).chain(["/about/", "/price/"]).collect();
    let links = listed(&paths[..48]);
    let mut site = with_menu("<nav><a href=/about/>About</a><a href=/price/>Price</a></nav>", TEXT, &paths);
    site[0].1 = format!(
        "<nav><a href=/about/>About</a><a href=/price/>Price</a></nav><main><h1>Kilns</h1>{TEXT}<h2>News</h2>{links}</main>"
    );
    let sections = sections(&site);
    assert_eq!(pages_of(&sections, "News").len(), 48, "{:?}", names(&sections));
}

#[test]
fn what_a_page_of_news_in_the_menu_lists_is_news_wherever_it_lies() {
    let menu = "<header><nav><a href=/>Home</a><a href=/pots/>Pots</a><a href=/clay/>Clay</a><a href=/news/>What is new</a>\
        </nav></header>";
    let paths = ["/pots/", "/clay/", "/fair/", "/kiln-day/", "/prize/", "/open-house/", "/guests/"];
    let mut site = with_menu(menu, TEXT, &paths);
    let lists = format!("{menu}<main><h1>What is new</h1>{}</main>", listed(&paths[2..]));
    site.push(("/news/".to_owned(), lists));
    let sections = sections(&site);
    assert_eq!(pages_of(&sections, "What is new")[0], "/news/", "{sections:?}");
    assert_eq!(pages_of(&sections, "What is new").len(), 6, "{sections:?}");
}

#[test]
fn a_search_box_names_no_menu() {
    let menu = "<header><div><h3>Search</h3><form><input type=search></form></div><nav><ul>\
        <li><a href=/pots/>Pots</a></li><li><a href=/clay/>Clay</a></li><li><a href=/kilns/>Kilns</a></li></ul></nav></header>";
    let sections = sections(&with_menu(menu, TEXT, &["/pots/", "/clay/", "/kilns/"]));
    assert_eq!(names(&sections), ["example.com"], "{sections:?}");
}

#[test]
fn breadcrumbs_that_call_one_page_differently_make_one_group() {
    let crumbs = |label: &str| {
        format!(
            "<nav aria-label=breadcrumb><a href=/>Home</a> / <a href=/rooms/>{label}</a> / <span>Here</span></nav>"
        )
    };
    let page = |path: &str, label: &str| {
        (path.to_owned(), format!("{}<main><h1>About {path}</h1><p>{path}</p>{TEXT}</main>", crumbs(label)))
    };
    let mut site = with_menu("", &format!("{TEXT}{}", listed(&["/rooms/"])), &["/rooms/"]);
    for (path, label) in
        [("/hall/", "Rooms"), ("/bath/", "By room"), ("/attic/", "Rooms"), ("/cellar/", "By room")]
    {
        site.push(page(path, label));
    }
    let sections = sections(&site);
    let rooms =
        sections.iter().filter(|(_, pages)| pages.iter().any(|page| page == "/hall/" || page == "/bath/"));
    assert_eq!(rooms.count(), 1, "{sections:?}");
}

#[test]
fn a_page_of_no_text_places_none_of_what_the_home_page_shows() {
    let row = |paths: &[&str]| {
        paths.iter().map(|path| format!("<a href={path}>On {path}</a>")).collect::<Vec<_>>().concat()
    };
    let (top, inner) =
        (["/clay/", "/fire/", "/glaze/", "/shop/"], ["/clay/1/", "/clay/2/", "/fire/1/", "/fire/2/"]);
    let mut site: Vec<_> = top
        .iter()
        .chain(&inner)
        .map(|path| ((*path).to_owned(), format!("<main><h1>About {path}</h1>{TEXT}</main>")))
        .collect();
    let lists = format!("<h2>Kilns</h2><ul><li>{}</ul>", row(&top).replace("</a>", "</a><li>"));
    site.insert(
        0,
        (
            "/".to_owned(),
            format!("<main><h1>Kilns</h1>{TEXT}{lists}<p><a href=/news/7/open>Open again</a></main>"),
        ),
    );
    site.push(("/news/7/open".to_owned(), format!("<main><h1>Open again</h1>{lists}</main>")));
    let sections = sections(&site);
    assert!(!names(&sections).contains(&"Open again"), "{sections:?}");
}

#[test]
fn a_picture_to_press_names_no_menu() {
    let menu = "<nav><div><a title='Navigate up' href='javascript:;'><img alt='Navigate up' src=up.png></a></div>\
        <ul><li><a href=/a/>A</a></li><li><a href=/b/>B</a></li><li><a href=/c/>C</a></li></ul></nav>";
    let sections = sections(&with_menu(menu, TEXT, &["/a/", "/b/", "/c/"]));
    assert_eq!(names(&sections), ["example.com"], "{sections:?}");
}

#[test]
fn a_choice_of_versions_is_no_group() {
    let named = |label: &str| {
        let menu = format!(
            "<header><nav><ul><li><a href='#'>{label}</a><ul><li><a href=/book>{label}</a></li>\
            <li><a href=/old>3.x</a></li><li><a href=/first>2.x</a></li></ul></li><li><a href=/a/>A</a></li></ul></nav></header>"
        );
        let sections = sections(&with_menu(&menu, TEXT, &["/book", "/old", "/first", "/a/"]));
        sections.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(
        (named("4.x"), named("Books")),
        (vec!["example.com".to_owned()], vec!["example.com".to_owned(), "Books".to_owned()])
    );
}
