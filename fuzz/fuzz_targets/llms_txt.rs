#![no_main]
//! An llms.txt: what is written of what was read can be read, and is the same.

use libfuzzer_sys::fuzz_target;
use wayfile_core::llms_txt::lint::lint;
use wayfile_core::llms_txt::lint::source::Source;
use wayfile_core::llms_txt::reference::readable;
use wayfile_fuzz::{bounded, home};

#[path = "../../core/tests/quoted/written.rs"]
mod written;

fuzz_target!(|input: &[u8]| {
    let source = Source::decode(input);
    bounded(input, || lint(&source, Some(&home())).links(Some(&home())));
    let Some(document) = bounded(input, || written::document(&source.text)) else { return };
    let written = document.render();
    readable(&written).expect("the reference parser reads what we write");
    assert_eq!(written::document(&written), Some(document), "{written}");
});
