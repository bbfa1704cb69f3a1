//! `wayfile generate` as an owner's build calls it.

use std::process::{Command, Output};

use serde_json::Value;

use crate::fake_site::{FakeSite, Reply, page};
use crate::run;

/// The command on a site, in a thread of its own: the site is served by this one.
async fn generate(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfile"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WAYFILE") || name == "RUST_LOG") {
        command.env_remove(name);
    }
    command.args(["generate", "--allow-network", "127.0.0.0/8"]).args(arguments);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
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
        let output = generate(&[&site.url(), "--report", &file, "--max-pages", "2"]).await;
        assert!(output.status.success(), "{}", said(&output));
        assert!(!said(&output).contains("--report"), "{}", said(&output));
        let report: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        assert_eq!(report["url"], site.url());
        let pages = report["pages"].as_array().unwrap();
        let told = |path: &str| -> (String, String) {
            let url = format!("{}{path}", site.url());
            let all: Vec<&Value> = pages.iter().filter(|page| page["url"] == url.as_str()).collect();
            assert_eq!(all.len(), 1, "{path}: {report:#}");
            let text = |name: &str| all[0][name].as_str().unwrap_or_default().to_owned();
            (text("outcome"), text("reason"))
        };
        let is = |outcome: &str, reason: &str| (outcome.to_owned(), reason.to_owned());
        assert_eq!(told(""), is("kept", ""));
        assert_eq!(told("login"), is("leftOut", "sign-in or account page"));
        assert!(told("map.xml").1.starts_with("sitemap: "), "{:?}", told("map.xml"));
        assert_eq!(pages.iter().filter(|page| page["outcome"] == "notFetched").count(), 3, "{report:#}");
        let without = generate(&[&site.url()]).await;
        assert!(said(&without).contains("(--report FILE names every address and why)"), "{}", said(&without));
    });
}
