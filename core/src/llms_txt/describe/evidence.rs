//! What a page says, as a set of words and numbers that an answer can be held against.

use std::collections::HashSet;

use whatlang::Lang;

use super::language;
use crate::phrases::list;

/// What is compared of a word in other forms, in characters.
const STEM_CHARS: usize = 5;
/// What an ending must leave of it, in characters.
const STEM_MIN_CHARS: usize = 3;
/// Endings of inflection, the longest first.
const ENDINGS: &[&str] = &["ings", "ing", "ies", "ied", "ers", "ung", "ed", "es", "er", "en", "s", "e", "y"];

/// The words, numbers and the language of a text.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    words: HashSet<String>,
    stems: HashSet<String>,
    numbers: HashSet<String>,
    language: Option<Lang>,
}

impl Evidence {
    /// Takes a text in. The first one that is long enough decides which language the evidence is in.
    pub fn add(&mut self, text: &str) {
        self.language = self.language.or_else(|| language::of_page(text));
        for word in words(text) {
            if !self.words.contains(&word) {
                self.stems.insert(stem(&word));
                self.words.insert(word);
            }
        }
        self.numbers.extend(whole_numbers(text));
        // Each part of a number by itself, too.
        self.numbers.extend(numbers(text).flat_map(|number| number.split(['.', ','])).map(str::to_owned));
    }

    /// Takes a page at its word for its language where the text did not tell; `subtag` is a primary subtag (`en`).
    pub(super) fn declare(&mut self, subtag: &str) {
        self.language = self.language.or_else(|| language::declared(subtag));
    }

    pub(super) fn language(&self) -> Option<Lang> {
        self.language
    }

    /// Whether it has a word, in this form or another; `word` is in lower case.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.words.contains(word) || self.stems.contains(&stem(word))
    }

    /// Whether it has a number, in digits or in English words.
    pub(super) fn has_number(&self, number: &str) -> bool {
        self.numbers.contains(number)
            || SPELLED.iter().any(|(word, digits)| *digits == number && self.words.contains(*word))
    }
}

/// The English words for numbers that an answer may not make up; `one` says too many other things.
pub(super) const SPELLED: &[(&str, &str)] = list! {
    ("two", "2") ("three", "3") ("four", "4") ("five", "5") ("six", "6") ("seven", "7") ("eight", "8")
    ("nine", "9") ("ten", "10") ("eleven", "11") ("twelve", "12") ("dozen", "12") ("twenty", "20")
    ("thirty", "30") ("forty", "40") ("fifty", "50") ("sixty", "60") ("hundred", "100") ("hundreds", "100")
    ("thousand", "1000") ("thousands", "1000") ("million", "1000000") ("millions", "1000000")
    ("billion", "1000000000")
};

/// The words of a text in lower case; where a script writes none, every two neighbouring characters.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()).flat_map(|run| {
        let lower = run.to_lowercase();
        if !run.chars().any(is_unspaced) {
            return vec![lower];
        }
        let chars: Vec<char> = lower.chars().collect();
        if chars.len() < 2 {
            return vec![lower];
        }
        chars.windows(2).map(|pair| pair.iter().collect()).collect()
    })
}

/// Characters of scripts that put no spaces between words.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Characters of which one or two make a word: those and the syllables of Korean.
pub(crate) fn is_dense(c: char) -> bool {
    is_unspaced(c) || matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// What the forms of a word have in common: its start, without an ending of inflection.
fn stem(word: &str) -> String {
    let bare = ENDINGS.iter().find_map(|ending| word.strip_suffix(ending));
    let bare = bare.filter(|rest| rest.chars().count() >= STEM_MIN_CHARS).unwrap_or(word);
    bare.chars().take(STEM_CHARS).collect()
}

/// The numbers of a text, each whole and as it is written: digits with the stops and commas between them.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','));
    runs.map(|run| run.trim_matches(['.', ','])).filter(|run| !run.is_empty())
}

/// The numbers that a text must be able to show: each whole, not in parts.
pub(super) fn whole_numbers(text: &str) -> impl Iterator<Item = String> + '_ {
    numbers(text).map(|number| number.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_found_in_other_forms() {
        let mut evidence = Evidence::default();
        evidence.add("Kilns fire 1,200 pots at IPv6 speed in 3.11 or three days.");
        for word in ["kiln", "fires", "pot", "firing"] {
            assert!(evidence.has_word(word), "{word}");
        }
        assert!(!evidence.has_word("oven"));
        for number in ["1200", "6", "3.11", "11", "3"] {
            assert!(evidence.has_number(number), "{number}");
        }
        assert!(!evidence.has_number("12"));
        let mut unspaced = Evidence::default();
        unspaced.add("窯の使い方を説明します");
        assert!(unspaced.has_word("説明"));
    }
}
