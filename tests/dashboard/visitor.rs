//! Somebody with a browser: keeps the session's cookie, sends forms as pages of the service do.

use reqwest::header::{CONTENT_TYPE, COOKIE, HeaderMap, LOCATION, SET_COOKIE};
use reqwest::{Client, Method, RequestBuilder, Response};

use crate::PASSWORD;
use crate::test_app::TestApp;

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Where it leads, when it leads on.
    pub(crate) to: Option<String>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) async fn of(response: Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let to = headers.get(LOCATION).map(|place| place.to_str().unwrap().to_owned());
        Self { status, to, headers, body: response.text().await.unwrap() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

pub(crate) struct Visitor {
    base: String,
    client: Client,
    /// The session's cookie: name and value, as browsers send it.
    pub(crate) cookie: Option<String>,
}

impl Visitor {
    pub(crate) fn new(app: &TestApp) -> Self {
        Self { base: app.url.clone(), client: app.client.clone(), cookie: None }
    }

    /// Another browser with the same cookie.
    pub(crate) fn copy(&self) -> Self {
        Self { base: self.base.clone(), client: self.client.clone(), cookie: self.cookie.clone() }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        match &self.cookie {
            Some(cookie) => request.header(COOKIE, cookie),
            None => request,
        }
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    /// A form as it is sent from anywhere: the caller says where.
    pub(crate) fn form(&self, path: &str, fields: &[(&str, &str)]) -> RequestBuilder {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self.request(Method::POST, path);
        request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body)
    }

    /// A form from a page of the service.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.send(self.form(path, fields).header("sec-fetch-site", "same-origin")).await
    }

    /// Keeps the cookie that comes back, as browsers do.
    pub(crate) async fn send(&mut self, request: RequestBuilder) -> Answer {
        let answer = Answer::of(request.send().await.unwrap()).await;
        if let Some(set) = answer.headers.get(SET_COOKIE) {
            let pair = set.to_str().unwrap().split(';').next().unwrap().to_owned();
            self.cookie = (!pair.ends_with('=')).then_some(pair);
        }
        answer
    }

    pub(crate) async fn sign_up(&mut self, email: &str, password: &str) -> Answer {
        self.post("/signup", &[("email", email), ("password", password)]).await
    }

    /// Opens the link of a mail and confirms it with the password of most tests.
    pub(crate) async fn confirm(&mut self, link: &str) -> Answer {
        assert_eq!(self.get(link).await.status, 200);
        self.post("/verify", &[("token", token(link)), ("password", PASSWORD)]).await
    }

    pub(crate) async fn log_in(&mut self, email: &str, password: &str) -> Answer {
        self.post("/login", &[("email", email), ("password", password)]).await
    }

    /// Whether the session is good.
    pub(crate) async fn is_in(&mut self) -> bool {
        let answer = self.get("/account").await;
        assert!(matches!(answer.status, 200 | 303), "{}", answer.status);
        answer.status == 200
    }
}

/// The secret of a link.
pub(crate) fn token(link: &str) -> &str {
    link.split_once("?token=").unwrap().1
}
