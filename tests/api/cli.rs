//! Commands that belong to a service: `config check|show`, `health`.

use std::process::{Command, Output, Stdio};

use crate::fake_site::{FakeSite, page};
use crate::run;
use crate::test_app::TestApp;
use crate::tls_server::tls_server;

/// The command as a person calls it: without settings of its own.
fn wayfile(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfile"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WAYFILE") || name == "RUST_LOG") {
        command.env_remove(name);
    }
    command.args(args);
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_command_speaks_to_people_and_not_in_log_lines() {
    run(async {
        let site = FakeSite::start(|path| page(path, &[]));
        let url = site.url();
        let command =
            move || wayfile(&["generate", &url, "--allow-network", "127.0.0.0/8"]).output().unwrap();
        let output = tokio::task::spawn_blocking(command).await.unwrap();
        let said = said(&output);
        assert!(output.status.success(), "{said}");
        let first = said.lines().next().unwrap();
        assert_eq!(first, "warning: 127.0.0.0/8 may be fetched too, although not public");
        assert!(!said.contains('{') && !said.contains("WARN"), "{said}");
    });
}

#[test]
fn faults_of_tls_are_told_once_and_in_words() {
    run(async {
        let plain = FakeSite::start(|path| page(path, &[]));
        for (url, why) in [
            (
                format!("https://{}/", tls_server("other.example.com").await),
                "the certificate is signed by nobody who is trusted here",
            ),
            (plain.url().replace("http:", "https:"), "what answers there speaks no TLS"),
        ] {
            let asked = url.clone();
            let command =
                move || wayfile(&["page", &asked, "--allow-network", "127.0.0.0/8"]).output().unwrap();
            let output = tokio::task::spawn_blocking(command).await.unwrap();
            let said = said(&output);
            let told = format!("wayfile: {url} cannot be reached: the TLS handshake failed: {why}");
            let warning = "warning: 127.0.0.0/8 may be fetched too, although not public";
            assert_eq!(said.lines().collect::<Vec<_>>(), [warning, &told]);
        }
    });
}

#[test]
fn a_page_without_text_is_told_and_so_is_one_that_scripts_fill() {
    let advice = "note: scripts fill the page; --browser PATH opens an address in a browser\n";
    let shell = "<div id=root></div><script src=app.js></script>";
    let titled = format!("<title>Tide</title>{shell}");
    for (given, printed, told) in
        [("\n", "\n", "note: the page has no text\n"), (shell, "\n", advice), (&titled, "Tide\n", advice)]
    {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, given).unwrap();
        let path = file.path().display().to_string();
        let output = wayfile(&["page", &path]).output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert_eq!((output.status.code(), &*stdout), (Some(0), printed));
        assert_eq!(said(&output), told);
    }
}

#[test]
fn links_of_a_file_lead_to_no_host_that_it_does_not_name() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("page.html").display().to_string();
    let html = "<title>Tide</title><link rel=canonical href=/tide><h1>Tide</h1>\
        <p>See <a href=/a/b>b</a> and <a href=c.html>c</a> and <a href=https://tide.dev/d>d</a>.</p>";
    std::fs::write(&file, html).unwrap();
    let page = |more: &[&str]| {
        let output = wayfile(&[&["page", &file], more].concat()).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        (String::from_utf8_lossy(&output.stdout).into_owned(), said(&output))
    };
    let (text, told) = page(&[]);
    assert!(text.contains("See [b](/a/b) and [c](/c.html) and [d](https://tide.dev/d)."), "{text}");
    assert!(told.contains("--base URL"), "{told}");
    let json: serde_json::Value = serde_json::from_str(&page(&["--json"]).0).unwrap();
    assert_eq!((&json["url"], &json["canonical"]), (&serde_json::Value::Null, &"/tide".into()));
    assert_eq!(json["links"][1], serde_json::json!({ "url": "/c.html", "text": "c" }));
    let (text, told) = page(&["--base", "https://tide.dev/a/"]);
    assert!(text.contains("[c](https://tide.dev/a/c.html)") && told.is_empty(), "{text} {told}");
}

#[test]
fn a_file_is_markdown_by_any_name_of_it() {
    let folder = tempfile::TempDir::new().unwrap();
    for name in ["a.md", "a.MD", "a.mdx", "a.markdown"] {
        let file = folder.path().join(name).display().to_string();
        std::fs::write(&file, "# Tide\n\nSee [b](/b).\n").unwrap();
        let output = wayfile(&["page", &file, "--json"]).output().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&json["title"], &json["links"][0]["text"]), (&"Tide".into(), &"b".into()), "{name}");
    }
}

#[test]
fn the_memory_of_a_run_is_its_own_and_not_its_launchers() {
    run(async {
        let site = FakeSite::start(|path| page(path, &[]));
        let url = site.url();
        let command = move || {
            let large = vec![1_u8; 512 << 20];
            let output = wayfile(&["generate", &url, "--allow-network", "127.0.0.0/8", "--stats"]).output();
            assert_eq!(large.iter().rev().take(3).sum::<u8>(), 3);
            output.unwrap()
        };
        let output = tokio::task::spawn_blocking(command).await.unwrap();
        let said = said(&output);
        let figure = said.lines().last().unwrap().rsplit_once("rss_mb=").unwrap().1;
        let megabytes: f64 = figure.parse().unwrap();
        assert!((1.0..300.0).contains(&megabytes), "{said}");
    });
}

