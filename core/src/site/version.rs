//! One version: of documentation kept in several, the newest stable one is read.
//!
//! Versions stand in folders: `/docs/1.2/`, `/v2/`, `/en/stable/`. The path before such a folder is its base;
//! each base has one version that counts, if its folders hold the same pages. When the seed lies within a version, that is the one.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use crate::digits::is_number;
use crate::maps::Hashing;
use crate::url::{SiteUrl, segments};

/// Bases that a crawl remembers; a site with more is a trap.
const MAX_BASES: usize = 1_000;

/// How many paths a crawl remembers to tell whether a page exists outside the version folders too.
const MAX_TWINS: usize = 20_000;

/// How many pages outside the version folders tell that those are the current ones: one that stands beside the versions
/// counts as many; one at the root, or beside the folder that keeps the versions (`/archive/1.2/`), counts as itself.
const MIN_TWINS: usize = 3;

/// How many segments of a path may name the version.
const MAX_DEPTH: usize = 6;

/// Folders after which a bare number is a version: `/docs/15/`.
const DOCS_FOLDERS: &[&str] =
    &["doc", "docs", "documentation", "manual", "manuals", "reference", "version", "versions"];

/// What versions are called that have no number.
const STABLE: &[&str] = &["stable"];
const LATEST: &[&str] = &["latest", "current"];
const UNSTABLE: &[&str] =
    &["dev", "devel", "main", "master", "nightly", "next", "edge", "unstable", "canary"];

/// The name of a version in a path, from the one that counts least.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum VersionLabel {
    /// `2.0-beta1`, `dev`, `main`, `nightly`, `next`.
    Unstable,
    /// `1.2`, `v3`, `1.x`: its numbers; `x` is the highest number.
    Number(Vec<u32>),
    /// `latest`, `current`, `release`.
    Latest,
    /// `stable`.
    Stable,
}

impl VersionLabel {
    /// Reads the version that a path segment names; `last` tells that no slash follows it.
    pub fn of_segment(segment: &str, before: Option<&str>, last: bool) -> Option<Self> {
        let is = |names: &[&str]| !last && names.iter().any(|name| name.eq_ignore_ascii_case(segment));
        let named = [(STABLE, Self::Stable), (LATEST, Self::Latest), (UNSTABLE, Self::Unstable)];
        if let Some((_, label)) = named.into_iter().find(|(names, _)| is(names)) {
            return Some(label);
        }
        // All others have numbers.
        if !segment.bytes().any(|byte| byte.is_ascii_digit() || byte.eq_ignore_ascii_case(&b'x')) {
            return None;
        }
        let lower = segment.to_ascii_lowercase();
        let marked = lower.strip_prefix("version-").or_else(|| lower.strip_prefix('v'));
        // A letter that words begin with marks only a number with parts.
        let release = || lower.strip_prefix('r').filter(|number| number.contains('.'));
        let bare = marked.or_else(release).unwrap_or(&lower);
        let marked = marked.is_some();
        let (numbers, suffix) = match bare.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | 'x'))) {
            Some(at) => bare.split_at_checked(at)?,
            None => (bare, ""),
        };
        let parts: Vec<u32> = numbers
            .split('.')
            .map(|part| if part == "x" { Ok(u32::MAX) } else { part.parse() })
            .collect::<Result<_, _>>()
            .ok()?;
        let dotted = parts.len() > 1;
        let in_docs = before.is_some_and(is_docs_folder);
        let plain = !dotted && !marked;
        if parts.len() > 4 || is_year(bare) || (plain && (!in_docs || bare.len() > 2)) || (last && !marked) {
            return None;
        }
        match suffix {
            "" => Some(Self::Number(parts)),
            s if (s.starts_with(['-', '+']) && s.len() < 16 && !s.contains('_')) || is_stage(s) => {
                Some(Self::Unstable)
            }
            _ => None,
        }
    }
}

fn is_docs_folder(name: &str) -> bool {
    DOCS_FOLDERS.contains(&name.to_ascii_lowercase().as_str())
}

