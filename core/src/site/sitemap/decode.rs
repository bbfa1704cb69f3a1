//! From the bytes of a sitemap to its text, and to what is escaped in that of XML, read leniently.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::{Encoding, UTF_8};
use flate2::read::MultiGzDecoder;
use quick_xml::escape::resolve_xml_entity;

use crate::page::charset::{declared_encoding, decode_as, in_header};
use crate::work::Work;

/// What gzip files start with (RFC 1952 section 2.3.1).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Layers of gzip that are unpacked: servers pack `sitemap.xml.gz` once more.
const GZIP_MAX_LAYERS: usize = 2;

/// Octets that are unpacked at once.
const STRETCH: u64 = 64 << 10;

/// Unpacks gzip, known by its first octets, and says whether the limit or a broken end cost some of it.
pub(super) fn unpack<'b>(body: &'b [u8], limit: usize, work: &Work<'_>) -> (Cow<'b, [u8]>, bool) {
    let mut bytes = Cow::Borrowed(body);
    let mut is_cut = false;
    for _ in 0..GZIP_MAX_LAYERS {
        if !bytes.starts_with(&GZIP_MAGIC) {
            break;
        }
        let mut unpacked = Vec::new();
        // One octet more tells a file of just the limit from a longer one.
        let mut reader = MultiGzDecoder::new(&*bytes).take(limit as u64 + 1);
        loop {
            match reader.by_ref().take(STRETCH).read_to_end(&mut unpacked) {
                Ok(count) if count > 0 && work.spend(count) => {}
                end => break is_cut |= end.is_err(),
            }
        }
        bytes = Cow::Owned(unpacked);
    }
    if bytes.len() > limit {
        is_cut = true;
        match &mut bytes {
            Cow::Borrowed(borrowed) => *borrowed = borrowed.get(..limit).unwrap_or_default(),
            Cow::Owned(owned) => owned.truncate(limit),
        }
    }
    (bytes, is_cut)
}

/// A byte order mark decides the encoding, then the zeros of UTF-16, the header, the XML declaration, else it is UTF-8. Wrong
/// octets become U+FFFD.
pub(super) fn to_text<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    decode_as(bytes, || {
        let in_header = in_header(content_type, bytes);
        // Files whose markup is ASCII are not UTF-16, whatever they say.
        Some(in_header.or_else(|| declared_encoding(bytes)).map_or(UTF_8, Encoding::output_encoding))
    })
}

/// Resolves the predefined entities and character references, twice: plug-ins escape what is escaped already.
/// Any other `&` is plain text.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    match unescape_once(text) {
        Cow::Borrowed(text) => Cow::Borrowed(text),
        Cow::Owned(once) => Cow::Owned(match unescape_once(&once) {
            Cow::Borrowed(_) => once,
            Cow::Owned(twice) => twice,
        }),
    }
}

fn unescape_once(text: &str) -> Cow<'_, str> {
    let Some((plain, mut rest)) = text.split_once('&') else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    out.push_str(plain);
    loop {
        let (next, more) = rest.split_once('&').map_or((rest, None), |(next, more)| (next, Some(more)));
        if let Some((character, after)) =
            next.split_once(';').and_then(|(name, after)| Some((referred(name)?, after)))
        {
            out.push(character);
            out.push_str(after);
        } else {
            out.push('&');
            out.push_str(next);
        }
        match more {
            Some(more) => rest = more,
            None => return Cow::Owned(out),
        }
    }
}

fn referred(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return resolve_xml_entity(name)?.chars().next();
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_that_says_utf_8_of_everything_is_not_believed() {
        let to_text = |bytes: &[u8]| to_text(bytes, Some("text/xml; charset=utf-8")).into_owned();
        let declared = to_text(b"<?xml version='1.0' encoding='iso-8859-1'?><loc>/t\xf8rk</loc>");
        assert!(declared.ends_with("<loc>/t\u{f8}rk</loc>"), "{declared}");
        assert_eq!(to_text("<loc>/t\u{f8}rk</loc>".as_bytes()), "<loc>/t\u{f8}rk</loc>");
    }

    #[test]
    fn predefined_entities_and_character_references() {
        assert_eq!(unescape("&lt;&gt;&quot;&apos;&#97;&#x62;"), "<>\"'ab");
        assert!(matches!(unescape("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn doubly_escaped_text_is_unescaped_twice() {
        assert_eq!(unescape("a=1&amp;amp;b=2"), "a=1&b=2");
    }

    #[test]
    fn other_ampersands_are_plain_text() {
        assert_eq!(unescape("?a&b=1&nbsp;&#xffffffff;&;&"), "?a&b=1&nbsp;&#xffffffff;&;&");
    }
}
