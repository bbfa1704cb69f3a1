//! The rules against real cases: robots.txt files, sitemaps, addresses, llms.txt files.
//!
//! The cases are no part of the project. Run with
//! `WAYFILE_CORPUS=FOLDER cargo test -p wayfile-core --test corpus -- --ignored --nocapture`: every test prints
//! a pass rate per file and profile and the slowest case (the least of five runs), and fails below its bound.
//! A file that the folder lacks is skipped and named; a folder with none of them fails.

#[cfg(test)]
mod corpus {
    mod folder;
    mod llms_txt;
    mod report;
    mod robots;
    mod sitemaps;
    mod ssrf;
    mod urls;
}
