//! The XML formats, read leniently: one pass over the tags, no tree, no entity table.

use std::collections::HashSet;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::decode::unescape;
use super::{Entry, Sitemap, SitemapKind, SitemapLimits};
use crate::phrases::strip_prefix_ignore_case;
use crate::url::{SiteUrl, URL_MAX_CHARS};
use crate::work::Work;

/// Characters of an element after which no more are kept: far over what an address may have, so that a long one
/// is refused and not cut into another one.
const TEXT_MAX_CHARS: usize = 16 * URL_MAX_CHARS;
/// Steps of a tag, a text or an attribute: what most of them take.
const STEPS_PER_EVENT: usize = 64;

/// The start tag that makes a file a sitemap, and what follows it.
#[derive(Clone, Copy)]
pub(super) struct Root<'a> {
    kind: SitemapKind,
    /// The namespace prefix that the format's own elements carry, unless they carry none.
    prefix: &'a str,
    text: &'a str,
}

/// Finds the first tag that starts a known format, behind whatever a server prints before it. None for an HTML
/// page, which may show a sitemap as an example.
pub(super) fn find_root<'a>(text: &'a str, work: &Work<'_>) -> Option<Root<'a>> {
    for at in memchr::memchr_iter(b'<', text.as_bytes()).take_while(|_| work.spend(1)) {
        let tag = text.get(at + 1..)?;
        // A name that another tag begins in is none: looked for beyond it, every `<` would take all that follows.
        let end = |c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/' | '<');
        let Some((name, after)) = tag.split_once(end) else { break };
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let is = |known: &str| local.eq_ignore_ascii_case(known);
        let kind = match local {
            _ if is("urlset") => SitemapKind::Urlset,
            _ if is("sitemapindex") => SitemapKind::Index,
            _ if is("rss") || local == "RDF" => SitemapKind::Rss,
            _ if is("feed") => SitemapKind::Atom,
            _ if is("html") => return None,
            _ if is("!doctype") && strip_prefix_ignore_case(after.trim_start(), "html").is_some() => {
                return None;
            }
            _ => continue,
        };
        return Some(Root { kind, prefix, text: text.get(at..)? });
    }
    None
}

/// What an element means to a sitemap.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    /// Holds one page: `url`, `item`, `entry`.
    Page,
    /// Holds one sitemap of an index.
    Child,
    /// Its text is the address.
    Location,
    /// Atom: its `href` is the address, when it is the page itself.
    Link,
    /// RSS: its text is the address, unless it says otherwise.
    Guid,
    /// The page in another language (`xhtml:link`).
    Alternate,
    Other,
}

/// Collects what the tags say. An end tag ends whatever is open, whether it names it or not.
struct Collector<'a> {
    base: &'a SiteUrl,
    limits: &'a SitemapLimits,
    work: &'a Work<'a>,
    prefix: &'a str,
    sitemap: Sitemap,
    /// The addresses that were found.
    seen: HashSet<SiteUrl>,
    alternates: usize,
    /// Octets of the addresses that were found.
    bytes: usize,
    /// The page or child that is open.
    open: Option<Element>,
    location: Option<String>,
    /// Stands in for a missing location.
    guid: Option<String>,
    page_alternates: Vec<(String, SiteUrl)>,
    /// The element whose text is being read, and the text so far, escaped.
    reading: Element,
    text: String,
}

