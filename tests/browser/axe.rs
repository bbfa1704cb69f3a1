//! Every page in the eyes of axe-core: nothing to complain about, light and dark.

use serde_json::{Value, json};

use crate::browser::{Browser, Scheme, Scripts};
use crate::fake_site::{FakeSite, Reply, numbered};
use crate::{EMAIL, TestService, run, tool};

/// Names axe-core's `axe.min.js`.
const AXE: &str = "WAYFILE_AXE";

#[test]
fn every_page_is_for_everybody() {
    let Some(file) = std::env::var_os(AXE) else {
        tool::missing("axe-core (its file named by WAYFILE_AXE)");
        return;
    };
    let axe = std::fs::read_to_string(file).unwrap();
    run(async {
        let Some(service) = TestService::open(Scripts::On).await else { return };
        let browser = &service.browser;
        for path in ["/", "/docs", "/signup", "/login", "/forgot", "/keys/1/nowhere", "/reset?token=x"] {
            browser.go(path).await;
            judge(browser, &axe, path).await;
        }
        browser.go("/signup").await;
        browser.fill("#email", "ada").await;
        browser.fill("#password", "short").await;
        browser.click("main button").await;
        browser.sees("attention").await;
        judge(browser, &axe, "a form with faults").await;

        service.sign_up().await;
        for path in
            ["/overview", "/docs", "/keys", "/usage", "/playground", "/playground/validate", "/account"]
        {
            browser.go(path).await;
            judge(browser, &axe, &format!("{path}, empty")).await;
        }
        service.make_key("laptop").await;
        judge(browser, &axe, "a new key").await;
        let site = FakeSite::start(|path| match path {
            "/llms.txt" => Reply::text("# Tide\n\nNo links here."),
            path => numbered(path, 3),
        });
        browser.go("/playground").await;
        browser.fill("#url", &site.url()).await;
        browser.click("#generate button").await;
        browser.sees("listed in this file").await;
        judge(browser, &axe, "both files").await;
        browser.go("/overview").await;
        browser.click(".menu summary").await;
        judge(browser, &axe, "/overview, with the account's menu").await;
        browser.click("main th a").await;
        browser.sees("Pages read").await;
        judge(browser, &axe, "a run").await;
        for path in ["/runs", "/runs?site=nobody"] {
            browser.go(path).await;
            judge(browser, &axe, path).await;
        }
        browser.go("/playground/validate").await;
        browser.fill("#url", &site.url()).await;
        browser.click("main form button").await;
        browser.sees("Verdict").await;
        judge(browser, &axe, "a verdict").await;
        browser.run("document.querySelectorAll('details').forEach((d) => d.open = true)").await;
        judge(browser, &axe, "a verdict with everything open").await;
        browser.go("/usage").await;
        browser.click("main details summary").await;
        judge(browser, &axe, "/usage").await;
        browser.go("/keys").await;
        judge(browser, &axe, "/keys").await;
        browser.click(".key a").await;
        browser.sees("Revoke").await;
        judge(browser, &axe, "revoke?").await;
        browser.click("main button").await;
        browser.sees("is revoked").await;
        judge(browser, &axe, "a revoked key").await;
        browser.go("/forgot").await;
        browser.fill("#email", EMAIL).await;
        browser.click("main form button").await;
        let link = service.mail.last_to(EMAIL, 2).await.link("/reset");
        browser.go(&link).await;
        judge(browser, &axe, "/reset").await;
    });
}

/// Light and dark, on a phone and on a wide screen.
async fn judge(browser: &Browser, axe: &str, page: &str) {
    for scheme in Scheme::BOTH {
        for width in [390, 1440] {
            browser.screen(width, 900, scheme).await;
            browser.run(axe).await;
            let found = browser.run_async("return (await axe.run()).violations").await;
            let faults: Vec<String> =
                found.as_array().unwrap_or_else(|| panic!("{found}")).iter().map(told).collect();
            assert!(faults.is_empty(), "{page}, {}, {width} pixels: {faults:#?}", scheme.name());
            let wider = "return document.documentElement.scrollWidth > document.documentElement.clientWidth";
            assert_eq!(browser.run(wider).await, json!(false), "{page} is wider than {width} pixels");
            // What there is, is not to be searched for beside the screen.
            let beside = "return [...document.querySelectorAll('.scroll, .top nav')]
                .some((part) => part.scrollWidth > part.clientWidth)";
            assert_eq!(browser.run(beside).await, json!(false), "{page} hides something at {width} pixels");
        }
    }
}

fn told(fault: &Value) -> String {
    let nodes: Vec<&Value> = fault["nodes"].as_array().unwrap().iter().map(|node| &node["html"]).collect();
    format!("{}: {} {nodes:?}", fault["id"], fault["help"])
}
