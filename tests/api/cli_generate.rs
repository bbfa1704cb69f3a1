//! `wayfile generate` as an owner's build calls it.

use std::fs::{File, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::fake_site::{FakeSite, Reply, each, page};
use crate::run;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfile"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WAYFILE") || name == "RUST_LOG") {
        command.env_remove(name);
    }
    command.args(["generate", "--allow-network", "127.0.0.0/8"]).args(arguments);
    command
}

/// The command on a site, in a thread of its own: the site is served by this one.
async fn generate(arguments: &[&str]) -> Output {
    let mut command = command(arguments);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn nothing_is_left_undone_when_nobody_reads_what_is_said_of_it() {
    run(async {
        let site = FakeSite::start(|path| if path == "/" { page("Home", &[]) } else { Reply::status(404) });
        let (folder, url) = (tempfile::tempdir().unwrap(), site.url());
        let (reader, nobody_reads) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = command(&[&url, "--stats", "--out", folder.path().to_str().unwrap()]);
        command.stderr(nobody_reads);
        let ended = tokio::task::spawn_blocking(move || command.status().unwrap()).await.unwrap();
        assert_eq!(ended.code(), Some(0));
        for file in ["llms.txt", "llms-full.txt"] {
            assert!(folder.path().join(file).exists(), "{file}");
        }
    });
}

#[test]
fn a_report_says_what_became_of_every_address() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/robots.txt" => Reply::text("User-agent: *\nDisallow: /private/\nSitemap: /map.xml\n"),
            "/map.xml" => Reply::status(500),
            "/" => {
                page("Home", &["/a.html", "/old.html", "/gone.html", "/private/x.html", "/login", "/b.html"])
            }
            "/a.html" | "/b.html" => page(path, &[]),
            "/old.html" => Reply::moved("/a.html"),
            _ => Reply::status(404),
        });
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("report.json").display().to_string();
        let url = site.url();
        let report = async |more: &[&str]| -> Value {
            let output = generate(&[&[url.as_str(), "--report", &file], more].concat()).await;
            assert!(output.status.success() && !said(&output).contains("--report"), "{}", said(&output));
            serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap()
        };
        let whole = report(&[]).await;
        assert_eq!(whole["url"], url);
        let told = |path: &str| -> (String, String) {
            let address = format!("{url}{path}");
            let pages = whole["pages"].as_array().unwrap();
            let all: Vec<&Value> = pages.iter().filter(|page| page["url"] == address.as_str()).collect();
            assert_eq!(all.len(), 1, "{path}: {whole:#}");
            let text = |name: &str| all[0][name].as_str().unwrap_or_default().to_owned();
            (text("outcome"), text("reason"))
        };
        for (path, outcome, reason) in [
            ("", "kept", ""),
            ("a.html", "kept", ""),
            ("b.html", "kept", ""),
            ("old.html", "duplicate", &format!("the same page as {url}a.html")),
            ("gone.html", "lost", "the site answered 404"),
            ("private/x.html", "leftOut", "page that robots.txt closes"),
            ("login", "leftOut", "sign-in or account page"),
            ("map.xml", "lost", "sitemap: the site answered 500"),
        ] {
            assert_eq!(told(path), (outcome.to_owned(), reason.to_owned()), "{path}");
        }
        let few = report(&["--file-type", "llms", "--max-pages", "1"]).await;
        let unread = few["pages"].as_array().unwrap().iter().find(|page| page["outcome"] == "notFetched");
        assert_eq!(unread.unwrap()["reason"], "beyond the page limit");
        let without = generate(&[&site.url()]).await;
        assert!(said(&without).contains("(--report FILE names every address and why)"), "{}", said(&without));
    });
}

/// A site of two folders, each of two pages, which only their own front pages link to.
fn folders(path: &str) -> Reply {
    match path {
        "/" => page("Home", &["/docs/", "/blog/"]),
        "/docs/" => page("Docs", &["/docs/one.html", "/docs/two.html"]),
        "/blog/" => page("Blog", &["/blog/first.html", "/docs/guide/three.html"]),
        "/docs/one.html" | "/docs/two.html" | "/docs/guide/three.html" | "/blog/first.html" => {
            page(path, &[])
        }
        _ => Reply::status(404),
    }
}

