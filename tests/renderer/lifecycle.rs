//! How long a browser lives, and what is left of it.

use std::process::Command;
use std::time::Duration;

use crate::command::{Left, Place};
use crate::fake_site::{FakeSite, Reply, page};
use crate::{has_browser, run};

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
    if !has_browser() {
        return;
    }
    run(async {
        let (site, place) = (stalled(), Place::new());
        let mut service = place.begin(&site.url());
        place.browser_runs().await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        kill(&service.id().to_string());
        service.wait().unwrap();
        assert_eq!(place.left_after(SOON).await, Left::default());
    });
}

#[test]
fn next_start_clears_up_after_a_killed_watcher() {
    if !has_browser() {
        return;
    }
    run(async {
        let (site, place) = (stalled(), Place::new());
        let mut service = place.begin(&site.url());
        place.browser_runs().await;
        let below = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", service.id())).unwrap();
        let watcher = below.split_whitespace().next().unwrap().to_owned();
        // Stopped, the browser cannot even notice that nobody is there any more.
        for process in processes(&place.path("wayfile-browser-").display().to_string()) {
            let _ = Command::new("kill").args(["-STOP", &process]).status();
        }
        kill(&watcher);
        kill(&service.id().to_string());
        service.wait().unwrap();
        assert_ne!(place.left(), Left::default());
        let simple = FakeSite::start(|path| if path == "/" { page("Home", &[]) } else { Reply::status(404) });
        let ran = place.generate(&simple.url()).await;
        assert!(ran.ok, "{}", ran.said);
        assert_eq!(place.left_after(SOON).await, Left::default());
    });
}

#[test]
fn a_browser_that_dies_is_replaced() {
    if !has_browser() {
        return;
    }
    run(async {
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
            for process in processes(&place.path("wayfile-browser-").display().to_string()) {
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
fn every_process_of_the_browser_is_sandboxed_and_has_no_network() {
    if !has_browser() {
        return;
    }
    run(async {
        let (site, place) = (stalled(), Place::new());
        let mut service = place.begin(&site.url());
        place.browser_runs().await;
        // A process takes a moment until it has given up what it may do.
        tokio::time::sleep(Duration::from_secs(5)).await;
        let mut renderers = processes("--type=renderer");
        renderers.retain(|id| is_below(id, service.id()));
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
        kill(&service.id().to_string());
        service.wait().unwrap();
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
