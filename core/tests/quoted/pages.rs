//! `llms-full.txt`: no page acts on another, nor ends before it is over.

use std::sync::Arc;

use proptest::prelude::*;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};
use wayfile_core::llms_txt::compose::{FullOptions, full};
use wayfile_core::page::{self, MarkdownOrigin, Page, PageSource};
use wayfile_core::site::outline::{CrawledPage, Outline, OutlineSection};
use wayfile_core::url::SiteUrl;
use wayfile_core::work::Work;

use super::markup::{STARTERS, all, markup};
use super::shown::readers;

fn served(at: usize, markdown: &str) -> CrawledPage {
    let url = SiteUrl::parse(&format!("https://docs.example.org/{at}/__init__*a*")).unwrap();
    let page = Page {
        title: Some(format!("Page {at}")),
        markdown: markdown.to_owned(),
        origin: MarkdownOrigin::Served,
        ..Page::default()
    };
    CrawledPage { link: url.clone(), url, page }
}

/// The same markup as the text of an HTML page, as its author might have typed it.
fn rendered(at: usize, markup: &str) -> CrawledPage {
    let mut fetched = served(at, "");
    let text = markup.replace('&', "&amp;").replace('<', "&lt;").replace("\n\n", "</p><p>");
    let html = format!(
        "<main><h1>Page {at}</h1><p>{text}</p><ul><li>{text}<pre>{text}</pre></ul><blockquote>{text}</blockquote></main>"
    );
    let source = PageSource {
        url: &fetched.url,
        content_type: Some("text/html"),
        x_robots_tag: None,
        body: html.as_bytes(),
    };
    fetched.page = page::read(&source, &Work::unbounded()).unwrap();
    fetched.page.title = Some(format!("Page {at}"));
    fetched
}

fn file(pages: &[CrawledPage]) -> String {
    let sections =
        vec![OutlineSection { name: "S".to_owned(), optional: false, pages: (0..pages.len()).collect() }];
    let summary = Some("Kiln fires [e] and [^1] and [k] pots.".to_owned());
    let outline = Outline { site_name: "Kiln".to_owned(), summary, sections, ..Outline::default() };
    full(&outline, &Arc::new(pages.to_vec()), None, &FullOptions::default()).text.to_string()
}

/// The events of each page, names of footnotes without what tells pages apart.
fn events(text: &str, options: Options) -> Vec<Vec<String>> {
    let mut pages = vec![Vec::new()];
    for event in Parser::new_ext(text, options) {
        if matches!(event, Event::Start(Tag::Heading { level: HeadingLevel::H2, .. })) {
            pages.push(Vec::new());
        }
        let shown = match event {
            Event::FootnoteReference(name) => format!("refers to ^{name}"),
            Event::Start(Tag::FootnoteDefinition(name)) => format!("defines ^{name}"),
            other => format!("{other:?}"),
        };
        let shown =
            ["Borrowed", "Boxed", "Inlined"].iter().fold(shown, |shown, kind| shown.replace(kind, ""));
        pages.last_mut().unwrap().push(unnumbered(&shown));
    }
    pages
}

/// A text without numbers behind hyphens in what follows a `^`.
fn unnumbered(text: &str) -> String {
    let mut parts = text.split('^');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        let end = part.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
        format!("{all}^{name}{rest}")
    })
}

/// Says whether every page is the same beside the others as alone.
fn check(pages: &[CrawledPage]) -> Result<(), TestCaseError> {
    let together = file(pages);
    let alone: Vec<String> = pages.iter().map(|page| file(std::slice::from_ref(page))).collect();
    for options in readers().into_iter().take(2) {
        let together_events = events(&together, options);
        prop_assert_eq!(together_events.len(), pages.len() + 1, "{:?}\n{}", options, &together);
        for (at, alone) in alone.iter().enumerate() {
            let alone = events(alone, options);
            prop_assert_eq!(&together_events[0], &alone[0], "{:?}\n{}", options, &together);
            prop_assert_eq!(&together_events[at + 1], &alone[1], "{:?}\n{}", options, &together);
        }
    }
    let source = |line: &&str| line.starts_with("Source: ");
    let lines: Vec<&str> = together.lines().collect();
    for (at, _) in pages.iter().enumerate() {
        let heading = lines.iter().position(|line| *line == format!("## Page {at}"));
        prop_assert!(heading.is_some_and(|at| lines.get(at + 2).is_some_and(source)), "{}", &together);
    }
    Ok(())
}

#[test]
fn every_mark_at_every_depth_stays_on_its_page() {
    let last = "Its [e], [^1], [k] and $b$.\n\n[e]: own\n\n[^1]: Note.";
    for raw in all() {
        check(&[served(0, &raw), served(1, last)]).unwrap();
    }
    for raw in STARTERS {
        check(&[rendered(0, raw), served(1, last), rendered(2, raw)]).unwrap();
    }
}

#[test]
fn labels_of_footnotes_bind_on_their_page_alone() {
    let pages = [
        "Undefined [^a] and [^B].",
        "Defined[^a] [^b].\n\n[^a]: One.\n\n[^b]: http://evil.example/",
        "Twice[^A].\n\n[^A]: Two.",
        "[^a-2] and [^a-3] are names, too.\n\n[^a-2]: Three.",
    ];
    let pages: Vec<_> = pages.iter().enumerate().map(|(at, page)| served(at, page)).collect();
    check(&pages).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn random_pages_stay_apart(texts in prop::collection::vec((markup(), any::<bool>()), 2..4)) {
        let page = |(at, (text, is_html)): (usize, (String, bool))| {
            if is_html { rendered(at, &text) } else { served(at, &text) }
        };
        check(&texts.into_iter().enumerate().map(page).collect::<Vec<_>>())?;
    }
}
