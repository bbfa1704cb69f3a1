//! One page in the browser, from its opening to the document that it shows.
//!
//! It has a browser context of its own, which goes with it. What it does is told as events; whatever it asks for, it waits for
//! our answer. It is taken to be done when it waits for nothing and has not changed for a moment.

use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{sleep_until, timeout};
use wayfile_core::url::SiteUrl;

use super::connection::{Connection, ProtocolEvent};
use super::requests::Requests;
use super::{Opened, RenderError, RenderResult, Rendered};

/// A page that has waited for nothing for this long is quiet.
const QUIET: Duration = Duration::from_millis(300);
/// What a page shows when its time is up is had within this time, or not at all.
const GRACE: Duration = Duration::from_secs(2);
/// A page is open no longer than this many times its own time, whatever it waits for.
const LONGEST: u32 = 4;
/// How often the end of a page that grows is looked for.
const MAX_SCROLLS: usize = 10;
/// Routes of scripts that are kept of one page.
const MAX_ROUTES: usize = 200;

/// Before any script of the page runs: no dialogs, and no requests past us.
const PRELUDE: &str = include_str!("prelude.js");
/// What is asked of a page's elements, whatever it has named after the answers.
const ASK: &str = include_str!("ask.js");
/// Waits until the page has text that does not change.
const SETTLE: &str = include_str!("settle.js");
/// Goes to the end of the page, and says whether that made it ask for more or grow.
const SCROLL: &str = include_str!("scroll.js");
/// Copies the document and marks what may be a link of a script.
const CAPTURE: &str = include_str!("capture.js");
/// Tries the marked elements, and says where each leads.
const ROUTES: &str = include_str!("routes.js");
/// Writes those addresses into the copy and returns it, unless it is too large.
const FINISH: &str = include_str!("finish.js");

/// A page in the browser; gone when dropped, whatever it does.
pub(super) struct Tab {
    begun: Instant,
    connection: Connection,
    context: String,
    /// The id of its main frame.
    frame: String,
    session: String,
    /// Those of its frames and workers.
    sessions: Vec<String>,
    events: mpsc::Receiver<ProtocolEvent>,
    sender: mpsc::Sender<ProtocolEvent>,
    requests: Requests,
    clock: Clock,
    /// The document has been read to its end.
    is_parsed: bool,
    /// When that was, or when something last came of a request.
    last: Instant,
    /// Where the page went, or tried to.
    led: Vec<SiteUrl>,
    /// Addresses that its scripts gave it.
    routes: Vec<String>,
    /// The folder of the first Markdown that it loaded.
    sources: Option<SiteUrl>,
}

impl Drop for Tab {
    fn drop(&mut self) {
        for session in self.sessions.iter().chain([&self.session]) {
            self.connection.leave(session);
        }
        let context = json!({ "browserContextId": self.context });
        self.connection.tell(None, "Target.disposeBrowserContext", context);
    }
}

impl Tab {
    /// Opens an empty page that asks for nothing without us.
    pub(super) async fn open(
        connection: &Connection,
        time: Duration,
        requests: Requests,
    ) -> RenderResult<Self> {
        let opened = timeout(time, Self::make(connection.clone(), time, requests)).await;
        opened.unwrap_or_else(|_| {
            // A browser that opens no page is of no use to others either.
            connection.close();
            Err(RenderError::Died)
        })
    }

