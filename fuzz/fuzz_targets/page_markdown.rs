#![no_main]
//! A page of Markdown, or of plain text.

use libfuzzer_sys::fuzz_target;
use wayfile_core::page::{PageSource, read, read_markdown};
use wayfile_core::work::Work;
use wayfile_fuzz::{bounded, home};

/// Steps that a page may take.
const WORK: usize = 100_000_000;

fuzz_target!(|input: &[u8]| {
    let url = home();
    let source = PageSource { url: &url, content_type: Some("text/plain"), x_robots_tag: None, body: input };
    let _ = bounded(input, || read_markdown(&source, &Work::bounded(WORK)));
    let _ = bounded(input, || read(&source, &Work::bounded(WORK)));
});
