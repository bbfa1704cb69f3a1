//! Both files from small sites.

mod descriptions;

use std::cell::Cell;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::llms_txt::blocks::{BlockKind, blocks};
use crate::llms_txt::describe::ModelTexts;
use crate::llms_txt::lint::lint;
use crate::llms_txt::lint::rule::Tier;
use crate::llms_txt::reference::readable;
use crate::llms_txt::render::tests::hostile;
use crate::page::{MarkdownOrigin, Page};
use crate::site::locale::Translation;
use crate::site::outline::{Called, CrawledPage, Outline, OutlineSection};
use crate::url::SiteUrl;
use crate::work::{Halt, Work};
use crate::written::document;

fn page(path: &str, title: &str, description: Option<&str>, markdown: &str) -> CrawledPage {
    let url = SiteUrl::parse(&format!("https://docs.example.org/{path}")).unwrap();
    let page = Page {
        title: Some(title.to_owned()),
        description: description.map(str::to_owned),
        markdown: markdown.to_owned(),
        ..Page::default()
    };
    CrawledPage { link: url.clone(), url, page }
}

fn section(name: &str, optional: bool, pages: impl IntoIterator<Item = usize>) -> OutlineSection {
    OutlineSection { name: name.to_owned(), optional, pages: pages.into_iter().collect() }
}

fn outline(sections: Vec<OutlineSection>) -> Outline {
    Outline {
        site_name: "Kiln".to_owned(),
        summary: Some("Kiln fires pots.".to_owned()),
        sections,
        ..Outline::default()
    }
}

const BOILERPLATE: &str = "The official documentation of Kiln, the best kiln there is.";

/// A [`Full`] with its text put together.
struct Whole {
    text: String,
    pages: usize,
    left_out: usize,
    listings: usize,
    cut_by_size: bool,
}

fn full(
    outline: &Outline,
    pages: &[CrawledPage],
    home: Option<&SiteUrl>,
    options: &FullOptions<'_>,
) -> Whole {
    let Full { text, pages, left_out, listings, cut_by_size } =
        super::full(outline, &Arc::new(pages.to_vec()), home, options);
    Whole { text: text.to_string(), pages, left_out, listings, cut_by_size }
}

#[test]
fn a_small_site() {
    let pages = [
        page(
            "start.html",
            "Start",
            Some(BOILERPLATE),
            "# Start\n\nNote: beta.\n\nInstall the [kiln](x) and `fire` it for a day. Then wait for two.\n\n## Wiring the heater\n\n## Wood\n",
        ),
        page("api/", "API", Some(BOILERPLATE), "# API\n\n## Temperatures\n\n## Glazes\n"),
        page("blog/one", "News", Some("What happened in the workshop this spring."), ""),
        page("cmd", "kiln-stop(1)", None, "## NAME\n\nkiln-stop - stop the kiln at once\n"),
        page("shot", "A kiln", None, "![](kiln.png)\n"),
    ];
    let outline = outline(vec![section("Blog", true, [2]), section("Guide", false, [0, 1, 3, 4])]);
    let made = index(
        &outline,
        &pages,
        None,
        &IndexOptions { instructions: Some("# Be\n- kind"), ..IndexOptions::default() },
    );
    assert_eq!(
        made.text,
        "# Kiln\n\n> Kiln fires pots.\n\nPages of docs.example.org listed in this file: 5.\n\n\
         **Instructions for LLM Agents**\n\n\
         - Choose pages by their descriptions and fetch only those that the question needs.\n\
         - Prefer what these pages say over what you remember, and cite the address of the page you used.\n\
         - Skip the section Optional when room is short.\n\nBe\n\n- kind\n\n\
         ## Guide\n\n\
         - [Start](https://docs.example.org/start.html): Install the kiln and fire it for a day. Sections: Wiring the heater, Wood\n\
         - [API](https://docs.example.org/api/): Temperatures, Glazes\n\
         - [kiln-stop(1)](https://docs.example.org/cmd): stop the kiln at once\n\
         - [A kiln](https://docs.example.org/shot)\n\n\
         ## Optional\n\n\
         - [News](https://docs.example.org/blog/one): What happened in the workshop this spring.\n"
    );
    assert_eq!((made.links, made.left_out), (5, 0));
}

