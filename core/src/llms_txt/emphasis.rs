//! Emphasis out of Markdown: only the marks that `CommonMark` reads as such (its rules of flanking runs).

/// Marks that wait for their partners, at most: a text of nothing but marks is read in linear time.
const MAX_OPEN: usize = 64;

/// The sign of a permalink, which hangs on the word that it is for.
const PERMALINK: char = '\u{b6}';

/// Running text without the marks of emphasis and the backslashes of escapes.
#[derive(Debug, Default)]
pub(super) struct Unmarked {
    /// The text, its runs of marks still in it.
    text: String,
    runs: Vec<MarkRun>,
    last: Option<char>,
}

/// A run of the same mark.
#[derive(Debug)]
struct MarkRun {
    /// Where it starts in the text, in bytes.
    at: usize,
    mark: char,
    /// How many marks it was written with.
    written: usize,
    /// How many of them are text, as far as is known.
    left: usize,
    opens: bool,
    closes: bool,
}

impl Unmarked {
    /// Nothing yet, with room for so many bytes of text.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), ..Self::default() }
    }

    /// Adds code, which is text to the letter.
    pub(super) fn push_code(&mut self, code: &str) {
        self.text.push_str(code);
        self.last = Some('`');
    }

    /// Adds text; `after` is the sign behind it.
    pub(super) fn push(&mut self, text: &str, after: char) {
        let mut rest = text;
        while let Some((before, sign)) =
            rest.bytes().position(may_be_mark).and_then(|at| rest.split_at_checked(at))
        {
            self.push_text(before);
            rest = self.push_sign(sign, after);
        }
        self.push_text(rest);
    }

    fn push_text(&mut self, text: &str) {
        self.text.push_str(text);
        self.last = text.chars().next_back().or(self.last);
    }

    /// Adds what a text starts with that may be a mark; the rest of the text.
    fn push_sign<'t>(&mut self, text: &'t str, after: char) -> &'t str {
        let mut chars = text.chars();
        let sign = chars.next().unwrap_or_default();
        let rest = chars.as_str();
        match sign {
            '\\' if rest.starts_with(|c: char| c.is_ascii_punctuation()) => {
                let (escaped, rest) = rest.split_at_checked(1).unwrap_or_default();
                self.push_text(escaped);
                rest
            }
            '*' | '_' | '~' => {
                let rest = rest.trim_start_matches(sign);
                self.push_run(sign, text.len() - rest.len(), rest.chars().next().unwrap_or(after));
                rest
            }
            PERMALINK if self.last.is_some_and(|last| !last.is_whitespace()) => rest,
            _ => {
                self.text.push(sign);
                self.last = Some(sign);
                rest
            }
        }
    }

    fn push_run(&mut self, mark: char, written: usize, after: char) {
        let before = self.last.unwrap_or(' ');
        let is_sign = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
        let left = !after.is_whitespace() && (!is_sign(after) || before.is_whitespace() || is_sign(before));
        let right = !before.is_whitespace() && (!is_sign(before) || after.is_whitespace() || is_sign(after));
        let inside_words = mark != '_';
        let run = MarkRun {
            at: self.text.len(),
            mark,
            written,
            left: written,
            opens: left && (inside_words || !right || is_sign(before)),
            closes: right && (inside_words || !left || is_sign(after)),
        };
        self.runs.push(run);
        self.text.extend(std::iter::repeat_n(mark, written));
        self.last = Some(mark);
    }

    /// The text without the marks that have partners.
    pub(super) fn finish(mut self) -> String {
        self.pair();
        if self.runs.iter().all(|run| run.left == run.written) {
            return self.text;
        }
        let mut out = String::with_capacity(self.text.len());
        let mut copied = 0;
        for run in &self.runs {
            out.push_str(self.text.get(copied..run.at + run.left).unwrap_or_default());
            copied = run.at + run.written;
        }
        out.push_str(self.text.get(copied..).unwrap_or_default());
        out
    }

    fn pair(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.runs.len() {
            let (before, rest) = self.runs.split_at_mut(at);
            let Some(closer) = rest.first_mut() else { continue };
            while closer.closes && closer.left > 0 {
                let Some(place) = open.iter().rposition(|&o| before.get(o).is_some_and(|o| fits(o, closer)))
                else {
                    break;
                };
                // What opened in between closes nowhere.
                open.truncate(place + 1);
                let Some(opener) = open.last().and_then(|&o| before.get_mut(o)) else { break };
                let pair = match closer.mark {
                    '~' => closer.left,
                    _ => opener.left.min(closer.left).min(2),
                };
                opener.left -= pair;
                closer.left -= pair;
                if opener.left == 0 {
                    open.pop();
                }
            }
            if closer.opens && closer.left > 0 && open.len() < MAX_OPEN {
                open.push(at);
            }
        }
    }
}

/// Whether a sign that starts with this byte may be more than text.
fn may_be_mark(byte: u8) -> bool {
    // The last is the first byte of a permalink's sign.
    matches!(byte, b'\\' | b'*' | b'_' | b'~' | 0xc2)
}

/// Whether two runs belong together: `CommonMark`'s rule of three, and GitHub's equal runs of tildes.
fn fits(opener: &MarkRun, closer: &MarkRun) -> bool {
    let both_ways = opener.closes || closer.opens;
    let three = both_ways
        && (opener.written + closer.written).is_multiple_of(3)
        && !(opener.written.is_multiple_of(3) && closer.written.is_multiple_of(3));
    opener.mark == closer.mark
        && match closer.mark {
            '~' => opener.left == closer.left && closer.left <= 2,
            _ => !three,
        }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Parser};

    use super::*;

    fn unmarked(text: &str) -> String {
        let mut out = Unmarked::default();
        out.push(text, ' ');
        out.finish()
    }

    #[test]
    fn only_emphasis_goes() {
        for same in
            ["<LANG>_EXTENSIONS", "const char *sql", "a * b * c", "snake_case_name", "int **p", "2*3", "~/x"]
        {
            assert_eq!(unmarked(same), same);
        }
        assert_eq!(unmarked("*a* **b** ***c*** _d_ __e__ ~~f~~ *a **b***"), "a b c d e f a b");
        assert_eq!(unmarked("\\*a\\* **b*"), "*a* *b");
    }

    proptest! {
        #[test]
        fn a_parser_reads_the_same(text in "x[ab.(*_ ]{0,14}") {
            let text = text.trim_end();
            let read: String = Parser::new(text)
                .filter_map(|event| match event {
                    Event::Text(text) => Some(text.into_string()),
                    _ => None,
                })
                .collect();
            prop_assert_eq!(unmarked(text), read);
        }
    }
}
