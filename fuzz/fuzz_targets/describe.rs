#![no_main]
//! What a model says of a page: what passes is one plain line.

use libfuzzer_sys::fuzz_target;
use wayfile_core::llms_txt::describe::{Subject, check};
use wayfile_core::work::Work;
use wayfile_fuzz::{bounded, pages};

fuzz_target!(|input: &[u8]| {
    let (answer, rest) = input.split_at(input.iter().position(|&octet| octet == 0xff).unwrap_or(input.len()));
    let answer = String::from_utf8_lossy(answer);
    for page in pages(rest.get(1..).unwrap_or_default()).iter().take(1) {
        let Ok(subject) = bounded(input, || Subject::read(page, 8_000, &Work::unbounded())) else { return };
        if let Ok(said) =
            bounded(input, || check(&answer, &subject.name, "Say what it is.", &subject.evidence))
        {
            assert!(!said.is_empty() && !said.contains(['\n', '\r', '`', '\u{2028}']), "{said}");
        }
    }
});