/// Reads a file from its root on.
pub(super) fn parse(base: &SiteUrl, root: Root<'_>, limits: &SitemapLimits, work: &Work<'_>) -> Sitemap {
    let mut reader = Reader::from_str(root.text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    let mut collector = Collector::new(base, root, limits, work);
    while !collector.sitemap.truncated && work.spend(STEPS_PER_EVENT) {
        match reader.read_event() {
            Ok(Event::Start(tag)) => collector.start(&tag),
            Ok(Event::Empty(tag)) => {
                collector.start(&tag);
                collector.end(collector.element(tag.name().as_ref()));
            }
            Ok(Event::End(tag)) => collector.end(collector.element(tag.name().as_ref())),
            Ok(Event::Text(text)) => collector.push(&[&text.into_inner()]),
            Ok(Event::CData(text)) => collector.push(&[&text.into_inner()]),
            Ok(Event::GeneralRef(name)) => collector.push(&["&", &name.into_inner(), ";"]),
            Ok(Event::Eof) => {
                collector.sitemap.truncated = collector.open.is_some();
                return collector.sitemap;
            }
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
            Err(_) => collector.sitemap.truncated = true,
        }
    }
    collector.sitemap
}

impl<'a> Collector<'a> {
    fn new(base: &'a SiteUrl, root: Root<'a>, limits: &'a SitemapLimits, work: &'a Work<'a>) -> Self {
        Self {
            base,
            limits,
            work,
            prefix: root.prefix,
            sitemap: Sitemap::new(root.kind),
            seen: HashSet::new(),
            alternates: 0,
            bytes: 0,
            open: None,
            location: None,
            guid: None,
            page_alternates: Vec::new(),
            reading: Element::Other,
            text: String::new(),
        }
    }

    /// Elements of other namespaces (`image:loc`) mean nothing, but for translations.
    fn element(&self, name: &str) -> Element {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let is = |known: &str| local.eq_ignore_ascii_case(known);
        if !prefix.is_empty() && prefix != self.prefix {
            return if is("link") && self.sitemap.kind == SitemapKind::Urlset {
                Element::Alternate
            } else {
                Element::Other
            };
        }
        match self.sitemap.kind {
            SitemapKind::Rss if is("item") => Element::Page,
            SitemapKind::Rss if is("link") => Element::Location,
            SitemapKind::Rss if is("guid") => Element::Guid,
            SitemapKind::Atom if is("entry") => Element::Page,
            SitemapKind::Atom if is("link") => Element::Link,
            SitemapKind::Urlset | SitemapKind::Index if is("url") => Element::Page,
            SitemapKind::Urlset | SitemapKind::Index if is("sitemap") => Element::Child,
            SitemapKind::Urlset | SitemapKind::Index if is("loc") => Element::Location,
            _ => Element::Other,
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>) {
        self.finish_text();
        let element = self.element(tag.name().as_ref());
        match element {
            Element::Page | Element::Child => {
                self.finish_open();
                self.open = Some(element);
            }
            Element::Link if self.open.is_some() => self.atom_link(tag),
            Element::Alternate if self.open.is_some() => self.alternate(tag),
            Element::Guid
                if self.attribute(tag, "isPermaLink").is_some_and(|is| is.eq_ignore_ascii_case("false")) => {}
            _ => self.reading = element,
        }
    }

    fn end(&mut self, element: Element) {
        self.finish_text();
        if matches!(element, Element::Page | Element::Child) {
            self.finish_open();
        }
    }

    fn push(&mut self, parts: &[&str]) {
        let is_read = matches!(self.reading, Element::Location | Element::Guid);
        if self.open.is_some() && is_read && self.text.len() < TEXT_MAX_CHARS {
            self.text.extend(parts.iter().copied());
        }
    }

    fn attribute(&self, tag: &BytesStart<'_>, name: &str) -> Option<String> {
        let mut attributes = tag.html_attributes();
        let found = attributes
            .with_checks(false)
            .take_while(|_| self.work.spend(STEPS_PER_EVENT))
            .flatten()
            .find(|found| found.key.as_ref().eq_ignore_ascii_case(name))?;
        Some(unescape(&found.value).into_owned())
    }

    /// Keeps the text of the element that was read; the first of its kind counts.
    fn finish_text(&mut self) {
        let reading = std::mem::replace(&mut self.reading, Element::Other);
        let text = unescape(self.text.trim());
        let place = match reading {
            Element::Location => &mut self.location,
            Element::Guid => &mut self.guid,
            _ => return self.text.clear(),
        };
        if place.is_none() && !text.is_empty() {
            *place = Some(text.into_owned());
        }
        self.text.clear();
    }

    /// Atom: the address of the page is the link without a relation, or with the relation `alternate`.
    fn atom_link(&mut self, tag: &BytesStart<'_>) {
        let is_page = self.attribute(tag, "rel").is_none_or(|rel| rel.eq_ignore_ascii_case("alternate"));
        if is_page && self.location.is_none() {
            self.location = self.attribute(tag, "href");
        }
    }

    fn alternate(&mut self, tag: &BytesStart<'_>) {
        if self.alternates >= self.limits.alternates {
            return;
        }
        let target = self.attribute(tag, "href").and_then(|href| self.base.join(&href).ok());
        if let Some((language, target)) = self.attribute(tag, "hreflang").zip(target)
            && self.has_room(&target)
        {
            self.alternates += 1;
            self.page_alternates.push((language, target));
        }
    }

    fn has_room(&mut self, url: &SiteUrl) -> bool {
        self.bytes += url.as_str().len();
        self.bytes <= self.limits.decoded_bytes
    }

    fn finish_open(&mut self) {
        let guid = self.guid.take().filter(|guid| guid.starts_with("http"));
        let location = self.location.take().or(guid);
        let alternates = std::mem::take(&mut self.page_alternates);
        let open = self.open.take();
        let Some(url) = location.and_then(|text| self.base.join(&text).ok()) else { return };
        let is_child = open == Some(Element::Child);
        if is_child && (url == *self.base || url.path() == "/robots.txt") {
            return;
        }
        if !self.seen.insert(url.clone()) {
            return;
        }
        if self.sitemap.is_full(self.limits) || !self.has_room(&url) {
            self.sitemap.truncated = true;
        } else if is_child {
            self.sitemap.children.push(url);
        } else if open == Some(Element::Page) {
            self.sitemap.entries.push(Entry { url, alternates });
        }
    }
}
