//! Pages that mean harm: none reaches what is private, and none holds up the others.

use std::net::{TcpListener, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::command::{Left, Place};
use crate::fake_site::{FakeSite, Reply, page};
use crate::with_browser;

/// An address of this machine that is not opened.
const PRIVATE: &str = "127.0.0.9:0";

/// Somebody who counts who comes, over TCP and UDP, on a private address.
struct Private {
    port: u16,
    hits: Arc<AtomicUsize>,
    datagrams: UdpSocket,
}

impl Private {
    fn listen() -> Self {
        let listener = TcpListener::bind(PRIVATE).unwrap();
        let port = listener.local_addr().unwrap().port();
        let datagrams = UdpSocket::bind(("127.0.0.9", port)).unwrap();
        datagrams.set_nonblocking(true).unwrap();
        let hits = Arc::new(AtomicUsize::new(0));
        let counted = hits.clone();
        std::thread::spawn(move || {
            for _ in listener.incoming() {
                counted.fetch_add(1, Ordering::Relaxed);
            }
        });
        Self { port, hits, datagrams }
    }

    fn was_reached(&self) -> bool {
        self.hits.load(Ordering::Relaxed) > 0 || self.datagrams.recv(&mut [0; 64]).is_ok()
    }
}

fn hostile(script: &str) -> Reply {
    Reply::html(format!("<title>Trap</title><div id=root></div><script>{script}</script>"))
}

/// A page that shows its text, whatever became of what it tried.
fn trying(script: &str) -> Reply {
    hostile(&format!(
        "root.innerHTML = '<h1>Harmless</h1><p>Words that are here whatever became of the rest: ' + location.pathname + \
         ' has some more of them, so that it is a page.</p>'; {script}"
    ))
}

#[test]
fn pages_that_never_rest_end_in_time_and_others_are_read() {
    with_browser(async {
        let traps =
            ["/loop", "/alerts", "/nodes", "/windows", "/memory", "/reload", "/workers", "/late", "/flood"];
        let site = FakeSite::start(move |path| match path {
            "/" => page("Home", &[&traps[..], &["/good"]].concat()),
            "/loop" => hostile("for (;;) {}"),
            "/alerts" => trying(
                "for (let n = 0; n < 1000; n++) { alert(n); confirm(n); prompt(n); } onbeforeunload = () => 'no';",
            ),
            "/nodes" => trying(
                "setInterval(() => { for (let n = 0; n < 1000; n++) document.body.append(document.createElement('i')); }, 100)",
            ),
            "/windows" => trying(
                "for (let n = 0; n < 200; n++) { window.open('/windows?' + n); const f = document.createElement('iframe'); f.src = '/windows?f' + n; document.body.append(f); }",
            ),
            "/memory" => {
                hostile("const held = []; setInterval(() => held.push(new Uint8Array(64 << 20).fill(7)), 10)")
            }
            "/reload" => hostile("location.reload()"),
            "/workers" => trying(
                "for (let n = 0; n < 20; n++) new Worker(URL.createObjectURL(new Blob(['for (;;) {}'])));",
            ),
            "/late" => hostile("setInterval(() => fetch('/slow?' + Math.random()), 50)"),
            "/flood" => trying("for (let n = 0; n < 3000; n++) fetch('/flooded?' + n).catch(() => 0)"),
            "/good" => trying(""),
            _ if path.starts_with("/slow") => Reply::text("slow").after(Duration::from_millis(100)),
            _ if path.starts_with("/flooded") => Reply::text("more"),
            _ => Reply::status(404),
        });
        let place = Place::with("[browser]\ntimeout = \"5s\"\nmemory = \"700MiB\"\nrequests_per_page = 50\n");
        let ran = place.generate(&site.url()).await;
        assert!(ran.ok, "{}", ran.said);
        assert_eq!(ran.outcome("/good")["outcome"], "kept", "{:#}", ran.report);
        assert_eq!(ran.outcome("/loop")["browser"]["failed"], "took too long");
        assert_eq!(ran.outcome("/memory")["outcome"], "leftOut");
        assert!(ran.took < Duration::from_secs(100), "{:?}", ran.took);
        let flooded = site.hits().iter().filter(|hit| hit.path.starts_with("/flooded")).count();
        assert!(flooded <= 50, "{flooded}");
        assert_eq!(place.left_after(Duration::from_secs(5)).await, Left::default());
    });
}

#[test]
fn text_of_a_page_outlives_what_its_clicks_do() {
    with_browser(async {
        let traps = [
            ("/loop", "for (;;) {}"),
            ("/memory", "for (const held = [];;) held.push(new Uint8Array(64 << 20).fill(7))"),
        ];
        let links = traps.map(|(path, _)| path);
        let site = FakeSite::start(move |path| match traps.iter().find(|(known, _)| *known == path) {
            Some((_, trap)) => trying(&format!(
                "root.innerHTML += '<a>Trap</a><a>Way on</a>'; const [trap, way] = root.querySelectorAll('a');\
                 way.onclick = () => history.pushState({{}}, '', '/next'); trap.onclick = () => {{ {trap} }}"
            )),
            None if path == "/" => page("Home", &links),
            None => Reply::status(404),
        });
        let ran =
            Place::with("[browser]\ntimeout = \"5s\"\nmemory = \"700MiB\"\n").generate(&site.url()).await;
        for path in links {
            assert_eq!(ran.outcome(path)["outcome"], "kept", "{path}: {:#}", ran.report);
        }
        assert!(
            ran.said.contains("2 pages were opened in a browser. Where clicks lead was not found out"),
            "{}",
            ran.said
        );
    });
}

#[test]
fn clicks_that_end_the_browser_cost_no_other_page_its_own() {
    with_browser(async {
        let button = |what: &str| {
            trying(&format!(
                "root.innerHTML += '<a>On</a>'; root.querySelector('a').onclick = () => {{ {what} }}"
            ))
        };
        let site = FakeSite::start(move |path| match path {
            "/" => page("Home", &["/trap", "/slow"]),
            "/trap" => button("for (const held = [];;) held.push(new Uint8Array(64 << 20).fill(7))"),
            "/slow" => button(
                "const end = Date.now() + 5000; while (Date.now() < end); history.pushState({}, '', '/behind')",
            ),
            "/behind" => trying(""),
            _ => Reply::status(404),
        });
        let ran = Place::with("[browser]\nmemory = \"700MiB\"\n").generate(&site.url()).await;
        for path in ["/trap", "/slow", "/behind"] {
            assert_eq!(ran.outcome(path)["outcome"], "kept", "{path}: {:#}", ran.report);
        }
        assert!(ran.said.contains("all of them: 1 "), "{}", ran.said);
    });
}

#[test]
fn a_page_is_given_no_service_worker_permission_or_download() {
    with_browser(async {
        let tried = "const late = new Promise((done) => setTimeout(() => done('not given'), 100));\
            const said = (way) => Promise.race([way.then(() => 'given', () => 'not given'), late]);\
            const place = new Promise((got, not) => navigator.geolocation.getCurrentPosition(got, not));\
            const notes = Notification.requestPermission().then((is) => is === 'granted' ? is : Promise.reject(is));\
            const save = document.createElement('a'); save.href = '/file'; save.download = 'saved.bin';\
            document.body.append(save); save.click(); save.href = 'data:text/plain,own'; save.click();\
            const ways = [navigator.serviceWorker.register('/worker.js'), place, notes, navigator.clipboard.readText()];\
            Promise.all(ways.map(said)).then((ended) => root.append(' Ways: ' + ended));";
        let site = FakeSite::start(move |path| match path {
            "/" => trying(tried),
            "/worker.js" => Reply::bytes("text/javascript", "onfetch = () => 0"),
            "/file" => {
                Reply::bytes("application/octet-stream", "bytes").header("content-disposition", "attachment")
            }
            _ => Reply::status(404),
        });
        let place = Place::new();
        let ran = place.generate(&site.url()).await;
        assert!(
            ran.files.contains("Ways: not given,not given,not given,not given"),
            "{}{}",
            ran.said,
            ran.files
        );
        assert_eq!(site.count("/worker.js"), 0);
        assert_eq!(place.left_after(Duration::from_secs(5)).await, Left::default());
        assert!(!place.path("saved.bin").exists());
    });
}

#[test]
fn a_browser_of_too_many_processes_is_killed_with_all_of_them() {
    with_browser(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/app"]),
            "/app" => hostile(""),
            _ => Reply::status(404),
        });
        let mut place = Place::new();
        let forks = place.path("browser");
        let script = "#!/bin/sh\nfor n in $(seq 200); do sh -c 'sleep 300; :' \"$@\" & done\nwait\n";
        std::fs::write(&forks, script).unwrap();
        std::fs::set_permissions(&forks, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        place.browser = forks.display().to_string();
        let ran = place.generate(&site.url()).await;
        assert_eq!(ran.outcome("/app")["browser"]["failed"], "no browser", "{:#}", ran.report);
        assert!(ran.said.contains("the browser was killed: "), "{}", ran.said);
        assert_eq!(place.left_after(Duration::from_secs(5)).await, Left::default());
    });
}

