//! One page, from the bytes of an answer to clean Markdown, links and metadata.

mod announced;
mod announcements;
pub(crate) mod charset;
mod chrome;
mod column;
mod crumbs;
mod dates;
mod error_page;
mod fold;
mod genre;
mod head;
mod heading;
mod hrefs;
mod kind;
mod links;
mod lists;
mod main_content;
mod markdown;
mod marks;
mod outer_title;
mod plain;
mod repeats;
mod resolve;
mod script_redirect;
mod sharing;
mod shell;
mod shown;
pub mod sources;
mod streamed;
mod structured;
mod survey;
mod tokenizer;
mod tools;
mod tree;
mod vocabulary;
mod writing;

pub use error_page::{ErrorPage, is_marked as is_marked_as_bot_challenge};
pub use hrefs::hrefs;
pub use kind::{BodyKind, is_markdown_name, media_type};
pub(crate) use markdown::escape::is_reference;
pub use plain::read_markdown;
pub(crate) use tokenizer::is_closed;

use std::sync::Arc;

use crate::markdown::words;
use crate::url::SiteUrl;
use crate::work::{Halt, Work};
use tree::Tree;
use vocabulary::Tag;

/// Headings that a title is compared with.
const TITLE_HEADINGS: usize = 4;
/// Bytes of a line that holds a link and its address.
const LINK_LINE: usize = 160;
/// Bytes of a heading that a page opens with.
const MAX_HEADING: usize = 300;

/// What came over the wire, or from a file.
#[derive(Debug, Clone, Copy)]
pub struct PageSource<'a> {
    /// The final address: the base of relative links.
    pub url: &'a SiteUrl,
    /// The `Content-Type` header, as sent.
    pub content_type: Option<&'a str>,
    /// The `X-Robots-Tag` header, as sent; of several each on a line of its own.
    pub x_robots_tag: Option<&'a str>,
    /// The decoded body, at most the page cap long.
    pub body: &'a [u8],
}

/// What one page says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The first-level heading of its text, else the heading that opens the text, one line.
    pub heading: Option<String>,
    /// Its `title` element, else `og:title`, one line. Most name their site too:
    /// `site::outline` takes that off.
    pub title: Option<String>,
    /// What the page says its site is called (`og:site_name`, `application-name`).
    pub site_name: Option<String>,
    /// What its author says it is about (`meta`, JSON-LD), at most 4 KiB, one line.
    pub description: Option<String>,
    /// Primary language subtag of the page, lower case (`en`).
    pub language: Option<String>,
    /// The day it was published, as the page declares it: `YYYY-MM-DD`.
    pub published: Option<String>,
    /// The day it was changed last, likewise.
    pub modified: Option<String>,
    /// The address the page wants to be known by.
    pub canonical: Option<SiteUrl>,
    /// Main content as Markdown.
    pub markdown: String,
    /// Whose Markdown that is.
    pub origin: MarkdownOrigin,
    /// The way to this page as it tells it itself, from the general to the special, the page left out.
    pub crumbs: Vec<Crumb>,
    /// Its lists of links; an outer one stands before those in it.
    pub lists: Vec<LinkList>,
    /// Every link of the page in document order, one entry per address, place and list.
    pub links: Vec<PageLink>,
    /// Pages of the site that its menus show in frames, as books do with their table of contents, or that are all it shows.
    pub frames: Vec<SiteUrl>,
    /// The page that follows this one (`rel=next`).
    pub next: Option<SiteUrl>,
    /// The page that it stands below, as one of its links says (`rel=up`, `accesskey=u`).
    pub up: Option<SiteUrl>,
    /// Where the page sends its readers on its own, soon (`meta http-equiv=refresh`, or a script when it says next to
    /// nothing else).
    pub refresh: Option<SiteUrl>,
    /// The same page as Markdown (`rel=alternate type=text/markdown`).
    pub markdown_alternate: Option<SiteUrl>,
    /// The same page in other languages (`rel=alternate hreflang`): language tag, address.
    pub translations: Vec<(String, SiteUrl)>,
    /// The page asks not to be indexed.
    pub noindex: bool,
    /// The page asks not to follow its links.
    pub nofollow: bool,
    /// Only JavaScript shows its text: it is an empty shell, or says what another page does.
    pub shell: bool,
    /// Where the Markdown may lie that a shell shows, the likelier places first.
    pub sources: Vec<SiteUrl>,
    /// The server answered with an error page of this kind, whatever its status.
    pub error_page: Option<ErrorPage>,
}

