//! Sitemaps: the pages a site names, as XML, index, text, RSS or Atom (sitemaps.org).

mod decode;
mod xml;

use std::collections::HashSet;

use super::robots::Robots;
use crate::url::{Origin, SiteUrl};
use crate::work::{Halt, Work};

/// How many sitemap indexes may stand above a sitemap: callers follow [`Sitemap::children`] no deeper.
pub const INDEX_MAX_DEPTH: usize = 3;
/// Octets of a sitemap after unpacking; what lies behind is not read (sitemaps.org: 50 MiB).
pub const SITEMAP_MAX_BYTES: usize = 50 << 20;

/// Where sitemaps lie when robots.txt names none, the likeliest first.
const WELL_KNOWN_PATHS: [&str; 4] =
    ["/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml", "/sitemap.txt"];

/// What one sitemap may cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapLimits {
    /// Octets after unpacking ([`SITEMAP_MAX_BYTES`]); what lies behind is not read. The addresses may have as many in all:
    /// those of short references in a long folder would have more.
    pub decoded_bytes: usize,
    /// Pages, and sitemaps of an index (sitemaps.org: 50,000).
    pub urls: usize,
    /// Translations, over all pages.
    pub alternates: usize,
}

impl Default for SitemapLimits {
    fn default() -> Self {
        Self { decoded_bytes: SITEMAP_MAX_BYTES, urls: 50_000, alternates: 200_000 }
    }
}

/// Which of the formats a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SitemapKind {
    /// XML that lists pages.
    Urlset,
    /// XML that lists sitemaps.
    Index,
    /// One address a line.
    Text,
    /// An RSS feed, any version.
    Rss,
    /// An Atom feed, any version.
    Atom,
}

/// A page that a sitemap names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where it is; not checked against any scope.
    pub url: SiteUrl,
    /// The same page in other languages: language tag, address.
    pub alternates: Vec<(String, SiteUrl)>,
}

/// What one file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sitemap {
    /// Its format.
    pub kind: SitemapKind,
    /// Its pages, in the order of the file, each once.
    pub entries: Vec<Entry>,
    /// The sitemaps it points to, each once, never itself.
    pub children: Vec<SiteUrl>,
    /// A limit or a broken end cost some of it.
    pub truncated: bool,
}

/// Why a file is no [`Sitemap`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SitemapError {
    /// An error page, JSON, or anything else.
    #[error("not a sitemap")]
    NotASitemap,
    /// It was not read to its end.
    #[error("the sitemap was given up: {0}")]
    Halt(#[from] Halt),
}

impl Sitemap {
    /// Reads a file of any of the formats, packed with gzip or not, whatever its name says. Of its type only the
    /// charset counts.
    ///
    /// Broken files give what is whole in them. `url` is where the file lies: relative addresses are
    /// resolved against it.
    ///
    /// # Errors
    /// [`SitemapError::NotASitemap`]; [`SitemapError::Halt`] says why `work` ended.
    pub fn parse(
        url: &SiteUrl,
        content_type: Option<&str>,
        body: &[u8],
        limits: &SitemapLimits,
        work: &Work<'_>,
    ) -> Result<Self, SitemapError> {
        let (bytes, is_cut) = decode::unpack(body, limits.decoded_bytes, work);
        work.check()?;
        let text = decode::to_text(&bytes, content_type);
        let sitemap = match xml::find_root(&text, work) {
            Some(root) => Ok(xml::parse(url, root, limits, work)),
            None => parse_text(&text, limits, work),
        };
        work.check()?;
        sitemap.map(|sitemap| Self { truncated: sitemap.truncated || is_cut, ..sitemap })
    }

    fn new(kind: SitemapKind) -> Self {
        Self { kind, entries: Vec::new(), children: Vec::new(), truncated: false }
    }

    fn is_full(&self, limits: &SitemapLimits) -> bool {
        self.entries.len() >= limits.urls || self.children.len() >= limits.urls
    }
}

/// One absolute address a line; other lines say nothing. Markup and JSON are refused, though they hold lines too.
fn parse_text(text: &str, limits: &SitemapLimits, work: &Work<'_>) -> Result<Sitemap, SitemapError> {
    if text.trim_start().starts_with(['<', '{', '[']) {
        return Err(SitemapError::NotASitemap);
    }
    let mut sitemap = Sitemap::new(SitemapKind::Text);
    let mut seen = HashSet::new();
    let lines = text.split(['\n', '\r']).take_while(|line| work.spend(1 + line.len()));
    let addresses = lines.map(str::trim).filter(|line| line.starts_with("http"));
    for url in addresses.filter_map(|line| SiteUrl::parse(line).ok()) {
        if sitemap.is_full(limits) {
            sitemap.truncated = true;
            break;
        }
        if seen.insert(url.clone()) {
            sitemap.entries.push(Entry { url, alternates: Vec::new() });
        }
    }
    if sitemap.entries.is_empty() { Err(SitemapError::NotASitemap) } else { Ok(sitemap) }
}

/// Where to look for sitemaps when robots.txt names none.
pub fn well_known(origin: &Origin) -> Vec<SiteUrl> {
    WELL_KNOWN_PATHS.iter().filter_map(|path| origin.at(path)).collect()
}

/// The sitemaps that a robots.txt at an address names, each once.
pub fn named_by(robots: &Robots, robots_url: &SiteUrl) -> Vec<SiteUrl> {
    let mut seen = HashSet::new();
    let named = robots.sitemaps.iter().filter_map(|reference| robots_url.join(reference).ok());
    named.filter(|url| seen.insert(url.key())).collect()
}

#[cfg(test)]
mod tests;