fn listed(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let path = |line: &str| {
        let url = line.split("](").nth(1)?.split(')').next()?;
        Some(url.splitn(4, '/').nth(3)?.to_owned())
    };
    let mut paths: Vec<String> =
        text.lines().filter(|line| line.starts_with("- [")).filter_map(path).collect();
    paths.sort();
    paths
}

#[test]
fn pages_outside_include_are_read_but_not_listed() {
    run(async {
        let site = FakeSite::start(folders);
        let url = site.url();
        let list = async |more: &[&str]| {
            let output = generate(&[&[url.as_str(), "--file-type", "llms"], more].concat()).await;
            assert!(output.status.success(), "{}", said(&output));
            listed(&output)
        };
        let all = list(&[]).await;
        assert!(all.contains(&"blog/first.html".to_owned()) && all.len() >= 5, "{all:?}");
        // The third page is linked from the blog alone.
        let docs = list(&["--include", "/docs/**"]).await;
        assert_eq!(docs, ["docs/", "docs/guide/three.html", "docs/one.html", "docs/two.html"]);
        let some = list(&["--include", "/docs/*", "--exclude", "/docs/two*"]).await;
        assert_eq!(some, ["docs/", "docs/one.html"]);
        let before = site.count("/blog/");
        let no_blog = list(&["--exclude", "/blog/**"]).await;
        assert_eq!((no_blog.len(), site.count("/blog/")), (3, before), "{no_blog:?}");
        assert_eq!(generate(&[&url, "--include", "/[a"]).await.status.code(), Some(2));
    });
}

#[test]
fn files_are_held_against_those_that_are_there() {
    run(async {
        let site = FakeSite::start(folders);
        let folder = tempfile::tempdir().unwrap();
        let (url, out) = (site.url(), folder.path().display().to_string());
        let check = [url.as_str(), "--out", &out, "--check"];
        let missing = generate(&check).await;
        assert_eq!(missing.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&missing.stdout).starts_with("--- /dev/null\n+++ "));
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0, "nothing is written");
        assert!(generate(&[&url, "--out", &out]).await.status.success());
        let same = generate(&check).await;
        assert_eq!((same.status.code(), same.stdout.len()), (Some(0), 0), "{}", said(&same));
        let file = folder.path().join("llms.txt");
        let old = std::fs::read_to_string(&file).unwrap().replace("# ", "# Old ");
        std::fs::write(&file, &old).unwrap();
        let changed = generate(&check).await;
        let diff = String::from_utf8_lossy(&changed.stdout).into_owned();
        assert_eq!(changed.status.code(), Some(1));
        assert!(diff.contains("\n@@ -1,") && diff.contains("\n-# Old ") && diff.contains("\n+# "), "{diff}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), old);
        assert_eq!(generate(&[&url, "--check"]).await.status.code(), Some(2), "there is nothing to check");
    });
}

#[test]
fn who_reads_a_file_that_is_replaced_reads_the_old_one_to_its_end() {
    run(async {
        let site = FakeSite::start(folders);
        let folder = tempfile::tempdir().unwrap();
        let (url, out) = (site.url(), folder.path().join("out"));
        let (real, link) = (folder.path().join("real.txt"), out.join("llms.txt"));
        std::fs::create_dir(&out).unwrap();
        std::fs::write(&real, "# Old").unwrap();
        std::fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let mut reader = File::open(&real).unwrap();
        let written = generate(&[&url, "--out", out.to_str().unwrap()]).await;
        assert!(written.status.success(), "{}", said(&written));
        let mut old = String::new();
        reader.read_to_string(&mut old).unwrap();
        assert_eq!(old, "# Old");
        assert!(link.is_symlink() && std::fs::read_to_string(&real).unwrap().contains("Blog"));
        assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert_ne!(out.join("llms-full.txt").metadata().unwrap().permissions().mode() & 0o044, 0);
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 2, "nothing else is left");
    });
}

