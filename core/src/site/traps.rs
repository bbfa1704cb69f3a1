//! Places where a crawl never ends: calendars, filters, links that pile up on themselves.

use std::hash::{BuildHasher, Hash, Hasher};

use crate::maps::{Hashing, Map};
use crate::url::{SiteUrl, segments};

/// From how many hexadecimal digits on a path segment that holds a decimal one is taken for an id.
const ID_MIN_CHARS: usize = 8;

/// How many addresses of a trap's shape are remembered by the menu that named them.
const MAX_SHAPED: usize = 10_000;

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
    /// Pages whose addresses differ in numbers, ids and query values only, and of such pages those whose menus are believed.
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

/// How a site names an address, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NamedBy {
    /// By a link in a text or in a margin, or not at all.
    InPassing,
    /// In a menu that is believed (see [`Traps::believes_menus_of`]).
    InMenu,
    /// In a sitemap or on the home page: both are read once, so they end.
    InList,
}

/// The limits, and how many pages of each template a crawl has seen. One per crawl.
#[derive(Debug, Default)]
pub struct Traps {
    limits: TrapLimits,
    /// By the hash of the template.
    templates: Map<u64, TemplateStats>,
    /// The folder of the page whose menu was the first to name an address of a trap's shape, both by their hashes.
    shaped: Map<u64, u64>,
    hasher: Hashing,
}

/// What a crawl has seen of one template.
#[derive(Debug, Default)]
struct TemplateStats {
    /// Addresses that passed, those that the site names left aside.
    pages: usize,
    /// Pages whose menus were believed.
    menus: usize,
}

