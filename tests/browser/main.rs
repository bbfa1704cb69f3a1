//! The dashboard in a real Chromium: the real binary, a real mail server, real sites on loopback.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "what is wrong here must stop it at once, with its place"
)]

#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/fake_site.rs"]
#[allow(dead_code, reason = "shared with the tests of the engine, which look at other sides of it")]
mod fake_site;
#[path = "../support/mail_server.rs"]
#[allow(dead_code, reason = "shared with the tests of the dashboard, whose server turns mails away")]
mod mail_server;
#[path = "../support/test_app.rs"]
#[allow(dead_code, reason = "shared with the tests of the API, which look at other sides of it")]
mod test_app;
#[path = "../support/tool.rs"]
#[allow(dead_code, reason = "shared with the tests that run programs of others")]
mod tool;

mod axe;
mod journey;
mod markup;
mod pictures;

use std::future::Future;

use browser::{Browser, Scripts};
use mail_server::MailServer;
use test_app::TestApp;

const EMAIL: &str = "ada@example.org";
const PASSWORD: &str = "tide tables, harbour 7";

/// The service, the server that takes its mails, and a browser.
struct TestService {
    app: TestApp,
    mail: MailServer,
    browser: Browser,
}

impl TestService {
    /// `None`: there is no browser.
    async fn open(scripts: Scripts) -> Option<Self> {
        let mail = MailServer::start().await;
        let app = TestApp::with(&format!("mail.smtp_url = {:?}\nmail.first_wait = \"0s\"", mail.url()));
        let browser = Browser::open(&app.url, scripts).await?;
        Some(Self { app, mail, browser })
    }

    /// Somebody who signed up in the browser and confirmed the address, which logs in.
    async fn with_person(scripts: Scripts) -> Option<Self> {
        let service = Self::open(scripts).await?;
        service.sign_up().await;
        Some(service)
    }

    async fn ask_for_account(&self) {
        let browser = &self.browser;
        browser.go("/").await;
        browser.click("main a[href='/signup']").await;
        browser.fill("#email", EMAIL).await;
        browser.fill("#password", PASSWORD).await;
        browser.click("main button").await;
    }

    async fn sign_up(&self) {
        let browser = &self.browser;
        self.ask_for_account().await;
        let link = self.mail.last_to(EMAIL, 1).await.link("/verify");
        browser.go(&link).await;
        browser.fill("#password", PASSWORD).await;
        browser.click("main button").await;
        browser.sees("Quick start").await;
    }

    async fn log_in(&self, password: &str) {
        let browser = &self.browser;
        browser.go("/login").await;
        browser.fill("#email", EMAIL).await;
        browser.fill("#password", password).await;
        browser.click("main button").await;
        browser.sees("Overview").await;
    }

    /// Makes a key in the browser; the key, as it was shown.
    async fn make_key(&self, name: &str) -> String {
        let browser = &self.browser;
        browser.go("/keys").await;
        browser.fill("#name", name).await;
        browser.click("main form button").await;
        browser.sees("only time you see it").await;
        browser.text_of("#secret").await
    }
}

fn run<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    actix::System::with_tokio_rt(|| runtime).block_on(test)
}