/// What follows the number of a version on its way to being one: `a2`, `b1`, `rc1`, `alpha3`.
fn is_stage(suffix: &str) -> bool {
    let number = suffix.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let stage = suffix.strip_suffix(number).unwrap_or(suffix);
    is_number(number) && matches!(stage, "a" | "b" | "rc" | "alpha" | "beta")
}

/// The version that counts below one base.
#[derive(Debug)]
struct VersionBase {
    segment: String,
    label: VersionLabel,
    /// The seed lies within this version: nothing beats it.
    fixed: bool,
    /// A menu or the footer of the home page leads to it: of the others, only one that they lead to as well beats it.
    on_home: bool,
    /// So many of its pages stand outside the version folders.
    twins: usize,
    /// A page, or the home page of the folder, stands in two of them: parts that share none are no versions of each other.
    is_shared: bool,
}

/// What a crawl knows of the versions of a site.
#[derive(Debug, Default)]
pub struct Versions {
    bases: HashMap<String, VersionBase>,
    plain: HashSet<String>,
    /// What the paths of versioned pages would be without their version, with the base and what a page there counts.
    unversioned: HashMap<String, (String, usize)>,
    /// The version in which each page below a base was met first, both by their hashes.
    first: HashMap<u64, u64>,
    hasher: Hashing,
}

/// An address taken apart at its version folder.
struct Versioned<'a> {
    base: &'a str,
    segment: &'a str,
    rest: &'a str,
    label: VersionLabel,
}

impl Versioned<'_> {
    /// Whether nothing but a number tells that this is the home page of a version: the criteria of a standard have numbers, too.
    fn may_be_a_page(&self) -> bool {
        let keeper = segments(self.base).last();
        let is_marked = self.segment.starts_with(|c: char| c.is_ascii_alphabetic());
        self.rest.is_empty() && !is_marked && keeper.is_some_and(|keeper| !is_docs_folder(keeper))
    }

    /// Where the page would stand without a version, and what it counts there: beside the versions, and beside the folder
    /// that keeps them.
    fn unversioned(&self) -> impl Iterator<Item = (String, usize)> {
        let keeper = self.base.strip_suffix('/').and_then(|base| base.rfind('/'));
        let above = keeper.and_then(|end| self.base.get(..=end));
        let beside = if self.base == "/" { 1 } else { MIN_TWINS };
        // The bare home page is no page of the documentation.
        let places = [(Some(self.base), beside), (above, 1)].into_iter().filter(|_| !self.rest.is_empty());
        places.filter_map(|(place, counts)| Some((format!("{}{}", place?, self.rest), counts)))
    }
}

impl Versions {
    /// The version that the seed lies within, if any, is the one that counts.
    pub fn new(seed: &SiteUrl) -> Self {
        let mut versions = Self::default();
        versions.learn(seed, false);
        for base in versions.bases.values_mut() {
            base.fixed = true;
        }
        versions
    }

    /// Takes in that the site has this address, and whether a menu or the footer of its home page leads there. What a site shows there counts more than
    /// what it has besides: the next version stands beside the current one long before it does.
    pub fn learn(&mut self, url: &SiteUrl, on_home: bool) {
        let Some(found) = split(url.path(), false) else {
            let is_new = self.plain.len() < MAX_TWINS && self.plain.insert(url.path().to_owned());
            if let Some((base, counts)) = self.unversioned.get(url.path()).filter(|_| is_new)
                && let Some(base) = self.bases.get_mut(base)
            {
                base.twins += counts;
            }
            return;
        };
        let mut twins = 0;
        for (path, counts) in found.unversioned() {
            if self.unversioned.len() < MAX_TWINS && !self.unversioned.contains_key(&path) {
                twins += if self.plain.contains(&path) { counts } else { 0 };
                self.unversioned.insert(path, (found.base.to_owned(), counts));
            }
        }
        let is_shared = self.is_shared(&found);
        if let Some(base) = self.bases.get_mut(found.base) {
            base.twins += twins;
            base.is_shared |= is_shared;
            let is_better = match (on_home, base.on_home) {
                (true, false) => true,
                (false, true) => false,
                _ => found.label > base.label,
            };
            if !base.fixed && is_better {
                found.segment.clone_into(&mut base.segment);
                (base.label, base.on_home) = (found.label, on_home);
            }
        } else if self.bases.len() < MAX_BASES {
            let first = VersionBase {
                segment: found.segment.to_owned(),
                label: found.label,
                fixed: false,
                on_home,
                twins,
                is_shared,
            };
            self.bases.insert(found.base.to_owned(), first);
        }
    }

