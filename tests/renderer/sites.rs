//! What becomes of sites that are built by scripts.

use std::time::Duration;

use crate::command::{Left, Place};
use crate::fake_site::{FakeSite, Reply, each, numbered};
use crate::markdown_site::{PAGES, markdown_site};
use crate::{run, with_browser};

/// What every address of a single-page application answers.
const SHELL: &str = "<!doctype html><html lang=en><head><title>Tide</title><link rel=stylesheet href=/a.css></head>\
    <body><div id=root></div><noscript>You need to enable JavaScript.</noscript><script type=module src=/app.js></script></body>";

fn shell() -> Reply {
    Reply::html(SHELL)
}

fn script(text: impl Into<String>) -> Reply {
    Reply::bytes("text/javascript", text.into())
}

/// Routes with and without `href`; the text of each comes from another host, which has to be asked for leave.
fn application(api: &str) -> String {
    format!(
        r#"
const root = document.getElementById('root');
const nav = '<nav><ul><li><a href="/docs">Docs</a></li><li><a class=r data-r="/about">About us</a></li>'
  + '<li class=r data-r="/deep" style="cursor:pointer">Deep water</li><li><a href="/twin">Docs again</a></li>'
  + '<li><a href="/gone">Gone</a></li></ul></nav>';
async function show() {{
  root.innerHTML = '<p>Loading...</p>';
  const answer = await fetch('{api}text' + location.pathname, {{ headers: {{ 'X-Token': '1' }} }});
  const page = answer.ok ? await answer.json() : {{ title: 'Not found', text: 'There is nothing at this address of ours.' }};
  document.title = page.title;
  root.innerHTML = nav + '<main><h1 id=top><a href="?at=top">' + page.title + '</a></h1><p>' + page.text + '</p></main>';
  for (const e of root.querySelectorAll('.r')) e.onclick = () => {{
    history.replaceState({{ scrolled: scrollY }}, '', location.href);
    history.pushState({{}}, '', e.dataset.r); show();
  }};
}}
show();
fetch('/order', {{ method: 'POST', body: 'x' }}).catch(() => 0);
new Image().src = '/picture.png';
navigator.sendBeacon('/beacon', 'x');
"#
    )
}

const TEXTS: [(&str, &str, &str); 4] = [
    (
        "/",
        "Home of the tide",
        "This site tells how the tide is measured, who measures it, and what lives in deep water.",
    ),
    (
        "/docs",
        "Docs",
        "Gauges measure tides. They stand in harbours and write down the height of the water every minute.",
    ),
    (
        "/about",
        "About us",
        "We are people who like water and numbers, and write down one with the other since the flood.",
    ),
    (
        "/deep",
        "Deep water",
        "Deep water is dark and cold. What lives there makes its own light, and eats what falls down.",
    ),
];

fn text(path: &str) -> Reply {
    let path = path.strip_prefix("/text").unwrap_or_default();
    let path = if path == "/twin" { "/docs" } else { path };
    match TEXTS.iter().find(|(known, ..)| *known == path) {
        Some((_, title, text)) => {
            Reply::bytes("application/json", serde_json::json!({ "title": title, "text": text }).to_string())
        }
        None => Reply::status(404),
    }
}

#[test]
fn an_application_gives_both_files_like_any_site() {
    with_browser(async {
        let api = FakeSite::start(text);
        let program = application(&api.url());
        let site = FakeSite::start(move |path| match path {
            "/robots.txt" | "/sitemap.xml" | "/sitemap_index.xml" | "/sitemap-index.xml" | "/sitemap.txt" => {
                Reply::status(404)
            }
            "/app.js" => script(program.clone()),
            "/a.css" => Reply::bytes("text/css", "a { cursor: pointer }"),
            _ => shell(),
        });
        let place = Place::new();
        let ran = place.generate(&site.url()).await;
        assert!(ran.ok, "{}", ran.said);
        let kept = |path: &str| ran.outcome(path)["outcome"] == "kept";
        for (path, title, text) in TEXTS {
            assert!(ran.files.contains(text), "{path}: {}", ran.files);
            assert!(kept(path) || path == "/docs" && kept("/twin"), "{path}: {:#}", ran.report);
            assert!(path == "/" || ran.files.contains(&format!("- [{title}]")), "{path}: {}", ran.files);
        }
        // The same bytes came from every address: only what they show tells which are pages.
        assert!(kept("/docs") != kept("/twin"), "{:#}", ran.report);
        assert!(!kept("/gone"), "{:#}", ran.report);
        assert!(ran.said.contains("pages were opened in a browser"), "{}", ran.said);
        assert_eq!(ran.outcome("/docs")["browser"]["why"], "page that is empty without JavaScript");
        assert!(ran.outcome("/docs")["browser"]["milliseconds"].as_u64().unwrap() > 0);
        assert_eq!(site.count("/app.js"), 1, "what pages share is loaded once for a crawl");
        for never in ["/picture.png", "/order", "/beacon", "/favicon.ico", "/?at=top", "/docs?at=top"] {
            assert_eq!(site.count(never), 0, "{never}");
        }
        assert_eq!(api.count("/robots.txt"), 0, "robots.txt is for pages");
        assert_eq!(place.left_after(Duration::from_secs(5)).await, Left::default());
    });
}