#[test]
fn headers_go_to_the_site_alone() {
    run(async {
        let other = FakeSite::start(|path| page(path, &[]));
        let elsewhere = other.url();
        let site = FakeSite::start(move |path| match path {
            "/" => page("Home", &["/a.html", "/away"]),
            "/away" => Reply::moved(elsewhere.clone()),
            "/a.html" => page("A", &[]),
            _ => Reply::status(404),
        });
        let output = generate(&[&site.url(), "--header", "X-Key: s3cret", "--header", "cookie: a=b"]).await;
        assert!(output.status.success() && !said(&output).contains("s3cret"), "{}", said(&output));
        let sent = |site: &FakeSite| -> Vec<Option<String>> {
            site.hits().iter().map(|hit| hit.header("x-key")).collect()
        };
        assert!(sent(&site).len() > 2 && sent(&site).iter().all(|key| key.as_deref() == Some("s3cret")));
        assert!(sent(&other).iter().all(Option::is_none));
        let refused = generate(&[&site.url(), "--header", "no colon s3cret"]).await;
        assert!(refused.status.code() == Some(2) && !said(&refused).contains("s3cret"), "{}", said(&refused));
    });
}

#[test]
fn a_run_that_lost_pages_fails_when_it_is_to() {
    run(async {
        let site = FakeSite::start(folders);
        assert_eq!(generate(&[&site.url(), "--strict"]).await.status.code(), Some(0));
        let broken =
            FakeSite::start(|path| if path == "/docs/two.html" { Reply::status(404) } else { folders(path) });
        assert_eq!(generate(&[&broken.url()]).await.status.code(), Some(0));
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().display().to_string();
        let strict = generate(&[&broken.url(), "--strict", "--out", &out, "--pages", &out]).await;
        assert_eq!(strict.status.code(), Some(1));
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "files from before stay");
        assert!(
            said(&strict).contains("1 not found") && said(&strict).contains("pages were lost"),
            "{}",
            said(&strict)
        );
        let slow = FakeSite::start(|path| {
            folders(path).after(Duration::from_millis(if path.starts_with("/docs") { 60_000 } else { 0 }))
        });
        let late = generate(&[&slow.url(), "--strict", "--deadline", "8s"]).await;
        assert!(late.status.code() == Some(1) && said(&late).contains("The time was up"), "{}", said(&late));
    });
}

#[test]
fn interrupted_run_writes_what_it_has() {
    run(async {
        let slow =
            |path: &str| Duration::from_millis(if path == "/" || path == "/robots.txt" { 0 } else { 60_000 });
        for signal in ["-INT", "-TERM"] {
            let site = FakeSite::start(move |path| folders(path).after(slow(path)));
            let folder = tempfile::tempdir().unwrap();
            let (url, out) = (site.url(), folder.path().display().to_string());
            let mut command = Command::new(env!("CARGO_BIN_EXE_wayfile"));
            command.args(["generate", &url, "--allow-network", "127.0.0.0/8", "--out", &out]);
            let child = command.stderr(Stdio::piped()).spawn().unwrap();
            while site.count("/docs/") == 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
            let output =
                tokio::task::spawn_blocking(move || child.wait_with_output().unwrap()).await.unwrap();
            assert_eq!(output.status.code(), Some(130), "{signal} {}", said(&output));
            assert!(said(&output).contains("The run was stopped before every page"), "{}", said(&output));
            assert!(std::fs::read_to_string(folder.path().join("llms.txt")).unwrap().starts_with("# "));
        }
    });
}

