//! What is read, each with the syntax that it is fed with.

use std::hint::black_box;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use wayfile_core::llms_txt::compose::{self, FullOptions, IndexOptions};
use wayfile_core::llms_txt::describe::{Evidence, Subject, check};
use wayfile_core::llms_txt::document::Passage;
use wayfile_core::llms_txt::inline::{Destination, Name, Text};
use wayfile_core::llms_txt::lint::served::{HttpAnswer, agents_shut_out, alike, coverage, points_to};
use wayfile_core::llms_txt::lint::source::Source;
use wayfile_core::llms_txt::lint::{self, is_instructions_title};
use wayfile_core::llms_txt::parse::parse;
use wayfile_core::llms_txt::reference::readable;
use wayfile_core::page::{MarkdownOrigin, Page, PageSource, hrefs, read_html, read_markdown};
use wayfile_core::site::duplicate::Duplicates;
use wayfile_core::site::outline::{self, CrawledPage};
use wayfile_core::site::robots::Robots;
use wayfile_core::site::sitemap::{self, Sitemap, SitemapLimits};
use wayfile_core::site::structure::Structure;
use wayfile_core::url::SiteUrl;
use wayfile_core::work::Work;

use super::page::PAGE;
use super::patterns::{HTML, LINES, MARKDOWN, Pattern, ROBOTS, SITEMAP, SITEMAP_TEXT, Syntax};
use super::written::document;

/// Something that reads foreign text.
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    syntax: &'static Syntax,
    /// Bytes of which, and of twice which, the cost is counted: more where the work of a byte is small, since a search
    /// that is done over and over hides behind it.
    pub(crate) sizes: &'static [usize],
    pub(crate) read: fn(&str),
}

impl Reader {
    pub(crate) fn patterns(&self, is_all: bool) -> Vec<Pattern> {
        self.syntax.patterns(is_all)
    }
}

const CHEAP: &[usize] = &[32 << 10];
const DEAR: &[usize] = &[2 << 10];
/// More than it takes to nest as deep as a page's tree can: what grows with the depth grows no more behind that.
const DEEP: &[usize] = &[8 << 10, 32 << 10];

pub(crate) static READERS: &[Reader] = &[
    Reader { name: "page", syntax: &PAGE, sizes: DEEP, read: a_page },
    Reader {
        name: "hrefs",
        syntax: &HTML,
        sizes: DEAR,
        read: |text| drop(black_box(hrefs(text.as_bytes(), None))),
    },
    Reader { name: "sitemap", syntax: &SITEMAP, sizes: CHEAP, read: a_sitemap },
    Reader { name: "sitemap as text", syntax: &SITEMAP_TEXT, sizes: CHEAP, read: a_sitemap },
    Reader { name: "robots", syntax: &ROBOTS, sizes: CHEAP, read: robots },
    Reader { name: "address", syntax: &SITEMAP_TEXT, sizes: CHEAP, read: address },
    Reader { name: "look", syntax: &HTML, sizes: DEAR, read: looked_at },
    Reader { name: "coverage", syntax: &SITEMAP, sizes: DEAR, read: covered },
    Reader { name: "llms.txt", syntax: &MARKDOWN, sizes: DEAR, read: llms_txt },
    Reader { name: "lint", syntax: &MARKDOWN, sizes: DEAR, read: checked },
    Reader { name: "lint html", syntax: &HTML, sizes: DEAR, read: checked },
    Reader { name: "markdown page", syntax: &MARKDOWN, sizes: DEAR, read: markdown_page },
    Reader { name: "inline", syntax: &MARKDOWN, sizes: DEAR, read: inline },
    Reader { name: "instructions", syntax: &MARKDOWN, sizes: DEAR, read: instructions },
    Reader { name: "title", syntax: &MARKDOWN, sizes: DEAR, read: |text| site(&[page("a", text, "", "")]) },
    Reader {
        name: "description",
        syntax: &MARKDOWN,
        sizes: DEAR,
        read: |text| site(&[page("a", "", text, "")]),
    },
    Reader {
        name: "body",
        syntax: &MARKDOWN,
        sizes: DEAR,
        read: |text| site(&[page("a", "", "A kiln that fires pots of clay.", text)]),
    },
    Reader { name: "served body", syntax: &MARKDOWN, sizes: DEAR, read: served },
    Reader { name: "pages", syntax: &LINES, sizes: DEAR, read: pages },
    Reader { name: "subject", syntax: &MARKDOWN, sizes: DEAR, read: subject },
    Reader { name: "answer", syntax: &MARKDOWN, sizes: DEAR, read: answer },
    Reader { name: "evidence", syntax: &MARKDOWN, sizes: DEAR, read: evidence },
    Reader { name: "duplicates", syntax: &LINES, sizes: DEAR, read: duplicates },
];

static HOME: LazyLock<SiteUrl> = LazyLock::new(|| SiteUrl::parse("https://docs.example/").unwrap());

fn a_page(text: &str) {
    let source = PageSource { url: &HOME, content_type: None, x_robots_tag: None, body: text.as_bytes() };
    let _ = black_box(read_html(&source, &Work::unbounded()));
}

