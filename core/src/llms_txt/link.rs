//! Inline links of a Markdown text, as real files write them.

use memchr::{memchr2, memchr3};

/// A link as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InlineLink<'a> {
    /// What comes before it.
    pub before: &'a str,
    /// Its text, escapes and all.
    pub name: &'a str,
    /// Its address, without angle brackets and title.
    pub url: &'a str,
    /// What follows it.
    pub after: &'a str,
}

/// What stands between a link and its notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// There are no notes.
    None,
    /// `: notes`, as the format wants it.
    Colon,
    /// `- notes`, with a hyphen or a dash.
    Dash,
    /// The notes follow at once.
    Missing,
}

impl<'a> InlineLink<'a> {
    /// The notes after the link and what they are set apart with.
    pub fn notes(&self) -> (Separator, &'a str) {
        let rest = self.after.trim_start_matches(['*', '_', '`']).trim();
        if rest.is_empty() {
            (Separator::None, rest)
        } else if let Some(notes) = rest.strip_prefix(':') {
            (Separator::Colon, notes.trim())
        } else if let Some(notes) = rest.strip_prefix(['-', '\u{2013}', '\u{2014}']) {
            (Separator::Dash, notes.trim())
        } else {
            (Separator::Missing, rest)
        }
    }
}

/// Every inline link of a text in order; the outer one where they are nested, images left out.
///
/// Linear: every bracket is looked at once, and the search for the end of an address stops at the next `](`.
pub fn links(text: &str) -> impl Iterator<Item = InlineLink<'_>> {
    let mut scan = LinkScan { text, at: 0, open: None, outer: Vec::new() };
    std::iter::from_fn(move || scan.next())
}

/// The text with the address of each list entry that `target` has another one for. Everything else stays as it is.
pub fn relink(text: &str, target: impl Fn(&str) -> Option<String>) -> String {
    let line = |line: &str| {
        let entry = line.starts_with("- [").then(|| links(line).next()).flatten();
        let moved = entry.and_then(|link| Some((link, target(link.url)?)));
        moved.map(|(link, to)| {
            // In an address they would end it.
            let to = to.replace('(', "%28").replace(')', "%29");
            format!("{}[{}]({to}){}", link.before, link.name, link.after)
        })
    };
    text.split_inclusive('\n').map(|text| line(text).unwrap_or_else(|| text.to_owned())).collect()
}

struct LinkScan<'a> {
    text: &'a str,
    at: usize,
    /// Where the bracket is that was opened last.
    open: Option<usize>,
    /// Those that were open already: most texts have none in another.
    outer: Vec<usize>,
}

impl<'a> LinkScan<'a> {
    fn next(&mut self) -> Option<InlineLink<'a>> {
        let bytes = self.text.as_bytes();
        while let Some(skipped) = memchr3(b'\\', b'[', b']', bytes.get(self.at..)?) {
            self.at += skipped;
            match bytes.get(self.at)? {
                b'\\' => self.at += 1,
                b'[' => self.outer.extend(self.open.replace(self.at)),
                _ => {
                    if let Some(link) = self.close() {
                        return Some(link);
                    }
                }
            }
            self.at += 1;
        }
        self.at = bytes.len();
        None
    }

    /// At a closing bracket: the link that ends here, if one does.
    fn close(&mut self) -> Option<InlineLink<'a>> {
        let start = self.open.take()?;
        self.open = self.outer.pop();
        let rest = self.text.get(self.at + 1..)?.strip_prefix('(')?;
        let (inner, length) = destination(rest)?;
        let name = self.text.get(start + 1..self.at)?;
        // Past the opening and the closing parenthesis; the caller adds one for the bracket.
        self.at += length + 1;
        let image = start > 0 && self.text.as_bytes().get(start - 1) == Some(&b'!');
        if image {
            return None;
        }
        self.open = None;
        self.outer.clear();
        Some(InlineLink {
            before: self.text.get(..start)?,
            name,
            url: without_title(inner),
            after: self.text.get(self.at + 1..)?,
        })
    }
}