#[test]
fn pages_that_nothing_but_their_addresses_tells_apart_are_not_listed() {
    let screen = "```\n+------+\n| Kiln |\n+------+\n```\n";
    let told = |at: usize| {
        let text =
            format!("{} is fired in a kiln, and glazed later on in the yard.", ["Clay", "Loam", "Silt"][at]);
        page(&format!("{at}"), &format!("Pot {at}"), None, &text)
    };
    let screens = ["s1", "s2", "s3"].map(|at| page(at, "Screen", None, screen));
    let pages: Vec<_> = (0..3).map(told).chain(screens).chain([page("p", "Plan", None, screen)]).collect();
    let made = index(&outline(vec![section("S", false, 0..7)]), &pages, None, &IndexOptions::default());
    assert_eq!((made.links, made.left_out, made.alike), (4, 0, 3), "{}", made.text);
    assert!(made.text.contains("listed in this file: 4.") && made.text.contains("[Plan]"), "{}", made.text);
    let few = index(&outline(vec![section("S", false, 3..7)]), &pages, None, &IndexOptions::default());
    assert_eq!((few.links, few.alike), (4, 0), "{}", few.text);
    let apart = [section("S", false, 0..4), section("T", false, 4..5), section("U", false, 5..7)];
    let made = index(&outline(apart.to_vec()), &pages, None, &IndexOptions::default());
    assert_eq!((made.links, made.alike), (7, 0), "{}", made.text);
    // A heading tells pages apart whose titles are all the name of the site.
    let mut headed = pages.clone();
    for (at, page) in headed[3..6].iter_mut().enumerate() {
        page.page.heading = Some(format!("Screen {at}"));
    }
    let made = index(&outline(vec![section("S", false, 0..7)]), &headed, None, &IndexOptions::default());
    assert_eq!((made.links, made.alike), (7, 0), "{}", made.text);
}

#[test]
fn model_descriptions_win_and_repeat_nothing() {
    let pages: Vec<_> = ["a", "b", "c", "d"]
        .into_iter()
        .map(|at| {
            page(at, at, None, &format!("The page {at} tells how pot {at} is fired in a kiln of clay."))
        })
        .collect();
    let told = |at: usize, text: &str| (pages[at].url.clone(), text.to_owned());
    let written = ModelTexts {
        summary: Some("A handbook of firing pots.".to_owned()),
        descriptions: [
            told(0, "How pot *a* is fired."),
            told(1, "How a pot is fired."),
            told(2, "How a Pot is fired!"),
            told(3, "A"),
        ]
        .into(),
    };
    let outline = outline(vec![section("S", false, 0..4)]);
    let made =
        index(&outline, &pages, None, &IndexOptions { written: Some(&written), ..IndexOptions::default() });
    assert!(made.text.contains("> A handbook of firing pots."), "{}", made.text);
    assert!(made.text.contains("/a): How pot "), "{}", made.text);
    for at in ["b", "c", "d"] {
        assert!(made.text.contains(&format!("The page {at} tells")), "{}", made.text);
    }
    assert_eq!((made.links, made.written), (4, 1));
    let whole =
        full(&outline, &pages, None, &FullOptions { written: Some(&written), ..FullOptions::default() });
    assert!(whole.text.contains("> A handbook of firing pots."), "{}", whole.text);
}

#[test]
fn equal_titles_are_told_apart_by_the_label_above() {
    let pages = [page("a/intro", "Intro", None, ""), page("b/intro", "Intro", None, "")];
    let called = ["Wood", "Gas"].map(|above| Called {
        label: None,
        above: vec![above.to_owned()],
        ..Called::default()
    });
    let outline = Outline { called: called.to_vec(), ..outline(vec![section("S", false, [0, 1])]) };
    let made = index(&outline, &pages, None, &IndexOptions::default());
    assert!(made.text.contains("[Wood: Intro]") && made.text.contains("[Gas: Intro]"), "{}", made.text);
}

