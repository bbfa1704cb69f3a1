//! Wayfile makes websites readable for language models: it writes `llms.txt` and `llms-full.txt`.

use std::process::ExitCode;

/// A crawl is a hundred thousand small texts, and a service that has read large ones is to give their memory back: glibc's
/// allocator takes twice the work for the former and keeps the latter.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    wayfile::run()
}
