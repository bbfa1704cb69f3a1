#![no_main]
//! Both files of a site: the index can be read, and is what was meant.

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use wayfile_core::llms_txt::compose::{FullOptions, IndexOptions, full, index};
use wayfile_core::llms_txt::reference::readable;
use wayfile_core::site::structure::Structure;
use wayfile_core::site::outline::{outline, settle_titles};
use wayfile_fuzz::{bounded, home, pages};

#[path = "../../core/tests/quoted/written.rs"]
mod written;

fuzz_target!(|input: &[u8]| {
    let mut pages = pages(input);
    let first = pages.first().map(|page| page.page.clone());
    bounded(input, || {
        settle_titles(None, &mut pages);
        let pages = Arc::new(std::mem::take(&mut pages));
        let outline = outline(first.as_ref(), &Structure::new(&home(), 1_000), &pages);
        let index = index(&outline, &pages, Some(&home()), &IndexOptions::default());
        readable(&index.text).expect("the reference parser reads what we write");
        assert_eq!(written::document(&index.text), Some(index.document), "{}", index.text);
        let full = full(&outline, &pages, Some(&home()), &FullOptions::default());
        assert_eq!(full.text.to_string().len(), full.text.len());
    });
});
