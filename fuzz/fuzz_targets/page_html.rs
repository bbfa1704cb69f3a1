#![no_main]
//! A page of HTML: what it says is in proportion to it, and its addresses can be asked for.

use libfuzzer_sys::fuzz_target;
use wayfile_core::page::{PageSource, hrefs, read_html};
use wayfile_core::work::Work;
use wayfile_fuzz::{bounded, home};

/// Steps that a page may take, as `crawl.page_work` has them by default.
const WORK: usize = 100_000_000;

fuzz_target!(|input: &[u8]| {
    let url = home();
    let source = PageSource { url: &url, content_type: None, x_robots_tag: None, body: input };
    let Ok(page) = bounded(input, || read_html(&source, &Work::bounded(WORK))) else { return };
    assert!(page.links.iter().all(|link| link.url.as_str().starts_with("http")));
    bounded(input, || hrefs(input, None));
});