#[test]
fn routes_behind_a_hash_are_the_markdown_that_the_page_is_made_of() {
    with_browser(async {
        let site = FakeSite::start(markdown_site);
        let ran = Place::new().generate(&format!("{}docs/", site.url())).await;
        assert!(ran.ok && ran.said.contains("1 page was opened in a browser"), "{}", ran.said);
        assert!(!ran.said.contains("lost"), "{}", ran.said);
        for page in PAGES {
            assert_eq!(ran.outcome(&format!("/docs/{page}"))["outcome"], "kept", "{page}: {:#}", ran.report);
        }
        assert_eq!(site.count("/docs/_sidebar.md"), 0, "what a browser shows needs no guess");
    });
}

#[test]
fn a_page_that_grows_when_it_is_scrolled_is_read_to_its_end() {
    with_browser(async {
        let site = FakeSite::start(|path| match path.strip_prefix("/more?n=") {
            Some(n) => {
                let n: usize = n.parse().unwrap();
                let rows = each(0..10, |row| {
                    format!("<p style=height:300px>Letter {} of the harbour master</p>", n * 10 + row)
                });
                Reply::html(if n < 5 { rows } else { String::new() })
            }
            None if path != "/robots.txt" => Reply::html(format!(
                "<title>Letters</title><div id=root></div><script>let n = 0, busy = false;\
                 const box = '{path}' == '/' ? document.documentElement : root;\
                 if (box == root) root.style = 'height: 100vh; overflow: auto';\
                 const more = async () => {{ if (busy) return; busy = true;\
                   const text = await (await fetch('/more?n=' + n++)).text(); busy = false;\
                   root.insertAdjacentHTML('beforeend', text); }};\
                 more(); addEventListener('scroll', () => {{\
                   if (box.scrollTop + box.clientHeight > box.scrollHeight - 100) more(); }}, true);</script>",
            )),
            None => Reply::status(404),
        });
        let place = Place::new();
        for url in [site.url(), format!("{}box", site.url())] {
            let page = page_of(&place, &url).await;
            assert!(page.contains("Letter 0 of") && page.contains("Letter 49 of"), "{url}: {page}");
        }
    });
}

#[test]
fn a_page_that_is_busy_before_it_shows_its_text_is_waited_for() {
    with_browser(async {
        let site = FakeSite::start(|path| match path {
            "/" => Reply::html(
                "<title>Busy</title><div id=root></div><script>root.textContent = 'The heights of this month are being counted.';\
                 let left = 15; const work = () => { const end = Date.now() + 250; while (Date.now() < end);\
                 if (--left) setTimeout(work); else root.innerHTML = '<h1>Heights</h1><p>The gauge has counted them all.</p>' };\
                 setTimeout(work)</script>",
            ),
            _ => Reply::status(404),
        });
        let page = page_of(&Place::new(), &site.url()).await;
        assert!(page.contains("counted them all"), "{page}");
    });
}

