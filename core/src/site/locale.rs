//! One language: a crawl keeps to the one of its seed.
//!
//! Two letters in a path are a language only when something else agrees (`/it/` may be a department), so an
//! address is refused on evidence: the seed stands in such a folder itself, the code has a region (`pt-br`), a
//! page says so of its translations, or pages fetched from the folder were written in that language.

use std::collections::HashSet;

use crate::site::rank::segments;
use crate::site::url::SiteUrl;

/// Languages that sites name folders after (ISO 639-1), by their two letters.
const CODES: &[&str] = &[
    "af", "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et",
    "eu", "fa", "fi", "fr", "ga", "gl", "gu", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka",
    "kk", "km", "kn", "ko", "lt", "lv", "mk", "ml", "mn", "mr", "ms", "my", "nb", "ne", "nl", "nn", "no",
    "pa", "pl", "pt", "ro", "ru", "si", "sk", "sl", "sq", "sr", "sv", "sw", "ta", "te", "th", "tl", "tr",
    "uk", "ur", "uz", "vi", "zh",
];

/// How long each of them is.
const CODE_BYTES: usize = 2;

/// Query keys that choose a language.
const KEYS: &[&str] = &["hl", "lang", "language", "locale"];

/// How many folders a crawl remembers as being in another language.
const MAX_FOLDERS: usize = 1_000;

/// A language tag as addresses write it: `de`, `en-us`, `zh_Hans`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Two letters, lower case.
    primary: String,
    /// Region or script, lower case.
    region: Option<String>,
}

impl Tag {
    /// Reads `de`, `de-AT`, `zh_hans`; `None` for everything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (primary, region) = match text.split_once(['-', '_']) {
            Some((primary, region)) => (primary, Some(region)),
            None => (text, None),
        };
        if primary.len() != CODE_BYTES {
            return None;
        }
        let primary = primary.to_ascii_lowercase();
        let region_fits = region.is_none_or(|r| {
            (r.len() == 2
                || matches!(r.to_ascii_lowercase().as_str(), "hans" | "hant" | "latn" | "cyrl" | "419"))
                && r.bytes().all(|b| b.is_ascii_alphanumeric())
        });
        (CODES.contains(&primary.as_str()) && region_fits)
            .then(|| Self { primary, region: region.map(str::to_ascii_lowercase) })
    }

    /// A page in this language suits a reader of `wanted`.
    fn suits(&self, wanted: &Self) -> bool {
        let regions_agree = match (&self.region, &wanted.region) {
            (Some(mine), Some(theirs)) => mine == theirs,
            _ => true,
        };
        self.primary == wanted.primary && regions_agree
    }
}

/// Which language the crawl keeps to, and what it has learnt about the site's folders.
#[derive(Debug)]
pub struct Locale {
    wanted: Option<Tag>,
    seed_in_folder: bool,
    others: HashSet<String>,
    agreeing: usize,
    disagreeing: usize,
}

impl Locale {
    /// The language of the seed, as far as its address tells.
    #[must_use]
    pub fn new(seed: &SiteUrl) -> Self {
        let wanted = in_path(seed).map(|(_, tag)| tag);
        Self {
            seed_in_folder: wanted.is_some(),
            wanted: wanted.or_else(|| in_query(seed)),
            others: HashSet::new(),
            agreeing: 0,
            disagreeing: 0,
        }
    }

    /// The language the crawl keeps to, once known: a lower-case primary subtag.
    #[must_use]
    pub fn wanted(&self) -> Option<&str> {
        self.wanted.as_ref().map(|tag| tag.primary.as_str())
    }

    /// The address alone tells that the page is in another language.
    #[must_use]
    pub fn refuses(&self, url: &SiteUrl) -> bool {
        let Some(wanted) = &self.wanted else { return false };
        if let Some(tag) = in_query(url)
            && !tag.suits(wanted)
        {
            return true;
        }
        in_path(url).is_some_and(|(folder, tag)| {
            let certain = self.seed_in_folder || tag.region.is_some() || self.others.contains(folder);
            certain && !tag.suits(wanted)
        })
    }

    /// Takes in a translation that a page or a sitemap declares (`hreflang`); `true` when it is not ours.
    pub fn declared(&mut self, tag: &str, url: &SiteUrl) -> bool {
        let Some(wanted) = &self.wanted else { return false };
        let Some(tag) = Tag::parse(tag).or_else(|| Tag::parse(tag.split('-').next().unwrap_or(tag))) else {
            return false;
        };
        // A site for several regions in one language declares them all; the address must tell them apart.
        if tag.primary == wanted.primary {
            return false;
        }
        if let Some((folder, in_path)) = in_path(url)
            && in_path.primary == tag.primary
        {
            self.remember(folder.to_owned());
        }
        true
    }

