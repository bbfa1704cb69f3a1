//! Whether an answer is in the language of its page.

use whatlang::{Detector, Lang, detect};

use crate::phrases::list;

/// A text shorter than this does not tell its language, in characters.
const TELLING_CHARS: usize = 80;
/// How much of a text is looked at, in characters.
const SAMPLE_CHARS: usize = 1_500;

/// The language of a page's text, where it can be told.
pub(super) fn of_page(text: &str) -> Option<Lang> {
    let sample: String = text.chars().take(SAMPLE_CHARS).collect();
    let found = detect(&sample).filter(|_| sample.chars().count() >= TELLING_CHARS)?;
    found.is_reliable().then(|| found.lang())
}

/// The primary subtag of the language that a text is in, where it can be told.
pub(crate) fn language_of(text: &str) -> Option<&'static str> {
    let language = of_page(text)?;
    SUBTAGS.iter().find(|(_, known)| *known == language).map(|(subtag, _)| *subtag)
}

/// The language that a page declares: its primary subtag, as BCP 47 has it.
pub(super) fn declared(subtag: &str) -> Option<Lang> {
    SUBTAGS.iter().find(|(known, _)| *known == subtag).map(|(_, language)| *language)
}

/// The two-letter subtags of the languages that most of the web is written in.
const SUBTAGS: &[(&str, Lang)] = list! {
    ("ar", Lang::Ara) ("bg", Lang::Bul) ("ca", Lang::Cat) ("cs", Lang::Ces) ("da", Lang::Dan)
    ("de", Lang::Deu) ("el", Lang::Ell) ("en", Lang::Eng) ("es", Lang::Spa) ("et", Lang::Est)
    ("fa", Lang::Pes) ("fi", Lang::Fin) ("fr", Lang::Fra) ("he", Lang::Heb) ("hi", Lang::Hin)
    ("hr", Lang::Hrv) ("hu", Lang::Hun) ("id", Lang::Ind) ("it", Lang::Ita) ("ja", Lang::Jpn)
    ("ko", Lang::Kor) ("lt", Lang::Lit) ("lv", Lang::Lav) ("nb", Lang::Nob) ("nl", Lang::Nld)
    ("no", Lang::Nob) ("pl", Lang::Pol) ("pt", Lang::Por) ("ro", Lang::Ron) ("ru", Lang::Rus)
    ("sk", Lang::Slk) ("sl", Lang::Slv) ("sr", Lang::Srp) ("sv", Lang::Swe) ("th", Lang::Tha)
    ("tr", Lang::Tur) ("uk", Lang::Ukr) ("vi", Lang::Vie) ("zh", Lang::Cmn)
};

/// Whether an answer is clearly in another language than `page`. Short technical sentences are hard to tell, so
/// the doubt is the answer's benefit. English is what models slip into, so on other pages it is asked after by itself.
pub(super) fn is_foreign(answer: &str, page: Lang) -> bool {
    let Some(found) = detect(answer) else { return false };
    if !found.script().langs().contains(&page) {
        return true;
    }
    let rival = if page == Lang::Eng { found.lang() } else { Lang::Eng };
    let either = Detector::with_allowlist(vec![page, rival]).detect(answer);
    either.is_some_and(|found| found.lang() != page && found.is_reliable())
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
        assert!(is_foreign("Was man über Kapitel 6 wissen muss und wie es entstanden ist.", Lang::Eng));
        assert!(!is_foreign("Erklärt, wie der Ofen geheizt wird.", Lang::Deu));
        for english in [
            "Describes features of the Model class, its managers and querysets.",
            "Explains pg_dump options for parallel backups and restores.",
            "Lists SQL aggregate functions: avg, count, max, min, sum.",
            "Install Django via pip inside a virtual environment.",
        ] {
            assert!(!is_foreign(english, Lang::Eng), "{english}");
        }
        assert!(!is_foreign("Kiln CLI reference: flags, exit codes, config.", Lang::Eng));
    }
}