#[test]
fn the_weakest_links_go_first() {
    let pages: Vec<_> = (0..30).map(|n| page(&n.to_string(), &format!("Page {n}"), None, "")).collect();
    let outline =
        outline(vec![section("A", false, 0..12), section("B", false, 12..15), section("C", true, 15..30)]);
    let by_count = index(&outline, &pages, None, &IndexOptions { max_pages: 10, ..IndexOptions::default() });
    let names: Vec<_> = by_count.document.sections.iter().map(|s| (s.name.as_str(), s.links.len())).collect();
    assert_eq!(names, [("A", 7), ("B", 3)]);
    assert_eq!((by_count.links, by_count.left_out), (10, 20));
    assert!(
        by_count
            .text
            .contains("docs.example.org listed in this file: 10. More pages that found no room: 20.")
    );
    let by_size =
        index(&outline, &pages, None, &IndexOptions { max_chars: 1_500, ..IndexOptions::default() });
    assert!(by_size.text.chars().count() <= 1_500 && by_size.links > 8, "{}", by_size.text);
}

#[test]
fn the_home_page_is_the_head_and_no_link() {
    let pages = [
        page("guide", "Guide", None, "Pots are fired for a day and cooled for two.\n"),
        page(
            "",
            "Kiln",
            None,
            "Copyright \u{a9} 2026 Kiln.\n\nKiln is a furnace for pots of all kinds and sizes.\n",
        ),
    ];
    let outline = Outline { summary: None, ..outline(vec![section("S", false, [0, 1])]) };
    let home = &pages[1].url.clone();
    let made = index(&outline, &pages, Some(home), &IndexOptions::default());
    assert!(
        made.text.starts_with("# Kiln\n\n> Kiln is a furnace for pots of all kinds and sizes.\n"),
        "{}",
        made.text
    );
    assert!(made.text.contains("Pages of docs.example.org listed in this file: 1.\n"), "{}", made.text);
    assert_eq!((made.links, made.left_out), (1, 0));
    let whole = full(&outline, &pages, Some(home), &FullOptions::default());
    assert!(whole.text.find("## Kiln") < whole.text.find("## Guide"), "{}", whole.text);
    let alone = index(&outline, &pages[1..], Some(home), &IndexOptions::default());
    assert_eq!(alone.links, 1);
}

/// A word for a number: what differs in numbers alone is the same to a reader.
fn word(n: usize) -> String {
    n.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}

#[test]
fn pages_that_are_yet_to_be_written_give_way_to_written_ones() {
    let of = |at: usize, text: &str| page(&format!("kilns/{at}"), &format!("Kiln {}", word(at)), None, text);
    let stubs = (0..10).map(|at| of(at, "Tell how it is fired."));
    let pages: Vec<_> =
        stubs.chain((10..40).map(|at| of(at, &"It is fired with wood. ".repeat(20)))).collect();
    let options = IndexOptions { max_pages: 20, ..IndexOptions::default() };
    let made = index(&outline(vec![section("Kilns", false, 0..40)]), &pages, None, &options);
    let listed = made.document.sections.iter().flat_map(|section| &section.links);
    let listed: Vec<_> = listed.map(|link| link.name.as_str().to_owned()).collect();
    assert_eq!(listed, (10..30).map(|at| format!("Kiln {}", word(at))).collect::<Vec<_>>());
}

#[test]
fn an_address_describes_no_page() {
    let text = "It is fired with wood for a day and a night.";
    let pages = [
        page("a", "Kiln", Some("https://docs.example.org/kilns/of/wood"), text),
        page(
            "c",
            "Clay",
            Some("/kilns/js/clay.js /kilns/js/pots.js"),
            "Clay is a kind of earth that turns to stone in a fire.",
        ),
        page("b", "Glaze", Some("What makes pots shine like glass."), "It melts."),
    ];
    let made = index(&outline(vec![section("Kilns", false, 0..3)]), &pages, None, &IndexOptions::default());
    let links = made.document.sections.iter().flat_map(|section| &section.links);
    let notes: Vec<_> = links.filter_map(|link| Some(link.notes.as_ref()?.as_str())).collect();
    assert_eq!(
        notes,
        [text, "Clay is a kind of earth that turns to stone in a fire.", "What makes pots shine like glass."]
    );
}

