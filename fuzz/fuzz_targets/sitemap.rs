#![no_main]
//! A sitemap of any format: it names no page twice and no more than the limits let it.

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use wayfile_core::llms_txt::lint::served::coverage;
use wayfile_core::site::sitemap::{Sitemap, SitemapLimits};
use wayfile_core::work::Work;
use wayfile_fuzz::{bounded, home};

fuzz_target!(|input: &[u8]| {
    let limits = SitemapLimits { decoded_bytes: 1 << 20, urls: 1_000, alternates: 100 };
    let Ok(sitemap) = bounded(input, || Sitemap::parse(&home(), None, input, &limits, &Work::unbounded())) else { return };
    let urls: Vec<_> = sitemap.entries.iter().map(|entry| entry.url.clone()).collect();
    assert!(urls.len() <= limits.urls && sitemap.children.len() <= limits.urls);
    assert_eq!(urls.iter().collect::<HashSet<_>>().len(), urls.len());
    assert!(sitemap.entries.iter().map(|entry| entry.alternates.len()).sum::<usize>() <= limits.alternates);
    let _ = coverage(&home(), &sitemap.entries, &urls, true);
});
