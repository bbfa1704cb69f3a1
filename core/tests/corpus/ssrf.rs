//! The public-address rule: what can be decided without a network. Redirects and hostile servers are tested
//! against a server.

use std::net::IpAddr;

use serde_json::Value;
use wayfile_core::site::address_policy::AddressPolicy;
use wayfile_core::url::SiteUrl;

use super::folder::{cases, text};
use super::report::Report;

fn verdict(case: &Value) -> &'static str {
    let policy = AddressPolicy::default();
    let Ok(url) = SiteUrl::parse(text(case, "url")) else { return "block" };
    let resolved = case["resolves_to"].as_array().map(|answers| {
        let addresses: Vec<IpAddr> = answers.iter().map(|ip| ip.as_str().unwrap().parse().unwrap()).collect();
        policy.resolved(&url, &addresses)
    });
    let is_public = policy.url(&url).is_ok() && resolved.is_none_or(|answer| answer.is_ok());
    if is_public { "allow" } else { "block" }
}

#[test]
#[ignore = "needs WAYFILE_CORPUS"]
fn ssrf() {
    let mut report = Report::new("ssrf.jsonl");
    let needs_server = |case: &Value| case.get("redirects_to").is_some() || case.get("behaviour").is_some();
    for case in cases("ssrf.jsonl").iter().filter(|case| !needs_server(case)) {
        let expected = if text(case, "expect") == "allow" { "allow" } else { "block" };
        report.case(text(case, "class"), text(case, "why"), &expected, || verdict(case));
    }
    report.finish(&[("*", 100)], None);
}
