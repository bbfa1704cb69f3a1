//! One page, from the bytes of an answer to clean Markdown, links and metadata.

mod charset;
mod clean;
mod head;
mod kind;
mod links;
mod markdown;
mod marks;
mod plain;
mod tokenizer;
mod tree;
mod vocabulary;

pub use kind::Kind;

use crate::site::url::SiteUrl;
use tree::Tree;
use vocabulary::Tag;

/// Headings that a title is compared with.
const TITLE_HEADINGS: usize = 4;
/// Bytes of Markdown below which a page with scripts counts as a shell.
const SHELL_TEXT: usize = 200;

/// What came over the wire, or from a file.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The final address: the base of relative links.
    pub url: &'a SiteUrl,
    /// The `Content-Type` header, as sent.
    pub content_type: Option<&'a str>,
    /// The `X-Robots-Tag` header, as sent (several joined by commas).
    pub x_robots_tag: Option<&'a str>,
    /// The decoded body, at most the page cap long.
    pub body: &'a [u8],
}

/// What one page says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The page's own title, without the site's name.
    pub title: Option<String>,
    /// What the page says its site is called (`og:site_name`, `application-name`, the cut-off title suffix).
    pub site_name: Option<String>,
    /// What the page is about, at most 300 characters, one line.
    pub description: Option<String>,
    /// Primary language subtag of the page, lower case (`en`).
    pub language: Option<String>,
    /// The address the page wants to be known by.
    pub canonical: Option<SiteUrl>,
    /// Main content as Markdown.
    pub markdown: String,
    /// Every link of the page in document order, one entry per address and place.
    pub links: Vec<Link>,
    /// The page that follows this one (`rel=next`).
    pub next: Option<SiteUrl>,
    /// The same page as Markdown (`rel=alternate type=text/markdown`).
    pub markdown_alternate: Option<SiteUrl>,
    /// The same page in other languages (`rel=alternate hreflang`): language tag, address.
    pub translations: Vec<(String, SiteUrl)>,
    /// The page asks not to be indexed.
    pub noindex: bool,
    /// The page asks not to follow its links.
    pub nofollow: bool,
    /// The page is an empty shell that only JavaScript fills.
    pub shell: bool,
}

/// Where on a page a link stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A menu, a sidebar, a header bar, a table of contents of the whole site.
    Navigation,
    /// The main content.
    Content,
    /// Footers, asides, banners.
    Margin,
}

/// One link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, absolute and cleaned.
    pub url: SiteUrl,
    /// Its text, white space folded.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// The label of the group it stands in: the heading or caption above its list, or the text of the
    /// list item that its list is nested in.
    pub group: Option<String>,
    /// How many lists enclose it (0: none).
    pub depth: u8,
    /// Marked `rel=nofollow`, `ugc` or `sponsored`.
    pub nofollow: bool,
}

/// Why a body is no [`Page`].
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PageError {
    /// It is neither HTML nor text.
    #[error("the page is {0}, not HTML or text")]
    Type(String),
}

/// Reads a page of any kind that can be read: HTML, Markdown or plain text. Takes time linear in the length of
/// the body and no stack that grows with it; how deep and how big the tree of a page may be is bounded.
///
/// # Errors
/// [`PageError::Type`] names the type of a body that is something else.
pub fn read(source: &Source<'_>) -> Result<Page, PageError> {
    match Kind::of(source.content_type, source.url, source.body) {
        Kind::Html => Ok(read_html(source)),
        Kind::Markdown => Ok(plain::read_markdown(source)),
        Kind::Text => Ok(plain::read_text(source)),
        Kind::Other(name) => Err(PageError::Type(name)),
    }
}

/// Reads a body as HTML, whatever it says it is.
#[must_use]
pub fn read_html(source: &Source<'_>) -> Page {
    let html = charset::decode(source.body, source.content_type, true);
    let tree = Tree::parse(&html);
    let survey = clean::Survey::of(&tree);
    let content = clean::content(&tree, &survey);
    let mut resolver = links::Resolver::new(&tree, source.url);
    let mut head = head::Head::read(&tree, &mut resolver, source.x_robots_tag);
    let links = links::collect(&tree, &survey, &content, &mut resolver);
    let markdown = markdown::render(&tree, &survey, &content, &mut resolver);
    let title = head.take_title(&headings(&tree));
    let description = head.take_description(&tree, &survey, &content);
    Page {
        title,
        site_name: head.site_name,
        description,
        language: head.language,
        canonical: head.canonical,
        shell: is_shell(&tree, &survey, &markdown),
        markdown,
        links,
        next: head.next,
        markdown_alternate: head.markdown_alternate,
        translations: head.translations,
        noindex: head.noindex,
        nofollow: head.nofollow,
    }
}

/// Reads a body as Markdown, whatever it says it is.
#[must_use]
pub fn read_markdown(source: &Source<'_>) -> Page {
    plain::read_markdown(source)
}

fn headings(tree: &Tree<'_>) -> Vec<String> {
    let first = |tag| tree.descendants(0).filter(move |&n| tree.tag(n) == tag).take(TITLE_HEADINGS);
    first(Tag::H1)
        .chain(first(Tag::H2).take(1))
        .map(|n| markdown::heading_text(tree, n))
        .filter(|t| !t.is_empty())
        .collect()
}

/// A page with next to no text whose scripts (or whose word to those without scripts) promise more.
fn is_shell(tree: &Tree<'_>, survey: &clean::Survey, markdown: &str) -> bool {
    if markdown.len() >= SHELL_TEXT || survey.all(0) >= 600.0 {
        return false;
    }
    let scripts = tree.descendants(0).filter(|&n| tree.tag(n) == Tag::Script).count();
    let mount = tree.descendants(0).any(|n| {
        tree.node(n).end == n + 1
            && tree.raw_attribute(n, vocabulary::Name::Id).is_some_and(|id| {
                matches!(
                    id,
                    "root" | "app" | "__next" | "__nuxt" | "svelte" | "___gatsby" | "main" | "application"
                )
            })
    });
    let asks = tree
        .descendants(0)
        .filter(|&n| tree.tag(n) == Tag::Noscript)
        .any(|n| tree.folded_text(n, 400).to_ascii_lowercase().contains("javascript"));
    scripts > 0 && (mount || asks || (markdown.trim().is_empty() && scripts > 1))
}
