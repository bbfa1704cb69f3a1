//! robots.txt: may an agent fetch a URL, and how long does it take to say so.

use std::time::Duration;

use serde_json::Value;
use url::{Position, Url};
use wayfile_core::site::robots::Robots;

use super::folder::{cases, text};
use super::report::Report;

/// Reads the file and asks it. Some cases have addresses that the crawler would refuse for their length.
fn allows(case: &Value) -> bool {
    let robots = Robots::parse(text(case, "robots_txt").as_bytes(), text(case, "user_agent"));
    match Url::parse(text(case, "url")) {
        Ok(url) => robots.allows_path(&url[Position::BeforePath..Position::AfterQuery]),
        Err(_) => robots.allows_path(text(case, "url")),
    }
}

fn report(file: &'static str, bounds: &[(&str, usize)], limit: Duration) {
    let mut report = Report::new(file);
    for case in cases(file) {
        let expected = case["allowed"].as_bool().unwrap();
        report.case(text(&case, "profile"), text(&case, "name"), &expected, || allows(&case));
    }
    report.finish(bounds, Some(limit));
}

#[test]
#[ignore = "needs WAYFILE_CORPUS"]
fn robots() {
    let bounds = [("rfc9309", 100), ("rfc9309-strict", 100), ("google-extension", 90)];
    report("robots.jsonl", &bounds, Duration::from_millis(5));
}

#[test]
#[ignore = "needs WAYFILE_CORPUS"]
fn hostile_robots() {
    report("robots_redos.jsonl", &[("*", 100)], Duration::from_millis(1));
}