    /// Takes in what a fetched page says of itself; `true` when it is written in another language.
    ///
    /// Themes are known to declare a wrong language throughout, so a bare declaration is believed only while the
    /// pages that agree with the seed outnumber those refused for it.
    pub fn refuses_page(&mut self, url: &SiteUrl, language: Option<&str>) -> bool {
        let Some(language) = language.and_then(|l| Tag::parse(l.split('-').next().unwrap_or(l))) else {
            return false;
        };
        let Some(wanted) = &self.wanted else {
            self.wanted = Some(language);
            self.agreeing += 1;
            return false;
        };
        if language.primary == wanted.primary {
            self.agreeing += 1;
            return false;
        }
        if let Some((folder, tag)) = in_path(url)
            && tag.primary == language.primary
        {
            self.remember(folder.to_owned());
            return true;
        }
        if self.disagreeing < self.agreeing {
            self.disagreeing += 1;
            return true;
        }
        false
    }

    fn remember(&mut self, folder: String) {
        if self.others.len() < MAX_FOLDERS {
            self.others.insert(folder);
        }
    }
}

/// The first of the first three folders that is a language, with the path up to it.
fn in_path(url: &SiteUrl) -> Option<(&str, Tag)> {
    let path = url.path();
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    // `/de` without a slash is the home page of a language too.
    let alone = (folders.is_empty()).then(|| path.trim_start_matches('/'));
    let mut end = 0;
    for segment in alone.into_iter().chain(folders.split('/').skip(1)).take(3) {
        end += segment.len() + 1;
        if let Some(tag) = Tag::parse(segment) {
            return path.get(..end).map(|folder| (folder, tag));
        }
    }
    None
}

fn in_query(url: &SiteUrl) -> Option<Tag> {
    url.as_url().query()?.split('&').find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        KEYS.contains(&key).then(|| Tag::parse(value)).flatten()
    })
}

/// Whether a path consists of nothing but a language: the home page of a translation.
pub(crate) fn is_bare(url: &SiteUrl) -> bool {
    let mut all = segments(url.path());
    all.next().is_some_and(|s| Tag::parse(s).is_some()) && all.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> SiteUrl {
        SiteUrl::parse(&format!("https://example.com{path}")).unwrap()
    }

    #[test]
    fn a_seed_in_a_language_folder_refuses_the_others() {
        let locale = Locale::new(&url("/en/docs/"));
        assert!(locale.refuses(&url("/de/docs/a")));
        assert!(locale.refuses(&url("/pt-br/docs/a")));
        assert!(!locale.refuses(&url("/en/docs/a")));
        assert!(!locale.refuses(&url("/docs/a")));
    }

    #[test]
    fn two_letters_alone_prove_nothing() {
        let mut locale = Locale::new(&url("/"));
        assert!(!locale.refuses_page(&url("/"), Some("en")));
        assert!(!locale.refuses(&url("/it/helpdesk")));
        assert!(locale.refuses(&url("/zh-cn/docs")));
        assert!(locale.refuses(&url("/docs?lang=fr")));
    }

    #[test]
    fn one_fetched_page_gives_a_folder_away() {
        let mut locale = Locale::new(&url("/"));
        locale.refuses_page(&url("/"), Some("en"));
        assert!(locale.refuses_page(&url("/fr/a"), Some("fr")));
        assert!(locale.refuses(&url("/fr/b")));
    }

    #[test]
    fn hreflang_gives_a_folder_away() {
        let mut locale = Locale::new(&url("/"));
        locale.refuses_page(&url("/"), Some("en"));
        assert!(locale.declared("de-DE", &url("/de/")));
        assert!(locale.refuses(&url("/de/preise")));
        assert!(!locale.declared("x-default", &url("/")));
    }

    #[test]
    fn a_theme_with_a_wrong_language_does_not_empty_the_site() {
        let mut locale = Locale::new(&url("/"));
        locale.refuses_page(&url("/"), Some("de"));
        let lost = (0..100).filter(|i| locale.refuses_page(&url(&format!("/p{i}")), Some("en"))).count();
        assert_eq!(lost, 1);
    }

    #[test]
    fn a_bare_language_path_is_seen() {
        assert!(
            is_bare(&url("/de/")) && is_bare(&url("/de")) && !is_bare(&url("/de/a")) && !is_bare(&url("/"))
        );
    }
}