#[test]
fn links_give_way_before_what_is_said_of_others() {
    let sentence =
        |n: usize| format!("Pot {} is fired in the kiln for a day and then cooled in the yard.", word(n));
    let topics = "## Wiring the heater\n\n## Mixing the glaze\n\n## Cooling the pots\n\n## Selling the ware\n\n\
                  ## Sweeping the yard\n";
    let unique = |n: usize| topics.replace("the", &format!("the {}", word(n)));
    let pages: Vec<_> = (0..40)
        .map(|n| {
            page(&n.to_string(), &format!("Page {n}"), None, &format!("{}\n\n{}", sentence(n), unique(n)))
        })
        .collect();
    let outline = outline(vec![section("A", false, 0..40)]);
    let made =
        |max_chars| index(&outline, &pages, None, &IndexOptions { max_chars, ..IndexOptions::default() });
    let (ample, short, least) = (made(50_000), made(8_600), made(3_000));
    assert!(ample.links == 40 && (least.links + 1..40).contains(&short.links));
    let said = |made: &Index| -> Vec<String> {
        let links = made.document.sections.iter().flat_map(|section| &section.links);
        links.map(|link| link.notes.as_ref().map_or("", |notes| notes.as_str()).to_owned()).collect()
    };
    let whole = said(&ample);
    for notes in whole.iter().chain(&said(&short)).chain(&said(&least)) {
        assert!(whole.contains(notes) && notes.contains("in the yard. Sections: "), "{notes}");
    }
}

#[test]
fn the_full_text_keeps_pages_apart() {
    let code = "```sh\n# not a heading\n## nor this\n\n   odd   spaces\n```";
    let pages = [
        page("a", "One", None, &format!("One\n===\n\nHello.\n\n## Sub\n\n{code}\n\n##### Deep\n\n~~~\nopen")),
        page("b", "Two", None, "### Two\n\n# Other\n\nText.\n"),
    ];
    let made = full(&outline(vec![section("S", false, [0, 1])]), &pages, None, &FullOptions::default());
    assert_eq!(
        made.text,
        format!(
            "# Kiln\n\n> Kiln fires pots.\n\n## One\n\nSource: https://docs.example.org/a\n\nHello.\n\n### Sub\n\n{code}\n\n\
             ###### Deep\n\n~~~\nopen\n~~~\n\n## Two\n\nSource: https://docs.example.org/b\n\n### Other\n\nText.\n"
        )
    );
    let short = full(
        &outline(vec![section("S", false, [0, 1])]),
        &pages,
        None,
        &FullOptions { max_pages: 9, max_bytes: 200, ..FullOptions::default() },
    );
    assert_eq!((short.pages, short.left_out, short.cut_by_size), (1, 1, true));
    assert!(short.text.len() <= 200);
}

#[test]
fn pages_of_links_alone_go_last_and_are_the_first_to_be_left_out() {
    let contents = "- [A chapter of the book](a)\n".repeat(20);
    let pages = [
        page("contents", "Contents", None, &contents),
        page("a", "A", None, "Pots are fired in a kiln."),
        page("b", "B", None, "Glazes melt at a thousand degrees."),
    ];
    let outline = outline(vec![section("S", false, [0, 1, 2])]);
    let made = |max_pages| full(&outline, &pages, None, &FullOptions { max_pages, ..FullOptions::default() });
    let order = |text: &str| ["## A\n", "## B\n", "## Contents\n"].map(|heading| text.find(heading));
    let whole = made(9);
    assert!(order(&whole.text).is_sorted() && order(&whole.text)[0].is_some(), "{}", whole.text);
    assert_eq!((whole.pages, whole.listings), (3, 0));
    let part = made(2);
    assert_eq!((part.pages, part.left_out, part.listings), (2, 1, 1));
    assert!(order(&part.text)[2].is_none() && order(&part.text)[1].is_some(), "{}", part.text);
}

#[test]
fn lists_of_posts_by_a_word_are_told_last_and_counted() {
    let pages =
        ["by", "a", "b"].map(|at| page(at, at, None, "Fired in a kiln, and glazed later on in the yard."));
    let outline = Outline { archives: [0].into(), ..outline(vec![section("S", false, [1, 2])]) };
    let whole = full(&outline, &pages, None, &FullOptions::default());
    assert_eq!((whole.pages, whole.left_out), (3, 0));
    let short = full(&outline, &pages, None, &FullOptions { max_pages: 2, ..FullOptions::default() });
    assert_eq!((short.pages, short.left_out, short.listings), (2, 1, 1));
    let made = index(&outline, &pages, None, &IndexOptions::default());
    assert_eq!((made.links, made.left_out, made.alike), (2, 0, 1), "{}", made.text);
}

