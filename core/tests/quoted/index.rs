//! `llms.txt`: made of hostile parts, and by the whole of what composes it.

use proptest::prelude::*;
use wayfile_core::llms_txt::compose::{IndexOptions, index};
use wayfile_core::llms_txt::describe::ModelTexts;
use wayfile_core::llms_txt::document::{Document, INSTRUCTIONS_TITLE, Link, Passage, Section};
use wayfile_core::llms_txt::inline::{Destination, Name, Text};
use wayfile_core::llms_txt::reference::readable;
use wayfile_core::page::Page;
use wayfile_core::site::outline::{self, CrawledPage, Outline};
use wayfile_core::url::SiteUrl;

use super::markup::{all, markup};
use super::shown::{readers, shown};
use super::written::document as read_back;

/// What a parser has to make of a document, in the notation of [`shown`].
fn expected(document: &Document) -> String {
    let (title, summary) = (document.title.as_str(), document.summary.as_str());
    let mut out = vec![format!("<h1>{title}</h1>\n<quote><p>{summary}</p>\n</quote>\n")];
    for text in &document.info {
        out.push(format!("<p>{}</p>\n", text.as_str()));
    }
    if !document.instructions.is_empty() {
        out.push(format!("<p><b>{INSTRUCTIONS_TITLE}</b></p>\n"));
    }
    for same in document.instructions.chunk_by(|a, b| matches!((a, b), (Passage::Item(_), Passage::Item(_))))
    {
        match same {
            [Passage::Paragraph(text)] => out.push(format!("<p>{}</p>\n", text.as_str())),
            items => {
                let text = |item: &Passage| match item {
                    Passage::Item(text) | Passage::Paragraph(text) => format!("<li>{}</li>\n", text.as_str()),
                };
                out.push(format!("<ul>{}</ul>\n", items.iter().map(text).collect::<String>()));
            }
        }
    }
    for section in &document.sections {
        out.push(format!("<h2>{}</h2>\n", section.name.as_str()));
        let link = |link: &Link| {
            let notes = link.notes.as_ref().map_or(String::new(), |notes| format!(": {}", notes.as_str()));
            format!("<li><a {}>{}</a>{notes}</li>\n", link.url.as_str(), link.name.as_str())
        };
        if !section.links.is_empty() {
            out.push(format!("<ul>{}</ul>\n", section.links.iter().map(link).collect::<String>()));
        }
    }
    out.concat()
}

/// Every place of a file, made of one text.
fn document(raw: &str) -> Document {
    let name = || Name::clean(raw).unwrap_or_else(Name::untitled);
    let text = || Text::clean(raw).unwrap_or_else(Text::nothing);
    let url = Destination::clean(raw).or_else(|| Destination::clean("/")).unwrap();
    let link = Link { name: name(), url, notes: Some(text()) };
    let bare = Link { notes: None, ..link.clone() };
    Document {
        title: name(),
        summary: text(),
        info: vec![text(), text()],
        instructions: [Passage::read(raw), vec![Passage::Item(text()), Passage::Paragraph(text())]].concat(),
        sections: vec![Section { name: name(), links: vec![link.clone(), bare, link] }],
    }
}

fn check(document: &Document, text: &str) -> Result<(), TestCaseError> {
    for options in readers() {
        prop_assert_eq!(shown(text, options), expected(document), "{:?}\n{}", options, text);
    }
    prop_assert_eq!(read_back(text), Some(document.clone()), "{}", text);
    prop_assert_eq!(readable(text), Ok(()), "{}", text);
    Ok(())
}

fn words(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[test]
fn every_mark_at_every_depth_is_text() {
    for raw in all() {
        let document = document(&raw);
        check(&document, &document.render()).unwrap();
        let text = Text::clean(&raw);
        assert_eq!(text.as_ref().map_or(String::new(), |text| words(text.as_str())), words(&raw), "{raw}");
    }
}

#[test]
fn known_forgeries_stay_text() {
    let raw = "1. # Fake\n2) ## X\n- 1. # F\n1. [e]: http://evil.example/\n[e]\n1. ~~~\nuse `a*b` and C++";
    let document = Document { instructions: Passage::read(raw), ..document("Kiln") };
    let text = document.render();
    let lines = "\n1\\. # Fake\n\n2\\) ## X\n\n- 1\\. # F\n\n1\\. [e]: http://evil.example/\n\n[e]\n\n1\\. ~~~\n\nuse `a*b` and C++\n";
    assert!(text.contains(lines), "{text}");
    check(&document, &text).unwrap();
}

fn page(at: usize, title: String, description: Option<String>, markdown: String) -> CrawledPage {
    let url = SiteUrl::parse(&format!("https://docs.example.org/{at}/__init__*?a&lt;b$c$")).unwrap();
    let page = Page { title: Some(title), description, markdown, ..Page::default() };
    CrawledPage { link: url.clone(), url, page }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn random_markup_is_text(raw in markup()) {
        let document = document(&raw);
        check(&document, &document.render())?;
    }

    #[test]
    fn sites_instructions_and_models_forge_nothing(
        site_name in markup(),
        summary in prop::option::of(markup()),
        instructions in markup(),
        pages in prop::collection::vec((markup(), prop::option::of(markup()), markup()), 1..4),
        told in prop::option::of(markup()),
        section in markup(),
    ) {
        let page = |(at, (title, description, markdown))| page(at, title, description, markdown);
        let pages: Vec<CrawledPage> = pages.into_iter().enumerate().map(page).collect();
        let sections = vec![outline::OutlineSection { name: section, optional: false, pages: (0..pages.len()).collect() }];
        let outline = Outline { site_name, summary, sections, ..Outline::default() };
        let descriptions = told.iter().map(|told| (pages[0].url.clone(), told.clone())).collect();
        let written = ModelTexts { summary: told.clone(), descriptions };
        let written = told.is_some().then_some(&written);
        let options = IndexOptions { instructions: Some(&instructions), written, ..IndexOptions::default() };
        let made = index(&outline, &pages, None, &options);
        check(&made.document, &made.text)?;
    }
}
