//! Words that a file may hold anywhere, all looked for in one pass.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

/// The file with the full text.
pub(super) const FULL: &str = "llms-full.txt";
/// Names of entry points for machines, lower case.
const ENTRY_POINTS: [&str; 4] = ["openapi", ".well-known", "agents.md", "swagger"];
/// An entry point, where it is a word.
const MCP: &str = "mcp";
/// What lines of robots.txt hold, lower case.
const DIRECTIVES: [&str; 3] = ["user-agent:", "allow:", "crawl-delay:"];
/// What paths of private pages hold.
const PRIVATE: [&str; 6] = ["login", "logout", "signin", "cart", "checkout", "admin"];

/// What a file may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mention {
    /// `llms-full.txt`.
    Full,
    /// An entry point for machines.
    EntryPoint,
    /// What may be a line of robots.txt.
    Directive,
    /// What may be a part of a private page's path.
    Private,
}

/// What a file names. No word of the lists overlaps another, so that none hides one.
#[derive(Default)]
pub(super) struct Mentions([bool; 4]);

impl Mentions {
    pub(super) fn find(text: &str) -> Self {
        let mut mentions = Self::default();
        let lower = text.to_ascii_lowercase();
        let Some(finder) = finder() else { return mentions };
        for found in finder.find_iter(&lower) {
            let written = text.get(found.start()..found.end()).unwrap_or_default();
            let word = lower.get(found.start()..found.end()).unwrap_or_default();
            let named = if DIRECTIVES.contains(&word) {
                Mention::Directive
            } else if PRIVATE.contains(&word) {
                Mention::Private
            } else if ENTRY_POINTS.contains(&word) || (word == MCP && stands_alone(&lower, found.start())) {
                Mention::EntryPoint
            } else if written == FULL {
                Mention::Full
            } else {
                continue;
            };
            mentions.0[named as usize] = true;
        }
        mentions
    }

    pub(super) fn has(&self, what: Mention) -> bool {
        self.0[what as usize]
    }
}

/// Whether neither letter nor digit is next to the three letters at this place.
fn stands_alone(lower: &str, at: usize) -> bool {
    let bytes = lower.as_bytes();
    let letter = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    !letter(at.checked_sub(1)) && !letter(Some(at + MCP.len()))
}

fn finder() -> Option<&'static AhoCorasick> {
    static FINDER: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let words = || ENTRY_POINTS.iter().chain(&DIRECTIVES).chain(&PRIVATE).chain([&MCP, &FULL]);
    // Only a kind that gives one match a place can go many bytes at a time. It is built of any list of so few words; the
    // tests see that it finds each.
    let build = || AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(words()).ok();
    FINDER.get_or_init(build).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> (bool, bool, bool) {
        let found = Mentions::find(text);
        (found.has(Mention::Full), found.has(Mention::EntryPoint), found.has(Mention::Directive))
    }

    #[test]
    fn every_word_is_found_in_any_case_but_the_name_of_the_file() {
        for word in ENTRY_POINTS.into_iter().chain([MCP]) {
            for text in [format!("see ({word})"), format!("xx {}", word.to_uppercase())] {
                assert_eq!(shown(&text), (false, true, false), "{text}");
            }
        }
        for word in PRIVATE {
            assert!(
                [word, &word.to_uppercase()].iter().all(|word| Mentions::find(word).has(Mention::Private))
            );
        }
        for word in DIRECTIVES {
            assert_eq!(shown(&format!("a\n{} /", word.to_uppercase())), (false, false, true));
        }
        assert_eq!(shown("https://a.dev/llms-full.txt"), (true, false, false));
        assert_eq!(shown("https://a.dev/LLMS-full.txt"), (false, false, false));
    }

    #[test]
    fn three_letters_are_a_word_only_by_themselves() {
        assert_eq!(shown("mcpx xmcp mcp1 9mcp"), (false, false, false));
        assert_eq!(shown("mcpx mcp"), (false, true, false));
        assert_eq!(shown("\u{e9}mcp\u{e9}"), (false, true, false));
    }

    #[test]
    fn no_word_hides_another() {
        let words: Vec<&str> =
            ENTRY_POINTS.into_iter().chain(DIRECTIVES).chain(PRIVATE).chain([MCP, FULL]).collect();
        for (at, one) in words.iter().enumerate() {
            for other in words.iter().skip(at + 1) {
                for cut in 1..other.len() {
                    assert!(!one.contains(other) && !other.contains(one), "{one} {other}");
                    assert!(!one.ends_with(other.get(..cut).unwrap()), "{one} {other}");
                    assert!(!one.starts_with(other.get(cut..).unwrap()), "{one} {other}");
                }
            }
        }
    }
}