#[test]
fn definitions_bind_within_their_page() {
    let served = |path: &str, markdown: &str| {
        let mut page = page(path, path, None, markdown);
        page.page.origin = MarkdownOrigin::Served;
        page
    };
    let pages = [
        served("one", "See [the kiln][k].[^1]\n\n[k]: https://one.example/\n\n[^1]: Note one.\n"),
        served("two", "An array index is written [k].[^1]\n\n[^1]: Note two.\n"),
    ];
    let made = full(&outline(vec![section("S", false, [0, 1])]), &pages, None, &FullOptions::default());
    assert!(made.text.contains("See [the kiln](https://one.example/).[^1-1]"), "{}", made.text);
    assert!(made.text.contains("written [k].[^1-2]\n\n[^1-2]: Note two."), "{}", made.text);
}

fn site() -> impl Strategy<Value = (Outline, Vec<CrawledPage>)> {
    let one = (hostile(), prop::option::of(hostile()), hostile());
    let pages = prop::collection::vec(one, 1..5).prop_map(|parts| {
        let make = |(n, (title, description, markdown)): (usize, (String, Option<String>, String))| {
            page(&format!("{n}(x)?q=]"), &title, description.as_deref(), &markdown)
        };
        parts.into_iter().enumerate().map(make).collect::<Vec<_>>()
    });
    let section = (hostile(), any::<bool>(), prop::collection::vec(0_usize..6, 0..4))
        .prop_map(|(name, optional, pages)| OutlineSection { name, optional, pages });
    let outline = (hostile(), prop::option::of(hostile()), prop::collection::vec(section, 0..4)).prop_map(
        |(site_name, summary, sections)| Outline { site_name, summary, sections, ..Outline::default() },
    );
    (outline, pages)
}

#[test]
fn a_fence_left_open_in_any_spelling_ends_with_its_page() {
    let pages = [page("a", "A", None, "\u{2028}~~~`\ncode"), page("b", "B", None, "text")];
    let made = full(&outline(vec![section("Guide", false, [0, 1])]), &pages, None, &FullOptions::default());
    let headings =
        blocks(&made.text).iter().filter(|b| matches!(b.kind, BlockKind::Heading { level: 2, .. })).count();
    assert_eq!(headings, 2, "{}", made.text);
}

proptest! {
    #[test]
    fn hostile_sites_make_readable_files((outline, pages) in site(), instructions in hostile()) {
        let made = index(&outline, &pages, None, &IndexOptions { instructions: Some(&instructions), ..IndexOptions::default() });
        prop_assert_eq!(readable(&made.text), Ok(()), "{}", &made.text);
        prop_assert_eq!(document(&made.text), Some(made.document.clone()), "{}", &made.text);
        prop_assert_eq!(made.document.sections.iter().map(|s| s.links.len()).sum::<usize>(), made.links);
        prop_assert!(made.document.sections.iter().all(|s| !s.links.is_empty()));
        let notes: Vec<_> = made.document.sections.iter().flat_map(|s| &s.links).filter_map(|l| l.notes.clone()).collect();
        let different: std::collections::HashSet<_> = notes.iter().collect();
        prop_assert_eq!(notes.len(), different.len(), "{}", &made.text);
    }

    #[test]
    fn hostile_sites_make_files_of_perfect_form((outline, pages) in site(), instructions in hostile()) {
        let options = IndexOptions { instructions: Some(&instructions), ..IndexOptions::default() };
        let made = index(&outline, &pages, None, &options);
        let linted = lint(&made.text.as_str().into(), pages.first().map(|page| &page.url));
        let wrong: Vec<_> = linted
            .findings
            .iter()
            .filter(|finding| finding.rule.tier == Tier::Structure && !finding.pass)
            .map(|finding| (finding.rule.id, finding.line, finding.detail.clone()))
            .collect();
        prop_assert!(wrong.is_empty() || made.links == 0, "{wrong:?}\n{}", made.text);
    }

    #[test]
    fn hostile_pages_forge_no_page((outline, mut pages) in site()) {
        // What we write ourselves is escaped where it is written.
        for page in &mut pages {
            page.page.origin = MarkdownOrigin::Served;
        }
        let made = full(&outline, &pages, None, &FullOptions::default());
        let parsed = blocks(&made.text);
        let at = |wanted| parsed.iter().filter(|b| matches!(b.kind, BlockKind::Heading { level, .. } if level == wanted)).count();
        prop_assert_eq!((at(1), at(2)), (1, made.pages), "{}", &made.text);
    }
}

