//! `wayfile validate --format sarif`, held against the standard's schema.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::fake_site::{FakeSite, Reply};
use crate::run;

/// Prints what is wrong with each file named after the schema.
const JUDGE: &str = "
import json, sys, jsonschema
schema, *logs = [json.load(open(path)) for path in sys.argv[1:]]
judge = jsonschema.validators.validator_for(schema)(schema)
faults = [f'{list(fault.absolute_path)}: {fault.message}' for log in logs for fault in judge.iter_errors(log)]
sys.exit('\\n'.join(faults) or 0)
";

/// Files with nothing to find, with a finding of every kind, and with names that are no address as they stand.
const FILES: [(&str, &str); 4] = [
    (
        "llms.txt",
        "# Tide\n\n> Keeps levels.\n\n## Docs\n\n- [Start](https://tide.dev/start.md): how to begin\n",
    ),
    (
        "my docs/l\u{e9}vels #1.txt",
        "\u{feff}text\r\n\r\n## A\r\n### B\r\n* x\r\n- [](mailto:a)\r\n## A\r\n```\r\n",
    ),
    ("empty.txt", ""),
    ("page.html", "<!doctype html><html><body>no</body></html>"),
];

fn log(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfile"));
    command.args(["validate", "--format", "sarif", "--allow-network", "127.0.0.0/8"]).args(arguments);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WAYFILE") || name == "RUST_LOG") {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// Python with `jsonschema`, and the schema: `WAYFILE_OPENAPI_PYTHON` and `WAYFILE_SARIF_SCHEMA`, which `.ci/run` sets.
fn judge() -> Option<Command> {
    let python = std::env::var("WAYFILE_OPENAPI_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", "import jsonschema"]).stderr(Stdio::null()).status();
    let schema = std::env::var_os("WAYFILE_SARIF_SCHEMA");
    let (true, Some(schema)) = (has.is_ok_and(|status| status.success()), schema) else {
        assert!(std::env::var_os("WAYFILE_TESTS_REQUIRE").is_none(), "no jsonschema, or no schema of SARIF");
        eprintln!("skipped: no jsonschema in {python}, or no WAYFILE_SARIF_SCHEMA");
        return None;
    };
    let mut command = Command::new(python);
    command.args(["-c", JUDGE]).arg(schema);
    Some(command)
}

#[test]
fn the_schema_of_the_standard_accepts_what_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let logs = FILES.map(|(name, text)| {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        log(&["--no-check-links", file.to_str().unwrap()])
    });
    assert_eq!(logs.each_ref().map(|(code, _)| *code), [Some(0), Some(1), Some(1), Some(1)]);
    let site =
        run(async {
            let site = FakeSite::start(|path| {
                if path == "/llms.txt" { Reply::text("# Tide\n") } else { Reply::status(404) }
            });
            let url = site.url();
            tokio::task::spawn_blocking(move || log(&[&url])).await.unwrap().1
        });
    let logs: Vec<String> = logs.into_iter().map(|(_, log)| log).chain([site]).collect();
    let found = |log: &str| {
        let log: Value = serde_json::from_str(log).unwrap();
        log["runs"][0]["results"].as_array().unwrap().len()
    };
    assert!(found(&logs[1]) > 8 && found(&logs[4]) > 3, "{} {}", found(&logs[1]), found(&logs[4]));

    let Some(mut judge) = judge() else { return };
    for (number, log) in logs.iter().enumerate() {
        let file = folder.path().join(format!("{number}.sarif"));
        std::fs::write(&file, log).unwrap();
        judge.arg(file);
    }
    let judged = judge.output().unwrap();
    assert!(judged.status.success(), "{}", String::from_utf8_lossy(&judged.stderr));
}

#[test]
fn the_judge_of_these_logs_can_find_fault() {
    let Some(mut judge) = judge() else { return };
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), r#"{"version": "2.1.0", "runs": [{"tool": {}}]}"#).unwrap();
    let judged = judge.arg(file.path()).output().unwrap();
    assert!(!judged.status.success() && String::from_utf8_lossy(&judged.stderr).contains("driver"));
}
