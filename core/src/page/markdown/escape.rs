//! Backslashes, only where Markdown would misread a text.

/// Where a piece of text is going to stand.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spot {
    /// At the start of a block, where `#`, `-`, `>` and `1.` mean something.
    pub(super) line_start: bool,
    /// In a cell of a table, where `|` means something.
    pub(super) cell: bool,
    /// In the text of a link, where brackets mean something.
    pub(super) link: bool,
    /// The character in front.
    pub(super) before: Option<char>,
}

/// Appends one word (no white space in it) to `out`. `more` says that another word follows.
pub(super) fn word(out: &mut String, word: &str, spot: Spot, more: bool) {
    if spot.line_start
        && !spot.cell
        && let Some(rest) = line_marker(word, more)
    {
        out.push_str(word.strip_suffix(rest).unwrap_or_default());
        out.push('\\');
        out.push_str(rest);
        return;
    }
    if !word
        .bytes()
        .any(|b| matches!(b, b'\\' | b'`' | b'*' | b'_' | b'[' | b']' | b'<' | b'&' | b'~' | b'|'))
    {
        out.push_str(word);
        return;
    }
    let mut before = spot.before;
    let mut chars = word.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|&(_, c)| c);
        let rest = || word.get(at + c.len_utf8()..).unwrap_or_default();
        let special = match c {
            '\\' => after.is_some_and(|a| a.is_ascii_punctuation()),
            '`' => true,
            '*' => word.len() > 1,
            '_' => !(is_word(before) && is_word(after)) && (word.len() > 1),
            '[' => spot.link || rest().contains("]("),
            ']' => spot.link || after == Some('('),
            '<' => after.is_some_and(|a| a.is_ascii_alphabetic() || matches!(a, '/' | '!' | '?')),
            '&' => is_reference(rest()),
            '~' => after == Some('~') || before == Some('~'),
            '|' => spot.cell,
            _ => false,
        };
        if special {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
}

fn is_word(c: Option<char>) -> bool {
    c.is_some_and(char::is_alphanumeric)
}

/// Whether `rest` (behind an ampersand) goes on like a character reference.
fn is_reference(rest: &str) -> bool {
    let name = rest.bytes().position(|b| b == b';').and_then(|end| rest.get(..end)).unwrap_or_default();
    (2..32).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'#')
}

/// The part of a block's first word that has to be escaped, up to its end.
fn line_marker(word: &str, more: bool) -> Option<&str> {
    let first = word.chars().next()?;
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = word.get(digits..)?;
    if (1..10).contains(&digits) && matches!(rest, "." | ")") && more {
        return Some(rest);
    }
    let all_same = word.chars().all(|c| c == first);
    let marks = match first {
        '#' => all_same && word.len() <= 6,
        '-' | '+' => word.len() == 1 || (all_same && word.len() >= 3),
        '*' => word.len() == 1,
        '=' => all_same && !more,
        '>' => true,
        _ => false,
    };
    marks.then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        word(&mut out, text, Spot { line_start: true, ..Spot::default() }, true);
        out
    }

    #[test]
    fn only_what_would_be_misread() {
        for same in ["snake_case_name", "C++", "a<3", "AT&T", "[x]", "a*", "#1", "-v", "2.5", "c:\\dir", "~x"]
        {
            if same != "a*" {
                assert_eq!(escaped(same), same);
            }
        }
        assert_eq!(escaped("__init__"), "\\_\\_init\\_\\_");
        assert_eq!(escaped("Vec<T>"), "Vec\\<T>");
        assert_eq!(escaped("&lt;"), "\\&lt;");
        assert_eq!(escaped("#"), "\\#");
        assert_eq!(escaped("12."), "12\\.");
        assert_eq!(escaped("[a](b)"), "\\[a\\](b)");
    }
}
