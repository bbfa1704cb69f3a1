//! Pictures of every page, for people to look at: `.ci/pictures` has them made.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use sqlx::Connection;

use crate::browser::{Browser, Scheme, Scripts, Shot};
use crate::fake_site::{FakeSite, Reply, numbered};
use crate::journey::fetched;
use crate::{EMAIL, PASSWORD, TestService, run};

/// Names the folder that they go to.
const FOLDER: &str = "WAYFILE_PICTURES";
/// A month that looks like one: days, files made, validations.
const MONTH: &str = "WITH RECURSIVE ago (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM ago WHERE n < 29) \
    INSERT OR REPLACE INTO day_usage (key_id, day, endpoint, settled) \
    SELECT 1, CAST(strftime('%Y%m%d', 'now', '-' || n || ' days') AS INTEGER), endpoint, (n * n * 7 + 3 * n) % most \
    FROM ago, (SELECT 'generate' AS endpoint, 5 AS most UNION ALL SELECT 'validate', 23)";
const SPENT: &str = "INSERT OR REPLACE INTO month_usage (key_id, month, endpoint, carried, settled, reserved) \
    VALUES (1, CAST(strftime('%Y%m', 'now') AS INTEGER), 'generate', 0, 83, 0), \
    (1, CAST(strftime('%Y%m', 'now') AS INTEGER), 'validate', 0, 412, 0)";

/// The sample site of `wayfile demo`.
fn sample() -> FakeSite {
    FakeSite::start(|path| {
        let name = path.trim_start_matches('/');
        let index = if name.is_empty() || name.ends_with('/') { "index.html" } else { "" };
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/demo/site").join(format!("{name}{index}"));
        let is_page = file.extension().is_some_and(|extension| extension == "html");
        let kind = if is_page { "text/html; charset=utf-8" } else { "text/plain; charset=utf-8" };
        std::fs::read(file).map_or_else(|_| Reply::status(404), |page| Reply::bytes(kind, page))
    })
}

struct Album {
    folder: PathBuf,
}

impl Album {
    /// The page as it is, on a phone and on a wide screen, light and dark.
    async fn add(&self, browser: &Browser, name: &str) {
        for scheme in Scheme::BOTH {
            for width in [390, 1440] {
                browser.screen(width, 900, scheme).await;
                let picture = browser.picture(Shot::Whole).await;
                self.keep(&format!("{name}-{width}-{}.png", scheme.name()), &picture);
            }
        }
    }

    fn keep(&self, name: &str, picture: &str) {
        let file = File::create(self.folder.join(name)).unwrap();
        let mut decoder =
            Command::new("base64").arg("-d").stdin(Stdio::piped()).stdout(file).spawn().unwrap();
        decoder.stdin.take().unwrap().write_all(picture.as_bytes()).unwrap();
        assert!(decoder.wait().unwrap().success());
    }
}