#[test]
fn pages_that_tell_nothing_of_themselves_go_first_wherever_they_stand() {
    let told = |n: usize| {
        let text =
            format!("# Glaze {n}\n\nGlaze {} is a mixture of many parts of ash and one of clay.\n", word(n));
        page(&format!("glaze/{n}"), &format!("Glaze {n}"), None, &text)
    };
    let mut pages: Vec<_> = (0..8).map(told).collect();
    pages.push(page("figure", "Figure", None, "# Figure\n\n![](/figure.png)\n"));
    let outline = outline(vec![section("Figures", false, [8]), section("Glazes", false, 0..8)]);
    let whole = index(&outline, &pages, None, &IndexOptions::default());
    assert!(whole.text.contains("[Figure]"), "{}", whole.text);
    let max_chars = whole.text.chars().count() - 10;
    let cut = index(&outline, &pages, None, &IndexOptions { max_chars, ..IndexOptions::default() });
    assert!(!cut.text.contains("[Figure]"), "{}", cut.text);
    assert!(cut.text.contains("[Glaze 0]") && cut.links >= 7, "{}", cut.text);
}

#[test]
fn what_says_nothing_and_can_be_skipped_is_not_listed() {
    let text = "# Pot\n\nA pot of clay is fired in a kiln of bricks for three days.\n";
    let picture = "# Pot\n\n![](/pot.png)\n";
    let texts = [text, picture, "# Tags\n", text, picture, picture, picture, picture];
    let numbered = |(at, text): (usize, &&str)| {
        page(&at.to_string(), &format!("Pot {at}"), None, &text.replace("days", &word(at)))
    };
    let pages: Vec<_> = texts.iter().enumerate().map(numbered).collect();
    let sections = vec![section("Pots", false, 0..3), section("Optional", true, 3..8)];
    let on_home = (0..8).map(|at| at == 4).collect();
    let outline = Outline { on_home, ..outline(sections) };
    let made = index(&outline, &pages, None, &IndexOptions::default());
    let names = made.document.sections.iter().flat_map(|s| &s.links).map(|link| link.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["Pot 0", "Pot 1", "Pot 3", "Pot 4"]);
    assert_eq!((made.alike, made.left_out), (4, 0));
}

#[test]
fn a_site_is_summed_up_by_its_home_page_or_by_the_first_page_that_names_it() {
    let banner = "This is the handbook of last year, and of all the years before it.";
    let about = "Kiln is a furnace for pots that is fired with wood. It stands in the yard.";
    let pages = |home: &str| {
        ["", "use", "about"].map(|path| {
            let text = match path {
                "" => home,
                "about" => about,
                _ => "Heat it for three days, and read what others have found out of Kiln before.",
            };
            page(path, path, None, &format!("{banner}\n\n{text}\n"))
        })
    };
    let outline = Outline { summary: None, ..outline(vec![section("Guide", false, 0..3)]) };
    let summed_up = |home: &str| {
        let pages = pages(home);
        index(&outline, &pages, Some(&pages[0].url), &IndexOptions::default())
            .document
            .summary
            .as_str()
            .to_owned()
    };
    let own = "All that is known of furnaces for pots, with pictures.";
    assert_eq!(summed_up(own), own);
    assert_eq!(summed_up(&format!("{own} Read more")), own);
    assert_eq!(summed_up(&format!("House of clay at the old harbour of the town\n\n{own}")), own);
    assert_eq!(summed_up(&format!("The new year begins today!\n\n{own}")), own);
    let teaser =
        "## [Wood](https://docs.example.org/wood)\n\nWood is dry when it rings, and wet when it does not.";
    assert_eq!(summed_up(teaser), about);
    assert_eq!(summed_up("![](kiln.png)"), about);
    assert_eq!(summed_up("## Use\n\nWood is dry when it rings, and wet when it does not."), about);
    let named = Outline { summary: Some("The Kiln website".to_owned()), ..outline.clone() };
    let home = pages(own);
    let made = index(&named, &home, Some(&home[0].url), &IndexOptions::default());
    assert_eq!(made.document.summary.as_str(), own);
    let nothing = [page("a", "A", None, "")];
    let made = index(
        &Outline { sections: vec![section("Guide", false, [0]), section("Blog", true, [])], ..outline },
        &nothing,
        None,
        &IndexOptions::default(),
    );
    assert_eq!(made.document.summary.as_str(), "Guide");
}

