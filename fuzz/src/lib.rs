//! What the targets have in common: a bound on what an input may cost, and a site made of any bytes.

use std::alloc::System;

use cap::Cap;
use wayfile_core::page::{MarkdownOrigin, Page};
use wayfile_core::site::outline::CrawledPage;
use wayfile_core::url::SiteUrl;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes that a reader may ask for whatever it reads, given back or not: tables that are made once and kept.
const FIXED_BYTES: usize = 64 << 20;
/// Bytes that it may ask for, given back or not, for each byte of its input: a text is copied a few dozen times at most,
/// and the least of its nodes or blocks is some hundred bytes large.
const BYTES_A_BYTE: usize = 4 << 10;

/// Reads an input and sees that the memory it moved is in proportion to its length.
pub fn bounded<T>(input: &[u8], read: impl FnOnce() -> T) -> T {
    let before = MEMORY.total_allocated();
    let result = read();
    let asked = MEMORY.total_allocated() - before;
    let most = FIXED_BYTES + BYTES_A_BYTE * input.len();
    assert!(asked <= most, "{asked} bytes were asked for to read {}", input.len());
    result
}

/// Where all inputs come from.
pub fn home() -> SiteUrl {
    SiteUrl::parse("https://docs.example/").expect("it is an address")
}

/// A site of any bytes: fields end at an octet that no UTF-8 has; each page has a path, a title, a description and a text.
pub fn pages(input: &[u8]) -> Vec<CrawledPage> {
    let fields: Vec<_> = input.split(|&octet| octet == 0xff).map(String::from_utf8_lossy).collect();
    let said =
        |text: Option<&std::borrow::Cow<'_, str>>| text.filter(|t| !t.is_empty()).map(|t| t.to_string());
    let page = |fields: &[std::borrow::Cow<'_, str>]| {
        let url = home().join(fields.first()?).ok()?;
        let description = said(fields.get(2));
        let (title, markdown) = (said(fields.get(1)), said(fields.get(3)).unwrap_or_default());
        let origin = if markdown.len() % 2 == 0 { MarkdownOrigin::Served } else { MarkdownOrigin::Rendered };
        let page = Page { title, description, markdown, origin, ..Page::default() };
        Some(CrawledPage { link: url.clone(), url, page })
    };
    fields.chunks(4).filter_map(page).collect()
}
