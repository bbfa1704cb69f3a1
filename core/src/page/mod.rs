//! One page, from the bytes of an answer to clean Markdown, links and metadata.

use crate::site::url::SiteUrl;

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
#[derive(Debug, Clone, PartialEq, Eq)]
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
