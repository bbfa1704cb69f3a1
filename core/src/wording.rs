//! The words of our own in the files that are made: `config/words.toml`, one table for each language.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::maps::{Map, Set};

const FILE: &str = include_str!("../../config/words.toml");
/// Bytes of the name of a language.
const MAX_NAME: usize = 24;

static ALL: LazyLock<Map<String, Wording>> = LazyLock::new(|| toml::from_str(FILE).unwrap_or_default());
/// What languages are called by those who speak them.
static LANGUAGES: LazyLock<Map<String, String>> =
    LazyLock::new(|| toml::from_str(include_str!("../../config/languages.toml")).unwrap_or_default());
/// The same names as menus write them.
static LANGUAGE_NAMES: LazyLock<Set<String>> =
    LazyLock::new(|| LANGUAGES.values().flat_map(|name| [name.clone(), name.to_lowercase()]).collect());
static ENGLISH: LazyLock<Wording> = LazyLock::new(|| ALL.get("en").cloned().unwrap_or_default());

/// What the files say of themselves in one language; what stands in braces is put in by [`fill`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wording {
    /// The name of the section of pages that belong to no group.
    pub(crate) overview: String,
    /// The name of the section of everything else.
    pub(crate) other: String,
    /// What stands before the `{headings}` of a page, behind its first sentence.
    pub(crate) sections: String,
    /// How many `{pages}` of `{site}` are listed.
    pub(crate) listed: String,
    /// How many `{pages}` are not.
    pub(crate) left_out: String,
    /// Which pages to fetch.
    pub(crate) choose: String,
    /// What to do with what they say.
    pub(crate) prefer: String,
    /// Which `{section}` to skip.
    pub(crate) skip: String,
    /// Under which `{url}` the full text is.
    pub(crate) full: String,
    /// What stands before the address of a page.
    pub(crate) source: String,
}

impl Wording {
    /// The words in a language by its primary subtag, of Chinese in traditional signs by `zh-hant`; English where there are none.
    pub(crate) fn of(subtag: Option<&str>) -> &'static Self {
        subtag.and_then(Self::known).unwrap_or(&ENGLISH)
    }

    fn known(subtag: &str) -> Option<&'static Self> {
        ALL.get(general(subtag))
    }

    /// What the language of a tag is called by those who speak it, with the tag where that says more: `de`, `pt-BR`.
    pub(crate) fn language_of(tag: &str) -> Option<String> {
        let (primary, rest) = tag.split_once(['-', '_']).unwrap_or((tag, ""));
        let known = LANGUAGES.get(general(&primary.to_ascii_lowercase()))?;
        Some(if rest.is_empty() { known.clone() } else { format!("{known} ({tag})") })
    }

    /// Whether a label is the name of a language, and no more.
    pub(crate) fn is_language(label: &str) -> bool {
        // Most links of a menu say more than a word or two.
        label.len() <= MAX_NAME && LANGUAGE_NAMES.contains(label)
    }

    /// Whether a label has the name or the code of a language in it.
    pub(crate) fn names_language(label: &str) -> bool {
        let label = label.to_lowercase();
        LANGUAGES.contains_key(&label) || LANGUAGE_NAMES.iter().any(|name| label.contains(name))
    }
}

/// Norwegian by either way to write it.
fn general(subtag: &str) -> &str {
    if matches!(subtag, "nb" | "nn") { "no" } else { subtag }
}

/// Puts values into the braces that name them, the last one last: what it says may have braces of its own.
pub(crate) fn fill(phrase: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(phrase.to_owned(), |said, (name, value)| said.replace(name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_there_in_thirty_languages() {
        // Chinese is written in two ways.
        assert_eq!(ALL.len(), 30 + 1);
        assert!(ALL.keys().all(|tag| Wording::language_of(tag).is_some()));
        assert_eq!(Wording::of(Some("de")).overview, "Überblick");
        assert_eq!(Wording::of(Some("nb")).overview, "Oversikt");
        assert_eq!(Wording::language_of("nb"), Wording::language_of("no"));
        for other in [None, Some("tlh")] {
            assert_eq!(Wording::of(other).overview, "Overview");
        }
    }

    #[test]
    fn a_tag_is_told_in_words() {
        let told = ["de", "IT", "pt-br", "hr", "tlh", "Deutsch"]
            .map(|tag| Wording::language_of(tag).unwrap_or_default());
        assert_eq!(told, ["Deutsch", "Italiano", "Português (pt-br)", "Hrvatski", "", ""]);
    }

    /// What each phrase of a language says, and what is put into it.
    fn phrases(wording: &Wording) -> [(&str, &[&str]); 10] {
        [
            (&wording.overview, &[]),
            (&wording.other, &[]),
            (&wording.sections, &["{headings}"]),
            (&wording.listed, &["{site}", "{pages}"]),
            (&wording.left_out, &["{pages}"]),
            (&wording.choose, &[]),
            (&wording.prefer, &[]),
            (&wording.skip, &["{section}"]),
            (&wording.full, &["{url}"]),
            (&wording.source, &[]),
        ]
    }

    #[test]
    fn every_phrase_is_one_line_with_its_values_once_each() {
        for (language, wording) in &*ALL {
            for (phrase, values) in phrases(wording) {
                let braces = phrase.matches(['{', '}']).count();
                let is_whole = values.iter().all(|value| phrase.matches(value).count() == 1);
                assert!(is_whole && braces == 2 * values.len(), "{language}: {phrase}");
                assert!(!phrase.trim().is_empty() && !phrase.contains('\n'), "{language}: {phrase}");
            }
        }
    }

    #[test]
    fn a_phrase_that_is_missing_or_unknown_is_an_error() {
        for (from, to) in [("overview = \"Overview\"\n", ""), ("[de]", "[de]\nnone = \"x\"")] {
            assert!(toml::from_str::<Map<String, Wording>>(&FILE.replacen(from, to, 1)).is_err(), "{from}");
        }
    }

    #[test]
    fn values_are_put_in_where_they_are_named() {
        let said = fill("Of {site}: {pages}.", &[("{pages}", "3"), ("{site}", "a/{pages}")]);
        assert_eq!(said, "Of a/{pages}: 3.");
    }
}
