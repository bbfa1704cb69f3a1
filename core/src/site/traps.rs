//! Places where a crawl never ends: calendars, filters, links that pile up on themselves.

use std::hash::{BuildHasher, Hash, Hasher};

use crate::maps::{Hashing, Map};
use crate::url::{NUMBER, SiteUrl, segments, without_numbers};

/// From how many hexadecimal digits on a path segment that holds a decimal one is taken for an id.
const ID_MIN_CHARS: usize = 8;

/// How many addresses of a trap's shape are remembered by the menu that named them.
const MAX_SHAPED: usize = 10_000;

/// Segments of a path. The deepest documentation in use has about ten.
const MAX_SEGMENTS: usize = 16;

/// Characters of an address.
const MAX_CHARS: usize = 1_024;

/// How often one segment may stand in a path, in a row or apart: relative links that miss their base pile up (`/a/b/a/b/a/b`).
const MAX_REPEATS: usize = 3;

/// Parameters of a query: filters that combine have one each.
const MAX_QUERY_KEYS: usize = 5;

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

/// How many pages of each template a crawl has seen. One per crawl.
#[derive(Debug)]
pub struct Traps {
    /// Pages whose addresses differ in numbers, ids and query values only, and of such pages those whose menus are believed.
    pages_per_template: usize,
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
    pub fn new(pages_per_template: usize) -> Self {
        Self {
            pages_per_template,
            templates: Map::default(),
            shaped: Map::default(),
            hasher: Hashing::default(),
        }
    }

    /// Whether an address is to be left out; to be asked once per address and the way it is named, since it counts those
    /// it lets pass. `by` is the page that names it.
    ///
    /// What a list names is never cut. What a menu names is never cut by the template limit and not counted for it; by its
    /// shape it is until the menus of two folders name it: a relative link that misses its base piles up on every page that
    /// it leads to, but leads elsewhere from each folder.
    pub fn check(&mut self, url: &SiteUrl, named: NamedBy, by: Option<&SiteUrl>) -> bool {
        if named == NamedBy::InList {
            return false;
        }
        if has_trap_shape(url) {
            return named == NamedBy::InPassing || !self.is_named_elsewhere(url, by);
        }
        if named == NamedBy::InMenu {
            return false;
        }
        let Some(template) = template(url, &self.hasher) else { return false };
        let seen = self.templates.entry(template).or_default();
        let is_full = seen.pages >= self.pages_per_template;
        seen.pages += usize::from(!is_full);
        is_full
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
        seen.menus <= self.pages_per_template
    }
}

fn has_trap_shape(url: &SiteUrl) -> bool {
    if url.as_str().len() > MAX_CHARS || segments(url.path()).count() > MAX_SEGMENTS {
        return true;
    }
    // A module may be called as its package and its site: `/kiln/3.x/kiln/kiln/kiln/`.
    let all: Vec<&str> = segments(url.path()).collect();
    let runs = || all.chunk_by(|one, next| one == next);
    let repeats = |run: &[&str]| runs().filter(|other| other.first() == run.first()).count();
    runs().any(|run| run.len().max(repeats(run)) > MAX_REPEATS) || query_names(url).count() > MAX_QUERY_KEYS
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
        let name = if is_id(segment) { NUMBER.to_string() } else { without_numbers(segment) };
        varies |= name.contains(NUMBER);
        name.hash(&mut hash);
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

#[cfg(test)]
mod tests {
    use super::NamedBy::{InList, InMenu, InPassing};
    use super::*;

    fn check(traps: &mut Traps, path: &str, named: NamedBy) -> bool {
        traps.check(&SiteUrl::parse(&format!("https://docs.rs{path}")).unwrap(), named, None)
    }

    #[test]
    fn addresses_in_two_menus_are_no_traps() {
        let url = |path: &str| SiteUrl::parse(&format!("https://docs.rs{path}")).unwrap();
        let mut traps = Traps::new(500);
        let mut check = |by: &str, named| traps.check(&url("/kiln/kiln/kiln/kiln/"), named, Some(&url(by)));
        assert!(check("/kiln/a", InMenu));
        assert!(check("/kiln/b", InMenu));
        assert!(check("/kiln/kiln/a", InPassing));
        assert!(!check("/kiln/kiln/a", InMenu));
    }

    #[test]
    fn the_shape_of_one_address() {
        let mut traps = Traps::new(500);
        for (path, trap) in [
            ("/docs/v2/guide/intro.html?lang=en".to_owned(), false),
            ("/a/b/a/b/a/b".to_owned(), false),
            ("/a/b/a/b/a/b/a".to_owned(), true),
            ("/a/3.x/a/a/a/b.html".to_owned(), false),
            ("/a/a/a/a/b.html".to_owned(), true),
            ("/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q".to_owned(), true),
            (format!("/{}", "x".repeat(1_024)), true),
            ("/?a=1&b=2&c=3&d=4&e=5".to_owned(), false),
            ("/?a=1&b=2&c=3&d=4&e=5&f=6".to_owned(), true),
        ] {
            assert_eq!(check(&mut traps, &path, InPassing), trap, "{path}");
            assert_eq!(check(&mut traps, &path, InMenu), trap, "{path}");
            assert!(!check(&mut traps, &path, InList), "{path}");
        }
    }

    #[test]
    fn a_template_is_cut_unless_the_site_names_the_page() {
        let mut traps = Traps::new(2);
        assert!(!check(&mut traps, "/calendar/2024-01", InPassing));
        assert!(!check(&mut traps, "/calendar/2025-11", InMenu));
        assert!(!check(&mut traps, "/calendar/2024-2", InPassing));
        assert!(check(&mut traps, "/calendar/1999-12", InPassing));
        assert!(!check(&mut traps, "/calendar/1999-12", InMenu));
        assert!(!check(&mut traps, "/archive/1999-12", InPassing));
    }

    #[test]
    fn of_pages_that_differ_in_numbers_so_many_menus_are_believed() {
        let mut traps = Traps::new(2);
        let mut believes =
            |path: &str| traps.believes_menus_of(&SiteUrl::parse(&format!("https://docs.rs{path}")).unwrap());
        assert!(believes("/calendar/2024-01") && believes("/calendar/2024-02"));
        assert!(!believes("/calendar/2024-03"));
        assert!(believes("/archive/2024-03") && (0..9).all(|_| believes("/guide/")));
    }

    #[test]
    fn ids_and_query_values_make_one_template() {
        let mut traps = Traps::new(1);
        assert!(!check(&mut traps, "/t/deadbeef01", InPassing));
        assert!(check(&mut traps, "/t/0f8fad5b-d9cb-469f-a165-70867728950e", InPassing));
        assert!(!check(&mut traps, "/find?q=rust", InPassing));
        assert!(check(&mut traps, "/find?q=go", InPassing));
    }

    #[test]
    fn words_make_no_template() {
        let mut traps = Traps::new(1);
        assert!(!check(&mut traps, "/guide/install", InPassing));
        assert!(!check(&mut traps, "/guide/upgrade", InPassing));
    }
}