#[test]
fn wasm_loops_time_out_and_other_pages_are_read() {
    with_browser(async {
        // A module of WebAssembly whose one function turns round for ever.
        let mine = "new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,\
                    7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11]))).exports.f()";
        let site = FakeSite::start(move |path| match path {
            "/" => page("Home", &["/page", "/page2", "/workers", "/good"]),
            "/page" | "/page2" => hostile(mine),
            "/workers" => trying(&format!(
                "for (let n = 0; n < 8; n++) new Worker(URL.createObjectURL(new Blob(['{mine}'])));"
            )),
            "/good" => trying(""),
            _ => Reply::status(404),
        });
        let place = Place::with("[browser]\ntimeout = \"5s\"\nconcurrency = 1\n");
        let ran = place.generate(&site.url()).await;
        assert!(ran.ok, "{}", ran.said);
        for busy in ["/page", "/page2"] {
            assert_eq!(ran.outcome(busy)["browser"]["failed"], "took too long", "{:#}", ran.report);
        }
        for shown in ["/workers", "/good"] {
            assert_eq!(ran.outcome(shown)["outcome"], "kept", "{:#}", ran.report);
        }
        assert!(ran.took < Duration::from_mins(1), "{:?}", ran.took);
        assert_eq!(place.left_after(Duration::from_secs(5)).await, Left::default());
    });
}

