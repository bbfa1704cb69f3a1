//! What a page says about itself: title, description, language, address, directives for robots.

use super::dates::Dates;
use super::fold::{fold, head_of};
use super::resolve::Resolver;
use super::structured::{Data, MAX_SCRIPTS};
use super::tree::{NodeId, Tree, decode_attribute};
use super::vocabulary::{Name, Tag};
use crate::separators::{COLON, SEPARATORS, separators_in};
use crate::url::SiteUrl;

/// Letters that a description has at least.
const MIN_DESCRIPTION: usize = 5;
/// Bytes of what a `meta` element says.
const MAX_META: usize = 4 << 10;
/// Bytes of the tag of a language: room for any that is in use (RFC 5646 section 4.4.1).
const MAX_LANGUAGE: usize = 35;
/// A page that sends its readers on within this time is a redirect.
const MAX_REFRESH_SECONDS: f32 = 10.0;

/// The declarations of a page.
#[derive(Debug, Default)]
pub(super) struct Head {
    title: Option<String>,
    og_title: Option<String>,
    pub(super) site_name: Option<String>,
    description: Option<String>,
    og_description: Option<String>,
    /// An item of the page may be a picture on it.
    item_description: Option<String>,
    pub(super) language: Option<String>,
    pub(super) canonical: Option<SiteUrl>,
    pub(super) next: Option<SiteUrl>,
    prev: Option<SiteUrl>,
    pub(super) markdown_alternate: Option<SiteUrl>,
    pub(super) translations: Vec<(String, SiteUrl)>,
    pub(super) noindex: bool,
    pub(super) nofollow: bool,
    /// Where the page sends its readers on its own, as written.
    pub(super) refresh: Option<String>,
    dates: Dates,
    /// Scripts of structured data.
    data: Vec<NodeId>,
}

impl Head {
    /// What an `X-Robots-Tag` says.
    pub(super) fn of_header(robots: Option<&str>) -> Self {
        let mut head = Self::default();
        robots.into_iter().flat_map(lines_for_all).for_each(|line| head.robots(line));
        head
    }

    /// Reads `title`, `meta` and `link` elements wherever they stand outside of drawings.
    pub(super) fn read<'a>(tree: &Tree<'a>, resolver: &mut Resolver<'a>, robots: Option<&str>) -> Self {
        let mut head = Self::of_header(robots);
        let mut drawing_end = 0;
        for &node in tree.landmarks() {
            if node < drawing_end {
                continue;
            }
            match tree.tag(node) {
                Tag::Html => head.language = language(tree, node),
                Tag::Title if head.title.is_none() => {
                    head.title = Some(whole(tree.folded_text(node, 1000))).filter(|t| !t.is_empty());
                }
                Tag::Meta => head.meta(tree, node),
                Tag::Link => head.link(tree, resolver, node),
                Tag::Script
                    if head.data.len() < MAX_SCRIPTS
                        && tree.raw_attribute(node, Name::Type).is_some_and(|t| t.contains("ld+json")) =>
                {
                    head.data.push(node);
                }
                Tag::Time => head.dates.time(tree, node),
                Tag::Svg => drawing_end = tree.node(node).end,
                _ => {}
            }
        }
        head
    }

    fn meta(&mut self, tree: &Tree<'_>, node: NodeId) {
        let name =
            tree.raw_attribute(node, Name::MetaKey).or_else(|| tree.raw_attribute(node, Name::Property));
        let name = name.or_else(|| tree.raw_attribute(node, Name::HttpEquiv));
        let is_item = name.is_none();
        let name = name.or_else(|| tree.raw_attribute(node, Name::Itemprop));
        let (Some(name), Some(content)) = (name, tree.attribute(node, Name::Content)) else { return };
        let set = |place: &mut Option<String>| {
            if place.is_none() {
                let text = fold(&content);
                *place = Some(head_of(&text, MAX_META).to_owned()).filter(|text| !text.is_empty());
            }
        };
        match name.trim().to_ascii_lowercase().as_str() {
            "description" if is_item => set(&mut self.item_description),
            "description" => set(&mut self.description),
            "og:description" | "twitter:description" | "dc.description" | "dcterms.description" => {
                set(&mut self.og_description);
            }
            "og:title" | "twitter:title" => set(&mut self.og_title),
            "og:site_name" | "application-name" => set(&mut self.site_name),
            "robots" => self.robots(&content),
            "refresh" if self.refresh.is_none() => self.refresh = refresh(&content),
            "content-language" | "og:locale" if self.language.is_none() => self.language = subtag(&content),
            name => self.dates.meta(name, &content),
        }
    }

    /// Directives for all robots.
    fn robots(&mut self, directives: &str) {
        for directive in directives.split(',') {
            match directive.trim().to_ascii_lowercase().as_str() {
                "noindex" => self.noindex = true,
                "nofollow" => self.nofollow = true,
                "none" => {
                    self.noindex = true;
                    self.nofollow = true;
                }
                _ => {}
            }
        }
    }

    fn link<'a>(&mut self, tree: &Tree<'a>, resolver: &mut Resolver<'a>, node: NodeId) {
        let (Some(rel), Some(href)) =
            (tree.raw_attribute(node, Name::Rel), tree.raw_attribute(node, Name::Href))
        else {
            return;
        };
        let is = |wanted: &str| rel.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case(wanted));
        if self.canonical.is_none() && is("canonical") {
            self.canonical = resolver.resolve(href).cloned();
        }
        if self.next.is_none() && is("next") {
            self.next = resolver.resolve(href).cloned();
        }
        if self.prev.is_none() && (is("prev") || is("previous")) {
            self.prev = resolver.resolve(href).cloned();
        }
        if is("alternate")
            && let Some(url) = resolver.resolve(href)
        {
            if tree.raw_attribute(node, Name::Type).is_some_and(|t| t.starts_with("text/markdown")) {
                self.markdown_alternate.get_or_insert_with(|| url.clone());
            } else if let Some(language) = tree.raw_attribute(node, Name::Hreflang)
                && language.trim().len() <= MAX_LANGUAGE
            {
                self.translations.push((decode_attribute(language).trim().to_owned(), url.clone()));
            }
        }
    }

    /// The pages before and behind this one.
    pub(super) fn beside(&self) -> [Option<&SiteUrl>; 2] {
        [self.prev.as_ref(), self.next.as_ref()]
    }

    /// The title of the page as it stands.
    pub(super) fn take_title(&mut self) -> Option<String> {
        self.title.take().or_else(|| self.og_title.take())
    }

    /// What the page's structured data says of it.
    pub(super) fn data(&self, tree: &Tree<'_>, url: &SiteUrl) -> Data {
        let addresses: Vec<&SiteUrl> = [url].into_iter().chain(&self.canonical).collect();
        Data::read(tree, &self.data, &addresses)
    }

    /// The days of publication and of the last change.
    pub(super) fn take_dates(&mut self, data: &Data) -> (Option<String>, Option<String>) {
        std::mem::take(&mut self.dates).take(data)
    }

    /// What the page says it is about.
    pub(super) fn take_description(&mut self, data: Data) -> Option<String> {
        let says_something =
            |text: &String| text.chars().filter(|c| c.is_alphabetic()).nth(MIN_DESCRIPTION - 1).is_some();
        let own = [&mut self.description, &mut self.og_description, &mut self.item_description];
        let said = own.map(Option::take).into_iter().chain([data.description]);
        let said = said.flatten().find(says_something)?;
        Some(head_of(&said, MAX_META).to_owned())
    }
}

