//! The words that a site's pages share: what tells its language at a fraction of the price of trigrams.

use crate::maps::{Map, Set};

/// So many pages of the site's language are counted.
const PAGES: u32 = 8;
/// So many of their most frequent words are kept: the language's articles, prepositions and conjunctions, mostly.
const WORDS: usize = 24;
/// How many different words are counted at most.
const MAX_COUNTED: usize = 4_000;

/// Counts the words of pages that are known to be in the language of the site.
#[derive(Debug, Default)]
pub(super) struct Familiar {
    counted: Map<String, usize>,
    pages: u32,
    words: Set<String>,
    /// How many of all words counted are among `words`, and how many there were.
    share: (usize, usize),
}

impl Familiar {
    /// Takes in the words of a page of the site's language, until enough of them are known.
    pub(super) fn learn<'t>(&mut self, text: impl Iterator<Item = &'t str>) {
        if self.pages >= PAGES {
            return;
        }
        self.pages += 1;
        for word in text {
            if let Some(count) = self.counted.get_mut(word) {
                *count += 1;
            } else if self.counted.len() < MAX_COUNTED {
                self.counted.insert(word.to_owned(), 1);
            }
        }
        if self.pages == PAGES {
            let mut counted: Vec<_> = std::mem::take(&mut self.counted).into_iter().collect();
            let all = counted.iter().map(|(_, count)| count).sum();
            counted.sort_unstable_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
            counted.truncate(WORDS);
            self.share = (counted.iter().map(|(_, count)| count).sum(), all);
            self.words = counted.into_iter().map(|(word, _)| word).collect();
        }
    }

    /// Whether a text has the words that the pages counted have in common: a part of their share, one in `share`. `false` while
    /// they are too few.
    pub(super) fn knows<'t>(&self, text: impl Iterator<Item = &'t str>, share: usize) -> bool {
        if self.words.is_empty() {
            return false;
        }
        let (mut known, mut all) = (0, 0);
        for word in text {
            all += 1;
            known += usize::from(self.words.contains(word));
        }
        let (usual, of) = self.share;
        known > 0 && known * share * of >= usual * all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_texts_of_the_language_that_was_counted() {
        let mut familiar = Familiar::default();
        let english = "the kiln is heated for a day and a night before the pots are fired in it";
        let knows = |familiar: &Familiar, text: &str| familiar.knows(text.split(' '), 2);
        assert!(!knows(&familiar, english));
        (0..PAGES).for_each(|_| familiar.learn(english.split(' ')));
        assert!(knows(&familiar, "the glaze is mixed in a bucket and the pots are dipped into it"));
        assert!(!knows(&familiar, "le four est chauffé un jour et une nuit avant la cuisson"));
        assert!(!knows(&familiar, ""));
    }
}
