//! Texts that menus repeat, each kept once.

use std::hash::BuildHasher;
use std::num::NonZeroU32;

use crate::digits::is_number;
use crate::maps::{Hashing, Map};
use crate::phrases::list;
use crate::separators::is_wide;
use crate::site::version::{VersionLabel, is_year};

/// The number of a text, counted from 1.
pub(super) type LabelId = NonZeroU32;

/// The longest text that names anything, in bytes.
const MAX_BYTES: usize = 160;

/// The most letters of a word that was cut.
const MAX_CUT: usize = 4;

/// The fewest words of a sentence, and the fewest signs of one in a script without blanks.
const MIN_WORDS: usize = 4;
const MIN_SIGNS: usize = 8;

/// The fewest letters that head a list by the alphabet.
const MIN_LETTERS: usize = 3;

/// What menus are called, in the thirty languages of the files.
const MENUS: &[&str] = list! {
    "menu" "menú" "menü" "menù" "meny" "menyu" "meniu" "meni" "valikko" "izbornik" "trình đơn" "меню" "μενού" "תפריט" "القائمة" "منو" "मेनू" "เมนู"
    "メニュー" "菜单" "选单" "選單" "메뉴" "navigation" "navigacija" "navigace" "nawigacja" "navegación" "navegação" "navigazione"
    "navigatie" "navigasjon" "navigaatio" "navigasi" "навигация" "навігація" "ナビゲーション" "导航" "導航" "내비게이션"
};

/// How many texts are kept.
const MAX_LABELS: usize = 400_000;

/// Whether a label has more numbers than words, as a date has: "July 5 – 10 2020", or is a day in numbers: "2020-07-05".
/// A year or a version alone may name a group, one with a number beside it is a heading of an archive: "2020 12".
pub(super) fn is_date(label: &str) -> bool {
    if !label.contains(char::is_numeric) {
        return false;
    }
    let count = |is: fn(char) -> bool| label.split_whitespace().filter(|part| part.starts_with(is)).count();
    let (words, numbers) = (count(char::is_alphabetic), count(char::is_numeric));
    let parts: Vec<&str> = label.trim().split(['-', '/', '.']).collect();
    let is_day = parts.len() == 3
        && parts.iter().all(|part| is_number(part))
        && [parts.first(), parts.last()].iter().flatten().any(|year| is_year(year));
    // Beside a year stands how much a list holds of it.
    is_day || numbers > words.max(1)
}

/// Whether a label, if it is the only one, says no more than that it is that of a menu.
pub(super) fn is_menu(label: &str) -> bool {
    let label = label.trim();
    // Most labels are as long as none of them, and need no copy.
    MENUS.iter().any(|menu| menu.len() == label.len()) && MENUS.contains(&label.to_lowercase().as_str())
}

/// Whether a label is a slogan: a sentence with its stop, of several words or of as many signs where words have no blanks
/// between them.
pub(super) fn is_sentence(label: &str) -> bool {
    match label.trim_end().chars().next_back() {
        Some('.' | '!') => label.split_whitespace().nth(MIN_WORDS - 1).is_some(),
        Some('。' | '！') => label.chars().nth(MIN_SIGNS - 1).is_some(),
        _ => false,
    }
}

/// Whether a label is that of a version and of nothing else: "3.x", "latest".
pub(super) fn is_version(label: &str) -> bool {
    VersionLabel::of_segment(label.trim(), None, false).is_some()
}

/// Whether several labels are letters, as the headings of a list by the alphabet are; one alone may be what it names, as a
/// language is.
pub(super) fn are_letters<'l>(labels: impl Iterator<Item = &'l str>) -> bool {
    labels.filter(|label| is_letter(label)).nth(MIN_LETTERS - 1).is_some()
}

/// Whether a label is a letter. Signs that are words are none.
pub(super) fn is_letter(label: &str) -> bool {
    let mut chars = label.trim().chars();
    chars.next().is_some_and(|c| c.is_alphabetic() && !is_wide(c)) && chars.next().is_none()
}

/// Whether a label is a number and no year: it counts pages of a list, or things in it.
pub(super) fn is_count(label: &str) -> bool {
    let label = label.trim();
    is_number(label) && !is_year(label)
}

/// Every text once.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// By the hash of the text, which is kept once. What is found is looked at.
    numbers: Map<u64, LabelId>,
    texts: Vec<Box<str>>,
    hasher: Hashing,
}