/// Directives that have a value behind a colon.
const VALUED: [&str; 4] = ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

/// The lines of an `X-Robots-Tag` that name no robot: one that a line begins with (`googlebot: noindex, nofollow`) is whom
/// all of it is for.
fn lines_for_all(header: &str) -> impl Iterator<Item = &str> {
    let is_robot = |name: &str| {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        name.bytes().all(is_name) && !VALUED.iter().any(|valued| name.eq_ignore_ascii_case(valued))
    };
    header.lines().filter(move |line| !line.split_once(':').is_some_and(|(name, _)| is_robot(name.trim())))
}

fn language(tree: &Tree<'_>, html: NodeId) -> Option<String> {
    let declared = tree.attribute(html, Name::Lang).or_else(|| tree.attribute(html, Name::XmlLang))?;
    subtag(&declared)
}

/// The address in `5; url=there`, when it is gone to at once or soon.
fn refresh(content: &str) -> Option<String> {
    let (seconds, rest) = content.split_once([';', ','])?;
    let soon = seconds.trim().parse::<f32>().is_ok_and(|s| s <= MAX_REFRESH_SECONDS);
    let (key, target) = rest.split_once('=')?;
    let target = target.trim().trim_matches(['"', '\'']);
    (soon && key.trim().eq_ignore_ascii_case("url") && !target.is_empty()).then(|| target.to_owned())
}

pub(super) fn subtag(tag: &str) -> Option<String> {
    let primary = tag.trim().split(['-', '_', ',']).next()?.to_ascii_lowercase();
    ((2..=3).contains(&primary.len()) && primary.bytes().all(|b| b.is_ascii_lowercase())).then_some(primary)
}

/// A title without a mark before or behind which a template found nothing to write: `Kilns |`.
fn whole(title: String) -> String {
    let mut own = title.as_str();
    for mark in SEPARATORS.iter().filter(|mark| **mark != COLON) {
        own = own.strip_suffix(mark.trim_end()).unwrap_or(own);
        own = own.strip_prefix(mark.trim_start()).unwrap_or(own);
    }
    if own.len() < title.len() { own.to_owned() } else { title }
}

/// A title, and what stands before the first of each mark in it: it may be the page's own part.
pub(super) fn parts(title: &str) -> impl Iterator<Item = &str> {
    let marks = separators_in(title).filter(|mark| *mark != COLON);
    let fronts = marks.filter_map(|mark| title.split_once(mark));
    std::iter::once(title).chain(fronts.map(|(front, _)| front.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_is_a_redirect_when_it_comes_soon() {
        assert_eq!(refresh("0; url=latest/").as_deref(), Some("latest/"));
        assert_eq!(refresh("5;URL='/en/'").as_deref(), Some("/en/"));
        for no in ["30; url=/x", "0", "; url=/x", "0; url=", "300", "0; uri=/x"] {
            assert_eq!(refresh(no), None, "{no}");
        }
    }

    #[test]
    fn a_mark_without_a_part_behind_it_is_no_part_of_a_title() {
        for (title, own) in
            [("Kilns |", "Kilns"), ("- Kilns", "Kilns"), ("A | B", "A | B"), ("Kilns:", "Kilns:"), ("|", "|")]
        {
            assert_eq!(whole(title.to_owned()), own);
        }
    }

    #[test]
    fn what_is_said_to_another_robot_is_not_for_us() {
        let asks = |header: &str| {
            let head = Head::of_header(Some(header));
            (head.noindex, head.nofollow)
        };
        for (header, asked) in [
            ("noindex, nofollow", (true, true)),
            ("none", (true, true)),
            ("googlebot: noindex, nofollow", (false, false)),
            ("googlebot: nofollow, noindex\nnoindex", (true, false)),
            ("nofollow, max-snippet: 20", (false, true)),
            ("unavailable_after: 25 Jun 2030 15:00:00 PST, noindex", (true, false)),
        ] {
            assert_eq!(asks(header), asked, "{header}");
        }
    }
}