/// Whose Markdown a page has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MarkdownOrigin {
    /// Ours, of the page's HTML.
    #[default]
    Rendered,
    /// The site's own: it may open what it leaves open.
    Served,
}

/// Where on a page a link stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LinkPlace {
    /// A menu, a sidebar, a header bar, a table of contents of the whole site.
    Navigation,
    /// The main content.
    Content,
    /// Footers, asides, banners.
    Margin,
}

/// A step of the way to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crumb {
    /// What the step is called; empty where a picture stands for it.
    pub text: String,
    /// The page that it leads to.
    pub url: Option<SiteUrl>,
}

/// Links of a page that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkList {
    /// What the page calls it: the text before it that is not of its links, or the title that it hangs on.
    pub label: Option<Arc<str>>,
    /// Where the label leads.
    pub entry: Option<SiteUrl>,
    /// The list around it, as its place in [`Page::lists`], which is before its own.
    pub outer: Option<u32>,
    /// Where it stands.
    pub place: LinkPlace,
    /// It stands in the bar across the top of the page.
    pub bar: bool,
    /// How many links of the page stand before it.
    pub first: u32,
}

/// One link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLink {
    /// Where it leads, absolute and cleaned.
    pub url: SiteUrl,
    /// Its text, white space folded.
    pub text: String,
    /// Where it stands.
    pub place: LinkPlace,
    /// The innermost of [`Page::lists`] that it stands in; `None` in running text.
    pub list: Option<u32>,
    /// It leads to the next page or the one before (`rel`, classes of pagers).
    pub turns: bool,
    /// Marked `rel=nofollow`, `ugc` or `sponsored`.
    pub nofollow: bool,
}

impl Page {
    /// What the page calls itself: its heading, else its title.
    pub fn name(&self) -> Option<&str> {
        self.heading.as_deref().or(self.title.as_deref())
    }

    /// Whether it holds links and hardly anything else.
    pub fn is_menu(&self) -> bool {
        self.markdown.len() < self.links.len() * LINK_LINE
    }

    /// Its links as those of a menu: it is shown in a frame of another page.
    #[must_use]
    pub fn as_menu(&self) -> Self {
        let place = LinkPlace::Navigation;
        let links = self.links.iter().map(|link| PageLink { place, ..link.clone() });
        let lists = self.lists.iter().map(|list| LinkList { place, ..list.clone() });
        Self { links: links.collect(), lists: lists.collect(), ..Self::default() }
    }

    /// It has no text, and nothing is said of it: a blank answer, a frame around other pages.
    pub fn is_empty(&self) -> bool {
        self.description.is_none() && !self.markdown.contains(char::is_alphanumeric)
    }
}

