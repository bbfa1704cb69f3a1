//! Lists of phrases, all looked for in one pass over a text.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

/// A list of texts or of pairs, several to a line.
macro_rules! list {
    ($($item:tt)*) => {
        &[$($item),*]
    };
}

pub(crate) use list;

/// What follows a prefix, the case of whose ASCII letters is no matter.
pub(crate) fn strip_prefix_ignore_case<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// A closed list of phrases; the case of ASCII letters is no matter.
pub(crate) struct Phrases {
    lists: [&'static [&'static str]; 2],
    finder: OnceLock<Option<AhoCorasick>>,
}

impl Phrases {
    pub(crate) const fn new(list: &'static [&'static str]) -> Self {
        Self::either(list, &[])
    }

    /// Two lists as one.
    pub(crate) const fn either(one: &'static [&'static str], other: &'static [&'static str]) -> Self {
        Self { lists: [one, other], finder: OnceLock::new() }
    }

    /// Whether a text says any of them.
    pub(crate) fn any_in(&self, text: &str) -> bool {
        self.finder().is_some_and(|finder| finder.is_match(text))
    }

    fn finder(&self) -> Option<&AhoCorasick> {
        // It is built of any list that fits into the memory of a machine; the tests build each.
        let build = || AhoCorasick::builder().ascii_case_insensitive(true).build(self.lists.concat()).ok();
        self.finder.get_or_init(build).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_wherever_they_stand() {
        static PHRASES: Phrases = Phrases::new(&["the kiln ", " kiln is", "pots"]);
        static EITHER: Phrases = Phrases::either(&["kiln"], &["pots"]);
        assert!(PHRASES.any_in("Heat THE KILN now") && !PHRASES.any_in("the kilns"));
        assert!(EITHER.any_in("a kiln") && EITHER.any_in("pots") && !EITHER.any_in("clay"));
    }
}
