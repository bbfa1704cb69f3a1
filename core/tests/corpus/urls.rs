//! URLs: the dedupe key of an address, or that it is refused.

use wayfile_core::url::SiteUrl;

use super::folder::{cases, text};
use super::report::Report;

#[test]
#[ignore = "needs WAYFILE_CORPUS"]
fn urls() {
    let mut report = Report::new("urls.jsonl");
    for case in cases("urls.jsonl") {
        let expected = case["canonical"].as_str().map(str::to_owned);
        let key = || SiteUrl::parse(text(&case, "input")).ok().map(|url| url.key().as_str().to_owned());
        report.case("dedupe key", text(&case, "input"), &expected, key);
    }
    report.finish(&[("*", 100)], None);
}