    /// Whether the page is known in another version, too. Beyond the room for what is known it is taken to be.
    fn is_shared(&mut self, found: &Versioned<'_>) -> bool {
        if found.may_be_a_page() {
            return false;
        }
        let page = self.hasher.hash_one((found.base, found.rest));
        let version = self.hasher.hash_one(found.segment);
        if self.first.len() >= MAX_TWINS && !self.first.contains_key(&page) {
            return true;
        }
        *self.first.entry(page).or_insert(version) != version
    }

    /// The address belongs to a version that does not count, as far as is known now: the home page of one without a slash, too,
    /// beside what stands in its folder.
    pub fn refuses(&self, url: &SiteUrl) -> bool {
        split(url.path(), true).is_some_and(|found| {
            self.bases.get(found.base).is_some_and(|base| {
                let is_other = base.segment != found.segment && (base.is_shared || base.fixed);
                (base.twins >= MIN_TWINS && !base.fixed) || is_other
            })
        })
    }
}

/// Takes a path apart at its first version folder; what the path ends with may be one if it `ends_with_folder`.
fn split(path: &str, ends_with_folder: bool) -> Option<Versioned<'_>> {
    let mut next = 0;
    let placed = path.split('/').map(|segment| {
        let start = next;
        next += segment.len() + 1;
        (start, segment)
    });
    let mut before = None;
    for (start, segment) in placed.filter(|(_, segment)| !segment.is_empty()).take(MAX_DEPTH) {
        let rest = path.get(start + segment.len()..)?;
        if let Some(label) = VersionLabel::of_segment(segment, before, rest.is_empty() && !ends_with_folder) {
            let rest = rest.strip_prefix('/').unwrap_or(rest);
            return Some(Versioned { base: path.get(..start)?, segment, rest, label });
        }
        before = Some(segment);
    }
    None
}

