//! Which characters the bytes of a page stand for.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::memmem;

/// How far a `meta` may stand from the start of the page, in bytes: the standard has it within 1024 (HTML, section
/// 13.2.3.2), pages have scripts and comments before it.
const PRESCAN: usize = 16 << 10;
/// Bytes in which an XML declaration is looked for.
const DECLARATION_MAX_BYTES: usize = 256;

/// So many bytes beyond ASCII tell UTF-8, where all are valid.
const TELLING: usize = 40;
/// Bytes of a body that tell UTF-16 by themselves: markup starts with letters and signs of ASCII.
const UTF_16_START: usize = 16;

/// Decodes a page: as [`decode_as`], declared by the `Content-Type` header or a `meta` at the start.
pub(super) fn decode_html<'a>(body: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    let in_html = || {
        let declared = prescan(body.get(..PRESCAN).unwrap_or(body)).or_else(|| declared_encoding(body))?;
        // What could be read as ASCII is not in UTF-16, whatever it says; and a page that was saved anew keeps its `meta`.
        let declared = declared.output_encoding();
        Some(if declared != UTF_8 && is_surely_utf_8(body) { UTF_8 } else { declared })
    };
    decode_as(body, || in_header(content_type, body).or_else(in_html))
}

/// Decodes a text without markup: as [`decode_as`], declared by the `Content-Type` header alone.
pub(super) fn decode_text<'a>(body: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    decode_as(body, || in_header(content_type, body))
}

/// What a header says of a body that may be in that encoding.
pub(crate) fn in_header(content_type: Option<&str>, body: &[u8]) -> Option<&'static Encoding> {
    let declared = content_type.and_then(|value| charset_in(value.as_bytes()))?;
    (declared != UTF_8 || is_mostly_utf_8(body)).then_some(declared)
}

/// Whether so much of a text is valid beyond ASCII that it is in UTF-8: no other encoding is by accident.
fn is_surely_utf_8(body: &[u8]) -> bool {
    std::str::from_utf8(body).is_ok()
        && body.iter().filter(|byte| !byte.is_ascii()).nth(TELLING - 1).is_some()
}

/// Whether what is beyond ASCII in a text is mostly valid UTF-8. Hosts of files say UTF-8 of all that they serve, old pages and
/// new; a text that is damaged or cut short stays what its header says.
fn is_mostly_utf_8(body: &[u8]) -> bool {
    if std::str::from_utf8(body).is_ok() {
        return true;
    }
    let mut balance = 0_isize;
    for chunk in body.utf8_chunks() {
        let valid = chunk.valid().bytes().filter(|byte| (0xc0..).contains(byte)).count();
        balance = balance.saturating_add_unsigned(valid) - isize::from(!chunk.invalid().is_empty());
    }
    balance >= 0
}

/// Decodes a body: by its byte order mark, by the zeros of UTF-16 at its start, as `declared`, else as UTF-8 where it is valid and
/// as windows-1252 where it is not.
pub(crate) fn decode_as(body: &[u8], declared: impl FnOnce() -> Option<&'static Encoding>) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(body) {
        return encoding.decode_without_bom_handling(body.get(mark..).unwrap_or_default()).0;
    }
    let encoding = utf_16(body).or_else(declared).unwrap_or_else(|| match std::str::from_utf8(body) {
        Ok(_) => UTF_8,
        Err(_) => WINDOWS_1252,
    });
    encoding.decode_without_bom_handling(body).0
}

/// UTF-16 that says so by nothing but the zeros in every other byte at its start. No other text holds zeros, whatever
/// its header says.
pub(super) fn utf_16(body: &[u8]) -> Option<&'static Encoding> {
    let pairs = body.get(..UTF_16_START).unwrap_or(body).chunks_exact(2);
    let all =
        |high: usize| pairs.len() > 1 && pairs.clone().all(|pair| pair[high] == 0 && pair[1 - high] != 0);
    if all(0) {
        Some(UTF_16BE)
    } else if all(1) {
        Some(UTF_16LE)
    } else {
        None
    }
}

/// The encoding named behind `charset=`.
pub(crate) fn charset_in(value: &[u8]) -> Option<&'static Encoding> {
    let at = value.windows(7).position(|w| w.eq_ignore_ascii_case(b"charset"))? + 7;
    let rest = value.get(at..)?.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let end =
        rest.iter().position(|b| matches!(b, b'"' | b'\'' | b';' | b'>' | b' ' | b'/')).unwrap_or(rest.len());
    Encoding::for_label(rest.get(..end)?)
}

