//! Requests of validations: any status and any type is an answer.

use std::io::Read;
use std::time::Duration;

use brotli_decompressor::Decompressor;
use flate2::read::MultiGzDecoder;
use http::header::LAST_MODIFIED;
use http::{HeaderMap, Method, StatusCode};
use wayfile_core::llms_txt::lint::served::HttpAnswer;
use wayfile_core::url::SiteUrl;

/// Bytes of a page that are enough to judge it by.
const PAGE_BYTES: usize = 512 << 10;
/// Bytes that show that something is there.
const PEEK_BYTES: usize = 4 << 10;
/// Bytes that are read of a packed body at once.
const BUFFER_BYTES: usize = 4 << 10;
/// Headers kept of an answer, and bytes of each value.
const MAX_HEADERS: usize = 64;
const MAX_VALUE_BYTES: usize = 4 << 10;

/// What a validation asks an address for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Probe {
    /// The file to be validated: all of it.
    File,
    /// A page or a text that is judged by its beginning.
    Page,
    /// Whether the page answers with Markdown when asked for it.
    Markdown,
    /// Whether anything is there, without its body.
    Head,
    /// The same for servers that do not answer that.
    Peek,
}

impl Probe {
    pub(super) fn method(self) -> Method {
        if self == Self::Head { Method::HEAD } else { Method::GET }
    }

    pub(super) fn accept(self) -> &'static str {
        match self {
            Self::File => "text/plain, text/markdown;q=0.9, */*;q=0.5",
            Self::Page => "text/html, text/plain;q=0.9, */*;q=0.5",
            Self::Markdown => "text/markdown",
            Self::Head | Self::Peek => "*/*",
        }
    }

    /// What we decode ourselves, to see that it was used.
    pub(super) fn codings(self) -> &'static str {
        match self {
            Self::File | Self::Page => "gzip, br",
            Self::Markdown | Self::Head | Self::Peek => "identity",
        }
    }

    pub(super) fn max_bytes(self) -> usize {
        match self {
            Self::File => usize::MAX,
            Self::Page => PAGE_BYTES,
            Self::Markdown | Self::Head | Self::Peek => PEEK_BYTES,
        }
    }
}

pub(super) fn seen(url: SiteUrl, took: Duration, status: StatusCode, headers: &HeaderMap) -> HttpAnswer {
    let last_modified = headers.get(LAST_MODIFIED).and_then(|date| date.to_str().ok());
    let last_modified = last_modified.and_then(|date| httpdate::parse_http_date(date).ok());
    let headers = headers.iter().take(MAX_HEADERS).map(|(name, value)| {
        let value = value.as_bytes();
        let value = value.get(..MAX_VALUE_BYTES).unwrap_or(value);
        (name.as_str().to_owned(), String::from_utf8_lossy(value).into_owned())
    });
    let (status, headers) = (status.as_u16(), headers.collect());
    HttpAnswer { url, status, headers, last_modified, took, body: Vec::new(), cut: false }
}

/// The body, unpacked if it was packed, up to the cap of this probe.
pub(super) fn fill(answer: &mut HttpAnswer, probe: Probe, body: Vec<u8>, cap: usize) {
    let cap = probe.max_bytes().min(cap);
    answer.cut = body.len() >= cap;
    answer.body = body;
    let coding = answer.header("content-encoding").unwrap_or_default().trim().to_ascii_lowercase();
    let packed = answer.body.as_slice();
    let unpacking: &mut dyn Read = match coding.as_str() {
        "gzip" | "x-gzip" => &mut MultiGzDecoder::new(packed),
        "br" => &mut Decompressor::new(packed, BUFFER_BYTES),
        _ => return,
    };
    let mut unpacked = Vec::new();
    let whole = unpacking.take(cap as u64).read_to_end(&mut unpacked).is_ok();
    answer.cut = unpacked.len() >= cap || !whole;
    answer.body = unpacked;
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::CONTENT_ENCODING;

    use super::*;

    #[test]
    fn what_was_packed_is_unpacked_up_to_the_cap() {
        let url = SiteUrl::parse("https://tide.dev/llms.txt").unwrap();
        let read = |coding: &'static str, body: &[u8], cap| {
            let headers = HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static(coding))]);
            let mut answer = seen(url.clone(), Duration::ZERO, StatusCode::OK, &headers);
            fill(&mut answer, Probe::File, body.to_vec(), cap);
            (String::from_utf8(answer.body).unwrap(), answer.cut)
        };
        // RFC 7932 section 9.2: a meta-block of five bytes that are not compressed.
        let br = b"\x0b\x02\x80hello\x03";
        let mut gzip = Vec::new();
        flate2::read::GzEncoder::new(&b"hello"[..], flate2::Compression::fast())
            .read_to_end(&mut gzip)
            .unwrap();
        for (coding, body) in [("br", &br[..]), ("X-Gzip", &gzip), ("gzip", &gzip), ("identity", b"hello")] {
            assert_eq!(read(coding, body, 9), ("hello".to_owned(), false), "{coding}");
            assert!(read(coding, body, 3).1, "{coding}");
        }
        assert!(read("br", &br[..6], 9).1);
    }
}