#[test]
fn settings_that_cannot_work_are_refused_with_the_reason() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("wayfile.toml");
    std::fs::write(&file, "[crawl]\nrobots_ttl = \"0s\"").unwrap();
    let file = file.display().to_string();
    for command in [&["config", "check"][..], &["serve"], &["generate", "docs.rs"]] {
        let output = wayfile(&[command, &["--config", &file]].concat()).output().unwrap();
        assert!(!output.status.success());
        let said = said(&output);
        assert!(
            said.contains("crawl.robots_ttl is 0s, and must be 1m to 24h: with less robots.txt"),
            "{said}"
        );
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_noticed_before_the_first_request() {
    run(async {
        let site = FakeSite::start(|path| page(path, &[]));
        let file = tempfile::NamedTempFile::new().unwrap();
        let (url, out) = (site.url(), file.path().join("below").display().to_string());
        let args =
            move || wayfile(&["generate", &url, "--allow-network", "127.0.0.0/8", "--out", &out]).output();
        let output = tokio::task::spawn_blocking(args).await.unwrap().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains("cannot be made"), "{}", said(&output));
        assert_eq!(site.hits().len(), 0);
    });
}

#[test]
fn a_reader_that_has_had_enough_ends_a_command_quietly() {
    for args in [&["openapi"][..], &["config", "show"], &["config", "check"]] {
        let mut child = wayfile(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn reports_all_setting_errors_at_once() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("wayfile.toml");
    std::fs::write(&file, "[crawl]\ndeadlin = \"5s\"\nmax_fetches = 0\n[llm]\nmodel = 7\n").unwrap();
    let check = |file: &std::path::Path, variables: &[(&str, &str)]| {
        let mut command = wayfile(&["config", "check", "--config", &file.display().to_string()]);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        (output.status.code(), said(&output))
    };
    let (code, told) = check(&file, &[("WAYFILE__CRAWL__QUEUE_WAIT", "2h"), ("WAYFILE__LLM__MODLE", "m")]);
    assert_eq!(code, Some(2));
    for part in [
        "5 faults\n",
        "crawl.deadlin is no setting; did you mean crawl.deadline? (",
        "wayfile.toml, line 2)",
        "crawl.max_fetches is 0, and must be 1",
        "llm.model is ",
        "7`, and must be a string",
        "WAYFILE__CRAWL__QUEUE_WAIT is 2h, and must be 0s to 1h",
        "WAYFILE__LLM__MODLE is no setting; did you mean WAYFILE__LLM__MODEL?",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    std::fs::write(&file, "[crawl]\nuser_agent = \"a\\nb\"\n[llm]\nbase_url = \"ftp://m.example\"\n")
        .unwrap();
    let (code, told) = check(&file, &[]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("crawl client cannot be made") && told.contains("llm.base_url"), "{told}");
    std::fs::write(&file, "[crawl]\ndeadline = \"200s\"\n").unwrap();
    let (code, told) = check(&file, &[("WAYFILE_CRAWL__DEADLINE", "5s")]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("WAYFILE_CRAWL__DEADLINE is not read") && told.contains("drain_timeout"), "{told}");
}

#[test]
fn settings_that_are_not_there_are_named() {
    let output = wayfile(&["config", "check", "--config", "/nonexistent/wayfile.toml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("/nonexistent/wayfile.toml cannot be read: No such file"),
        "{}",
        said(&output)
    );
}

#[test]
fn settings_are_checked_and_shown_without_secrets() {
    run(async {
        let app = TestApp::with(
            "[server]\npublic_url = \"https://wayfile.example.org\"\n[plans.pro]\nvalidate_per_month = 1",
        );
        let shown = app.command(&["config", "show"]);
        assert!(
            shown.contains("public_url = \"https://wayfile.example.org\"")
                && shown.contains("drain_timeout = \"1m 55s\""),
            "{shown}"
        );
        let checked = app.run(&["config", "check"]);
        assert!(checked.status.success());
        let said = String::from_utf8(checked.stderr).unwrap();
        assert!(said.contains("plans.pro.validate_per_month") && said.contains("127.0.0.0/8"), "{said}");
        // Port 0 is where nobody can be.
        let health = app.run(&["health"]);
        assert_eq!(health.status.code(), Some(1));
    });
}

#[test]
fn shells_and_manuals_know_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let output = wayfile(&["completions", shell]).env("WAYFILE_CONFIG", "/nonexistent").output().unwrap();
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && script.contains("link-markdown"), "{shell}: {script}");
    }
    let folder = tempfile::TempDir::new().unwrap();
    assert!(wayfile(&["man", &folder.path().display().to_string()]).status().unwrap().success());
    for page in ["wayfile.1", "wayfile-generate.1", "wayfile-validate.1", "wayfile-account-create.1"] {
        let text = std::fs::read_to_string(folder.path().join(page)).unwrap();
        assert!(text.contains(".TH "), "{page}: {text}");
    }
    let page = wayfile(&["man"]).output().unwrap();
    assert!(String::from_utf8(page.stdout).unwrap().contains("generate"));
}

#[test]
fn a_secret_of_digits_is_one_and_what_an_address_holds_is_masked() {
    let mut show = wayfile(&["config", "show"]);
    show.env("WAYFILE__LLM__API_KEY", "123456").env("WAYFILE__LLM__MODEL", "7");
    show.env("WAYFILE__LLM__BASE_URL", "https://t0ken@m.example/v1?key=s3cret");
    let output = show.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("model = \"7\"") && shown.contains("https://***@m.example/v1?***"), "{shown}");
    assert!(!shown.contains("123456"), "{shown}");
}

#[test]
fn a_base_for_an_address_is_refused() {
    for command in ["page", "validate"] {
        let output =
            wayfile(&[command, "https://nowhere.invalid/", "--base", "https://tide.dev/"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(said(&output).contains("--base is for what is read from a file"), "{}", said(&output));
    }
}
