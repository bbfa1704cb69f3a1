//! A real Chromium, driven by chromedriver: a few calls of JSON over HTTP, as W3C has them. Where one of the two is
//! missing, the tests say so in one line.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::tool;

/// What a page shows in the end it shows within this time, on a busy machine too.
const TIMEOUT: Duration = Duration::from_mins(1);
/// How often a page is looked at while something is waited for.
const LOOK: Duration = Duration::from_millis(50);
/// How long a browser may take to go.
const LEAVE: Duration = Duration::from_secs(10);
/// What an element is called on the wire.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Whether pages may run scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scripts {
    On,
    Off,
}

/// Which colours somebody likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    Light,
    Dark,
}

impl Scheme {
    pub(crate) const BOTH: [Self; 2] = [Self::Light, Self::Dark];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// How much of a page is pictured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shot {
    Whole,
    /// What fits the screen.
    Screen,
}

/// Where its person lives: five and a half hours before UTC, which no machine that tests has by itself.
const ZONE: &str = "Asia/Kolkata";

/// One browser with a profile of its own; it is closed when dropped.
pub(crate) struct Browser {
    client: Client,
    driver: Child,
    address: String,
    session: String,
    /// Where the service is.
    base: String,
}

impl Browser {
    /// Opens one for the service at `base`; none where it is not installed.
    pub(crate) async fn open(base: &str, scripts: Scripts) -> Option<Self> {
        let mut driver = Command::new("chromedriver");
        driver.arg("--port=0").env("TZ", ZONE).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut driver) = driver.spawn() else {
            tool::missing("chromedriver");
            return None;
        };
        let address = format!("127.0.0.1:{}", port(&mut driver));
        wayfile_actors::http::install_tls_provider();
        let client = Client::builder().no_proxy().build().unwrap();
        let base = base.to_owned();
        let mut browser = Self { client, driver, address, session: String::new(), base };
        // Root may not use the sandbox, and containers have little shared memory.
        let args = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": args}, "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let begun = match browser.try_ask(Method::POST, "/session", &wanted).await {
            Ok(begun) => begun,
            Err(refused) => {
                assert!(refused.contains("Chrome binary"), "{refused}");
                tool::missing("chromium");
                return None;
            }
        };
        browser.session = format!("/session/{}", begun["sessionId"].as_str().unwrap());
        if scripts == Scripts::Off {
            browser.cdp("Emulation.setScriptExecutionDisabled", json!({"value": true})).await;
        }
        Some(browser)
    }

    /// Opens a page: a path of the service.
    pub(crate) async fn go(&self, path: &str) {
        self.tell("/url", &json!({"url": format!("{}{path}", self.base)})).await;
    }

    /// The path and query of the page.
    pub(crate) async fn place(&self) -> String {
        let url = self.get("/url").await;
        url.as_str().unwrap().strip_prefix(&self.base).unwrap_or_default().to_owned()
    }

    /// Presses the first element that `css` selects.
    pub(crate) async fn click(&self, css: &str) {
        self.of(css, Method::POST, "click", &json!({})).await;
    }

    /// Types into a field, in the place of what is there.
    pub(crate) async fn fill(&self, css: &str, text: &str) {
        self.of(css, Method::POST, "clear", &json!({})).await;
        self.of(css, Method::POST, "value", &json!({"text": text})).await;
    }

    /// Everything that the page shows.
    pub(crate) async fn text(&self) -> String {
        self.text_of("body").await
    }

    /// What an element shows.
    pub(crate) async fn text_of(&self, css: &str) -> String {
        self.of(css, Method::GET, "text", &Value::Null).await.as_str().unwrap().to_owned()
    }

    /// An attribute as it stands in the page.
    pub(crate) async fn attribute(&self, css: &str, name: &str) -> Option<String> {
        let value = self.of(css, Method::GET, &format!("attribute/{name}"), &Value::Null).await;
        value.as_str().map(str::to_owned)
    }

    /// How many elements there are.
    pub(crate) async fn count(&self, css: &str) -> usize {
        let found = self.tell("/elements", &json!({"using": "css selector", "value": css})).await;
        found.as_array().unwrap().len()
    }

    /// Waits until the page shows a text.
    pub(crate) async fn sees(&self, text: &str) {
        let since = Instant::now();
        loop {
            let shown = self.text().await;
            if shown.contains(text) {
                return;
            }
            assert!(since.elapsed() < TIMEOUT, "no {text:?} at {}: {shown}", self.place().await);
            tokio::time::sleep(LOOK).await;
        }
    }

    /// What a script in the page returns.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.tell("/execute/sync", &json!({"script": script, "args": []})).await
    }

    /// What a script in the page returns that gives a promise.
    pub(crate) async fn run_async(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {script} }})().then(done, (e) => done(String(e)));"
        );
        self.tell("/execute/async", &json!({"script": script, "args": []})).await
    }

    /// Complaints of the browser since the last question: errors of scripts, and what the page's policy forbade.
    pub(crate) async fn complaints(&self) -> Vec<String> {
        let log = self.tell("/se/log", &json!({"type": "browser"})).await;
        let severe = log.as_array().unwrap().iter().filter(|entry| entry["level"] == "SEVERE");
        severe.map(|entry| entry["message"].as_str().unwrap().to_owned()).collect()
    }

    /// Has pages drawn for a screen and for colours that somebody likes.
    pub(crate) async fn screen(&self, width: u32, height: u32, scheme: Scheme) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.cdp("Emulation.setDeviceMetricsOverride", metrics).await;
        let feature = json!({"name": "prefers-color-scheme", "value": scheme.name()});
        self.cdp("Emulation.setEmulatedMedia", json!({"features": [feature]})).await;
    }

    /// What there is to see, as a PNG in Base64.
    pub(crate) async fn picture(&self, shot: Shot) -> String {
        let mut params = json!({});
        if shot == Shot::Whole {
            let size = self.cdp("Page.getLayoutMetrics", json!({})).await["cssContentSize"].take();
            params = json!({"captureBeyondViewport": true, "clip": {
                "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1,
            }});
        }
        self.cdp("Page.captureScreenshot", params).await["data"].as_str().unwrap().to_owned()
    }

    async fn cdp(&self, command: &str, params: Value) -> Value {
        self.tell("/goog/cdp/execute", &json!({"cmd": command, "params": params})).await
    }

    /// Asks something of the first element that `css` selects, when it is there. A page may go while it is asked.
    async fn of(&self, css: &str, method: Method, what: &str, body: &Value) -> Value {
        let (since, wanted) = (Instant::now(), json!({"using": "css selector", "value": css}));
        loop {
            let found = self.tell("/elements", &wanted).await;
            let mut complaint = format!("no {css}");
            if let Some(element) = found[0][ELEMENT].as_str() {
                let path = format!("{}/element/{element}/{what}", self.session);
                match self.try_ask(method.clone(), &path, body).await {
                    Ok(answer) => return answer,
                    Err(refused) => complaint = refused,
                }
            }
            assert!(since.elapsed() < TIMEOUT, "{complaint} at {}", self.place().await);
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn get(&self, path: &str) -> Value {
        self.ask(Method::GET, &format!("{}{path}", self.session), &Value::Null).await
    }

    async fn tell(&self, path: &str, body: &Value) -> Value {
        self.ask(Method::POST, &format!("{}{path}", self.session), body).await
    }

    async fn ask(&self, method: Method, path: &str, body: &Value) -> Value {
        self.try_ask(method, path, body).await.unwrap_or_else(|refused| panic!("{refused}"))
    }

    async fn try_ask(&self, method: Method, path: &str, body: &Value) -> Result<Value, String> {
        let mut request = self.client.request(method, format!("http://{}{path}", self.address));
        if !body.is_null() {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let answer = request.send().await.unwrap();
        let (status, text) = (answer.status(), answer.text().await.unwrap());
        let value = serde_json::from_str::<Value>(&text).unwrap()["value"].take();
        if status.is_success() {
            Ok(value)
        } else {
            Err(format!("{path}: {}: {}", value["error"], value["message"]))
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver must end the browser itself, or both stay.
        if let Ok(mut stream) = TcpStream::connect(&self.address) {
            let _ = stream.set_read_timeout(Some(LEAVE));
            let (session, address) = (&self.session, &self.address);
            let _ =
                write!(stream, "DELETE {session} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
            let _ = stream.read(&mut [0; 64]);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The driver says at which port it listens.
fn port(driver: &mut Child) -> u16 {
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
    let said = lines.into_iter().find_map(|line| {
        line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
    });
    said.expect("chromedriver says where it listens")
}
