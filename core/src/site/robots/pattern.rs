//! One rule of a robots.txt and how it matches.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use crate::percent::{escape, escape_at, is_unreserved};

/// Stands for `*` in a compiled pattern: never part of canonical text, where the octet 0 is `%00`.
const ANYTHING: u8 = 0;

/// An `Allow` or `Disallow` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PathRule {
    /// Whether it allows what it matches.
    pub(super) allow: bool,
    /// Octets of the pattern as written, escapes normalised: the longest rule wins.
    pub(super) length: usize,
    /// Canonical text with [`ANYTHING`] for its wildcards, no two in a row.
    pattern: Box<[u8]>,
    has_wildcard: bool,
    /// The path must end where the pattern does (`$`).
    anchored: bool,
}

impl PathRule {
    /// Compiles a pattern. None for an empty one, which matches nothing.
    pub(super) fn new(allow: bool, written: &[u8]) -> Option<Self> {
        let (text, anchored) = written.strip_suffix(b"$").map_or((written, false), |text| (text, true));
        let mut pattern = Vec::with_capacity(text.len());
        let mut skipped = 0;
        for (index, literal) in text.split(|octet| *octet == b'*').enumerate() {
            if index > 0 {
                if pattern.last() == Some(&ANYTHING) {
                    skipped += 1;
                } else {
                    pattern.push(ANYTHING);
                }
            }
            push_canonical(&mut pattern, literal);
        }
        let length = pattern.len() + skipped + usize::from(anchored);
        let has_wildcard = memchr(ANYTHING, &pattern).is_some();
        (!written.is_empty()).then(|| Self { allow, length, pattern: pattern.into(), has_wildcard, anchored })
    }

    /// Whether it matches a [`canonical`] path from its start.
    ///
    /// Taking the first place where each literal fits is enough: a later place leaves less for what follows.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        if !self.has_wildcard {
            return path.strip_prefix(&*self.pattern).is_some_and(|rest| !self.anchored || rest.is_empty());
        }
        let mut literals = self.pattern.split(|octet| *octet == ANYTHING);
        let first = literals.next().unwrap_or_default();
        let last = literals.next_back().unwrap_or_default();
        let Some(mut rest) = path.strip_prefix(first) else { return false };
        if self.anchored {
            let Some(before_last) = rest.strip_suffix(last) else { return false };
            rest = before_last;
        }
        for literal in literals {
            let Some(after) = after_first(rest, literal) else { return false };
            rest = after;
        }
        self.anchored || after_first(rest, last).is_some()
    }
}

/// What follows the first place where a text stands. Linear in the length of both.
fn after_first<'a>(haystack: &'a [u8], needle: &[u8]) -> Option<&'a [u8]> {
    let start = match needle {
        [] => 0,
        [octet] => memchr(*octet, haystack)?,
        _ => memmem::find(haystack, needle)?,
    };
    haystack.get(start + needle.len()..)
}

/// A path in the one spelling that patterns are compiled to.
pub(super) fn canonical(path: &[u8]) -> Cow<'_, [u8]> {
    if path.iter().all(|octet| is_unreserved(*octet) || is_reserved(*octet)) {
        return Cow::Borrowed(path);
    }
    let mut out = Vec::with_capacity(path.len() + 16);
    push_canonical(&mut out, path);
    Cow::Owned(out)
}

/// Unreserved octets plain, reserved ones as they are written, all others escaped (RFC 9309 section 2.2.2);
/// `%2A` and `%24` are the plain signs that `*` and `$` in a pattern are not.
fn push_canonical(out: &mut Vec<u8>, mut text: &[u8]) {
    while let [octet, rest @ ..] = text {
        let escaped = escape_at(text);
        let meant = escaped.unwrap_or(*octet);
        let is_plain = match escaped {
            Some(_) => is_unreserved(meant) || matches!(meant, b'*' | b'$'),
            None => is_unreserved(meant) || is_reserved(meant) || meant == b'%',
        };
        if is_plain {
            out.push(meant);
        } else {
            out.extend(escape(meant));
        }
        text = if escaped.is_some() { rest.get(2..).unwrap_or_default() } else { rest };
    }
}

/// Octets with a meaning of their own in a URL (RFC 3986 section 2.2).
fn is_reserved(octet: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&octet)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matches(pattern: &str, path: &str) -> bool {
        PathRule::new(false, pattern.as_bytes()).is_some_and(|rule| rule.matches(&canonical(path.as_bytes())))
    }

    #[test]
    fn patterns_match_from_the_start() {
        assert!(matches("/docs", "/docs/a") && matches("/docs", "/docsearch"));
        assert!(!matches("/docs/", "/docs") && !matches("docs", "/docs") && !matches("", "/"));
    }

    #[test]
    fn wildcards_and_ends() {
        assert!(matches("/*/edit$", "/a/b/edit") && !matches("/*/edit$", "/a/edit/x"));
        assert!(matches("*.php", "/a.php?x") && !matches("*.php$", "/a.php?x"));
        assert!(matches("/a**b", "/a/b") && matches("/a*", "/a"));
        assert!(matches("/ab*b$", "/abb") && !matches("/ab*b$", "/ab"));
        assert!(matches("/a$b", "/a$b") && !matches("/a$b", "/a"));
    }

    #[test]
    fn escapes_are_compared_by_what_they_mean() {
        assert!(matches("/%7ea", "/~a") && matches("/ü", "/%c3%bc") && matches("/a b", "/a%20b"));
        assert!(matches("/a%2fb", "/a%2Fb") && !matches("/a%2fb", "/a/b"));
        assert!(matches("/a%2a", "/a*") && !matches("/a%2a", "/ab"));
        assert!(matches("/a%24", "/a$b") && matches("/100%", "/100%"));
    }

    /// The textbook definition, exponential and obvious.
    fn oracle(pattern: &[u8], path: &[u8]) -> bool {
        match pattern {
            [] => true,
            [b'$'] => path.is_empty(),
            [b'*', rest @ ..] => (0..=path.len()).any(|from| oracle(rest, &path[from..])),
            [octet, rest @ ..] => path.first() == Some(octet) && oracle(rest, &path[1..]),
        }
    }

    proptest! {
        #[test]
        fn greedy_matching_finds_what_the_definition_finds(pattern in "/[ab*]{0,8}\\$?", path in "/[ab]{0,10}") {
            prop_assert_eq!(matches(&pattern, &path), oracle(pattern.as_bytes(), path.as_bytes()));
        }
    }
}
