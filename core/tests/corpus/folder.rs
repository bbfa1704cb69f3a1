//! The folder that holds the cases.

use std::path::PathBuf;
use std::{env, fs};

use serde_json::Value;

/// What the folder may hold.
const NAMES: [&str; 6] =
    ["robots.jsonl", "robots_redos.jsonl", "sitemaps.jsonl", "urls.jsonl", "ssrf.jsonl", "llms-txt"];

/// Where the cases lie.
pub(super) fn path() -> PathBuf {
    env::var_os("WAYFILE_CORPUS").expect("WAYFILE_CORPUS names the folder of cases").into()
}

/// The cases of a file, one JSON object a line; none, and a word about it, when the folder lacks it.
pub(super) fn cases(name: &str) -> Vec<Value> {
    let Ok(text) = fs::read_to_string(path().join(name)) else {
        println!("{name}: not in the folder, skipped");
        return Vec::new();
    };
    text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A field of a case that is text; empty when it has none.
pub(super) fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_default()
}

#[test]
#[ignore = "needs WAYFILE_CORPUS"]
fn the_folder_holds_cases() {
    assert!(NAMES.iter().any(|name| path().join(name).exists()), "{} holds no known file", path().display());
}