/// What stands between the parentheses, and its length with the closing one.
fn destination(rest: &str) -> Option<(&str, usize)> {
    let bytes = rest.as_bytes();
    let mut depth = 0_usize;
    let mut first_close = None;
    let mut at = 0;
    // Between angle brackets parentheses are part of the address, and in a title of the title.
    let mut angle = rest.trim_start().starts_with('<');
    let mut quoted = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'"' if quoted || bytes.get(at.wrapping_sub(1)) == Some(&b' ') => quoted = !quoted,
            b')' | b'(' if quoted => {
                first_close = first_close.or(Some(at).filter(|_| byte == b')'));
            }
            b'\n' => break,
            b']' if bytes.get(at + 1) == Some(&b'(') => break,
            b'>' => angle = false,
            b')' if depth == 0 && !angle => return Some((rest.get(..at)?, at + 1)),
            b')' => {
                first_close.get_or_insert(at);
                depth = depth.saturating_sub(1);
            }
            b'(' if !angle => depth += 1,
            _ => {}
        }
        at += 1;
    }
    // Unbalanced: the first closing parenthesis has to do.
    first_close.and_then(|at| Some((rest.get(..at)?, at + 1)))
}

/// The address without angle brackets and the title in quotation marks after it.
fn without_title(inner: &str) -> &str {
    let inner = inner.trim();
    let end = if inner.starts_with('<') {
        inner.find('>').map(|at| at + 1)
    } else {
        memchr2(b' ', b'\t', inner.as_bytes())
    };
    let quoted = end.and_then(|end| {
        let (url, rest) = inner.split_at_checked(end)?;
        let rest = rest.trim();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '('))?;
        rest.strip_prefix(quote)?.strip_suffix(if quote == '(' { ')' } else { quote }).map(|_| url)
    });
    let url = quoted.unwrap_or(inner);
    url.strip_prefix('<').and_then(|u| u.strip_suffix('>')).unwrap_or(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Vec<String> {
        links(text).map(|l| format!("{}|{}|{:?}", l.name, l.url, l.notes())).collect()
    }

    #[test]
    fn plain_links_and_their_notes() {
        assert_eq!(shown("[a](b): c"), ["a|b|(Colon, \"c\")"]);
        assert_eq!(shown("**[a](b)** \u{2013} c"), ["a|b|(Dash, \"c\")"]);
        assert_eq!(shown("[a](b) c"), ["a|b|(Missing, \"c\")"]);
        assert_eq!(shown("[ ] [a](b c.md)"), ["a|b c.md|(None, \"\")"]);
    }

    #[test]
    fn titles_brackets_escapes_and_parentheses() {
        assert_eq!(shown("[a](<b (c> \"t\")"), ["a|b (c|(None, \"\")"]);
        assert_eq!(shown("[a](b (t)) c"), ["a|b|(Missing, \"c\")"]);
        assert_eq!(shown("[a](b \"t :)\"): c"), ["a|b|(Colon, \"c\")"]);
        assert_eq!(shown("[a](b \"t): c"), ["a|b \"t|(Colon, \"c\")"]);
        assert_eq!(shown("[a [b] \\]](c_(d))"), ["a [b] \\]|c_(d)|(None, \"\")"]);
        assert_eq!(shown("[a](b(c) d"), ["a|b(c|(Missing, \"d\")"]);
        assert_eq!(shown("[![i](s)](t) and ![x](y) and [z](w)").len(), 2);
        assert_eq!(shown("[a]( [b](c)"), ["b|c|(None, \"\")"]);
    }

    #[test]
    fn entries_lead_elsewhere_and_the_rest_stays() {
        let text = "# Tide\n\n> See [a](https://a.dev/a).\n\n## Docs\n\n- [A \\[x\\]](https://a.dev/a): of [a](https://a.dev/a)\n\
                    - [B](https://a.dev/b)";
        let moved = relink(text, |url| (url == "https://a.dev/a").then(|| format!("{url}(1).md")));
        let entry = "- [A \\[x\\]](https://a.dev/a%281%29.md): of [a](https://a.dev/a)\n";
        assert_eq!(moved, text.replace("- [A \\[x\\]](https://a.dev/a): of [a](https://a.dev/a)\n", entry));
        assert_eq!(relink(text, |_| None), text);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "([\\[\\]()<>!\\\\\"' \n]|\\PC){0,60}") {
            for link in links(&text) {
                prop_assert!(text.contains(link.name) && text.contains(link.url));
            }
        }
    }
}