#[test]
fn what_nobody_calls_anything_and_says_nothing_is_not_listed() {
    let bare = |at: usize| {
        let mut page = page(&format!("parts/{}", word(at)), "", None, "| a | b |\n|---|---|\n| 1 | 2 |\n");
        page.page.title = None;
        page
    };
    let told = |at: usize| {
        page(&word(at), &word(at), Some(&format!("It keeps the heat of {} inside for hours.", word(at))), "")
    };
    let pages: Vec<_> = (0..5).map(told).chain((5..8).map(bare)).collect();
    let listed = |called: &[usize]| {
        let name = |at: usize| Called { label: called.contains(&at).then(|| word(at)), ..Called::default() };
        let outline =
            Outline { called: (0..8).map(name).collect(), ..outline(vec![section("S", false, 0..8)]) };
        index(&outline, &pages, None, &IndexOptions::default()).links
    };
    assert_eq!([listed(&[]), listed(&[5, 6])], [5, 8]);
}

#[test]
fn languages_that_are_left_out_have_a_link_each() {
    let pages =
        [page("a", "A", None, "Some words on a kiln."), page("b", "B", None, "More words on a kiln.")];
    let french = Translation { name: "Fran\u{e7}ais".to_owned(), url: pages[1].url.join("/fr/").unwrap() };
    let made = |optional| {
        let outline = outline(vec![section("Guide", false, [0]), section("News", optional, [1])]);
        let outline = Outline { translations: vec![french.clone()], ..outline };
        let options = IndexOptions { max_pages: 2, ..IndexOptions::default() };
        index(&outline, &pages, None, &options).text
    };
    assert!(
        made(false).ends_with("\n\n## Optional\n\n- [Fran\u{e7}ais](https://docs.example.org/fr/)\n"),
        "{}",
        made(false)
    );
    assert_eq!(made(true).matches("## Optional").count(), 1, "{}", made(true));
}

/// Writes one of the files, as long as somebody waits for it.
type Write<'a> = &'a dyn Fn(&Work<'_>);

#[test]
fn composing_is_cancelled() {
    let text = "Fire the kiln with care.\n\n".repeat(1_000);
    let pages: Vec<_> =
        (0..100).map(|at| page(&at.to_string(), &format!("Part {at}"), None, &text)).collect();
    let outline = outline(vec![section("Guide", false, 0..100)]);
    let write: [(&str, Write<'_>); 2] = [
        ("index", &|work| {
            let options = IndexOptions { work: Some(work), ..IndexOptions::default() };
            let _ = index(&outline, &pages, None, &options);
        }),
        ("full", &|work| {
            let options = FullOptions { work: Some(work), ..FullOptions::default() };
            let written = full(&outline, &pages, None, &options).pages;
            assert!(work.check().is_ok() == (written == 100), "{written}");
        }),
    ];
    for (name, write) in write {
        let looks = Cell::new(0);
        let stop = || looks.replace(looks.get() + 1) > 2;
        let work = Work::new(usize::MAX, &stop);
        write(&work);
        assert_eq!((work.check(), looks.get()), (Err(Halt::Cancelled), 4), "{name}");
        let work = Work::unbounded();
        write(&work);
        assert_eq!(work.check(), Ok(()), "{name}");
    }
}

#[test]
fn an_icon_is_no_part_of_a_sections_name() {
    let pages = [page("a", "Clay", None, ""), page("b", "Wood", None, "")];
    let sections = vec![section("\u{2728} Pots", false, [0]), section("Kiln: \u{1f525} Fire", false, [1])];
    let made = index(&outline(sections), &pages, None, &IndexOptions::default());
    assert!(made.text.contains("## Pots\n") && made.text.contains("## Kiln: Fire\n"), "{}", made.text);
}