/// The encoding that an XML declaration names.
pub(crate) fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    const LABEL: &[u8] = b"encoding=";
    let head = bytes.get(..DECLARATION_MAX_BYTES).unwrap_or(bytes);
    let declaration = memmem::find(head, b"<?xml").and_then(|at| head.get(at..))?;
    let label = memmem::find(declaration, LABEL).and_then(|at| declaration.get(at + LABEL.len()..))?;
    let (quote, label) = label.split_first()?;
    Encoding::for_label(label.split(|octet| octet == quote).next()?)
}

fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    let mut rest = head;
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = rest.get(at + 1..)?;
        if let Some(after) = rest.strip_prefix(b"!--") {
            rest = after.get(memmem::find(after, b"-->")?..)?;
        } else if rest.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"))
            && rest.get(4).is_some_and(u8::is_ascii_whitespace)
        {
            let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
            if let Some(encoding) = charset_in(rest.get(..end)?) {
                return Some(encoding);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_wins_then_the_header_then_the_meta() {
        assert_eq!(decode_html(b"\xef\xbb\xbfa\xc3\xa9", Some("text/html; charset=latin1")), "a\u{e9}");
        assert_eq!(decode_html(b"\xff\xfea\0", None), "a");
        assert_eq!(
            decode_html(b"<meta charset=utf-8>\xe9", Some("text/html;charset=\"ISO-8859-1\"")).chars().last(),
            Some('\u{e9}')
        );
        assert_eq!(
            decode_html(
                b"<!-- <meta charset=x> --><META content='text/html; charset=windows-1251'>\xe9",
                None
            )
            .chars()
            .last(),
            Some('\u{439}')
        );
        let late =
            [b"<script>", " ".repeat(4_000).as_bytes(), b"</script><meta\ncharset=koi8-r>\xc1"].concat();
        assert_eq!(decode_html(&late, None).chars().last(), Some('\u{430}'));
        let xml = b"<?xml version='1.0' encoding='koi8-r'?><html>\xc1";
        assert_eq!(decode_html(xml, None).chars().last(), Some('\u{430}'));
        assert_eq!(decode_text(b"<meta charset=koi8-r>\xc1", None).chars().last(), Some('\u{c1}'));
    }

    #[test]
    fn a_page_that_was_saved_as_utf_8_is_that_whatever_its_meta_says() {
        let page = |text: &str| format!("<meta charset=gbk>{text}");
        let kiln = page(&"\u{7a91}".repeat(20));
        assert_eq!(decode_html(kiln.as_bytes(), None), kiln);
        assert_ne!(decode_html(kiln.as_bytes(), Some("text/html; charset=gbk")), kiln);
        let short = page("\u{7a91}");
        assert_ne!(decode_html(short.as_bytes(), None), short);
    }

    #[test]
    fn a_header_that_says_utf_8_of_every_file_is_not_believed_of_what_is_not() {
        let utf_8 = Some("text/html; charset=utf-8");
        assert!(decode_html(b"<meta charset=iso-8859-2>\xb3\xf3", utf_8).ends_with("\u{142}\u{f3}"));
        assert!(decode_html(b"caf\xe9", utf_8).ends_with('\u{e9}'));
        assert_eq!(decode_text(b"caf\xe9", Some("text/markdown; charset=utf-8")), "caf\u{e9}");
        let damaged = b"<meta charset=latin1>\xc3\xa9\xc3\xa9\xc3";
        assert!(decode_html(damaged, utf_8).ends_with("\u{e9}\u{e9}\u{fffd}"));
    }

    #[test]
    fn utf_16_needs_no_mark() {
        let text = "<html><p>caf\u{e9} \u{2014} \u{4e2d}</p>";
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for declared in [None, Some("text/html; charset=utf-16"), Some("text/html; charset=utf-8")] {
            assert_eq!(decode_html(&big, declared), text, "{declared:?}");
            assert_eq!(decode_html(&little, declared), text, "{declared:?}");
        }
        assert_eq!(decode_html(b"a\0b", None), "a\0b");
    }

    #[test]
    fn without_a_word_about_it_utf8_is_tried_first() {
        assert_eq!(decode_html("\u{2014}".as_bytes(), None), "\u{2014}");
        assert_eq!(decode_html(b"\x93q\x94", None), "\u{201c}q\u{201d}");
    }
}
