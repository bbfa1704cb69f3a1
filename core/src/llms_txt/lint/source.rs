//! From bytes to text: whatever they are, the checks get something to read.

use std::borrow::Cow;

/// A file's text and whether it was UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source<'a> {
    /// The text; what could not be decoded is U+FFFD. A byte-order mark is kept.
    pub text: Cow<'a, str>,
    /// It had to be decoded from UTF-16.
    pub is_utf16: bool,
    /// Length of the file as it is served, in bytes.
    pub bytes: usize,
}

impl<'a> Source<'a> {
    /// Decodes a file. UTF-16 is told by its byte-order mark, or by the zeros in the first letters.
    pub fn decode(bytes: &'a [u8]) -> Self {
        let wide = match bytes {
            [0xff, 0xfe, ..] => Some(encoding_rs::UTF_16LE),
            [0xfe, 0xff, ..] => Some(encoding_rs::UTF_16BE),
            [a, 0, b, 0, ..] if *a != 0 && *b != 0 => Some(encoding_rs::UTF_16LE),
            [0, a, 0, b, ..] if *a != 0 && *b != 0 => Some(encoding_rs::UTF_16BE),
            _ => None,
        };
        let text = match wide {
            Some(wide) => wide.decode_without_bom_handling(bytes).0,
            None => String::from_utf8_lossy(bytes),
        };
        Self { text: with_line_feeds(text), is_utf16: wide.is_some(), bytes: bytes.len() }
    }
}

impl<'a> From<&'a str> for Source<'a> {
    fn from(text: &'a str) -> Self {
        Self { text: with_line_feeds(Cow::Borrowed(text)), is_utf16: false, bytes: text.len() }
    }
}

/// A text in which each carriage return has its line feed: alone it ends a line, too (`CommonMark` 0.31, section 2.1).
fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut ends = text.split('\r');
    let first = ends.next().unwrap_or_default();
    if ends.clone().all(|rest| rest.starts_with('\n')) {
        return text;
    }
    let mut whole = first.to_owned();
    for rest in ends {
        whole.extend(["\r\n", rest.strip_prefix('\n').unwrap_or(rest)]);
    }
    Cow::Owned(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carriage_return_alone_ends_a_line() {
        let read = |text: &'static str| Source::from(text).text;
        assert_eq!(read("# T\r\r> s\r"), "# T\r\n\r\n> s\r\n");
        assert_eq!(read("\n# T\r\n\n> s\ry"), "\n# T\r\n\n> s\r\ny");
        assert!(matches!(read("# T\r\n\n> s\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn invalid_utf8_is_read_with_replacements() {
        let wide: Vec<u8> = "\u{feff}# Tide".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(Source::decode(&wide).text, "\u{feff}# Tide");
        let bare: Vec<u8> = "# Tide".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(Source::decode(&bare).text, "# Tide");
        assert!(Source::decode(&bare).is_utf16);
        assert_eq!(Source::decode(b"# T\xffde").text, "# T\u{fffd}de");
        assert!(!Source::decode(b"# a\0b").is_utf16);
    }
}
