//! `wayfile validate` as an owner's build calls it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::fake_site::{FakeSite, Reply, each, page};
use crate::run;

fn wayfile(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfile"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WAYFILE") || name == "RUST_LOG") {
        command.env_remove(name);
    }
    command.args(["validate", "--allow-network", "127.0.0.0/8"]).args(arguments);
    command
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Five links of which three are dead, the first of them in two places.
fn listing(base: &str) -> String {
    let links = each(["ok", "gone", "fine", "lost", "gone", "away"], |name| {
        format!("- [Page {name}]({base}{name}): what the page {name} is about\n")
    });
    format!("# Tide\n\n> Tide keeps levels of harbours.\n\n## Docs\n\n{links}")
}

fn site() -> FakeSite {
    FakeSite::start(|path| match path {
        "/ok" | "/fine" => page(path, &[]),
        "/away" => Reply::status(410),
        _ => Reply::status(404),
    })
}

/// Runs the command on `text` in a file, with the path of that file in the place of `FILE`.
async fn on_file(text: String, arguments: &[&str]) -> (Option<i32>, String, String) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let path = file.path().display().to_string();
    let arguments: Vec<String> = arguments.iter().map(|word| word.replace("FILE", &path)).collect();
    let run = move || {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        said(&wayfile(&arguments).output().unwrap())
    };
    let said = tokio::task::spawn_blocking(run).await.unwrap();
    drop(file);
    said
}

#[test]
fn dead_links_are_named_in_every_format_and_fail_when_they_are_to() {
    run(async {
        let site = site();
        let text = listing(&site.url());
        let gone = format!("{}gone", site.url());
        let (code, out, _) = on_file(text.clone(), &["FILE"]).await;
        assert_eq!(code, Some(0), "{out}");
        for (line, reason, path) in
            [(8, 404, "gone"), (10, 404, "lost"), (11, 404, "gone"), (12, 410, "away")]
        {
            let named = format!("line {line}: {reason} {}{path}\n", site.url());
            assert_eq!(out.matches(&named).count(), 1, "{named} in {out}");
        }
        let (code, _, err) = on_file(text.clone(), &["FILE", "--fail-on-dead"]).await;
        assert_eq!((code, err.contains("3 links are dead")), (Some(1), true), "{err}");
        let (_, out, _) = on_file(text.clone(), &["FILE", "--format", "json"]).await;
        let answer: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(answer["linkStats"]["deadLinks"].as_array().unwrap().len(), 4);
        let (_, out, _) = on_file(text.clone(), &["FILE", "--format", "sarif"]).await;
        let log: Value = serde_json::from_str(&out).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        let lines = |rule: &str| -> Vec<u64> {
            let of_rule = results.iter().filter(|result| result["ruleId"] == rule);
            let line =
                |r: &Value| r["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap();
            of_rule.map(line).collect()
        };
        assert_eq!(lines("no-dead-links"), [8, 10, 11, 12]);
        assert_eq!(lines("https-links"), [7, 8, 9, 10, 11, 12], "six links over http are six results");
        assert!(results.iter().any(|r| r["message"]["text"].as_str().unwrap().contains(&gone)));
        let ignoring =
            ["FILE", "--fail-on-dead", "--ignore", "/gone", "--ignore", "/l*", "--ignore", "**/away"];
        assert_eq!(on_file(text, &ignoring).await.0, Some(0));
    });
}

#[test]
fn every_link_is_tried_when_all_are_wanted() {
    run(async {
        let site = FakeSite::start(|path| if path == "/77" { Reply::status(404) } else { page(path, &[]) });
        let links = each(0..120, |n| format!("- [Page {n}]({}{n}): what it is about\n", site.url()));
        let text = format!("# Tide\n\n> Levels.\n\n## Docs\n\n{links}");
        let sample = on_file(text.clone(), &["FILE", "--fail-on-dead"]).await;
        assert!(sample.1.contains("links: 50 ok, 0 dead, 0 unknown"), "{}", sample.1);
        let all = on_file(text, &["FILE", "--fail-on-dead", "--all-links"]).await;
        assert!(all.0 == Some(1) && all.1.contains("links: 119 ok, 1 dead, 0 unknown"), "{}", all.1);
        assert!(all.1.contains("line 84: 404 "), "{}", all.1);
    });
}

#[test]
fn relative_links_have_the_base_that_is_given() {
    run(async {
        let site = site();
        let base = format!("{}llms.txt", site.url());
        let (code, out, _) = on_file(listing("./"), &["FILE", "--base", &base, "--fail-on-dead"]).await;
        assert!(code == Some(1) && out.contains("links: 2 ok, 3 dead, 0 unknown"), "{out}");
        let (code, out, err) = on_file(listing("./"), &["FILE", "--fail-on-dead"]).await;
        assert!(code == Some(0) && out.contains("links: 0 ok, 0 dead, 0 unknown"), "{out}");
        assert!(err.contains("note: relative links were not tried; --base URL says"), "{err}");
        for told in [&["FILE", "--base", &base][..], &["FILE", "--no-check-links"]] {
            let (.., err) = on_file(listing("./"), told).await;
            assert!(!err.contains("note:"), "{told:?}: {err}");
        }
        let (.., err) = on_file(listing(&site.url()), &["FILE"]).await;
        assert!(!err.contains("note:"), "{err}");
        assert_eq!(on_file(listing("./"), &["FILE", "--base", "no base"]).await.0, Some(2));
    });
}

#[test]
fn several_files_are_told_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("one.txt"), "# Tide\n\n> L.\n\n## Docs\n\n- [A](https://tide.dev/a): what a is\n")
        .unwrap();
    std::fs::write(path("two.txt"), "no title").unwrap();
    let both = [path("one.txt"), path("two.txt")];
    let args = |more: &[&'static str]| {
        let words = both.iter().map(String::as_str).chain(["--no-check-links"]).chain(more.iter().copied());
        said(&wayfile(&words.collect::<Vec<_>>()).output().unwrap())
    };
    let (code, out, err) = args(&[]);
    assert_eq!(code, Some(1));
    assert!(out.contains(&format!("{}\n", both[0])) && out.contains(&format!("\n\n{}\n", both[1])), "{out}");
    assert_eq!(err.lines().last().unwrap(), format!("wayfile: {}: the file is no valid llms.txt", both[1]));
    let answers: Value = serde_json::from_str(&args(&["--format", "json"]).1).unwrap();
    let names: Vec<&str> =
        answers.as_array().unwrap().iter().map(|a| a["source"].as_str().unwrap()).collect();
    assert_eq!(names, both);
    let log: Value = serde_json::from_str(&args(&["--format", "sarif"]).1).unwrap();
    let artifacts = log["runs"][0]["artifacts"].as_array().unwrap();
    assert_eq!((artifacts.len(), artifacts[1]["properties"]["status"].as_str()), (2, Some("invalid")));
}