/// Why a body is no [`Page`].
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PageError {
    /// It is neither HTML nor text.
    #[error("the page is {0}, not HTML or text")]
    Type(String),
    /// It was not read to its end.
    #[error("the page was given up: {0}")]
    Halt(#[from] Halt),
}

/// Reads a page of any kind that can be read: HTML, Markdown or plain text. Takes time linear in the length of
/// the body and no stack that grows with it; how deep and how big the tree of a page may be is bounded.
///
/// # Errors
/// [`PageError::Type`] names the type of a body that is something else, [`PageError::Halt`] says why `work` ended.
pub fn read(source: &PageSource<'_>, work: &Work<'_>) -> Result<Page, PageError> {
    match BodyKind::of(source.content_type, source.url, source.body) {
        BodyKind::Html => Ok(read_html(source, work)?),
        BodyKind::Markdown => Ok(plain::read_markdown(source, work)?),
        BodyKind::Text => Ok(plain::read_text(source)),
        BodyKind::Other(name) => Err(PageError::Type(name)),
    }
}

/// Reads a body as HTML, whatever it says it is.
///
/// # Errors
/// [`Halt`]: `work` ended before the page did.
pub fn read_html(source: &PageSource<'_>, work: &Work<'_>) -> Result<Page, Halt> {
    let html = charset::decode_html(source.body, source.content_type);
    let tree = Tree::parse(&html, work);
    work.check()?;
    let survey = survey::Survey::of(&tree);
    work.check()?;
    let mut resolver = resolve::Resolver::new(&tree, source.url);
    let content = main_content::content(&tree, &survey, source.url, &mut resolver);
    work.check()?;
    let mut head = head::Head::read(&tree, &mut resolver, source.x_robots_tag);
    let (shown, nodes) = crumbs::read(&tree, &survey, &mut resolver);
    let frames = links::frames(&tree, &survey, &mut resolver, source.url);
    let up = links::up(&tree, &mut resolver);
    let (links, lists) =
        links::collect(&tree, &survey, &content, &mut resolver, source.url, head.beside(), nodes);
    let markdown = markdown::render(&tree, &survey, &content, &mut resolver);
    let title = head.take_title();
    let headings = headings(&tree, &content, title.as_deref());
    let parts = title.iter().flat_map(|title| head::parts(title));
    let names: Vec<&str> = parts.chain(headings.iter().map(|(_, text)| text.as_str())).collect();
    let error_page = error_page::of(&tree, &names, &markdown);
    let data = head.data(&tree, source.url);
    let told = if shown.is_empty() { data.crumbs.clone() } else { shown };
    let crumbs = crumbs::without_self(told, source.url, &names);
    let heading = main_heading(headings, title.as_deref(), &markdown);
    let (published, modified) = head.take_dates(&data);
    let description = head.take_description(data);
    let shell = shell::is_shell(&tree, &survey, &markdown);
    let leads_on = markdown.len() < shell::SHELL_TEXT && !shell::has_mount(&tree);
    let refresh = head.refresh.take().or_else(|| leads_on.then(|| script_redirect::target(&tree)).flatten());
    work.check()?;
    Ok(Page {
        heading,
        title,
        site_name: head.site_name,
        description,
        published,
        modified,
        language: head.language,
        canonical: head.canonical,
        shell,
        sources: if shell { sources::named_by(&html, source.url) } else { Vec::new() },
        error_page,
        markdown,
        origin: MarkdownOrigin::Rendered,
        crumbs,
        lists,
        links,
        frames,
        next: head.next,
        up,
        refresh: refresh.and_then(|target| source.url.join(&target).ok()),
        markdown_alternate: head.markdown_alternate,
        translations: head.translations,
        noindex: head.noindex,
        nofollow: head.nofollow,
    })
}

/// Which of the first-level headings, each with whether it stands in the main content, names the page; else the heading that
/// its text opens with.
fn main_heading(headings: Vec<(bool, String)>, title: Option<&str>, markdown: &str) -> Option<String> {
    // A banner has the name of the site.
    let begins = |text: &str| title.is_some_and(|title| title.starts_with(text));
    let (own, outside): (Vec<_>, Vec<_>) = headings.into_iter().partition(|(own, _)| *own);
    let outside = outside.into_iter().map(|(_, text)| text).find(|text| begins(text));
    let is_most = |text: &String| title.is_some_and(|title| text.len() * 2 >= title.len());
    // Those of a text's parts are several, and the title is none of them.
    let is_named =
        |(_, text): &(bool, String)| title.is_some_and(|title| head::parts(title).any(|part| part == text));
    let named = own.iter().position(is_named);
    let are_parts = own.len() > 1 && named.is_none();
    // So is one alone that has no word of the title, where the text does not open with it.
    let is_part = |(_, text): &(bool, String)| {
        let text = text.to_lowercase();
        let mut said = title.into_iter().flat_map(|title| title.split(|c: char| !c.is_alphanumeric()));
        said.all(|word| word.is_empty() || !text.contains(&word.to_lowercase()))
    };
    match outside {
        Some(outside)
            if is_most(&outside)
                && (are_parts
                    || named.is_none() && !markdown.starts_with("# ") && own.iter().any(is_part)) =>
        {
            Some(outside)
        }
        outside => {
            let own = own.into_iter().map(|(_, text)| text).nth(named.unwrap_or(0));
            let above = are_parts.then(|| heading_above(markdown)).flatten();
            // A line of the text that is no heading.
            let said = |title: &&str| {
                markdown.lines().take_while(|line| !line.starts_with('#')).any(|line| line == *title)
            };
            title
                .filter(said)
                .map(str::to_owned)
                .or(above)
                .or(own)
                .or_else(|| opening_heading(markdown, title))
                .or(outside)
        }
    }
}

/// The first-level headings, and whether each stands in the main content.
fn headings(tree: &Tree<'_>, content: &main_content::Content, title: Option<&str>) -> Vec<(bool, String)> {
    let all = tree.all(Tag::H1).take(TITLE_HEADINGS).map(|n| {
        let text = heading::text(tree, n, MAX_HEADING);
        let names = title.into_iter().flat_map(head::parts);
        let own = heading::named_part(tree, n, &text, names).map(str::to_owned);
        (content.holds(tree, n), own.unwrap_or(text))
    });
    all.filter(|(_, text)| !text.is_empty()).collect()
}

/// The heading that a text begins with, whatever its level; pictures and lines across the page may stand above it. One of
/// several in a row is that of a part unless the title has it.
fn opening_heading(markdown: &str, title: Option<&str>) -> Option<String> {
    let mut lines = markdown.lines().map(str::trim);
    let first = lines.find(|line| {
        line.starts_with('#') || line.chars().any(char::is_alphanumeric) && !line.starts_with("![")
    })?;
    let (level, text) = heading_line(first)?;
    let name = text.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let is_named = title.is_some_and(|title| title.to_lowercase().contains(&name));
    let mut others = lines.filter(|line| line.bytes().take_while(|&byte| byte == b'#').count() == level);
    (!name.is_empty() && (is_named || others.next().is_none())).then_some(text)
}

/// The heading that a text begins with, where the next one is of a higher level: it stands above all parts.
fn heading_above(markdown: &str) -> Option<String> {
    let mut headings = markdown.lines().filter_map(heading_line);
    let (level, text) = headings.next().filter(|_| markdown.starts_with('#'))?;
    headings.next().filter(|(next, _)| *next < level).map(|_| text)
}

/// The level of a heading, and what it says.
fn heading_line(line: &str) -> Option<(usize, String)> {
    let level = line.bytes().take_while(|&byte| byte == b'#').count();
    let text = words(line.strip_prefix('#')?.trim_start_matches('#'), "");
    Some((level, fold::head_of(&text, MAX_HEADING).to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page(html: &str) -> Page {
        page_at("/docs/a.html", html)
    }

    fn page_at(path: &str, html: &str) -> Page {
        let url = SiteUrl::parse(&format!("https://site.example{path}")).unwrap();
        read_html(
            &PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() },
            &Work::unbounded(),
        )
        .unwrap()
    }

    fn markdown(html: &str) -> String {
        page(html).markdown
    }

    const PAGE: &str = r##"<!doctype html><html lang="en-GB"><head><title>Set up &amp; run | Acme</title>
        <base href="/docs/v2/"><meta name=robots content="noindex, follow"><link rel=canonical href=setup.html>
        <link rel=alternate type="text/markdown" href=setup.md><link rel=alternate hreflang=de href=/de/setup>
        <link rel=next href=run.html></head><body>
        <a class="skip-link" href="#main">Skip to content</a>
        <nav><h2>Guide</h2><ul><li><a href="setup.html#top">Set up</a><li>Use<ul><li><a href=run.html>Run</a></ul></ul></nav>
        <main id=main><h1>Set up &amp; run <a class=headerlink href="#setup">&para;</a></h1>
        <p>Acme needs a <a href="config.html#keys" rel=nofollow>configuration file</a> before it runs for the first time.
        <p><button>Copy</button></p>
        <pre><code class="language-sh">acme init  # once
	acme run `now` &lt;all&gt;</code></pre>
        <div class="admonition warning"><p class="admonition-title">Warning</p><p>Mind the <b>gap </b>.</p></div>
        </main><footer><a href="/legal">Legal</a> &copy; Acme</footer></body></html>"##;

    #[test]
    fn a_page_becomes_markdown() {
        assert_eq!(
            markdown(PAGE),
            "# Set up & run\n\nAcme needs a [configuration file](https://site.example/docs/v2/config.html#keys) before it \
             runs for the first time.\n\n```sh\nacme init  # once\n\tacme run `now` <all>\n```\n\n> **Warning**\n>\n> \
             Mind the **gap** ."
        );
    }

    #[test]
    fn a_page_says_what_it_is() {
        let page = page(PAGE);
        assert_eq!(page.heading.as_deref(), Some("Set up & run"));
        assert_eq!(page.title.as_deref(), Some("Set up & run | Acme"));
        assert_eq!((page.site_name, page.description), (None, None));
        assert_eq!(page.language.as_deref(), Some("en"));
        let address = |url: &Option<SiteUrl>| url.as_ref().map(|u| u.path().to_owned());
        assert_eq!(address(&page.canonical).as_deref(), Some("/docs/v2/setup.html"));
        assert_eq!(address(&page.markdown_alternate).as_deref(), Some("/docs/v2/setup.md"));
        assert_eq!(address(&page.next).as_deref(), Some("/docs/v2/run.html"));
        assert_eq!(page.translations.len(), 1);
        assert!(page.noindex && !page.nofollow && !page.shell);
    }

    #[test]
    fn links_know_where_they_stand() {
        let page = page(PAGE);
        let label = |list: Option<u32>| page.lists[list? as usize].label.as_deref();
        let told: Vec<_> = page
            .links
            .iter()
            .map(|l| (l.url.path(), l.text.as_str(), l.place, label(l.list), l.nofollow))
            .collect();
        assert_eq!(
            told,
            [
                ("/docs/v2/setup.html", "Set up", LinkPlace::Navigation, Some("Guide"), false),
                ("/docs/v2/run.html", "Run", LinkPlace::Navigation, Some("Use"), false),
                ("/docs/v2/config.html", "configuration file", LinkPlace::Content, None, true),
                ("/legal", "Legal", LinkPlace::Margin, None, false),
            ]
        );
    }

    #[test]
    fn lists_nest_and_count() {
        assert_eq!(
            markdown("<main><ol start=3><li>a<ul><li>b<li><p>c<p>d</ul><li>e</ol><p>f"),
            "3. a\n   - b\n   - c\n\n     d\n4. e\n\nf"
        );
        assert_eq!(
            markdown("<main><dl><dt>a<dd>b<dt>c<dt>d<dd>e</dl>"),
            "- **a**\n\n  b\n- **c**\n- **d**\n\n  e"
        );
    }

    #[test]
    fn tables_of_data_are_tables() {
        assert_eq!(
            markdown(
                "<main><table><tr><th>a<th align=right>b|c<tr><td rowspan=2>1<td><p>2<p>3<tr><td>4</table>"
            ),
            "| a | b\\|c |\n| --- | --: |\n| 1 | 2 3 |\n|  | 4 |"
        );
        assert_eq!(markdown("<main><table role=presentation><tr><td>a<td>b</table>"), "a\n\nb");
    }

    #[test]
    fn running_text_keeps_its_marks() {
        assert_eq!(
            markdown(
                "<main><p>a<b> b </b>c <a href=x></a><a href=x><i></i>d</a> <code>a`b</code> 1 * 2 __x__ 10<sup>2</sup>"
            ),
            "a **b** c [d](https://site.example/docs/x) ``a`b`` 1 * 2 \\_\\_x\\_\\_ 10^2"
        );
        assert_eq!(
            markdown("<main><a href=x><h2>t</h2><p>u</p></a>"),
            "## [t](https://site.example/docs/x)\n\nu"
        );
        assert_eq!(markdown("<main><p>a<br>b<p>1. c<p># d"), "a  \nb\n\n1\\. c\n\n\\# d");
        assert_eq!(
            markdown("<main><p><img alt='A [b]' src='i.png'><img src=p.gif>"),
            "![A \\[b\\]](https://site.example/docs/i.png)"
        );
    }

    #[test]
    fn a_page_without_a_first_level_heading_is_called_as_it_opens() {
        let heading = |html: &str| page(html).heading;
        let text = "<p>A kiln is a furnace for pots, and there are kilns of many kinds.</p>";
        let opens = format!("<main><h2>2. Firing</h2>{text}<h2>Wood</h2>{text}</main>");
        assert_eq!(heading(&opens), None);
        assert_eq!(heading(&opens.replace("<h2>Wood", "<h3>Wood")).as_deref(), Some("2. Firing"));
        assert_eq!(heading(&format!("<title>Kilns</title>{opens}")), None);
        assert_eq!(heading(&format!("<title>Firing - Kiln</title>{opens}")).as_deref(), Some("2. Firing"));
        assert_eq!(heading(&format!("<main>{text}<h2>Wood</h2>{text}</main>")), None);
        assert_eq!(
            heading(&format!("<title>Kilns</title><main><h2>2026</h2>{text}<h2>2025</h2>{text}</main>")),
            None
        );
        let both = format!("<main><h2>Part</h2><h1>Firing</h1>{text}</main>");
        assert_eq!(heading(&both).as_deref(), Some("Firing"));
    }

    #[test]
    fn a_heading_of_any_level_right_above_all_parts_is_that_of_the_page() {
        let parts = |name: &str| {
            format!("<div class=part><h1>{name}</h1><p>{}</p></div>", "How it is done. ".repeat(9))
        };
        let html = format!(
            "<title>Pottery</title><body><div><nav><a href=/>All</a></nav></div><div class=page><h3>Kilns</h3><div><div \
             role=tablist><button role=tab>Shown</button></div><div><div role=tabpanel>{}<h3>Wood</h3>{}</div></div></div></div>",
            parts("Firing"),
            parts("Cooling")
        );
        let page = page(&html);
        assert_eq!(page.heading.as_deref(), Some("Kilns"));
        assert!(page.markdown.starts_with("### Kilns\n\n"), "{}", page.markdown);
    }

    #[test]
    fn a_line_above_the_content_that_says_the_title_is_part_of_it() {
        let text =
            "<h1>Documentation</h1><p>A kiln is a furnace for pots, and there are kilns of many kinds.</p>";
        let page = page(&format!(
            "<title>Kiln.Fire</title><body><div><div><p>Kiln.Fire</p></div><div><p>Fires.</p></div><div>{text}</div></div>"
        ));
        assert!(page.markdown.starts_with("Kiln.Fire\n\nFires.\n\n# Documentation"), "{}", page.markdown);
        assert_eq!(page.heading.as_deref(), Some("Kiln.Fire"));
    }

    #[test]
    fn sections_between_a_title_and_the_longest_one_belong_to_the_page() {
        let members = "<div><h4>fire(Kiln)</h4><div>Heats a kiln until the pots in it are done, and says so.</div></div>".repeat(9);
        let about = "<div><h3>About</h3><div>Fires pots.</div></div>";
        let html = format!(
            "<title>Kilns -- fire</title><body><div><div><h1>fire</h1></div>{about}<div>{members}</div></div>"
        );
        let page = page(&html);
        assert!(page.markdown.starts_with("# fire\n\n### About\n\nFires pots."), "{}", page.markdown);
    }

    #[test]
    fn a_title_that_ends_in_the_heading_may_begin_with_the_name_of_the_site() {
        let text = "<h2>Wood</h2><p>A kiln is a furnace for pots, and there are kilns of many kinds.</p>";
        let titled = |title: &str| {
            page(&format!("<title>{title}</title><div><h1>Ovens</h1></div><main>{text}</main>")).markdown
        };
        assert!(titled("Kilns -- Ovens").starts_with("# Ovens"));
        assert!(titled("Wood | Ovens").starts_with("## Wood"));
    }

    #[test]
    fn a_banner_that_leads_home_heads_no_page() {
        let text = "<p>A kiln is a furnace for pots, and there are kilns of many kinds.</p>";
        let at = |path: &str, link: &str| {
            let banner = format!("<h1><a {link}>Kilns</a></h1>");
            page_at(
                path,
                &format!("<title>Kilns</title><header>{banner}</header><main><h2>Firing</h2>{text}</main>"),
            )
        };
        for (path, link) in [
            ("/docs/a.html", "href=https://site.example/"),
            ("/docs/a.html", "href=http://www.site.example"),
            ("/docs/a.html", "href=../"),
            ("/docs/a/b/", "href=../../../index.html"),
            ("/blog/a/b", "href=/blog/ rel=home"),
        ] {
            let page = at(path, link);
            assert_eq!(page.heading.as_deref(), Some("Firing"), "{path} {link}");
            assert!(page.markdown.starts_with("## Firing"), "{path} {link}");
        }
        for (path, link) in [
            ("/docs/a.html", "href=/docs/kilns.html"),
            ("/docs/a.html", "href=''"),
            ("/docs/", "href=index.html"),
            ("/docs/index.html", "href=index.html"),
            ("/docs/a/b/", "href=../"),
            ("/docs/a.html", "href=https://kilns.example/"),
            ("/", "href=/"),
            ("/", "href=https://www.site.example/index.html rel=home"),
        ] {
            assert!(at(path, link).markdown.starts_with("# [Kilns]"), "{path} {link}");
        }
    }

    #[test]
    fn several_first_level_headings_of_a_text_are_those_of_its_parts() {
        let text = "<p>A kiln is a furnace for pots, and there are kilns of many kinds.</p>".repeat(8);
        let heading = |title: &str, top: &str, part: &str| {
            let html = format!(
                "<title>{title}</title><header><h1>{top}</h1></header><main><h1>{part}</h1>{text}<h1>Ash</h1>{text}</main>"
            );
            page(&html).heading
        };
        assert_eq!(heading("Firing pots | Kiln", "Firing pots", "Wood").as_deref(), Some("Firing pots"));
        assert_eq!(heading("Wood | Kiln", "Kiln", "Wood").as_deref(), Some("Wood"));
        assert_eq!(heading("Kiln | Firing pots", "Kiln", "Wood").as_deref(), Some("Wood"));
        assert_eq!(heading("Firing wood | Kiln", "Firing wood", "wood").as_deref(), Some("Firing wood"));
        assert_eq!(heading("Ash | Kiln", "Kiln", "Wood").as_deref(), Some("Ash"));
    }

    #[test]
    fn a_heading_without_a_word_of_the_title_is_that_of_a_part_where_one_outside_says_it() {
        let text = "<p>A kiln is a furnace for pots, and there are kilns of many kinds.</p>".repeat(8);
        let heading = |top: &str, own: &str| {
            let html = format!(
                "<title>Snake game - Kilns</title><h1>{top}</h1><article><p>{text}</p><h1>{own}</h1>{text}</article>"
            );
            page(&html).heading
        };
        assert_eq!(heading("Snake game", "Licence").as_deref(), Some("Snake game"));
        assert_eq!(heading("Kilns", "The snake").as_deref(), Some("The snake"));
        let own =
            format!("<title>Kilns</title><h1>Kilns</h1><article><h1>Opening hours</h1>{text}</article>");
        assert_eq!(page(&own).heading.as_deref(), Some("Opening hours"));
    }

    #[test]
    fn without_a_first_level_heading_the_one_right_above_the_text_is_its_title() {
        let text = "<p>A kiln is a furnace for pots, and there are kilns of many kinds.</p>".repeat(8);
        let body = format!("<div><h2>Firing twice</h2><div class=description>{text}</div></div>");
        let html = format!(
            "<title>Kilns</title><div><div><a href=/x>Contact</a></div></div>{body}<h2>Write to us</h2>"
        );
        assert!(page(&html).markdown.starts_with("## Firing twice"), "{}", page(&html).markdown);
    }

    #[test]
    fn a_main_part_that_has_the_title_is_the_content_beside_a_long_menu() {
        let entry = |n: u8| format!("<li><a href=/api/{n}>Method number {n}</a></li>");
        let menu: String = (0..60).map(entry).collect();
        let menu =
            format!("<nav><h3>Methods</h3><ul>{menu}</ul></nav><div><h3>More</h3><ul>{menu}</ul></div>");
        let html = format!("<title>ApiError</title>{menu}<main><h1>class ApiError</h1></main>");
        assert_eq!(page(&html).markdown, "# class ApiError");
    }

    #[test]
    fn a_menu_of_languages_is_no_content() {
        let menu = "<div class=top><p>Available Languages: <a href=../da/ hreflang=da>da</a> | <a href=../de/ hreflang=de>de\
                    </a> | <a href=../en/>en</a></p></div>";
        let text =
            "<p>A kiln is a furnace for pots; see <a href=fr hreflang=fr>the French article</a> on it.</p>";
        assert_eq!(
            markdown(&format!("<main><h1>Kiln</h1>{menu}{text}{menu}</main>")),
            "# Kiln\n\nA kiln is a furnace for pots; see [the French article](https://site.example/docs/fr) on it."
        );
    }

    #[test]
    fn a_page_that_only_leads_on_says_where() {
        let to = |html: &str| page(html).refresh.map(|url| url.path().to_owned());
        let scripted = "<title>Moved</title><script>location.replace('latest/')</script><p>Moved to <a href=latest/>it</a>.";
        let later = "<head><noscript><meta http-equiv=refresh content='1; url=latest/'></noscript>\
                     <script>window.location = 'latest/' + location.hash</script></head>";
        for html in [scripted, later] {
            assert_eq!(to(html).as_deref(), Some("/docs/latest/"), "{html}");
        }
        let text = "Words that say what a kiln is for. ".repeat(20);
        assert_eq!(to(&format!("<p>{text}<script>location = '/login'</script>")), None);
        assert_eq!(to("<div id=app></div><script>location = '/login'</script>"), None);
    }

    #[test]
    fn a_page_without_text_is_empty() {
        for blank in
            ["", " \n", "<title>Blank</title><body><hr></body>", "<frameset><frame src=a></frameset>"]
        {
            assert!(page(blank).is_empty(), "{blank}");
        }
        assert!(!page("<body><p>Short.</p>").is_empty());
        assert!(
            !page("<meta name=description content='Pictures of the harbour.'><body><img src=a>").is_empty()
        );
    }

    #[test]
    fn a_picture_on_a_page_does_not_describe_it() {
        let description = |metas: &str| page(metas).description;
        let picture = "<meta itemprop=description content='The logo of our potteries.'>";
        let own = "<meta property=og:description content='How kilns are fired.'>";
        assert_eq!(description(&format!("{picture}{own}")).as_deref(), Some("How kilns are fired."));
        assert_eq!(description(picture).as_deref(), Some("The logo of our potteries."));
        let template = "<meta name=description content='Just another WordPress site'>";
        assert_eq!((description(template), description(&format!("{template}{own}")).is_some()), (None, true));
    }

    #[test]
    fn hostile_pages_need_no_stack() {
        let run = || {
            for html in [
                "<ul><li>".repeat(20_000),
                "<b><p>".repeat(40_000),
                "<div>".repeat(200_000),
                "<table><td>".repeat(20_000),
                "<a href=x>y".repeat(40_000),
                "<blockquote>x".repeat(20_000),
                "</p>".repeat(40_000),
                format!("<p {}>x", "class=y ".repeat(40_000)),
                "word & ".repeat(200_000),
            ] {
                let _ = page(&html);
            }
        };
        std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap().join().unwrap();
    }

    /// A page that costs much at every byte: each line of it is written behind the marks of twelve lists.
    fn dear() -> String {
        format!("<main>{}{}", "<ol start=4000000000><li>".repeat(12), "x<br>".repeat(100_000))
    }

    #[test]
    fn a_page_that_takes_too_much_work_is_given_up() {
        let (url, html) = (SiteUrl::parse("https://site.example/").unwrap(), dear());
        let source = PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() };
        let read = |steps| read(&source, &Work::bounded(steps));
        assert_eq!(read(10_000_000), Err(PageError::Halt(Halt::TooComplex)));
        assert!(read(usize::MAX).is_ok_and(|page| page.markdown.len() > 20 * html.len()));
    }

    #[test]
    fn reading_stops_when_cancelled_in_every_stage() {
        let (url, html) = (SiteUrl::parse("https://site.example/").unwrap(), dear());
        let source = PageSource { url: &url, content_type: None, x_robots_tag: None, body: html.as_bytes() };
        let looks = std::cell::Cell::new(0);
        let count = || {
            looks.set(looks.get() + 1);
            false
        };
        assert!(read_html(&source, &Work::new(usize::MAX, &count)).is_ok());
        let all = looks.get();
        for leaves_at in [1, all / 4, all / 2, all] {
            let looks = std::cell::Cell::new(0);
            let left = || {
                looks.set(looks.get() + 1);
                looks.get() >= leaves_at
            };
            assert_eq!(read_html(&source, &Work::new(usize::MAX, &left)), Err(Halt::Cancelled));
            assert_eq!(looks.get(), leaves_at, "it goes on behind the look that ended it");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_page(body in proptest::collection::vec(any::<u8>(), 0..400)) {
            let url = SiteUrl::parse("https://site.example/").unwrap();
            let source = PageSource { url: &url, content_type: None, x_robots_tag: None, body: &body };
            let work = Work::unbounded();
            let _ = (read(&source, &work), read_html(&source, &work), read_markdown(&source, &work));
        }

        #[test]
        fn any_markup_is_a_page(parts in proptest::collection::vec(proptest::sample::select(vec![
            "<p>", "</p>", "<b>", "</b>", "<a href=x>", "</a>", "<li>", "<ul>", "</ul>", "<table>", "<td>", "<th>",
            "</table>", "<pre>", "</pre>", "<code>", "</code>", "<h1>", "</h1>", "<dl>", "<dt>", "<dd>", "</dl>",
            "<div class=admonition>", "</div>", "<blockquote>", "</blockquote>", "<br>", "<hr>", "x", " ", "\n", "`",
            "<svg>", "</svg>", "<math>", "<ol>", "</ol>", "<tr>", "&amp;", "<button>", "<script>", "</script>", "\u{e9}",
        ]), 0..60)) {
            let _ = page(&parts.concat());
        }

        #[test]
        fn code_is_kept_to_the_letter(code in "[a-z`<>&\\\\|* \t\n#-]{0,80}[a-z;]") {
            let code = code.trim_start_matches(['\n', ' ', '\t']);
            let html = format!("<main><p>text</p><pre>{}</pre>", code.replace('&', "&amp;").replace('<', "&lt;"));
            prop_assert!(markdown(&html).contains(code), "{}", markdown(&html));
        }
    }
}