/// What `wayfile page` makes of an address.
async fn page_of(place: &Place, url: &str) -> String {
    let mut command = place.command(&["page", url, "--browser", &place.browser]);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_page_that_keeps_asking_for_what_it_does_not_get_is_done() {
    with_browser(async {
        let site = FakeSite::start(|path| match path {
            "/" => Reply::html(
                "<title>Gauge</title><div id=root></div><script>root.innerHTML = '<h1>Heights</h1><p>The gauge has stood in the \
                 harbour for a hundred years and counts who looks at it.</p>';\
                 setInterval(() => { navigator.sendBeacon('/seen', 'x'); new Image().src = '/dot.png?' + Math.random(); }, 100)\
                 </script>",
            ),
            _ => Reply::status(404),
        });
        let ran = Place::new().generate(&site.url()).await;
        let took = ran.outcome("/")["browser"]["milliseconds"].as_u64();
        assert!(took.is_some_and(|took| took < 10_000), "{:#}", ran.report);
    });
}

#[test]
fn what_opens_a_part_of_a_page_is_text_and_what_does_something_is_none() {
    with_browser(async {
        let site = FakeSite::start(|path| match path {
            "/" => Reply::html(
                "<title>Reference</title><div id=app></div><script>app.innerHTML = '<h1>Reference</h1><p>Everything that the \
                 gauge can be asked, by name, and what it says then, as the office has written it down.</p>\
                 <article><button aria-expanded=false><div><strong>WaterLevel</strong></div></button><button>Open all</button>\
                 <b>object</b></article><article><button><span>GET</span> <span>/levels</span></button></article>\
                 <p><button aria-expanded=false>More of it</button></p>'</script>",
            ),
            _ => Reply::status(404),
        });
        let page = page_of(&Place::new(), &site.url()).await;
        assert!(page.contains("WaterLevel") && page.contains("GET") && page.contains("/levels"), "{page}");
        assert!(!page.contains("Open all") && !page.contains("More of it"), "{page}");
    });
}

#[test]
fn shadow_roots_and_late_content_are_read() {
    with_browser(async {
        let site = FakeSite::start(|path| match path {
            "/" => Reply::html(
                "<title>Gauge</title><div id=app></div><script>setTimeout(() => { app.innerHTML =\
                 '<tide-card><b slot=name>Harbour gauge</b>number seven of the coast</tide-card>'; }, 700);\
                 customElements.define('tide-card', class extends HTMLElement { connectedCallback() {\
                   this.attachShadow({ mode: 'open' }).innerHTML = '<h1>Heights</h1><p>Measured by <slot name=name></slot>, \
                   which is <slot></slot> and has stood there for a hundred years.</p>'; } });</script>",
            ),
            _ => Reply::status(404),
        });
        let place = Place::new();
        let page = page_of(&place, &site.url()).await;
        let text = "Measured by **Harbour gauge**, which is number seven of the coast and has stood there";
        assert!(page.contains("# Heights") && page.contains(text), "{page}");
    });
}

#[test]
fn pages_that_say_something_without_scripts_start_no_browser() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 20));
        let mut place = Place::new();
        let mark = place.path("started");
        let fake = place.path("browser");
        std::fs::write(&fake, format!("#!/bin/sh\ntouch {}\n", mark.display())).unwrap();
        std::os::unix::fs::chown(&fake, None, None).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&fake, mode).unwrap();
        place.browser = fake.display().to_string();
        let ran = place.generate(&site.url()).await;
        assert!(ran.ok && !ran.said.contains("browser"), "{}", ran.said);
        assert!(!mark.exists());
        // The same browser is started for a shell: the mark tells.
        let site = FakeSite::start(|path| if path == "/" { shell() } else { Reply::status(404) });
        let ran = place.generate(&site.url()).await;
        assert!(!ran.ok && mark.exists(), "{}", ran.said);
    });
}

#[test]
fn without_a_browser_it_is_said_what_to_set() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => crate::fake_site::page("Home", &["/app"]),
            "/app" => shell(),
            _ => Reply::status(404),
        });
        let place = Place::new();
        let url = site.url();
        let mut command = place.command(&["generate", &url]);
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            said.contains("1 page that is empty without JavaScript") && said.contains("browser.path"),
            "{said}"
        );
    });
}

#[test]
fn no_more_pages_are_open_at_once_than_the_settings_say() {
    with_browser(async {
        let site = FakeSite::start(|path| match path.strip_prefix("/text") {
            Some(part) => {
                let text = format!(
                    "What part {part} says is said nowhere else, and fills a line or two: {}",
                    part.repeat(9)
                );
                Reply::text(text).after(Duration::from_secs(1))
            }
            None if path == "/" => crate::fake_site::page("Home", &["/a", "/b", "/c"]),
            None if path.len() == 2 => Reply::html(
                "<title>Part</title><div id=root></div><script>fetch('/text' + location.pathname).then((r) => r.text())\
                 .then((text) => root.innerHTML = '<h1>Part</h1><p>' + text + '</p>')</script>",
            ),
            None => Reply::status(404),
        });
        let ran = Place::with("[browser]\nconcurrency = 1\n").generate(&site.url()).await;
        assert!(ran.said.contains("3 pages were opened in a browser"), "{}", ran.said);
        let hits = site.hits();
        let times: Vec<_> =
            hits.iter().filter(|hit| hit.path.starts_with("/text")).map(|hit| hit.at).collect();
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_secs(1)), "{times:?}");
    });
}

#[test]
fn pages_per_crawl_bounds_the_browser() {
    with_browser(async {
        let links = each(0..6, |n| format!("<a href=/{n}>Chapter {n}</a> "));
        let site = FakeSite::start(move |path| match path {
            "/" => crate::fake_site::page("Home", &["/a", "/b", "/c", "/d"]),
            "/app.js" => script(format!(
                "root.innerHTML = '<h1>Part ' + location.pathname + '</h1><p>What part ' + location.pathname + ' says is said \
                 nowhere else, and fills a line or two.</p>{links}'"
            )),
            "/a" | "/b" | "/c" | "/d" => shell(),
            _ => Reply::status(404),
        });
        let place = Place::with("[browser]\npages_per_crawl = 2\n");
        let ran = place.generate(&site.url()).await;
        assert!(ran.said.contains("2 pages were opened in a browser"), "{}", ran.said);
        assert!(ran.said.contains("2 beyond browser.pages_per_crawl"), "{}", ran.said);
    });
}