impl Traps {
    /// Nothing seen yet.
    pub fn new(limits: TrapLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Whether an address is to be left out; to be asked once per address and the way it is named, since it counts those
    /// it lets pass. `by` is the page that names it.
    ///
    /// What a list names is never cut. What a menu names is never cut by the template limit and not counted for it; by its
    /// shape it is until the menus of two folders name it: a relative link that misses its base piles up on every page that
    /// it leads to, but leads elsewhere from each folder.
    pub fn check(&mut self, url: &SiteUrl, named: NamedBy, by: Option<&SiteUrl>) -> Option<Trap> {
        if named == NamedBy::InList {
            return None;
        }
        if let Some(trap) = self.shape(url) {
            return (named == NamedBy::InPassing || !self.is_named_elsewhere(url, by)).then_some(trap);
        }
        if named == NamedBy::InMenu {
            return None;
        }
        let seen = self.templates.entry(template(url, &self.hasher)?).or_default();
        if seen.pages >= self.limits.pages_per_template {
            return Some(Trap::Template);
        }
        seen.pages += 1;
        None
    }

    /// What is wrong with the shape of an address.
    fn shape(&self, url: &SiteUrl) -> Option<Trap> {
        let segments = || segments(url.path());
        let repeats = |one: &str| segments().filter(|other| *other == one).count();
        if url.as_str().len() > self.limits.url_chars {
            Some(Trap::Length)
        } else if segments().count() > self.limits.path_segments {
            Some(Trap::Depth)
        } else if segments().any(|one| repeats(one) > self.limits.segment_repeats) {
            Some(Trap::RepeatedSegment)
        } else if query_names(url).count() > self.limits.query_keys {
            Some(Trap::QueryKeys)
        } else {
            None
        }
    }

    /// Whether the menu of a page in another folder named this address too.
    fn is_named_elsewhere(&mut self, url: &SiteUrl, by: Option<&SiteUrl>) -> bool {
        let Some((folder, _)) = by.and_then(|page| page.as_str().rsplit_once('/')) else { return false };
        let (address, folder) = (self.hasher.hash_one(url.as_str()), self.hasher.hash_one(folder));
        if self.shaped.len() >= MAX_SHAPED && !self.shaped.contains_key(&address) {
            return false;
        }
        *self.shaped.entry(address).or_insert(folder) != folder
    }

    /// Whether the menus of a page name pages for the site; to be asked once per page that was read, since it counts.
    ///
    /// A site's own menu stands on few pages of a template as well as on all. A calendar's menu names the next month on
    /// every month: believed without end, it would have none.
    pub fn believes_menus_of(&mut self, page: &SiteUrl) -> bool {
        let Some(template) = template(page, &self.hasher) else { return true };
        let seen = self.templates.entry(template).or_default();
        seen.menus += 1;
        seen.menus <= self.limits.pages_per_template
    }
}

fn query_names(url: &SiteUrl) -> impl Iterator<Item = &str> {
    let pairs = url.as_url().query().unwrap_or_default().split('&');
    pairs.filter(|pair| !pair.is_empty()).map(|pair| pair.split('=').next().unwrap_or_default())
}

/// What stays of an address without its numbers, ids and query values. None when it has none of them.
fn template(url: &SiteUrl, hasher: &Hashing) -> Option<u64> {
    let mut hash = hasher.build_hasher();
    let mut varies = false;
    url.host().hash(&mut hash);
    for segment in segments(url.path()) {
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
    use super::NamedBy::{InList, InMenu, InPassing};
    use super::*;

    fn check(traps: &mut Traps, path: &str, named: NamedBy) -> Option<Trap> {
        traps.check(&SiteUrl::parse(&format!("https://docs.rs{path}")).unwrap(), named, None)
    }

    #[test]
    fn addresses_in_two_menus_are_no_traps() {
        let url = |path: &str| SiteUrl::parse(&format!("https://docs.rs{path}")).unwrap();
        let mut traps = Traps::default();
        let mut check = |by: &str, named| traps.check(&url("/kiln/kiln/kiln/kiln/"), named, Some(&url(by)));
        assert_eq!(check("/kiln/a", InMenu), Some(Trap::RepeatedSegment));
        assert_eq!(check("/kiln/b", InMenu), Some(Trap::RepeatedSegment));
        assert_eq!(check("/kiln/kiln/a", InPassing), Some(Trap::RepeatedSegment));
        assert_eq!(check("/kiln/kiln/a", InMenu), None);
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
            assert_eq!(check(&mut traps, &path, InPassing), trap, "{path}");
            assert_eq!(check(&mut traps, &path, InMenu), trap, "{path}");
            assert_eq!(check(&mut traps, &path, InList), None, "{path}");
        }
    }

    #[test]
    fn a_template_is_cut_unless_the_site_names_the_page() {
        let mut traps = Traps::new(TrapLimits { pages_per_template: 2, ..TrapLimits::default() });
        assert_eq!(check(&mut traps, "/calendar/2024-01", InPassing), None);
        assert_eq!(check(&mut traps, "/calendar/2025-11", InMenu), None);
        assert_eq!(check(&mut traps, "/calendar/2024-2", InPassing), None);
        assert_eq!(check(&mut traps, "/calendar/1999-12", InPassing), Some(Trap::Template));
        assert_eq!(check(&mut traps, "/calendar/1999-12", InMenu), None);
        assert_eq!(check(&mut traps, "/archive/1999-12", InPassing), None);
    }

    #[test]
    fn of_pages_that_differ_in_numbers_so_many_menus_are_believed() {
        let mut traps = Traps::new(TrapLimits { pages_per_template: 2, ..TrapLimits::default() });
        let mut believes =
            |path: &str| traps.believes_menus_of(&SiteUrl::parse(&format!("https://docs.rs{path}")).unwrap());
        assert!(believes("/calendar/2024-01") && believes("/calendar/2024-02"));
        assert!(!believes("/calendar/2024-03"));
        assert!(believes("/archive/2024-03") && (0..9).all(|_| believes("/guide/")));
    }

    #[test]
    fn ids_and_query_values_make_one_template() {
        let mut traps = Traps::new(TrapLimits { pages_per_template: 1, ..TrapLimits::default() });
        assert_eq!(check(&mut traps, "/t/deadbeef01", InPassing), None);
        assert_eq!(
            check(&mut traps, "/t/0f8fad5b-d9cb-469f-a165-70867728950e", InPassing),
            Some(Trap::Template)
        );
        assert_eq!(check(&mut traps, "/find?q=rust", InPassing), None);
        assert_eq!(check(&mut traps, "/find?q=go", InPassing), Some(Trap::Template));
    }

    #[test]
    fn words_make_no_template() {
        let mut traps = Traps::new(TrapLimits { pages_per_template: 1, ..TrapLimits::default() });
        assert_eq!(check(&mut traps, "/guide/install", InPassing), None);
        assert_eq!(check(&mut traps, "/guide/upgrade", InPassing), None);
    }
}
