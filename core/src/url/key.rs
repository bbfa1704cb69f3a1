//! Which addresses lead to the same page.

use std::borrow::Cow;
use std::fmt;

use ::url::{Position, Url};

use super::noise::{is_session, is_tracking, name};
use crate::percent;

/// Extensions of the files called `index` that web servers send for a directory.
const INDEX_EXTENSIONS: [&str; 9] = ["html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "cfm"];

/// Those of IIS called `Default`; elsewhere `default.html` is a page about defaults.
const DEFAULT_EXTENSIONS: [&str; 3] = ["htm", "asp", "aspx"];

/// What addresses of the same page have in common: index files, session ids, slashes that stand twice, the order of the query
/// and spellings of escapes make no difference. A trailing slash does: only the server knows.
///
/// It is for comparing, not for fetching.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrlKey(Box<str>);

impl UrlKey {
    pub(super) fn of(url: &Url) -> Self {
        Self(canonical(url).into())
    }

    /// The key as text: an absolute address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address without scheme, `www.` and slashes at the end, which are often written otherwise than they are served.
    pub(crate) fn place(&self) -> &str {
        let place = self.0.split_once("://").map_or(&*self.0, |(_, place)| place);
        place.strip_prefix("www.").unwrap_or(place).trim_end_matches('/')
    }
}

impl fmt::Debug for UrlKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A segment that says nothing: templates put a slash behind one that is there, and servers take both for one.
const EMPTY: &str = "//";

/// Borrowed for the many addresses that are their own key already.
fn canonical(url: &Url) -> Cow<'_, str> {
    let path = url.path();
    let is_plain = !path.contains(['%', ';']) && !path.contains(EMPTY);
    if url.query().is_none() && is_plain && directory_of_index(path).is_none() {
        return Cow::Borrowed(url.as_str());
    }
    let query = canonical_query(url.query().unwrap_or_default());
    let path = without_empty(without_sessions(percent::normalize(path)));
    let path = if query.is_empty() { directory_of_index(&path).unwrap_or(&path) } else { &path };
    let mut key = String::with_capacity(url.as_str().len());
    key.push_str(&url[..Position::BeforePath]);
    key.push_str(path);
    if !query.is_empty() {
        key.push('?');
        key.push_str(&query);
    }
    Cow::Owned(key)
}

/// Sorts by name; parameters of the same name keep their order.
fn canonical_query(query: &str) -> String {
    let query = percent::normalize(query);
    let mut pairs: Vec<&str> = query
        .split('&')
        .filter(|pair| !pair.is_empty() && !is_tracking(name(pair)) && !is_session(name(pair)))
        .collect();
    pairs.sort_by_key(|pair| name(pair));
    pairs.join("&")
}

/// Takes path parameters that hold a session id (`/a;jsessionid=1`) out of their segments.
fn without_sessions(path: Cow<'_, str>) -> Cow<'_, str> {
    if !path.contains(';') {
        return path;
    }
    let segments: Vec<Cow<'_, str>> = path.split('/').map(segment_without_sessions).collect();
    Cow::Owned(segments.join("/"))
}

fn without_empty(path: Cow<'_, str>) -> Cow<'_, str> {
    if !path.contains(EMPTY) {
        return path;
    }
    let mut kept = String::with_capacity(path.len());
    for segment in path.split_inclusive('/').filter(|segment| *segment != "/") {
        kept.push_str(segment);
    }
    Cow::Owned(format!("/{kept}"))
}

fn segment_without_sessions(segment: &str) -> Cow<'_, str> {
    let mut parts = segment.split(';');
    let stem = parts.next().unwrap_or_default();
    // A dot segment would be resolved when the key is parsed again, and change what it says.
    if matches!(stem, "." | "..") || !segment.contains(';') {
        return Cow::Borrowed(segment);
    }
    let mut kept = stem.to_owned();
    for part in parts.filter(|part| !is_session(name(part))) {
        kept.push(';');
        kept.push_str(part);
    }
    Cow::Owned(kept)
}

/// The directory, with its slash, when a path names the index file in it.
fn directory_of_index(path: &str) -> Option<&str> {
    let file = path.rsplit('/').next()?;
    if is_index_file(file) { path.strip_suffix(file) } else { None }
}

/// Whether a file is what web servers send for its directory.
pub(crate) fn is_index_file(file: &str) -> bool {
    let Some((stem, extension)) = file.split_once('.') else { return false };
    let is_one_of = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(extension));
    (stem.eq_ignore_ascii_case("index") && is_one_of(&INDEX_EXTENSIONS))
        || (stem.eq_ignore_ascii_case("default") && is_one_of(&DEFAULT_EXTENSIONS))
}

#[cfg(test)]
mod tests {
    use crate::url::SiteUrl;

    fn key(text: &str) -> String {
        SiteUrl::parse(text).unwrap().key().as_str().to_owned()
    }

    #[test]
    fn spellings_of_one_page_have_one_key() {
        for (left, right) in [
            ("https://docs.rs/a/index.html", "https://docs.rs/a/"),
            ("https://docs.rs/Default.aspx", "https://docs.rs/"),
            ("https://docs.rs/%69ndex.php?PHPSESSID=1", "https://docs.rs/"),
            ("https://docs.rs/a;jsessionid=1F;v=2?b=2&a=1", "https://docs.rs/a;v=2?a=1&b=2"),
            ("https://docs.rs/%7ea%2f", "https://docs.rs/~a%2F"),
            ("https://docs.rs/a?&b=1&", "https://docs.rs/a?b=1"),
            ("https://docs.rs//a///b//", "https://docs.rs/a/b/"),
            ("https://docs.rs//index.html", "https://docs.rs/"),
        ] {
            assert_eq!(key(left), right);
            assert_eq!(key(right), right);
        }
    }

    #[test]
    fn different_pages_keep_different_keys() {
        for text in [
            "https://docs.rs/a",
            "https://docs.rs/a/",
            "https://docs.rs/A",
            "http://docs.rs/a",
            "https://docs.rs/index.php?p=1",
            "https://docs.rs/index.md.html",
            "https://docs.rs/idioms/default.html",
            "https://docs.rs/a?x=2&x=1",
        ] {
            assert_eq!(key(text), text);
        }
    }
}
