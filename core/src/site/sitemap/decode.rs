//! From the bytes of a sitemap to its text.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::{Encoding, UTF_8};
use flate2::read::MultiGzDecoder;

/// What gzip files start with (RFC 1952 section 2.3.1).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Layers of gzip that are unpacked: servers pack `sitemap.xml.gz` once more.
const GZIP_MAX_LAYERS: usize = 2;

/// Octets in which an XML declaration is looked for.
const DECLARATION_MAX_BYTES: usize = 256;

/// Unpacks gzip, known by its first octets, and says whether the limit or a broken end cost some of it.
pub(super) fn unpack(body: &[u8], limit: usize) -> (Cow<'_, [u8]>, bool) {
    let mut bytes = Cow::Borrowed(body);
    let mut is_cut = false;
    for _ in 0..GZIP_MAX_LAYERS {
        if !bytes.starts_with(&GZIP_MAGIC) {
            break;
        }
        let mut unpacked = Vec::new();
        // One octet more tells a file of just the limit from a longer one.
        let mut reader = MultiGzDecoder::new(&*bytes).take(limit as u64 + 1);
        is_cut |= reader.read_to_end(&mut unpacked).is_err();
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

/// A byte order mark decides the encoding, then the XML declaration, else it is UTF-8. Wrong octets become U+FFFD.
pub(super) fn to_text(bytes: &[u8]) -> Cow<'_, str> {
    let (encoding, rest) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, bytes.get(length..).unwrap_or_default()),
        None => (declared_encoding(bytes).unwrap_or(UTF_8), bytes),
    };
    encoding.decode_without_bom_handling(rest).0
}

/// A declaration that can be read octet by octet rules UTF-16 out, whatever it says.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..DECLARATION_MAX_BYTES).unwrap_or(bytes);
    let declaration = memchr::memmem::find(head, b"<?xml").and_then(|at| head.get(at..))?;
    let label = memchr::memmem::find(declaration, b"encoding=").and_then(|at| declaration.get(at + 9..))?;
    let (quote, label) = label.split_first()?;
    let label = label.split(|octet| octet == quote).next()?;
    Encoding::for_label(label).map(Encoding::output_encoding)
}
