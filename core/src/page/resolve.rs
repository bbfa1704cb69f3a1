//! Where references lead: addresses to fetch, destinations of Markdown links.

use memchr::memchr;

use super::tree::{Tree, decode_attribute};
use super::vocabulary::{Name, Tag};
use crate::maps::{Hashing, Map};
use crate::phrases::strip_prefix_ignore_case;
use crate::url::{SiteUrl, URL_MAX_CHARS};
use crate::work::Work;

/// Steps that a byte of an address takes: it is parsed, written, and kept.
const STEPS_PER_BYTE: usize = 8;

/// Links that a page has room for from the start.
pub(super) const LINKS: usize = 48;

/// Resolves references against the page's base, each spelling once.
pub(super) struct Resolver<'a> {
    page: SiteUrl,
    base: SiteUrl,
    known: Map<&'a str, Option<usize>>,
    urls: Vec<SiteUrl>,
    /// What reading the page may take.
    work: &'a Work<'a>,
}

impl<'a> Resolver<'a> {
    /// For a page at `page` whose first `base` element is in `tree`.
    pub(super) fn new(tree: &Tree<'a>, page: &SiteUrl) -> Self {
        let mut resolver = Self {
            page: page.clone(),
            base: page.clone(),
            known: Map::with_capacity_and_hasher(LINKS, Hashing::default()),
            urls: Vec::with_capacity(LINKS),
            work: tree.work(),
        };
        let base = tree.all(Tag::Base).find_map(|n| tree.attribute(n, Name::Href));
        if let Some(base) = base.and_then(|href| page.join(href.trim()).ok()) {
            resolver.base = base;
        }
        resolver
    }

    /// The address that an attribute's value leads to, as an index, and the value's fragment.
    pub(super) fn index(&mut self, href: &'a str) -> Option<(usize, &'a str)> {
        let (path, fragment) = split_fragment(href);
        // References such as `&#38;` hold a number sign: those values are taken whole.
        let (path, fragment) = if path.ends_with('&') { (href, "") } else { (path, fragment) };
        let (base, page, urls, work) = (&self.base, &self.page, &mut self.urls, self.work);
        let found = *self.known.entry(path).or_insert_with(|| {
            if !may_join(work, base, path) {
                return None;
            }
            let decoded = decode_attribute(path);
            let reference = decoded.trim();
            // A bare fragment stays on the page, whatever the base is.
            let url = if reference.is_empty() && base == page {
                Some(page.clone())
            } else {
                base.join(reference).ok()
            }?;
            urls.push(url);
            Some(urls.len() - 1)
        });
        found.map(|at| (at, fragment))
    }

    /// The address that an attribute's value leads to, if it can be fetched.
    pub(super) fn resolve(&mut self, href: &'a str) -> Option<&SiteUrl> {
        let (at, _) = self.index(href)?;
        self.url(at)
    }

    /// The address of an index.
    pub(super) fn url(&self, index: usize) -> Option<&SiteUrl> {
        self.urls.get(index)
    }

    /// Whether the address of an index is that of another site.
    pub(super) fn leads_away(&self, index: usize) -> bool {
        self.url(index).is_some_and(|url| url.domain_or_host() != self.page.domain_or_host())
    }

    /// The destination of a Markdown link: absolute, with its fragment, as the author wrote it otherwise; in angle
    /// brackets where it needs them. Addresses that run scripts or hold data lead nowhere.
    pub(super) fn destination(&mut self, href: &'a str) -> Option<String> {
        let trimmed = href.trim();
        if ["mailto:", "tel:"].iter().any(|scheme| strip_prefix_ignore_case(trimmed, scheme).is_some()) {
            return Some(wrapped(decode_attribute(trimmed).into_owned()));
        }
        let Some((at, fragment)) = self.index(href) else { return self.elsewhere(trimmed) };
        let url = self.url(at)?.as_str();
        let mut target = String::with_capacity(url.len() + href.len());
        target.push_str(url);
        if memchr(b'?', trimmed.as_bytes()).is_some() {
            // What is no part of an address to fetch (where a visitor came from) is still part of the link.
            target = self.whole(trimmed)?;
        }
        // A bare host stays as the author wrote it.
        let (path, _) = split_fragment(trimmed);
        if target.len() == path.len() + 1 && target.replacen("/?", "?", 1).trim_end_matches('/') == path {
            path.clone_into(&mut target);
        }
        if !fragment.is_empty() {
            target.push('#');
            target.push_str(&decode_attribute(fragment));
        }
        Some(wrapped(target))
    }

    /// An address with all of its query, without its fragment.
    fn whole(&self, href: &str) -> Option<String> {
        if !may_join(self.work, &self.base, href) {
            return None;
        }
        let mut url = self.base.as_url().join(decode_attribute(href).trim()).ok()?;
        url.set_fragment(None);
        Some(url.into())
    }

    /// An address that is not for crawling but leads somewhere all the same.
    fn elsewhere(&self, href: &str) -> Option<String> {
        if href.len() > URL_MAX_CHARS || !may_join(self.work, &self.base, href) {
            return None;
        }
        let url = self.base.as_url().join(decode_attribute(href).trim()).ok()?;
        let leads = matches!(url.scheme(), "http" | "https" | "ftp" | "ftps" | "irc" | "ircs" | "news");
        (leads && url.as_str().len() <= URL_MAX_CHARS).then(|| wrapped(url.into()))
    }
}

/// Counts the steps of joining a reference to the base; says whether it may take them.
pub(super) fn may_join(work: &Work<'_>, base: &SiteUrl, reference: &str) -> bool {
    work.spend(STEPS_PER_BYTE * (base.as_str().len() + reference.len()))
}

/// A reference without its fragment, and the fragment.
pub(super) fn split_fragment(href: &str) -> (&str, &str) {
    let sign = memchr(b'#', href.as_bytes()).and_then(|at| href.split_at_checked(at));
    sign.map_or((href, ""), |(path, rest)| (path, rest.strip_prefix('#').unwrap_or_default()))
}

fn wrapped(target: String) -> String {
    // Without a way out of the loop, many bytes are looked at at once.
    let odd = target.bytes().fold(0, |odd, b| {
        odd | u8::from(!b.is_ascii_graphic())
            | u8::from(matches!(b, b'(' | b')' | b'<' | b'>' | b'|' | b'\\'))
    });
    if odd == 0 {
        return target;
    }
    let mut depth = 0_i32;
    let balanced = target.bytes().all(|b| {
        depth += i32::from(b == b'(') - i32::from(b == b')');
        depth >= 0
    });
    if target.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '|' | '\\')) {
        return target.chars().fold(String::with_capacity(target.len() + 8), |mut out, c| {
            match c {
                ' ' => out.push_str("%20"),
                '<' => out.push_str("%3C"),
                '>' => out.push_str("%3E"),
                '|' => out.push_str("%7C"),
                '\\' => out.push_str("%5C"),
                c if c.is_whitespace() || c.is_control() => {}
                c => out.push(c),
            }
            out
        });
    }
    if balanced && depth == 0 { target } else { format!("<{target}>") }
}
