//! What a page says about itself: title, description, language, address, wishes to robots.

use super::clean::Content;
use super::dates::Dates;
use super::fold::{fold, head_of};
use super::resolve::Resolver;
use super::rights::is_about_rights;
use super::structured::{Data, MAX_SCRIPTS};
use super::survey::Survey;
use super::tree::{NodeId, Tree, decode_attribute};
use super::vocabulary::{Name, Tag};
use crate::separators::{COLON, SEPARATORS};
use crate::site::url::SiteUrl;

/// Characters of a description.
const MAX_DESCRIPTION: usize = 300;
/// Characters that make a paragraph one that says something.
const MIN_PARAGRAPH: usize = 40;
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
    pub(super) language: Option<String>,
    pub(super) canonical: Option<SiteUrl>,
    pub(super) next: Option<SiteUrl>,
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
    /// Reads `title`, `meta` and `link` elements wherever they stand outside of drawings.
    pub(super) fn read<'a>(tree: &Tree<'a>, resolver: &mut Resolver<'a>, robots: Option<&str>) -> Self {
        let mut head = Self::default();
        if let Some(robots) = robots {
            head.robots(robots);
        }
        let mut drawing_end = 0;
        for &node in tree.landmarks() {
            if node < drawing_end {
                continue;
            }
            match tree.tag(node) {
                Tag::Html => head.language = language(tree, node),
                Tag::Title if head.title.is_none() => {
                    head.title = Some(tree.folded_text(node, 1000)).filter(|t| !t.is_empty());
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
        let name = name
            .or_else(|| tree.raw_attribute(node, Name::HttpEquiv))
            .or_else(|| tree.raw_attribute(node, Name::Itemprop));
        let (Some(name), Some(content)) = (name, tree.attribute(node, Name::Content)) else { return };
        let set = |place: &mut Option<String>| {
            if place.is_none() {
                let text = fold(&content);
                *place = Some(head_of(&text, MAX_META).to_owned()).filter(|text| !text.is_empty());
            }
        };
        match name.trim().to_ascii_lowercase().as_str() {
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

    /// Directives for all robots; those that name another one are not for us.
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

    /// The page's own title; the site's name that was cut off is kept.
    pub(super) fn take_title(&mut self, headings: &Headings) -> Option<String> {
        let Some(full) = self.title.take() else {
            return self.og_title.take().or_else(|| headings.own.first().cloned());
        };
        let (own, site) = split_title(&full, self.site_name.as_deref(), headings);
        let own = own.to_owned();
        if self.site_name.is_none() {
            self.site_name = site.map(str::to_owned);
        }
        Some(own)
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
        let says_something = |text: &String| text.chars().count() >= 15 && text.contains(' ');
        let declared = self.description.take().filter(says_something);
        declared
            .or_else(|| self.og_description.take().filter(says_something))
            .or_else(|| data.description.filter(says_something))
    }
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

fn subtag(tag: &str) -> Option<String> {
    let primary = tag.trim().split(['-', '_', ',']).next()?.to_ascii_lowercase();
    ((2..=3).contains(&primary.len()) && primary.bytes().all(|b| b.is_ascii_lowercase())).then_some(primary)
}

/// The headings of a page.
#[derive(Debug, Default)]
pub(super) struct Headings {
    /// In the main content, or all where it has none: one may be the title.
    pub(super) own: Vec<String>,
    /// Above and beside it: one may be the site's name.
    pub(super) outside: Vec<String>,
}

/// The parts of a title that are the page's and the site's.
fn split_title<'t>(full: &'t str, site: Option<&str>, headings: &Headings) -> (&'t str, Option<&'t str>) {
    let same = |a: &str, b: &str| a.trim().eq_ignore_ascii_case(b.trim());
    let Headings { own: headings, outside } = headings;
    let separators: Vec<&str> = SEPARATORS.into_iter().filter(|s| *s != COLON && full.contains(s)).collect();
    if let Some(site) = site {
        for &separator in &separators {
            match (full.rsplit_once(separator), full.split_once(separator)) {
                (Some((own, last)), _) if same(last, site) => return (own.trim(), Some(last.trim())),
                (_, Some((first, own))) if same(first, site) => return (own.trim(), Some(first.trim())),
                _ => {}
            }
        }
    }
    // The banner over a book's chapters repeats what all their titles end with.
    for &separator in &separators {
        if let Some((own, last)) = full.rsplit_once(separator)
            && outside.iter().any(|banner| same(banner, last))
        {
            return (own.trim(), Some(last.trim()));
        }
    }
    for &separator in &separators {
        for (at, _) in full.match_indices(separator) {
            let own = full.get(..at).unwrap_or_default();
            let rest = full.get(at + separator.len()..).unwrap_or_default();
            if headings.iter().any(|h| same(h, own)) {
                return (own.trim(), Some(rest.rsplit(separator).next().unwrap_or(rest).trim()));
            }
            if headings.iter().any(|h| same(h, rest)) && !headings.iter().any(|h| same(h, full)) {
                return (rest.trim(), Some(own.trim()));
            }
        }
    }
    if headings.iter().any(|h| same(h, full)) {
        return (full, None);
    }
    // A hyphen may belong to the title itself: it separates only where a heading agrees.
    let cut = separators
        .iter()
        .filter(|s| **s != " - ")
        .filter_map(|s| full.rsplit_once(*s))
        .find(|(own, _)| !own.trim().is_empty());
    cut.map_or((full, None), |(own, rest)| (own.trim(), Some(rest.trim())))
}

/// What the page opens with.
pub(super) fn first_paragraph(tree: &Tree<'_>, survey: &Survey, content: &Content) -> Option<String> {
    for &root in &content.roots {
        let mut node = root;
        while node < tree.node(root).end {
            let tag = tree.tag(node);
            if !tree.spend(1) {
                return None;
            }
            if content.left_out[node as usize] || matches!(tag, Tag::Table | Tag::Pre) {
                node = tree.node(node).end;
                continue;
            }
            if matches!(tag, Tag::P | Tag::Dd | Tag::Blockquote)
                && survey.all(node) > 30.0
                && !holds_blocks(tree, node)
            {
                let is_left_out = |n: NodeId| content.left_out[n as usize];
                let text = tree.folded_text_without(node, 8 * MAX_DESCRIPTION, is_left_out);
                // What ends with a colon speaks of what comes next.
                if text.chars().count() >= MIN_PARAGRAPH && !text.ends_with(':') && !is_about_rights(&text) {
                    return Some(text);
                }
            }
            node += 1;
        }
    }
    None
}

/// Whether paragraphs, definitions or listings stand inside: then one of those is the paragraph.
fn holds_blocks(tree: &Tree<'_>, node: NodeId) -> bool {
    let block =
        |n| matches!(tree.tag(n), Tag::P | Tag::Dl | Tag::Dd | Tag::Blockquote | Tag::Pre | Tag::Table);
    tree.descendants(node).any(block)
}

/// At most [`MAX_DESCRIPTION`] characters, cut behind a sentence or else behind a word.
pub(super) fn shorten(text: &str) -> String {
    let Some((limit, _)) = text.char_indices().nth(MAX_DESCRIPTION) else { return text.to_owned() };
    let head = text.get(..limit).unwrap_or_default();
    let sentence = [". ", "! ", "? ", "\u{3002}"].iter().filter_map(|end| head.rfind(end)).max();
    if let Some(end) = sentence.filter(|&end| end > limit / 3) {
        let end = end + head.get(end..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        return head.get(..end).unwrap_or_default().to_owned();
    }
    let cut = head
        .rfind(' ')
        .filter(|&cut| cut + 40 > limit)
        .unwrap_or(limit - head.chars().next_back().map_or(0, char::len_utf8));
    format!("{}\u{2026}", head.get(..cut).unwrap_or_default().trim_end_matches([',', ';', ':', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(full: &str, site: Option<&str>, headings: &[&str]) -> String {
        let own = headings.iter().map(|h| (*h).to_owned()).collect();
        split_title(full, site, &Headings { own, outside: vec!["The Kiln Book".to_owned()] }).0.to_owned()
    }

    #[test]
    fn the_name_of_the_site_is_cut_off() {
        assert_eq!(title("Mixins | Acme documentation | Acme", None, &["Mixins"]), "Mixins");
        assert_eq!(title("Acme - Start", Some("ACME"), &[]), "Start");
        assert_eq!(title("A - B", None, &["A - B"]), "A - B");
        assert_eq!(title("Self-hosting - Guide", None, &["Other"]), "Self-hosting - Guide");
        assert_eq!(title("4.2 Lists \u{2014} Acme 3.1 documentation", None, &["4.2. Lists"]), "4.2 Lists");
        assert_eq!(title("Acme", Some("Acme"), &[]), "Acme");
        assert_eq!(title("A - Words - The Kiln Book", None, &["Appendix A: Words"]), "A - Words");
        assert_eq!(title("The Kiln Book", None, &["Foreword"]), "The Kiln Book");
    }

    #[test]
    fn a_refresh_is_a_redirect_when_it_comes_soon() {
        assert_eq!(refresh("0; url=latest/").as_deref(), Some("latest/"));
        assert_eq!(refresh("5;URL='/en/'").as_deref(), Some("/en/"));
        for no in ["30; url=/x", "0", "; url=/x", "0; url=", "300", "0; uri=/x"] {
            assert_eq!(refresh(no), None, "{no}");
        }
    }

    #[test]
    fn descriptions_are_short_and_whole() {
        let text = format!("{} end.", "A sentence of some length. ".repeat(20));
        let short = shorten(&text);
        assert!(short.ends_with("length.") && short.chars().count() <= 300);
        let words = "w\u{f6}rd ".repeat(100);
        assert!(shorten(&words).ends_with("w\u{f6}rd\u{2026}") && shorten(&words).chars().count() <= 300);
    }
}
