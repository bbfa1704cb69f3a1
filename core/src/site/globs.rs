//! Patterns over addresses, as shells write them.

use std::hash::{Hash, Hasher};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::percent;
use crate::url::SiteUrl;

/// Characters of one pattern.
const MAX_CHARS: usize = 200;

/// A set of patterns. One that begins with a slash is held against the path, any other against the whole address, both
/// without query. `*` and `?` stop at a slash, `**` as a whole part of the path does not.
#[derive(Debug, Clone, Default)]
pub struct Globs {
    set: GlobSet,
}

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// It cannot be read.
    #[error("{pattern:?} is no pattern: {why}")]
    Invalid {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// More characters than a list may have.
    #[error("a pattern is longer than {MAX_CHARS} characters")]
    TooLong,
}

impl Globs {
    /// Reads patterns.
    ///
    /// # Errors
    /// [`GlobError`]: the first that is none.
    pub fn parse<P: AsRef<str>>(patterns: &[P]) -> Result<Self, GlobError> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let pattern = pattern.as_ref();
            if pattern.chars().count() > MAX_CHARS {
                return Err(GlobError::TooLong);
            }
            let invalid = |error: &globset::Error| GlobError::Invalid {
                pattern: pattern.to_owned(),
                why: error.kind().to_string(),
            };
            let glob = GlobBuilder::new(&percent::normalize(&as_in_addresses(pattern)))
                .literal_separator(true)
                .build();
            set.add(glob.map_err(|error| invalid(&error))?);
        }
        let too_much = |error: globset::Error| GlobError::Invalid {
            pattern: patterns.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", "),
            why: error.kind().to_string(),
        };
        Ok(Self { set: set.build().map_err(too_much)? })
    }

    /// Whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Whether a pattern fits this address.
    pub fn matches(&self, url: &SiteUrl) -> bool {
        let whole = url.as_str().split('?').next().unwrap_or_default();
        self.fits(url.path()) || self.fits(whole)
    }

    fn fits(&self, text: &str) -> bool {
        !self.set.is_empty() && self.set.is_match(&*percent::normalize(text))
    }
}

/// Which pages of a site are wanted in its files, by their paths.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    include: Globs,
    exclude: Globs,
    /// The patterns of both, for comparing selections.
    patterns: (Vec<String>, Vec<String>),
}

impl Selection {
    /// Pages that a pattern of `include` fits, or all of them where there is none, but for those that one of `exclude` fits.
    ///
    /// # Errors
    /// [`GlobError`]: a text that is no pattern.
    pub fn parse(include: &[String], exclude: &[String]) -> Result<Self, GlobError> {
        let (include, exclude) = (over_paths(include), over_paths(exclude));
        Ok(Self {
            include: Globs::parse(&include)?,
            exclude: Globs::parse(&exclude)?,
            patterns: (include, exclude),
        })
    }

    /// Whether the files may list this page.
    pub fn lists(&self, url: &SiteUrl) -> bool {
        (self.include.is_empty() || self.include.fits(url.path())) && !self.excludes(url)
    }

    /// Whether this page is not even to be read for its links.
    pub fn excludes(&self, url: &SiteUrl) -> bool {
        self.exclude.fits(url.path())
    }
}

impl PartialEq for Selection {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl Eq for Selection {}

impl Hash for Selection {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.patterns.hash(state);
    }
}

/// Every path begins with a slash, whether its pattern does or not.
fn over_paths(patterns: &[String]) -> Vec<String> {
    let path = |pattern: &String| {
        if pattern.starts_with(['/', '*']) { pattern.clone() } else { format!("/{pattern}") }
    };
    patterns.iter().map(path).collect()
}

/// Addresses are ASCII: what people write is encoded as it is there.
fn as_in_addresses(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    for c in pattern.chars() {
        if c.is_ascii() && c != ' ' {
            out.push(c);
        } else {
            out.extend(percent::escaped(c));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, url: &str) -> bool {
        Globs::parse(&[pattern]).unwrap().matches(&SiteUrl::parse(url).unwrap())
    }

    #[test]
    fn a_star_stops_at_a_slash_and_two_do_not() {
        for (pattern, path, fits) in [
            ("/docs/**", "docs/a/b.html", true),
            ("/docs/**", "docs/", true),
            ("/docs/**", "docsets/a", false),
            ("/docs/*", "docs/a", true),
            ("/docs/*", "docs/a/b", false),
            ("/**/old/**", "a/b/old/c", true),
            ("/**/*.pdf", "a/b.pdf", true),
            ("/*.pdf", "a/b.pdf", false),
            ("/caf\u{e9}/**", "caf\u{e9}/menu", true),
            ("/caf\u{e9}/**", "caf%c3%a9/menu", true),
            ("/caf%c3%a9/%7eada/**", "caf%C3%A9/~ada/menu", true),
            ("/{a,b}/x", "b/x", true),
            ("docs/**", "docs/a", false),
            ("/docs/a", "docs/a?page=2", true),
        ] {
            assert_eq!(matches(pattern, &format!("https://tide.dev/{path}")), fits, "{pattern} {path}");
        }
    }

    #[test]
    fn a_pattern_without_a_slash_in_front_is_for_the_whole_address() {
        assert!(matches("https://tide.dev/**", "https://tide.dev/a/b"));
        assert!(matches("*://*.tide.dev/**", "http://www.tide.dev/a"));
        assert!(!matches("https://tide.dev/**", "https://tide.dev.example.org/a"));
    }

    #[test]
    fn exclude_wins_over_include() {
        let texts = |patterns: &[&str]| patterns.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
        let selection =
            |include: &[&str], exclude: &[&str]| Selection::parse(&texts(include), &texts(exclude)).unwrap();
        let lists = |selection: &Selection, path: &str| {
            selection.lists(&SiteUrl::parse(&format!("https://tide.dev/{path}")).unwrap())
        };
        let docs = selection(&["docs/**"], &["/docs/old/**"]);
        assert!(lists(&docs, "docs/a") && !lists(&docs, "docs/old/a") && !lists(&docs, "blog/a"));
        assert!(lists(&Selection::default(), "anything"));
        assert!(!lists(&selection(&[], &["/blog/**"]), "blog/a"));
        assert!(!lists(&selection(&["**/tide*/**"], &[]), "docs/a"), "the host is no part of the path");
        assert!(lists(&selection(&[], &["**/tide*/**", "https:**"]), "docs/a"));
        assert!(lists(&selection(&["**/docs*/**"], &[]), "docs/a"));
        assert_eq!(docs, selection(&["/docs/**"], &["/docs/old/**"]));
        assert_ne!(docs, Selection::default());
    }

    #[test]
    fn no_pattern_matches_all_and_broken_ones_are_named() {
        let none = Globs::default();
        assert!(none.is_empty() && !none.matches(&SiteUrl::parse("https://tide.dev/").unwrap()));
        let error = Globs::parse(&["/a/**", "/[a"]).unwrap_err();
        assert!(error.to_string().starts_with("\"/[a\" is no pattern: "), "{error}");
        assert_eq!(Globs::parse(&["a".repeat(201)]).unwrap_err(), GlobError::TooLong);
    }

    #[test]
    fn hostile_patterns_take_no_time() {
        let stars = format!("/{}x", "**/*".repeat(49));
        let url = format!("https://tide.dev/{}", "a/".repeat(1_000));
        let started = std::time::Instant::now();
        assert!(!matches(&stars, &url));
        assert!(started.elapsed() < std::time::Duration::from_secs(5));
    }
}