    async fn make(connection: Connection, time: Duration, requests: Requests) -> RenderResult<Self> {
        let begun = Instant::now();
        let text =
            |value: &Value, name: &str| value[name].as_str().map(str::to_owned).ok_or(RenderError::Broken);
        let made = connection.ask(None, "Target.createBrowserContext", json!({ "disposeOnDetach": true }));
        let context = text(&made.await?, "browserContextId")?;
        let target = json!({ "url": "about:blank", "browserContextId": context });
        let frame = text(&connection.ask(None, "Target.createTarget", target).await?, "targetId")?;
        let attach = json!({ "targetId": frame, "flatten": true });
        let session = text(&connection.ask(None, "Target.attachToTarget", attach).await?, "sessionId")?;
        let (sender, events) = connection.listen(&session);
        let mut tab = Self {
            begun,
            connection,
            context,
            frame,
            session,
            sessions: Vec::new(),
            events,
            sender,
            requests,
            clock: Clock::new(time),
            is_parsed: false,
            last: begun,
            led: Vec::new(),
            routes: Vec::new(),
            sources: None,
        };
        let download = json!({ "behavior": "deny", "browserContextId": tab.context });
        tab.connection.tell(None, "Browser.setDownloadBehavior", download);
        let size = json!({ "width": 1280, "height": 2000, "deviceScaleFactor": 1, "mobile": false });
        tab.tell("Emulation.setDeviceMetricsOverride", size);
        tab.tell("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        let needed = [
            ("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] })),
            ("Page.enable", json!({})),
            ("Inspector.enable", json!({})),
            ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": PRELUDE })),
            ("Target.setAutoAttach", auto_attach()),
        ];
        let asked = needed.map(|(method, params)| tab.connection.ask(Some(&tab.session), method, params));
        try_join_all(asked).await?;
        tab.clock = Clock::new(time);
        Ok(tab)
    }

    /// What the page at `url` shows, up to so many bytes.
    pub(super) async fn show(mut self, url: &SiteUrl, max_bytes: usize) -> RenderResult<Rendered> {
        self.tell("Page.navigate", json!({ "url": url.as_str() }));
        match self.settle().await {
            // A page that goes elsewhere takes our world with it: it is read as it stands.
            Ok(()) | Err(RenderError::Broken) => {}
            Err(RenderError::TimedOut) => self.clock = Clock::new(GRACE),
            Err(error) => return Err(error),
        }
        let leads_to = self.led.first().cloned();
        let world = self.world().await?;
        let marked = self.evaluate(&format!("({CAPTURE})()"), Some(world)).await?;
        let sources = self.sources.take();
        let copy = Copy { world, folder: json!(sources.as_ref().map(SiteUrl::as_str)), max_bytes };
        let mut html = self.write(&copy, &json!({})).await?;
        let mut unexplored = None;
        if marked != json!(0) {
            // Whatever a click does, the page has been read.
            match self.explore(&copy).await {
                Ok(Some(explored)) => html = explored,
                Ok(None) => {}
                Err(error) => unexplored = Some(error),
            }
        }
        let opened = Opened { took: self.begun.elapsed(), unexplored };
        Ok(Rendered { html: html.into(), leads_to, sources, opened })
    }

    /// Clicks on what may be a link of a script; the copy with what was found so, if anything was.
    async fn explore(&mut self, copy: &Copy) -> RenderResult<Option<String>> {
        let found = self.evaluate(&format!("({ROUTES})()"), None).await?;
        if found == json!({}) && self.led.is_empty() && self.routes.is_empty() {
            return Ok(None);
        }
        self.clock = Clock::new(GRACE);
        self.write(copy, &found).await.map(Some)
    }

    /// The copy, with where marked elements lead and the addresses that the page has given itself since it was asked last.
    async fn write(&mut self, copy: &Copy, found: &Value) -> RenderResult<String> {
        let led = self.led.drain(..).map(|url| url.to_string());
        let routes = json!(self.routes.drain(..).chain(led).collect::<Vec<_>>());
        let Copy { world, folder, max_bytes } = copy;
        let asked = format!("({FINISH})({found}, {routes}, {folder}, {max_bytes})");
        let html = self.evaluate(&asked, Some(*world)).await?;
        html.as_str().map(str::to_owned).ok_or(RenderError::TooLarge)
    }

    /// Waits until the page has shown what it shows, down to its end.
    async fn settle(&mut self) -> RenderResult {
        self.quiet().await?;
        for _ in 0..MAX_SCROLLS {
            let world = self.world().await?;
            self.evaluate(SETTLE, Some(world)).await?;
            self.quiet().await?;
            let before = self.last;
            let grew = self.evaluate(SCROLL, Some(world)).await?;
            if grew != json!(true) && self.last == before && self.requests.is_idle() {
                return Ok(());
            }
            self.quiet().await?;
        }
        Ok(())
    }

    /// Waits until the page waits for nothing for a while.
    async fn quiet(&mut self) -> RenderResult {
        loop {
            if !self.is_parsed || !self.requests.is_idle() {
                self.step().await?;
                continue;
            }
            let quiet = self.last + QUIET;
            tokio::select! {
                step = self.step() => step?,
                () = sleep_until(quiet.into()) => return Ok(()),
            }
        }
    }

    /// A world of our own in the page, where its scripts have changed nothing.
    async fn world(&mut self) -> RenderResult<u64> {
        let asked = json!({ "frameId": self.frame, "worldName": "wayfile" });
        let made = self.ask("Page.createIsolatedWorld", asked).await?;
        made["executionContextId"].as_u64().ok_or(RenderError::Broken)
    }

    async fn evaluate(&mut self, script: &str, world: Option<u64>) -> RenderResult<Value> {
        let script = format!("(() => {{ {ASK} return {script} }})()");
        let mut asked = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        if let Some(world) = world {
            asked["contextId"] = world.into();
        }
        let mut answer = self.ask("Runtime.evaluate", asked).await?;
        if answer.get("exceptionDetails").is_some() {
            return Err(RenderError::Broken);
        }
        Ok(answer["result"]["value"].take())
    }

    /// Asks the page for something, and serves it until the answer comes.
    async fn ask(&mut self, method: &str, params: Value) -> RenderResult<Value> {
        let mut answer = Box::pin(self.connection.ask(Some(&self.session), method, params));
        loop {
            tokio::select! {
                answer = &mut answer => return answer,
                step = self.step() => step?,
            }
        }
    }

    async fn step(&mut self) -> RenderResult {
        self.clock.stand_still(!self.requests.is_idle());
        tokio::select! {
            event = self.events.recv() => match event {
                Some(event) => self.take(event),
                None if self.connection.is_closed() => Err(RenderError::Died),
                None => Err(RenderError::Crashed),
            },
            markdown = self.requests.next() => {
                self.sources = self.sources.take().or_else(|| markdown?.join(".").ok());
                self.last = Instant::now();
                Ok(())
            }
            () = sleep_until(self.clock.end().into()) => Err(RenderError::TimedOut),
        }
    }

    fn take(&mut self, event: ProtocolEvent) -> RenderResult {
        match event.method.as_str() {
            "Fetch.requestPaused" => {
                let led = self.requests.take(event, &self.frame, &self.connection);
                self.led.extend(led.filter(|_| self.led.len() < MAX_ROUTES));
            }
            // An empty page was there before.
            "Page.domContentEventFired" if self.requests.is_shown && *event.session == *self.session => {
                (self.is_parsed, self.last) = (true, Instant::now());
            }
            "Target.attachedToTarget" => self.attach(&event),
            "Page.navigatedWithinDocument" if event.params["frameId"] == self.frame.as_str() => {
                let url = event.params["url"].as_str().filter(|_| self.routes.len() < MAX_ROUTES);
                self.routes.extend(url.map(str::to_owned));
            }
            "Page.javascriptDialogOpening" => {
                let no = json!({ "accept": false });
                self.connection.tell(Some(&event.session), "Page.handleJavaScriptDialog", no);
            }
            "Inspector.targetCrashed" if *event.session == *self.session => {
                return Err(RenderError::Crashed);
            }
            _ => {}
        }
        Ok(())
    }

    /// A frame or a worker begins, and waits until we listen to it.
    fn attach(&mut self, event: &ProtocolEvent) {
        let Some(session) = event.params["sessionId"].as_str() else { return };
        let connection = &self.connection;
        connection.join(session, self.sender.clone());
        self.sessions.push(session.to_owned());
        // A worker has no requests of its own: those are paused where the page's are.
        connection.tell(Some(session), "Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] }));
        connection.tell(Some(session), "Target.setAutoAttach", auto_attach());
        connection.tell(Some(session), "Runtime.runIfWaitingForDebugger", json!({}));
    }

    fn tell(&self, method: &str, params: Value) {
        self.connection.tell(Some(&self.session), method, params);
    }
}

fn auto_attach() -> Value {
    json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true })
}

/// The time of a page, which stands still while the page waits for us.
struct Clock {
    left: Duration,
    runs_since: Option<Instant>,
    longest: Instant,
}

impl Clock {
    fn new(time: Duration) -> Self {
        let now = Instant::now();
        Self { left: time, runs_since: Some(now), longest: now + time * LONGEST }
    }

    fn stand_still(&mut self, still: bool) {
        let now = Instant::now();
        match self.runs_since {
            Some(since) if still => {
                self.left = self.left.saturating_sub(now - since);
                self.runs_since = None;
            }
            None if !still => self.runs_since = Some(now),
            _ => {}
        }
    }

    fn end(&self) -> Instant {
        self.runs_since.map_or(self.longest, |since| (since + self.left).min(self.longest))
    }
}

/// The copy of a document, in the world that holds it.
struct Copy {
    world: u64,
    /// The folder of the Markdown that the page is made of.
    folder: Value,
    max_bytes: usize,
}