/// What a static host answers for a path below `root`: index files, `.html` left out, folders with their slash.
fn hosted(root: &std::path::Path, path: &str) -> Reply {
    let below = path.trim_start_matches('/');
    let kind = |name: &str| if name == "sitemap.xml" { "text/xml" } else { "text/html" };
    let file = |name: &str| std::fs::read(root.join(name)).ok().map(|body| Reply::bytes(kind(name), body));
    if below.is_empty() || below.ends_with('/') {
        return file(&format!("{below}index.html")).unwrap_or(Reply::status(404));
    }
    let is_folder = root.join(below).join("index.html").exists();
    file(below)
        .or_else(|| file(&format!("{below}.html")))
        .unwrap_or_else(|| if is_folder { Reply::moved(format!("{path}/")) } else { Reply::status(404) })
}

#[test]
fn slips_of_the_hand_are_told_before_anything_is_written() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().display().to_string();
        for (arguments, told) in [
            (&["--base", "https://tide.dev"][..], format!("; there is no {path}/index.html\n")),
            (&["--base", "docs"], "--base \"docs\" is no address: write it whole".to_owned()),
            (&["--base", "https://tide.dev", "--report", "-"], "--report - would be a file".to_owned()),
        ] {
            let output = generate(&[&[path.as_str()], arguments].concat()).await;
            assert!(!output.status.success() && said(&output).contains(&told), "{}", said(&output));
        }
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    });
}

#[test]
fn a_build_folder_gives_the_same_files_as_the_site_it_is_served_at() {
    run(async {
        let build = tempfile::tempdir().unwrap();
        let root = build.path().to_owned();
        let body = |title: &str, links: &[&str]| {
            let items = each(links, |link| format!("<li><a href=\"{link}\">To {link}</a></li>"));
            format!(
                "<html lang=en><head><title>{title}</title></head><body><main><h1>{title}</h1><p>This page tells of \
                 {title} all that a reader of {title} has to know.</p><ul>{items}</ul></main></body></html>"
            )
        };
        for (path, title, links) in [
            ("index.html", "Home", &["docs/", "guide/start", "gone.html"][..]),
            ("docs/index.html", "Docs", &["one.html", "/docs/two"]),
            ("docs/one.html", "First steps", &[]),
            ("docs/two.html", "Second steps", &["../docs"]),
            ("guide/start.html", "A start", &[]),
            ("404.html", "Nothing here", &[]),
            ("unlinked.html", "Found by the map alone", &[]),
        ] {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), body(title, links)).unwrap();
        }
        let host = root.clone();
        let site = FakeSite::start(move |path| hosted(&host, path));
        let url = site.url();
        let map = format!("<urlset><url><loc>{url}unlinked.html</loc></url></urlset>");
        std::fs::write(root.join("sitemap.xml"), map).unwrap();
        let folder = build.path().display().to_string();
        let offline = generate(&[&folder, "--base", &url]).await;
        assert!(offline.status.success(), "{}", said(&offline));
        assert_eq!(site.hits().len(), 0, "no network");
        assert!(listed(&offline).contains(&"unlinked.html".to_owned()), "{:?}", listed(&offline));
        let served = generate(&[&url]).await;
        assert_eq!(String::from_utf8_lossy(&offline.stdout), String::from_utf8_lossy(&served.stdout));
        let notes = [&offline, &served].map(|o| said(o).lines().last().unwrap_or_default().to_owned());
        assert_eq!(notes[0], notes[1]);
        let elsewhere =
            generate(&[&folder, "--base", "https://docs.example.org/v2", "--file-type", "llms"]).await;
        let text = String::from_utf8_lossy(&elsewhere.stdout).into_owned();
        assert!(text.contains("](https://docs.example.org/v2/docs/one.html)"), "{text}");
        for wrong in [&[folder.as_str()][..], &[&url, "--base", &url], &[&folder, "--base", "no base"]] {
            assert_eq!(generate(wrong).await.status.code(), Some(2), "{wrong:?}");
        }
    });
}