#[test]
fn stdin_and_pipes_are_read_and_a_file_that_is_not_there_is_not_asked_for() {
    let text = "# Tide\n\n> Levels.\n\n## Docs\n\n- [A](https://tide.dev/a): what a is about\n";
    for name in ["-", "/dev/fd/0"] {
        let mut command = wayfile(&[name, "--no-check-links"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let (code, out, _) = said(&child.wait_with_output().unwrap());
        assert!(code == Some(0) && out.contains("score "), "{name}: {out}");
    }
    let (code, out, err) = said(&wayfile(&["NOTES.md"]).output().unwrap());
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.ends_with("wayfile: there is no file NOTES.md; a site is https://NOTES.md\n"), "{err}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("llms.txt").display().to_string();
    std::fs::write(&file, text).unwrap();
    let (code, out, err) = said(&wayfile(&["NOTES.md", &file, "--no-check-links"]).output().unwrap());
    assert!(
        code == Some(2) && out.contains(&file) && err.contains("there is no file NOTES.md"),
        "{out}{err}"
    );
}

#[test]
fn a_source_that_cannot_be_judged_leaves_the_others_what_they_are_worth() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("llms.txt").display().to_string();
    std::fs::write(&file, "# Tide\n\n> L.\n\n## Docs\n\n- [A](https://tide.dev/a): what a is\n").unwrap();
    let above = folder.path().display().to_string();
    for (bad, code, why) in [(above.as_str(), 2, "is a folder"), ("http://10.0.0.1/", 1, "is not public")] {
        for sources in [[bad, &file], [&file, bad]] {
            let (ended, out, err) =
                said(&wayfile(&[&sources[..], &["--no-check-links"]].concat()).output().unwrap());
            assert_eq!(ended, Some(code), "{sources:?}: {err}");
            assert!(out.contains(&file) && out.contains("score ") && err.contains(why), "{out}{err}");
        }
    }
    let arguments = [&above, &file, "--no-check-links", "--format", "json"];
    let answers: Value = serde_json::from_str(&said(&wayfile(&arguments).output().unwrap()).1).unwrap();
    assert_eq!(answers[0]["source"], file);
}
