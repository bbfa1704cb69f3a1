//! From the bytes of a sitemap to its text.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::{Encoding, UTF_8};
use flate2::read::MultiGzDecoder;

use crate::page::charset::{charset_in, declared_encoding, decode_as};
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
        let in_header = content_type.and_then(|value| charset_in(value.as_bytes()));
        // Files whose markup is ASCII are not UTF-16, whatever they say.
        Some(in_header.or_else(|| declared_encoding(bytes)).map_or(UTF_8, Encoding::output_encoding))
    })
}