#[test]
fn rebound_name_is_not_followed_to_a_private_address() {
    with_browser(async {
        let private = Private::listen();
        let port = private.port;
        let mut place = Place::new();
        let hosts = place.path("hosts");
        let is_at = {
            let hosts = hosts.clone();
            move |ip: &str| std::fs::write(&hosts, format!("{ip} turns.example.com\n")).unwrap()
        };
        let turn = is_at.clone();
        let site = FakeSite::start(move |path| match path {
            "/" => trying(&format!(
                "fetch('/turn').then(() => Promise.allSettled([fetch('/again'), fetch('http://turns.example.com:{port}/')]))\
                 .then((ended) => root.append(' Ways out: ' + ended.map((way) => way.status)))"
            )),
            "/turn" => {
                turn("127.0.0.9");
                Reply::text("turned")
            }
            _ => Reply::status(404),
        });
        let url = format!("http://turns.example.com:{}/", site.address.port());
        place.hosts = Some(hosts);
        is_at("127.0.0.1");
        let ran = place.generate(&url).await;
        assert!(ran.ok && ran.files.contains(",rejected"), "{}{}", ran.said, ran.files);
        assert_eq!(site.count("/turn"), 1);
        assert!(!private.was_reached(), "{:#}", ran.report);
        // Where that network is opened, the same page does get there.
        place.settings = place.settings.replace("127.0.0.1/32", "127.0.0.0/8");
        is_at("127.0.0.1");
        place.generate(&url).await;
        assert!(private.was_reached());
    });
}

