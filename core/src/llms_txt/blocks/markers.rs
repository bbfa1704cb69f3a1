//! What a line begins with that tells its block.

/// HTML that goes on over blank lines, and what ends it.
const VERBATIM: [(&str, &str); 5] = [
    ("<!--", "-->"),
    ("<pre", "</pre>"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<textarea", "</textarea>"),
];

/// The fence that is open.
pub(super) struct OpenFence {
    byte: u8,
    length: usize,
    pub(super) indent: usize,
}

impl OpenFence {
    /// The fence that a line behind so many columns opens.
    pub(super) fn read(body: &str, indent: usize) -> Option<Self> {
        let byte = *body.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
        let length = body.bytes().take_while(|&b| b == byte).count();
        let info_is_sane = byte == b'~' || !body.bytes().skip(length).any(|b| b == b'`');
        (length >= 3 && info_is_sane).then_some(Self { byte, length, indent })
    }

    pub(super) fn is_closed_by(&self, body: &str) -> bool {
        body.len() >= self.length && body.bytes().all(|b| b == self.byte)
    }
}

/// Level and bounds of the text of a heading marked with hashes.
pub(super) fn atx(body: &str, first: bool) -> Option<(usize, usize, usize)> {
    let level = body.bytes().take_while(|&b| b == b'#').count();
    if level == 0 {
        return None;
    }
    let rest = body.get(level..)?;
    let spaced = rest.is_empty() || rest.starts_with([' ', '\t']);
    let named = rest.starts_with(char::is_alphanumeric) && first;
    if !(spaced || level > 1 || named) {
        return None;
    }
    let open = rest.trim_end_matches('#');
    let text = if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { rest };
    Some((level, level, level + text.len()))
}

pub(super) fn setext(body: &str) -> Option<usize> {
    if body.bytes().all(|b| b == b'=') { Some(1) } else { body.bytes().all(|b| b == b'-').then_some(2) }
}

pub(super) fn is_rule(body: &str) -> bool {
    let Some(mark @ (b'-' | b'*' | b'_')) = body.bytes().next() else { return false };
    body.bytes().all(|b| b == mark || b == b' ' || b == b'\t')
        && body.bytes().filter(|&b| b == mark).count() >= 3
}

/// How long the marker of an item is.
pub(super) fn item_marker(body: &str, in_paragraph: bool) -> Option<usize> {
    if let Some(rest) = body.strip_prefix(['-', '*', '+']) {
        let spaced = rest.is_empty() || rest.starts_with([' ', '\t']);
        return (spaced || rest.starts_with('[')).then_some(1);
    }
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let rest = body.get(digits..)?.strip_prefix(['.', ')'])?;
    let starts_list = !in_paragraph || body.get(..digits) == Some("1");
    ((1..10).contains(&digits) && rest.starts_with([' ', '\t']) && starts_list).then_some(digits + 1)
}

pub(super) fn is_html(body: &str) -> bool {
    body.strip_prefix('<').is_some_and(|rest| {
        let name = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let opens = rest.starts_with(['/', '!', '?']) || rest.starts_with(|c: char| c.is_ascii_alphabetic());
        // `<https://...>` and `<name@host>` are links, not tags.
        opens && !matches!(rest.as_bytes().get(name), Some(b':' | b'@' | b'.' | b'+'))
    })
}

/// What ends the HTML that a line opens and that goes on over blank lines.
pub(super) fn html_end(body: &str) -> Option<&'static str> {
    let opens = |(opening, end): (&str, &'static str)| {
        let rest = body.strip_prefix(opening)?;
        (opening == "<!--" || rest.is_empty() || rest.starts_with(['>', ' '])).then_some(end)
    };
    VERBATIM.into_iter().find_map(opens)
}
