//! The dashboard over real HTTP: the real binary, a real mail server, and every test on a real SQLite and a PostgreSQL of
//! its own.

#![expect(clippy::unwrap_used, reason = "what is wrong here must stop it at once, with its place")]

#[path = "../support/both_stores.rs"]
mod both_stores;
#[path = "../support/fake_site.rs"]
#[allow(dead_code, reason = "shared with the tests of the engine, which look at other sides of it")]
mod fake_site;
#[path = "../support/mail_server.rs"]
mod mail_server;
#[path = "../support/postgres.rs"]
#[allow(dead_code, reason = "shared with the tests of the store, which make backups")]
mod postgres;
#[path = "../support/test_app.rs"]
#[allow(dead_code, reason = "shared with the tests of the API, which look at other sides of it")]
mod test_app;

mod account;
mod assets;
mod enumeration;
mod forgery;
mod headers;
mod keys;
mod mail;
mod markup;
mod overview;
mod playground;
mod runs;
mod sessions;
mod sign_up;
mod throttle;
mod visitor;

use both_stores::on_both;
use mail_server::MailServer;
use sqlx::{AnyConnection, Connection, Row};
use tempfile::TempDir;
use test_app::TestApp;
use visitor::Visitor;

const PASSWORD: &str = "tide tables, harbour 7";

/// Where one test's store lies.
struct Place {
    written: String,
    _folder: Option<TempDir>,
}

/// The service, and the server that takes its mails.
struct TestService {
    app: TestApp,
    mail: MailServer,
    place: Place,
}

impl Place {
    fn new(written: String, folder: Option<TempDir>) -> Self {
        Self { written, _folder: folder }
    }

    /// Starts the service on this store, with lines of TOML that go over the settings of all tests.
    fn app(&self, settings: &str) -> TestApp {
        TestApp::with(&format!("{settings}\n[database]\nurl = {:?}\n", self.written))
    }

    async fn service(self, settings: &str) -> TestService {
        let mail = MailServer::start().await;
        let app =
            self.app(&format!("mail.smtp_url = {:?}\nmail.first_wait = \"0s\"\n{settings}", mail.url()));
        TestService { app, mail, place: self }
    }

    async fn raw(&self) -> AnyConnection {
        sqlx::any::install_default_drivers();
        AnyConnection::connect(&self.written).await.unwrap()
    }

    /// Changes the store past the service, as time would.
    async fn change(&self, sql: &'static str) {
        sqlx::query(sql).execute(&mut self.raw().await).await.unwrap();
    }

    async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query(sql).fetch_one(&mut self.raw().await).await.unwrap().try_get(0).unwrap()
    }
}

impl TestService {
    fn visitor(&self) -> Visitor {
        Visitor::new(&self.app)
    }

    /// Somebody with an account and a session.
    async fn person(&self, email: &str) -> Visitor {
        let mut visitor = self.visitor();
        visitor.sign_up(email, PASSWORD).await;
        let link = self.mail.last_to(email, 1).await.link("/verify");
        let answer = visitor.confirm(&link).await;
        assert_eq!((answer.status, answer.to.as_deref()), (303, Some("/overview")), "{}", answer.body);
        visitor
    }
}