/// Four digits from 1900 to 2099.
pub(crate) fn is_year(segment: &str) -> bool {
    segment.len() == 4
        && segment.bytes().all(|b| b.is_ascii_digit())
        && (segment.starts_with("19") || segment.starts_with("20"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> SiteUrl {
        SiteUrl::parse(&format!("https://example.com{path}")).unwrap()
    }

    fn learnt(seed: &str, paths: &[&str]) -> Versions {
        let mut versions = Versions::new(&url(seed));
        for path in paths {
            versions.learn(&url(path), false);
        }
        versions
    }

    #[test]
    fn the_version_that_the_home_page_leads_to_counts() {
        let mut versions = Versions::new(&url("/"));
        versions.learn(&url("/docs/4.x/kiln"), false);
        versions.learn(&url("/docs/2.x/kiln"), true);
        versions.learn(&url("/docs/3.x/kiln"), false);
        assert!(versions.refuses(&url("/docs/4.x/kiln")) && !versions.refuses(&url("/docs/2.x/kiln")));
        versions.learn(&url("/docs/3.x/kiln"), true);
        assert!(versions.refuses(&url("/docs/2.x/kiln")) && !versions.refuses(&url("/docs/3.x/kiln")));
    }

    #[test]
    fn parts_that_share_no_page_are_no_versions() {
        let paths = ["/v3/new/", "/v2/wood/", "/v2/gas/"];
        let versions = learnt("/", &paths);
        assert!(!paths.iter().any(|path| versions.refuses(&url(path))));
        let versions = learnt("/", &[&paths[..], &["/v3/wood/"]].concat());
        assert!(versions.refuses(&url("/v2/gas/")) && !versions.refuses(&url("/v3/new/")));
        let versions = learnt("/", &["/docs/2.0/", "/docs/1.0/"]);
        assert!(versions.refuses(&url("/docs/1.0/wood")));
    }

    #[test]
    fn the_newest_stable_version_counts() {
        let versions = learnt("/", &["/docs/1.9/a", "/docs/1.10/a", "/docs/2.0-beta1/a", "/docs/main/a"]);
        assert!(!versions.refuses(&url("/docs/1.10/b")));
        for other in ["/docs/1.9/b", "/docs/2.0-beta1/b", "/docs/main/b"] {
            assert!(versions.refuses(&url(other)), "{other}");
        }
    }

    #[test]
    fn a_version_is_told_by_what_stands_before_its_number() {
        let versions = learnt("/", &["/docs/current/a", "/docs/r3.5.1-beta/a", "/docs/r3.4.0/a"]);
        for other in ["/docs/r3.5.1-beta/b", "/docs/r3.4.0/b", "/docs/v3/b"] {
            assert!(versions.refuses(&url(other)), "{other}");
        }
        for page in ["/docs/r3/b", "/docs/release-1.19/b", "/docs/current/r.js"] {
            assert!(!versions.refuses(&url(page)), "{page}");
        }
    }

    #[test]
    fn the_home_page_of_a_version_is_one_without_a_slash_too() {
        let versions = learnt("/", &["/docs/1.9/a", "/docs/1.10/a", "/docs/1.9"]);
        assert!(versions.refuses(&url("/docs/1.9")) && !versions.refuses(&url("/docs/1.10")));
        assert!(!versions.refuses(&url("/news/1.9")));
    }

    #[test]
    fn a_name_for_the_newest_beats_its_number() {
        let versions = learnt("/", &["/en/3.2/a", "/en/latest/a", "/en/stable/a"]);
        assert!(!versions.refuses(&url("/en/stable/b")));
        assert!(versions.refuses(&url("/en/3.2/b")) && versions.refuses(&url("/en/latest/b")));
    }

    #[test]
    fn the_version_of_the_seed_counts() {
        let versions = learnt("/docs/12/", &["/docs/15/a", "/docs/current/a"]);
        assert!(!versions.refuses(&url("/docs/12/b")) && versions.refuses(&url("/docs/current/b")));
    }

    #[test]
    fn pages_outside_the_folders_are_the_current_ones() {
        let versions = learnt("/", &["/docs/1.0/setup", "/docs/setup", "/docs/next/setup"]);
        assert!(versions.refuses(&url("/docs/1.0/setup")) && versions.refuses(&url("/docs/next/setup")));
        assert!(!versions.refuses(&url("/docs/setup")));
    }

    #[test]
    fn an_archive_of_versions_holds_none_that_is_current() {
        let paths = ["/archive/0.12/a", "/archive/0.12/b", "/archive/0.12/c", "/a", "/b", "/x"];
        assert!(!learnt("/", &paths).refuses(&url("/archive/0.12/a")));
        let versions = learnt("/", &[&paths[..], &["/c"]].concat());
        assert!(versions.refuses(&url("/archive/0.12/a")) && !versions.refuses(&url("/a")));
    }

    #[test]
    fn pages_that_have_numbers_are_no_versions_of_each_other() {
        let paths =
            ["/criteria/1.1/", "/criteria/1.2/", "/docs/1.1/", "/docs/1.2/", "/tool/v1.1/", "/tool/v1.2/"];
        let versions = learnt("/", &paths);
        assert!(!versions.refuses(&url("/criteria/1.1/")));
        assert!(versions.refuses(&url("/docs/1.1/")) && versions.refuses(&url("/tool/v1.1/")));
        let versions = learnt("/", &["/criteria/1.1/a", "/criteria/1.2/a", "/criteria/1.2/"]);
        assert!(versions.refuses(&url("/criteria/1.1/")));
    }

    #[test]
    fn numbers_that_are_no_versions() {
        for path in [
            "/blog/2024/05/title",
            "/issues/12/",
            "/whatsnew/3.11.html",
            "/product/x",
            "/releases/1.4",
            "/V1AshPan.html",
        ] {
            assert!(split(url(path).path(), false).is_none(), "{path}");
        }
    }
}