#[test]
fn browser_reaches_no_private_address() {
    with_browser(async {
        let private = Private::listen();
        let port = private.port;
        let by_redirect = format!("http://127.0.0.9:{port}/by-redirect");
        let attempts = [
            ("/fetch", format!(
                "for (const host of ['127.0.0.9', '2130706441', '0x7f.9', '127.9', '[::ffff:127.0.0.9]', 'localhost']) \
                 fetch('http://' + host + ':{port}/', {{ mode: 'no-cors' }}).catch(() => 0); \
                 fetch('http://169.254.169.254/latest/meta-data/').catch(() => 0); fetch('file:///etc/passwd').catch(() => 0);"
            )),
            ("/redirected", "fetch('/jump').catch(() => 0); const s = document.createElement('script'); s.src = '/jump'; document.body.append(s);".to_owned()),
            ("/metadata", "Promise.allSettled([fetch('/jump-on'), fetch('http://169.254.169.254/latest/')])\
                .then((ended) => root.append(' Ways out: ' + ended.map((way) => way.status)))".to_owned()),
            ("/navigate", format!("setTimeout(() => location.href = 'http://127.0.0.9:{port}/', 50)")),
            ("/socket", format!("new WebSocket('ws://127.0.0.9:{port}/'); new EventSource('http://127.0.0.9:{port}/');")),
            ("/rtc", format!(
                "const f = document.createElement('iframe'); document.body.append(f); \
                 for (const w of [window, f.contentWindow]) if (w.RTCPeerConnection) {{ \
                   const p = new w.RTCPeerConnection({{ iceServers: [{{ urls: 'stun:127.0.0.9:{port}' }}, \
                     {{ urls: 'turn:127.0.0.9:{port}?transport=tcp', username: 'a', credential: 'b' }}] }}); \
                   p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o)); }}"
            )),
            ("/worker", format!(
                "new Worker(URL.createObjectURL(new Blob([`fetch('http://127.0.0.9:{port}/', {{ mode: 'no-cors' }}).catch(() => 0); \
                 new WebSocket('ws://127.0.0.9:{port}/'); importScripts('http://127.0.0.9:{port}/')`])));"
            )),
            ("/markup", format!(
                "document.body.insertAdjacentHTML('beforeend', `<img src=http://127.0.0.9:{port}/><iframe src=http://127.0.0.9:{port}/></iframe>\
                 <link rel=stylesheet href=http://127.0.0.9:{port}/><link rel=preconnect href=http://127.0.0.9:{port}/>\
                 <link rel=prefetch href=http://127.0.0.9:{port}/><link rel=dns-prefetch href=//127.0.0.9:{port}/>\
                 <object data=http://127.0.0.9:{port}/></object><embed src=http://127.0.0.9:{port}/><video src=http://127.0.0.9:{port}/></video>\
                 <form id=f action=http://127.0.0.9:{port}/ method=post></form>`); f.submit();"
            )),
        ];
        let links: Vec<&str> = attempts.iter().map(|(path, _)| *path).collect();
        let home = links.clone();
        let site = FakeSite::start(move |path| match path {
            "/" => page("Home", &home),
            "/jump" => Reply::moved(by_redirect.clone()),
            "/jump-on" => Reply::moved("http://169.254.169.254/latest/meta-data/"),
            _ => attempts
                .iter()
                .find(|(known, _)| *known == path)
                .map_or_else(|| Reply::status(404), |(_, script)| trying(script)),
        });
        let place = Place::new();
        let ran = place.generate(&site.url()).await;
        assert!(ran.ok, "{}", ran.said);
        assert!(!private.was_reached(), "{:#}", ran.report);
        for path in links.into_iter().filter(|path| *path != "/navigate") {
            let opened = &ran.outcome(path)["browser"];
            assert!(opened["milliseconds"].is_u64() && opened["failed"] == Value::Null, "{path}: {opened}");
        }
        assert!(ran.files.contains("Ways out: rejected,rejected"), "{}", ran.files);
        assert_eq!(ran.outcome("/navigate")["reason"], "page that moved to another site");
        // The one who counts does count.
        drop(std::net::TcpStream::connect(("127.0.0.9", port)).unwrap());
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(private.was_reached());
    });
}
