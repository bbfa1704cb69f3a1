//! What strangers write stays text, whatever it looks like.

use serde_json::json;

use crate::browser::{Browser, Scripts};
use crate::fake_site::{FakeSite, Reply};
use crate::{TestService, run};

const MARKUP: &str =
    "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>'\"><b id=planted>";

/// A site whose every word is markup.
fn hostile() -> FakeSite {
    FakeSite::start(|path| match path {
        "/" => {
            let text = MARKUP.replace('&', "&amp;").replace('<', "&lt;");
            Reply::html(format!(
                "<!doctype html><title>{text}</title><main><h1>{text}</h1><p>{text} is what this page says, and it says \
                 so at some length, so that it is a page: {text}</p></main>"
            ))
        }
        "/llms.txt" => {
            Reply::text(format!("{MARKUP}\n\n# {MARKUP}\n\n## {MARKUP}\n\n- [{MARKUP}](x y)\n- {MARKUP}\n"))
        }
        _ => Reply::status(404),
    })
}

#[test]
fn a_keys_name_a_site_and_instructions_are_never_markup() {
    run(async {
        for scripts in [Scripts::On, Scripts::Off] {
            let Some(service) = TestService::with_person(scripts).await else { return };
            let (browser, site) = (&service.browser, hostile());
            service.make_key(MARKUP.get(..90).unwrap()).await;
            is_text(browser).await;
            for page in ["/keys", "/usage", "/overview", "/runs"] {
                browser.go(page).await;
                is_text(browser).await;
            }
            browser.go("/playground").await;
            browser.fill("#url", &site.url()).await;
            browser.click(".more summary").await;
            browser.fill("#instructions", MARKUP).await;
            browser.click("#generate button").await;
            browser.sees("The files").await;
            browser.sees("onerror").await;
            is_text(browser).await;
            browser.go("/playground/validate").await;
            browser.fill("#url", &site.url()).await;
            browser.click("main form button").await;
            browser.sees("Verdict").await;
            is_text(browser).await;
            browser.go("/playground/validate").await;
            browser.fill("#content", MARKUP).await;
            browser.click("main form button").await;
            browser.sees("Verdict").await;
            is_text(browser).await;
            browser.go("/keys").await;
            browser.click(".key a").await;
            browser.sees("Revoke").await;
            is_text(browser).await;
            assert_eq!(browser.complaints().await, Vec::<String>::new(), "not even tried");
        }
    });
}

async fn is_text(browser: &Browser) {
    let grown = "return document.querySelectorAll('#planted, main img, body script').length";
    assert_eq!(browser.run(grown).await, json!(0), "{}", browser.text().await);
    assert!(!browser.run("return document.title").await.as_str().unwrap().contains("owned"));
}
