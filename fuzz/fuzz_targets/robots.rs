#![no_main]
//! A robots.txt, and a path that is held against it.

use libfuzzer_sys::fuzz_target;
use wayfile_core::site::robots::{Robots, SITEMAPS_MAX};
use wayfile_core::site::sitemap::named_by;
use wayfile_fuzz::{bounded, home};

fuzz_target!(|input: &[u8]| {
    let (path, file) = input.split_at(input.len().min(32));
    let rules = bounded(input, || Robots::parse(file, "wayfile"));
    let _ = rules.allows_path(&String::from_utf8_lossy(path));
    assert!(named_by(&rules, &home()).len() <= SITEMAPS_MAX);
});
