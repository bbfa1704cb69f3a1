//! From the bytes of a sitemap to its text.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use flate2::read::MultiGzDecoder;
use memchr::memmem;

use crate::work::Work;

/// What gzip files start with (RFC 1952 section 2.3.1).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Layers of gzip that are unpacked: servers pack `sitemap.xml.gz` once more.
const GZIP_MAX_LAYERS: usize = 2;

/// Octets that are unpacked at once.
const STRETCH: u64 = 64 << 10;

/// Octets in which an XML declaration is looked for.
const DECLARATION_MAX_BYTES: usize = 256;

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

/// A byte order mark decides the encoding, then the header, then the XML declaration, else it is UTF-8. Wrong
/// octets become U+FFFD.
pub(super) fn to_text<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        let rest = bytes.get(length..).unwrap_or_default();
        return encoding.decode_without_bom_handling(rest).0;
    }
    let told = || content_type.and_then(charset).or_else(|| declared_encoding(bytes));
    let encoding = unmarked_utf16(bytes).or_else(told).unwrap_or(UTF_8);
    encoding.decode_without_bom_handling(bytes).0
}

fn charset(content_type: &str) -> Option<&'static Encoding> {
    let parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let mut charsets = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    octet_encoding(charsets.next()?.1.trim().trim_matches('"').as_bytes())
}

fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    const LABEL: &[u8] = b"encoding=";
    let head = bytes.get(..DECLARATION_MAX_BYTES).unwrap_or(bytes);
    let declaration = memmem::find(head, b"<?xml").and_then(|at| head.get(at..))?;
    let label = memmem::find(declaration, LABEL).and_then(|at| declaration.get(at + LABEL.len()..))?;
    let (quote, label) = label.split_first()?;
    octet_encoding(label.split(|octet| octet == quote).next()?)
}

/// Files whose markup is ASCII are not UTF-16, whatever they say.
fn octet_encoding(label: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(label).map(Encoding::output_encoding)
}

/// XML starts with `<`: a zero beside it gives UTF-16 away (XML 1.0 appendix F.1).
fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<', 0, ..] => Some(UTF_16LE),
        [0, b'<', ..] => Some(UTF_16BE),
        _ => None,
    }
}
