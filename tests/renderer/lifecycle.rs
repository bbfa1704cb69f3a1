//! How long a browser lives, and what is left of it.

use std::process::{Child, Command};
use std::time::Duration;

use serde_json::{Value, json};

use crate::command::{Left, Place};
use crate::fake_site::{FakeSite, Reply, page};
use crate::test_app::TestApp;
use crate::{CHROMIUM, with_browser};

/// What nobody may outlive the service by.
const SOON: Duration = Duration::from_secs(5);

/// A site whose only shell never gets its script.
fn stalled() -> FakeSite {
    FakeSite::start(|path| match path {
        "/" => Reply::html("<title>Wait</title><div id=root></div><script src=/slow.js></script>"),
        "/slow.js" => Reply::text("").after(Duration::from_secs(30)),
        _ => Reply::status(404),
    })
}

/// A service that waits for that site, with its browser running.
struct Waiting {
    place: Place,
    service: Child,
    _site: FakeSite,
}

impl Waiting {
    async fn start() -> Self {
        let (site, place) = (stalled(), Place::new());
        let service = place.begin(&site.url());
        place.browser_runs().await;
        Self { place, service, _site: site }
    }

    fn kill(&mut self) {
        kill(&self.service.id().to_string());
        self.service.wait().unwrap();
    }
}

/// Ids of the browser's processes that know the folder of its profile.
fn browsers(place: &Place) -> Vec<String> {
    processes(&place.path("wayfile-browser-").display().to_string())
}

fn kill(process: &str) {
    assert!(Command::new("kill").args(["-9", process]).status().unwrap().success());
}

/// Ids of processes whose command line holds `text`.
fn processes(text: &str) -> Vec<String> {
    let holds = |entry: &std::fs::DirEntry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(text)
    };
    let all = std::fs::read_dir("/proc").unwrap().flatten().filter(holds);
    all.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

#[test]
fn when_the_service_is_killed_its_browser_and_profile_go_too() {
    with_browser(async {
        let mut waiting = Waiting::start().await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        waiting.kill();
        assert_eq!(waiting.place.left_after(SOON).await, Left::default());
    });
}

#[test]
fn next_start_clears_up_after_a_killed_watcher() {
    with_browser(async {
        let mut waiting = Waiting::start().await;
        let children = format!("/proc/{0}/task/{0}/children", waiting.service.id());
        let below = std::fs::read_to_string(children).unwrap();
        let watcher = below.split_whitespace().next().unwrap().to_owned();
        // Stopped, the browser cannot even notice that nobody is there any more.
        for process in browsers(&waiting.place) {
            let _ = Command::new("kill").args(["-STOP", &process]).status();
        }
        kill(&watcher);
        waiting.kill();
        let place = &waiting.place;
        assert_ne!(place.left(), Left::default());
        let simple = FakeSite::start(|path| if path == "/" { page("Home", &[]) } else { Reply::status(404) });
        let ran = place.generate(&simple.url()).await;
        assert!(ran.ok, "{}", ran.said);
        assert_eq!(place.left_after(SOON).await, Left::default());
    });
}

#[test]
fn a_browser_that_dies_is_replaced() {
    with_browser(async {
        let site = FakeSite::start(|path| {
            match path {
            "/" => page("Home", &["/a", "/b"]),
            "/a" | "/b" => Reply::html("<title>Part</title><div id=root></div><script src=/app.js></script>"),
            "/app.js" => Reply::bytes(
                "text/javascript",
                "root.innerHTML = '<h1>Part ' + location.pathname + '</h1><p>It says a thing or two that the other part, \
                 wherever it may be, does not say: ' + location.pathname.repeat(9) + '.</p>'",
            )
            .after(Duration::from_secs(5)),
            _ => Reply::status(404),
        }
        });
        let place = Place::new();
        let url = site.url();
        let running = place.generate(&url);
        let killing = async {
            while site.count("/app.js") == 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            for process in browsers(&place) {
                let _ = Command::new("kill").args(["-9", &process]).status();
            }
        };
        let (ran, ()) = tokio::join!(running, killing);
        assert!(ran.ok, "{}", ran.said);
        assert!(ran.said.contains("2 pages were opened in a browser"), "{}", ran.said);
        assert_eq!(place.left_after(SOON).await, Left::default());
    });
}

#[test]
fn nothing_that_a_page_keeps_is_there_for_another_page_or_crawl() {
    with_browser(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/a", "/b"]),
            "/a" | "/b" => Reply::html(
                "<title>Part</title><div id=root></div><script>(async () => { const kept = [localStorage.seen, document.cookie,\
                 (await indexedDB.databases()).length, (await caches.keys()).length].join('/');\
                 localStorage.seen = 'yes'; document.cookie = 'seen=yes; max-age=9999'; await caches.open('seen');\
                 await new Promise((done) => { indexedDB.open('seen').onsuccess = done; });\
                 const now = [localStorage.seen, document.cookie].join('/');\
                 root.innerHTML = '<h1>Part ' + location.pathname + '</h1><p>What was kept is ' + kept + ' and now it is ' + now\
                   + ', says the page ' + location.pathname + ', which has no more to say than that.</p>'; })()</script>",
            ),
            _ => Reply::status(404),
        });
        let app = TestApp::with(&format!("[browser]\npath = {CHROMIUM:?}\nconcurrency = 1\n"));
        let key = app.key("pro");
        for _ in 0..2 {
            let body = json!({ "url": site.url() });
            let answer = app.generate(&key, &body).header("cache-control", "no-cache").send().await.unwrap();
            let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
            let full = answer["llmsFullTxt"].as_str().unwrap();
            assert_eq!(
                full.matches("What was kept is //0/0 and now it is yes/seen=yes").count(),
                2,
                "{answer:#}"
            );
        }
    });
}

#[test]
fn every_process_of_the_browser_is_sandboxed_and_has_no_network() {
    with_browser(async {
        let mut waiting = Waiting::start().await;
        // A process takes a moment until it has given up what it may do.
        tokio::time::sleep(Duration::from_secs(5)).await;
        let mut renderers = processes("--type=renderer");
        renderers.retain(|id| is_below(id, waiting.service.id()));
        assert!(!renderers.is_empty());
        let own = std::fs::read_link("/proc/self/ns/net").unwrap();
        for id in &renderers {
            let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
            assert!(status.contains("Seccomp:\t2"), "{status}");
            let uid = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap();
            assert!(!uid.split_whitespace().any(|uid| uid == "0"), "{uid}");
            if let Ok(net) = std::fs::read_link(format!("/proc/{id}/ns/net")) {
                assert_ne!(net, own);
            }
        }
        waiting.kill();
    });
}

fn is_below(id: &str, ancestor: u32) -> bool {
    let mut id = id.to_owned();
    loop {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{id}/status")) else { return false };
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim().to_owned();
        if parent == ancestor.to_string() {
            return true;
        }
        if parent == "0" {
            return false;
        }
        id = parent;
    }
}