#[test]
fn markdown_of_the_sites_own_stays_as_it_is() {
    run(async {
        let build = tempfile::tempdir().unwrap();
        let html = |title: &str, links: &str| {
            format!(
                "<html><title>{title}</title><body><main><h1>{title}</h1><p>This page is about {title}.</p>{links}</main>"
            )
        };
        let notes = "Notes\n=====\n\n* These are the notes of the tide, which somebody wrote by hand.\n\n\n";
        let put = |name: &str, text: &str| std::fs::write(build.path().join(name), text).unwrap();
        put(
            "index.html",
            &html("Home", "<ul><li><a href=one.html>One</a><li><a href=notes.md>Notes</a></ul>"),
        );
        put("one.html", &html("One", ""));
        put("notes.md", notes);
        let (folder, elsewhere) = (build.path().display().to_string(), tempfile::tempdir().unwrap());
        let read = |folder: &std::path::Path, name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let arguments =
            |pages| [&folder, "--base", "https://tide.dev", "--file-type", "llms", "--pages", pages];
        let beside = generate(&arguments(&folder)).await;
        assert!(beside.status.success() && said(&beside).contains("of the site's own"), "{}", said(&beside));
        assert_eq!(read(build.path(), "notes.md"), notes);
        assert!(read(build.path(), "one.html.md").starts_with("# One\n"));
        let copied = generate(&arguments(elsewhere.path().to_str().unwrap())).await;
        assert!(!said(&copied).contains("of the site's own"), "{}", said(&copied));
        assert!(read(elsewhere.path(), "notes.md").contains("somebody wrote by hand"));
    });
}

#[test]
fn pages_are_written_as_markdown_and_the_index_can_link_to_them() {
    run(async {
        let site = FakeSite::start(|path| match path {
            "/" => page("Home", &["/docs/", "/docs/one.html", "/docs/two?x=1", "/plain", "/a", "/a.md/b"]),
            "/docs/" | "/docs/one.html" | "/docs/two?x=1" | "/plain" | "/a" | "/a.md/b" => page(path, &[]),
            _ => Reply::status(404),
        });
        let folder = tempfile::tempdir().unwrap();
        let (url, out) = (site.url(), folder.path().display().to_string());
        let pages = folder.path().join("md");
        let arguments = [&url, "--out", &out, "--pages", pages.to_str().unwrap(), "--link-markdown"];
        let output = generate(&arguments).await;
        assert!(output.status.success(), "{}", said(&output));
        let index = std::fs::read_to_string(folder.path().join("llms.txt")).unwrap();
        for twin in ["docs/index.md", "docs/one.html.md", "plain.md", "a.md.md", "a.md/b.md"] {
            let text = std::fs::read_to_string(pages.join(twin)).unwrap();
            assert!(text.starts_with("# /") && text.contains("and nothing else"), "{twin}: {text}");
            assert!(index.contains(&format!("]({url}{twin})")), "{twin}: {index}");
        }
        assert!(index.contains(&format!("]({url}docs/two?x=1)")), "a query is no file: {index}");
        let same = generate(&[&arguments[..], &["--check"]].concat()).await;
        assert_eq!(same.status.code(), Some(0), "{}", String::from_utf8_lossy(&same.stdout));
        std::fs::write(pages.join("plain.md"), "changed\n").unwrap();
        let changed = generate(&[&arguments[..], &["--check"]].concat()).await;
        assert_eq!(changed.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&changed.stdout).contains("\n-changed\n+# /plain"));
        assert_eq!(generate(&[&url, "--link-markdown"]).await.status.code(), Some(2));
    });
}

#[test]
fn a_report_that_cannot_be_kept_costs_no_file() {
    run(async {
        let site = FakeSite::start(|path| if path == "/" { page("Home", &[]) } else { Reply::status(404) });
        let folder = tempfile::tempdir().unwrap();
        let (url, out) = (site.url(), folder.path().display().to_string());
        let report = format!("{out}/missing/report.json");
        let output = generate(&[&url, "--out", &out, "--report", &report]).await;
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains("report.json cannot be written"), "{}", said(&output));
        assert!(folder.path().join("llms.txt").exists());
    });
}