fn a_sitemap(text: &str) {
    let _ = black_box(Sitemap::parse(
        &HOME,
        None,
        text.as_bytes(),
        &SitemapLimits::default(),
        &Work::unbounded(),
    ));
}

fn robots(text: &str) {
    let rules = Robots::parse(text.as_bytes(), "wayfile");
    black_box(rules.allows(&HOME));
    black_box(sitemap::named_by(&rules, &HOME));
    black_box(agents_shut_out(text.as_bytes(), "wayfile", &HOME));
}

fn answered(text: &str) -> HttpAnswer {
    HttpAnswer {
        url: HOME.clone(),
        status: 200,
        headers: vec![("link".to_owned(), text.to_owned()), ("content-type".to_owned(), text.to_owned())],
        last_modified: None,
        took: Duration::ZERO,
        body: text.as_bytes().to_vec(),
        cut: false,
    }
}

/// What the checks of a site read beside its file.
fn looked_at(text: &str) {
    let (one, other) = (answered(text), answered(&format!("{text}x")));
    black_box((points_to(&one, &HOME), alike(&one, &other), one.media_type()));
}

fn covered(text: &str) {
    let Ok(sitemap) =
        Sitemap::parse(&HOME, None, text.as_bytes(), &SitemapLimits::default(), &Work::unbounded())
    else {
        return;
    };
    let links: Vec<_> = sitemap.entries.iter().map(|entry| entry.url.clone()).collect();
    black_box(coverage(&HOME, &sitemap.entries, &links, true));
}

fn address(text: &str) {
    let _ = black_box(SiteUrl::parse(text));
    let _ = black_box(HOME.join(text).map(|url| url.key()));
}

fn llms_txt(text: &str) {
    let parsed = parse(text);
    black_box(parsed.sections.iter().map(|section| section.links().count()).sum::<usize>());
    black_box(document(text).map(|document| document.render()));
    let _ = black_box(readable(text));
}

fn checked(text: &str) {
    black_box(lint::lint(&Source::decode(text.as_bytes()), Some(&HOME)).links(Some(&HOME)));
}

fn markdown_page(text: &str) {
    let (content_type, body) = (Some("text/markdown"), text.as_bytes());
    let source = PageSource { url: &HOME, content_type, x_robots_tag: None, body };
    let _ = black_box(read_markdown(&source, &Work::unbounded()));
}

fn inline(text: &str) {
    let (name, line) = (Name::clean(text), Text::clean(text));
    black_box((name.map(|name| name.markdown()), line.map(|line| line.markdown())));
    black_box((Name::read(text), Text::read(text), Destination::clean(text), is_instructions_title(text)));
}

fn instructions(text: &str) {
    black_box(Passage::read(text));
}

fn page(path: &str, title: &str, description: &str, markdown: &str) -> CrawledPage {
    let url = HOME.join(path).unwrap_or_else(|_| HOME.clone());
    let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let (title, description) = (said(title), said(description));
    CrawledPage {
        link: url.clone(),
        url,
        page: Page { title, description, markdown: markdown.to_owned(), ..Page::default() },
    }
}

/// Both files of a site, whose home page is its first.
fn site(pages: &[CrawledPage]) {
    let mut pages = pages.to_vec();
    outline::settle_titles(pages.first().map(|home| home.page.clone()).as_ref(), &mut pages);
    let pages = Arc::new(pages);
    let home = pages.first();
    let site = home.map_or_else(|| HOME.clone(), |page| page.url.clone());
    let mut navigation = Structure::new(&site, pages.len());
    for page in &*pages {
        navigation.read(&page.url, &page.page);
    }
    let outline = outline::outline(home.map(|page| &page.page), &navigation, &pages);
    black_box(compose::index(&outline, &pages, Some(&site), &IndexOptions::default()).text);
    black_box(compose::full(&outline, &pages, Some(&site), &FullOptions::default()).text.to_string());
}

fn served(text: &str) {
    let mut one = page("a", "", "", text);
    one.page.origin = MarkdownOrigin::Served;
    site(&[one]);
}

/// A line is a page: its path, its title, and all it says.
fn pages(text: &str) {
    let pages: Vec<_> = text.lines().map(|line| page(line, line, "", line)).collect();
    site(&pages);
}

fn subject(text: &str) {
    let _ = black_box(Subject::read(&page("a", text, text, text), 8_000, &Work::unbounded()));
}

fn answer(text: &str) {
    let mut evidence = Evidence::default();
    evidence.add("Kiln fires pots of clay.");
    let _ = black_box(check(text, "Kiln", "Say what it is.", &evidence));
}

/// An answer that is held against a text, behind a prompt.
fn evidence(text: &str) {
    let mut evidence = Evidence::default();
    evidence.add(text);
    let _ = black_box(check("Kiln is a furnace that fires pots of clay.", text, text, &evidence));
}

fn duplicates(text: &str) {
    let mut seen = Duplicates::default();
    let pages: Vec<_> = text.lines().map(|line| page(line, "", "", line)).collect();
    for line in &pages {
        black_box(seen.seen(line, true, &pages));
    }
}