#[test]
#[ignore = "makes pictures; .ci/pictures runs it"]
fn every_page_is_pictured() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("WAYFILE_PICTURES names a folder"));
    std::fs::create_dir_all(&folder).unwrap();
    let album = Album { folder };
    run(async {
        let Some(service) = TestService::open(Scripts::On).await else { return };
        let browser = &service.browser;
        for (path, name) in [
            ("/", "landing"),
            ("/docs", "reference"),
            ("/signup", "sign-up"),
            ("/login", "log-in"),
            ("/forgot", "forgotten"),
            ("/keys/0/0/revoke", "error"),
        ] {
            browser.go(path).await;
            album.add(browser, name).await;
        }
        browser.go("/signup").await;
        browser.fill("#email", "ada").await;
        browser.fill("#password", "short").await;
        browser.click("main button").await;
        browser.sees("attention").await;
        album.add(browser, "sign-up-faults").await;
        service.ask_for_account().await;
        browser.go(&service.mail.last_to(EMAIL, 1).await.link("/verify")).await;
        album.add(browser, "verify").await;
        browser.fill("#password", PASSWORD).await;
        browser.click("main button").await;
        browser.sees("Quick start").await;
        album.add(browser, "overview-empty").await;
        browser.go("/forgot").await;
        browser.fill("#email", EMAIL).await;
        browser.click("main form button").await;
        browser.go(&service.mail.last_to(EMAIL, 2).await.link("/reset")).await;
        album.add(browser, "reset").await;
        service.app.command(&["account", "plan", "--email", EMAIL, "--plan", "starter"]);
        for (path, name) in
            [("/keys", "keys-empty"), ("/usage", "usage-empty"), ("/playground", "playground-empty")]
        {
            browser.go(path).await;
            album.add(browser, name).await;
        }
        service.make_key("laptop").await;
        album.add(browser, "key-made").await;
        service.make_key("build server").await;
        used(&service).await;
        for (path, name) in [("/keys", "keys"), ("/usage", "usage"), ("/account", "account")] {
            browser.go(path).await;
            album.add(browser, name).await;
        }
        in_the_playground(&album, &service).await;
    });
}

/// Writes a month of use into the store, as time would.
async fn used(service: &TestService) {
    sqlx::any::install_default_drivers();
    let url = format!("sqlite://{}", service.app.store().display());
    let mut store = sqlx::AnyConnection::connect(&url).await.unwrap();
    for change in [MONTH, SPENT] {
        sqlx::query(change).execute(&mut store).await.unwrap();
    }
}

async fn in_the_playground(album: &Album, service: &TestService) {
    let (browser, site) = (&service.browser, sample());
    browser.go("/keys").await;
    browser.click(".key a").await;
    browser.sees("cannot be undone").await;
    album.add(browser, "revoke").await;
    browser.go("/playground").await;
    album.add(browser, "playground").await;
    browser.fill("#url", "http://127.0.0.1:9/").await;
    browser.click("#generate button").await;
    browser.sees("attention").await;
    album.add(browser, "playground-fault").await;
    let slow = FakeSite::start(|path| numbered(path, 40).after(Duration::from_millis(400)));
    browser.fill("#url", &slow.url()).await;
    browser.click("#generate button").await;
    fetched(browser, 9..40).await;
    album.add(browser, "live").await;
    browser.click("#stop").await;
    browser.fill("#url", &site.url()).await;
    browser.click(".more summary").await;
    browser.fill("#instructions", "Prefer the quick start for examples.").await;
    browser.click("#generate button").await;
    browser.sees("listed in this file").await;
    album.add(browser, "files").await;
    browser.screen(1280, 1340, Scheme::Light).await;
    browser.run("scrollTo(0, 0)").await;
    album.keep("dashboard.png", &browser.picture(Shot::Screen).await);
    let made = browser.run("return document.querySelector('.file pre').textContent").await;
    browser.go("/playground/validate").await;
    album.add(browser, "validate").await;
    let file = FakeSite::start(move |path| match path {
        "/llms.txt" => Reply::text(made.as_str().unwrap()),
        _ => Reply::status(404),
    });
    browser.fill("#url", &file.url()).await;
    browser.click("main form button").await;
    browser.sees("Verdict").await;
    album.add(browser, "verdict").await;
    browser.go("/docs").await;
    album.add(browser, "reference-inside").await;
    browser.go("/overview").await;
    album.add(browser, "overview").await;
    browser.click(".menu summary").await;
    album.add(browser, "menu").await;
    for path in ["/runs", "/runs?site=nobody"] {
        browser.go(path).await;
        album.add(browser, &path.replace(|c: char| !c.is_ascii_alphanumeric(), "-")).await;
    }
    browser.go("/runs?ended=good").await;
    browser.click("main tr:last-child th a").await;
    album.add(browser, "run").await;
    browser.go("/runs?ended=bad").await;
    browser.click("main th a").await;
    album.add(browser, "run-failed").await;
}
