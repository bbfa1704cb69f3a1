//! Whether an answer is in the language of its page.

use whatlang::{Detector, Lang, detect};

/// A text shorter than this does not tell its language, in characters.
const TELLING_CHARS: usize = 80;
/// How much of a text is looked at, in characters.
const SAMPLE_CHARS: usize = 4_000;

/// The language of a page's text, where it can be told.
pub(super) fn of_page(text: &str) -> Option<Lang> {
    let sample: String = text.chars().take(SAMPLE_CHARS).collect();
    let found = detect(&sample).filter(|_| sample.chars().count() >= TELLING_CHARS)?;
    found.is_reliable().then(|| found.lang())
}

/// Whether an answer is clearly in another language than `page`. Short technical sentences are hard to tell, so
/// the doubt is the answer's benefit; English is what models slip into, so it is asked after by itself.
pub(super) fn is_foreign(answer: &str, page: Lang) -> bool {
    let Some(found) = detect(answer) else { return false };
    if !found.script().langs().contains(&page) {
        return true;
    }
    if page == Lang::Eng {
        return found.lang() != page && found.is_reliable();
    }
    let either = Detector::with_allowlist(vec![page, Lang::Eng]).detect(answer);
    either.is_some_and(|found| found.lang() == Lang::Eng && found.is_reliable())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_language_is_noticed() {
        let german = "Der Brennofen wird über Nacht geheizt und am nächsten Tag langsam wieder abgekühlt.";
        let english = "The kiln is heated during the night and slowly cooled down again on the next day.";
        assert_eq!(of_page(german), Some(Lang::Deu));
        assert_eq!(of_page(english), Some(Lang::Eng));
        assert!(is_foreign("Explains how the kiln is heated and what should be done with it.", Lang::Deu));
        assert!(is_foreign("Erklärt, wie der Ofen geheizt wird und was danach zu tun ist.", Lang::Eng));
        assert!(is_foreign("説明：窯の使い方とその手順について", Lang::Eng));
        assert!(!is_foreign("Erklärt, wie der Ofen geheizt wird.", Lang::Deu));
        assert!(!is_foreign("Kiln CLI reference: flags, exit codes, config.", Lang::Eng));
    }
}
