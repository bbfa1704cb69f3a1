//! The rules against real cases: robots.txt files, sitemaps, addresses, llms.txt files.
//!
//! The cases are no part of the project. Run with
//! `WAYFILE_CORPUS=FOLDER cargo test -p wayfile-core --test corpus -- --ignored --nocapture`: every test prints
//! a pass rate per file and profile and the slowest case (the least of five runs), and fails below its bound.
//! A file that the folder lacks is skipped and named; a folder with none of them fails.

#[path = "corpus/folder.rs"]
mod folder;
#[path = "corpus/report.rs"]
mod report;
#[path = "corpus/robots.rs"]
mod robots;
#[path = "corpus/sitemaps.rs"]
mod sitemaps;
#[path = "corpus/ssrf.rs"]
mod ssrf;
#[path = "corpus/urls.rs"]
mod urls;
