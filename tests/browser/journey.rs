//! One person's way through every page, with and without scripts.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::browser::{Browser, Scripts};
use crate::fake_site::{FakeSite, Reply, numbered};
use crate::{EMAIL, PASSWORD, TestService, run};

const NEW_PASSWORD: &str = "spring tides, harbour 8";
/// Slow enough that somebody sees pages come in.
const PAGE_TAKES: Duration = Duration::from_millis(300);

#[test]
fn with_scripts() {
    run(async { all_the_way(Scripts::On).await });
}

#[test]
fn without_scripts() {
    run(async { all_the_way(Scripts::Off).await });
}

#[test]
fn a_run_that_is_stopped_costs_nothing() {
    run(async {
        let Some(service) = TestService::with_person(Scripts::On).await else { return };
        let browser = &service.browser;
        let key = service.make_key("laptop").await;
        let site = FakeSite::start(|path| numbered(path, 200).after(PAGE_TAKES));
        browser.go("/playground").await;
        browser.fill("#url", &site.url()).await;
        browser.click("#generate button").await;
        fetched(browser, 3..200).await;
        assert_eq!(service.app.used(&key).await, (1, 0), "it is reserved while it runs");
        browser.click("#stop").await;
        let since = Instant::now();
        while service.app.used(&key).await != (0, 0) {
            assert!(since.elapsed() < Duration::from_secs(30), "the unit was not given back");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(!browser.text().await.contains("Reading the site"));
        assert_eq!(
            browser.attribute("#generate button", "aria-disabled").await,
            None,
            "and it can be begun again"
        );
    });
}

async fn all_the_way(scripts: Scripts) {
    let Some(service) = TestService::with_person(scripts).await else { return };
    let browser = &service.browser;
    service.app.command(&["account", "plan", "--email", EMAIL, "--plan", "starter"]);
    let key = service.make_key("laptop").await;
    a_key_is_shown_once_and_works(&service, &key).await;
    times_are_the_readers_own(browser, scripts).await;

    let site = FakeSite::start(|path| match path {
        "/llms.txt" => Reply::text("# Tide\n\nNo links here."),
        path => numbered(path, 12).after(PAGE_TAKES),
    });
    let address = site.url();
    browser.go("/playground").await;
    browser.fill("#url", &address).await;
    browser.click(".more summary").await;
    browser.fill("#instructions", "Ask the harbour master.").await;
    browser.click("#generate button").await;
    if scripts == Scripts::On {
        progress_is_told_as_it_goes(browser).await;
    }
    files_stand_side_by_side(browser, scripts).await;
    files_are_had_again(browser, &address).await;
    a_file_is_judged(browser, &address).await;
    assert_eq!(service.app.used(&key).await, (1, 1), "each run counts once, for the key that was picked");

    browser.go("/usage").await;
    browser.sees("1 of 100").await;
    browser.sees("1 of 1,000").await;
    assert_eq!(browser.count(".plot rect").await, 2, "one bar a quota");
    browser.go("/docs").await;
    browser.sees("API reference").await;

    a_key_is_revoked_after_a_question(&service, &key).await;
    the_password_is_changed_and_the_account_deleted(&service).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

async fn a_key_is_shown_once_and_works(service: &TestService, key: &str) {
    let browser = &service.browser;
    assert_eq!(service.app.used(key).await, (0, 0));
    browser.go("/keys").await;
    let list = browser.text().await;
    assert!(list.contains("laptop") && !list.contains(key), "{list}");
    let (start, end) = (key.get(..9).unwrap(), key.get(37..).unwrap());
    assert!(list.contains(&format!("{start}…{end}")), "{list}");
}

async fn times_are_the_readers_own(browser: &Browser, scripts: Scripts) {
    browser.go("/overview").await;
    let (told, title) = (
        browser.text_of("main header time").await,
        browser.attribute("main header time", "title").await.unwrap_or_default(),
    );
    let (end, utc) = if scripts == Scripts::On { (", 05:30", ", 00:00 UTC") } else { (", 00:00 UTC", "") };
    assert!(told.ends_with(end) && title.ends_with(utc), "{told}, {title}");
}

async fn progress_is_told_as_it_goes(browser: &Browser) {
    // Counts come in one by one: a number between the first and the last is seen.
    fetched(browser, 2..12).await;
    assert!(browser.text_of("#live").await.contains("Reading the site"));
}

/// Waits until the page counts as many pages.
pub(crate) async fn fetched(browser: &Browser, wanted: Range<u64>) {
    let since = Instant::now();
    let count = "return Number(document.getElementById('fetched').textContent)";
    while !browser.run(count).await.as_u64().is_some_and(|count| wanted.contains(&count)) {
        assert!(since.elapsed() < Duration::from_secs(30), "{}", browser.text().await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn files_stand_side_by_side(browser: &Browser, scripts: Scripts) {
    browser.sees("Ask the harbour master.").await;
    let names =
        [browser.text_of(".file:nth-of-type(1) h3").await, browser.text_of(".file:nth-of-type(2) h3").await];
    assert!(names.contains(&"llms.txt".to_owned()), "{names:?}");
    let shown = browser.text_of(".file pre").await;
    assert!(shown.starts_with("# 127.0.0.1"), "{shown}");
    let download = browser.attribute(".file a[download]", "download").await;
    assert_eq!(download.as_deref(), Some("llms.txt"));
    let (copies, from) = match scripts {
        Scripts::On => (2, "blob:"),
        Scripts::Off => (0, "data:text/plain"),
    };
    assert_eq!(
        browser.count(".file button:not([hidden])").await,
        copies,
        "nothing is offered that does not work"
    );
    let whole = browser.attribute(".file a[download]", "href").await.unwrap();
    assert!(whole.starts_with(from), "{whole}");
}

async fn files_are_had_again(browser: &Browser, address: &str) {
    assert_eq!(browser.attribute("#asked", "open").await, None, "the result takes the screen");
    browser.go("/overview").await;
    browser.sees("Latest runs").await;
    browser.sees(address.trim_end_matches('/')).await;
    assert_eq!(browser.count("main td.end a[download]").await, 2, "{}", browser.text().await);
    browser.go("/runs").await;
    browser.fill("#site", "nobody").await;
    browser.click("main form button").await;
    browser.sees("No such run").await;
    browser.fill("#site", "127.0.0.1").await;
    browser.click("main form button").await;
    browser.click("main th a").await;
    browser.sees("Pages read: 13.").await;
    assert_eq!(browser.count("main a[download]").await, 2, "{}", browser.text().await);
}

async fn a_file_is_judged(browser: &Browser, address: &str) {
    browser.go("/playground/validate").await;
    browser.fill("#url", address).await;
    browser.click("main form button").await;
    browser.sees("Verdict").await;
    assert_eq!(browser.count(".ring").await, 2);
    assert_eq!(browser.count(".lines li").await, 3, "the text stands beside it");
    assert!(browser.count(".lines .marked").await > 0, "{}", browser.text().await);
    let first = browser.text_of(".checks li").await;
    assert!(first.contains("fails") && first.contains("Mend it:"), "{first}");
}

async fn a_key_is_revoked_after_a_question(service: &TestService, key: &str) {
    let browser = &service.browser;
    browser.go("/keys").await;
    browser.click(".key a").await;
    browser.sees("Revoke “laptop”?").await;
    assert_eq!(service.app.used(key).await, (1, 1), "a question revokes nothing");
    browser.click("main button").await;
    browser.sees("The key is revoked").await;
    let refused = service.app.get("/api/v1/usage").header("x-api-key", key).send().await.unwrap();
    assert_eq!(refused.status(), 401);
}

async fn the_password_is_changed_and_the_account_deleted(service: &TestService) {
    let browser = &service.browser;
    browser.go("/account").await;
    browser.fill("#current", PASSWORD).await;
    browser.fill("#new", NEW_PASSWORD).await;
    browser.click("form[action='/account/password'] button").await;
    browser.sees("Your password was changed").await;
    browser.click(".menu summary").await;
    browser.click(".leave button").await;
    browser.sees("Make your site readable").await;
    service.log_in(NEW_PASSWORD).await;
    browser.go("/account").await;
    browser.fill("#password", NEW_PASSWORD).await;
    browser.click("form[action='/account/delete'] button").await;
    browser.sees("Your account is deleted").await;
    browser.go("/keys").await;
    assert_eq!(browser.place().await, "/login?next=%2Fkeys");
    assert!(!service.app.command(&["account", "list"]).contains(EMAIL));
}
