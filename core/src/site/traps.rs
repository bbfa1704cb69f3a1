//! Places where a crawl never ends: calendars, filters, links that pile up on themselves.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash, Hasher};

use super::url::SiteUrl;

/// From how many hexadecimal digits on a path segment that holds a decimal one is taken for an id.
const ID_MIN_CHARS: usize = 8;

/// How far an address may go before it counts as a trap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrapLimits {
    /// Segments of a path. The deepest documentation in use has about ten.
    pub path_segments: usize,
    /// Characters of an address.
    pub url_chars: usize,
    /// How often one segment may stand in a path: relative links that miss their base pile up (`/a/b/a/b/a/b`).
    pub segment_repeats: usize,
    /// Parameters of a query: filters that combine have one each.
    pub query_keys: usize,
    /// Pages whose addresses differ in numbers, ids and query values only.
    pub pages_per_template: usize,
}

impl Default for TrapLimits {
    fn default() -> Self {
        Self {
            path_segments: 16,
            url_chars: 1_024,
            segment_repeats: 3,
            query_keys: 5,
            pages_per_template: 500,
        }
    }
}

/// Why an address is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Trap {
    /// Over [`TrapLimits::path_segments`].
    Depth,
    /// Over [`TrapLimits::url_chars`].
    Length,
    /// Over [`TrapLimits::segment_repeats`].
    RepeatedSegment,
    /// Over [`TrapLimits::query_keys`].
    QueryKeys,
    /// Over [`TrapLimits::pages_per_template`].
    Template,
}

/// The limits, and how many pages of each template a crawl has seen. One per crawl.
#[derive(Debug, Clone, Default)]
pub struct Traps {
    limits: TrapLimits,
    /// By the hash of the template, with keys of this crawl's own.
    templates: HashMap<u64, usize>,
    hasher: RandomState,
}

impl Traps {
    /// Nothing seen yet.
    #[must_use]
    pub fn new(limits: TrapLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Whether an address is to be left out; to be asked once per address, since it counts those it lets pass.
    ///
    /// What the site itself names (`named_by_site`: in its sitemap or its navigation) is never cut by the
    /// template limit and not counted for it.
    pub fn check(&mut self, url: &SiteUrl, named_by_site: bool) -> Option<Trap> {
        if url.as_str().len() > self.limits.url_chars {
            return Some(Trap::Length);
        }
        if segments(url).count() > self.limits.path_segments {
            return Some(Trap::Depth);
        }
        if segments(url)
            .any(|one| segments(url).filter(|other| *other == one).count() > self.limits.segment_repeats)
        {
            return Some(Trap::RepeatedSegment);
        }
        if query_names(url).count() > self.limits.query_keys {
            return Some(Trap::QueryKeys);
        }
        if named_by_site {
            return None;
        }
        let seen = self.templates.entry(template(url, &self.hasher)?).or_default();
        if *seen >= self.limits.pages_per_template {
            return Some(Trap::Template);
        }
        *seen += 1;
        None
    }
}

fn segments(url: &SiteUrl) -> impl Iterator<Item = &str> {
    url.path().split('/').filter(|segment| !segment.is_empty())
}

fn query_names(url: &SiteUrl) -> impl Iterator<Item = &str> {
    let pairs = url.as_url().query().unwrap_or_default().split('&');
    pairs.filter(|pair| !pair.is_empty()).map(|pair| pair.split('=').next().unwrap_or_default())
}

/// What stays of an address without its numbers, ids and query values. None when it has none of them.
fn template(url: &SiteUrl, hasher: &RandomState) -> Option<u64> {
    let mut hash = hasher.build_hasher();
    let mut varies = false;
    url.host().hash(&mut hash);
    for segment in segments(url) {
        if is_id(segment) {
            varies = true;
            hash.write_u8(b'#');
        } else {
            varies |= hash_without_numbers(segment, &mut hash);
        }
        hash.write_u8(b'/');
    }
    for name in query_names(url) {
        varies = true;
        name.hash(&mut hash);
    }
    varies.then(|| hash.finish())
}

/// Whether a segment is an id as machines make them: a long hexadecimal number or a UUID.
fn is_id(segment: &str) -> bool {
    segment.len() >= ID_MIN_CHARS
        && segment.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
        && segment.bytes().any(|b| b.is_ascii_digit())
}

/// Hashes a segment with each of its numbers as one sign, and says whether it held any.
fn hash_without_numbers(segment: &str, hash: &mut impl Hasher) -> bool {
    let mut varies = false;
    let mut in_number = false;
    for octet in segment.bytes() {
        let is_digit = octet.is_ascii_digit();
        if !is_digit {
            hash.write_u8(octet);
        } else if !in_number {
            hash.write_u8(b'#');
            varies = true;
        }
        in_number = is_digit;
    }
    varies
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(traps: &mut Traps, path: &str, named: bool) -> Option<Trap> {
        traps.check(&SiteUrl::parse(&format!("https://docs.rs{path}")).unwrap(), named)
    }

    #[test]
    fn the_shape_of_one_address() {
        let mut traps = Traps::default();
        for (path, trap) in [
            ("/docs/v2/guide/intro.html?lang=en".to_owned(), None),
            ("/a/b/a/b/a/b".to_owned(), None),
            ("/a/b/a/b/a/b/a".to_owned(), Some(Trap::RepeatedSegment)),
            ("/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q".to_owned(), Some(Trap::Depth)),
            (format!("/{}", "x".repeat(1_024)), Some(Trap::Length)),
            ("/?a=1&b=2&c=3&d=4&e=5".to_owned(), None),
            ("/?a=1&b=2&c=3&d=4&e=5&f=6".to_owned(), Some(Trap::QueryKeys)),
        ] {
            assert_eq!(check(&mut traps, &path, false), trap, "{path}");
            assert_eq!(check(&mut traps, &path, true), trap, "{path}");
        }
    }

    #[test]
    fn a_template_is_cut_unless_the_site_names_the_page() {
        let mut traps = Traps::new(TrapLimits { pages_per_template: 2, ..TrapLimits::default() });
        assert_eq!(check(&mut traps, "/calendar/2024-01", false), None);
        assert_eq!(check(&mut traps, "/calendar/2025-11", true), None);
        assert_eq!(check(&mut traps, "/calendar/2024-2", false), None);
        assert_eq!(check(&mut traps, "/calendar/1999-12", false), Some(Trap::Template));
        assert_eq!(check(&mut traps, "/calendar/1999-12", true), None);
        assert_eq!(check(&mut traps, "/archive/1999-12", false), None);
    }

    #[test]
    fn ids_and_query_values_make_one_template() {
        let mut traps = Traps::new(TrapLimits { pages_per_template: 1, ..TrapLimits::default() });
        assert_eq!(check(&mut traps, "/t/deadbeef01", false), None);
        assert_eq!(check(&mut traps, "/t/0f8fad5b-d9cb-469f-a165-70867728950e", false), Some(Trap::Template));
        assert_eq!(check(&mut traps, "/find?q=rust", false), None);
        assert_eq!(check(&mut traps, "/find?q=go", false), Some(Trap::Template));
    }

    #[test]
    fn words_make_no_template() {
        let mut traps = Traps::new(TrapLimits { pages_per_template: 1, ..TrapLimits::default() });
        assert_eq!(check(&mut traps, "/guide/install", false), None);
        assert_eq!(check(&mut traps, "/guide/upgrade", false), None);
    }
}