/// What shows that a menu opens or goes on: arrows, technical signs, geometric shapes.
fn is_arrow(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{23ff}' | '\u{25a0}'..='\u{25ff}' | '\u{2b00}'..='\u{2bff}')
}

/// A text without the full stop behind it, unless that stands for the rest of a word: `Acme Ltd.`
fn without_stop(text: &str) -> &str {
    let bare = text.strip_suffix(['.', '。']).filter(|bare| !bare.contains('.'));
    let is_word =
        |bare: &&str| bare.rsplit(' ').next().is_some_and(|last| last.chars().nth(MAX_CUT).is_some());
    bare.filter(is_word).unwrap_or(text)
}

impl Labels {
    /// The number of a text; `None` for what names nothing: without a letter or a digit, or overlong.
    pub(super) fn intern(&mut self, text: &str) -> Option<LabelId> {
        let is_quoted = text.contains('«');
        let is_beside =
            |c: char| c.is_whitespace() || matches!(c, ':' | '›') || is_arrow(c) || c == '»' && !is_quoted;
        let text = text.trim_end_matches(is_beside).trim_start();
        let text = without_stop(text);
        if text.len() > MAX_BYTES || !text.contains(char::is_alphanumeric) {
            return None;
        }
        let hash = self.hasher.hash_one(text);
        if let Some(&label) = self.numbers.get(&hash)
            && self.text(label) == text
        {
            return Some(label);
        }
        if self.texts.len() >= MAX_LABELS {
            return None;
        }
        self.texts.push(text.into());
        let label = u32::try_from(self.texts.len()).ok().and_then(LabelId::new)?;
        self.numbers.insert(hash, label);
        Some(label)
    }

    pub(super) fn text(&self, label: LabelId) -> &str {
        self.texts.get(label.get() as usize - 1).map_or("", AsRef::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_told_from_a_version() {
        for day in ["July 5 – 10 2020", "2020-07-05", "05/07/2020", "2020 12"] {
            assert!(is_date(day), "{day}");
        }
        for name in ["2020", "1.2.3", "Kiln 4", "2020-07"] {
            assert!(!is_date(name), "{name}");
        }
    }

    #[test]
    fn what_menus_are_called_is_told_from_what_they_hold() {
        assert_eq!(["Menu", " MENÚ ", "МЕНЮ", "メニュー"].map(is_menu), [true; 4]);
        assert_eq!(["Navigation in caves", "Lunch menu", "Menus", ""].map(is_menu), [false; 4]);
    }

    #[test]
    fn a_full_stop_is_no_part_of_a_label() {
        let labels =
            ["List of functions.", "Acme Ltd.", "Kiln 4.2 and others.", "窑炉使用指南。"].map(without_stop);
        assert_eq!(labels, ["List of functions", "Acme Ltd.", "Kiln 4.2 and others.", "窑炉使用指南"]);
    }

    #[test]
    fn the_sign_that_a_menu_opens_is_no_part_of_its_label() {
        let mut labels = Labels::default();
        let mut read = |text: &str| labels.intern(text).map(|label| labels.text(label).to_owned());
        let texts = ["Our kilns \u{25be}", "Our kilns \u{203a}", "Our kilns: ", "«Kilns»"]
            .map(|text| read(text).unwrap());
        assert_eq!(texts, ["Our kilns", "Our kilns", "Our kilns", "«Kilns»"]);
    }

    #[test]
    fn a_letter_of_an_alphabet_is_told_from_a_word() {
        let told = ["a", " Z ", "Ж", "窑", "4", "at", ""].map(is_letter);
        assert_eq!(told, [true, true, true, false, false, false, false]);
    }

    #[test]
    fn a_slogan_is_told_from_a_name() {
        assert!(is_sentence("Every kiln has its way. There is no one recipe."));
        assert!(is_sentence("在窑里烧出新的陶器！") && !is_sentence("陶器！"));
        assert_eq!(["Kilns and so on ...x", "Wood & Co.", "What is a kiln?"].map(is_sentence), [false; 3]);
    }

    #[test]
    fn a_number_of_a_list_is_told_from_a_year_and_a_name() {
        assert_eq!(
            ["5", " 12 ", "2020", "1.2", "4K", ""].map(is_count),
            [true, true, false, false, false, false]
        );
    }
}
