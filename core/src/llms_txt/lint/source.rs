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
        Self { text, is_utf16: wide.is_some(), bytes: bytes.len() }
    }
}

impl<'a> From<&'a str> for Source<'a> {
    fn from(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), is_utf16: false, bytes: text.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
