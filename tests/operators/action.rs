//! The step of the action that runs what it is asked.

use std::process::Command;

use crate::ours;

/// Runs `.ci/ask`: the exit code, and what the program printed.
fn ask(program: &str, text: &str) -> (Option<i32>, String) {
    let action = std::fs::read_to_string(ours("action.yml")).unwrap();
    assert!(action.contains(r#".ci/ask" "$RUNNER_TEMP/wayfile/wayfile" "$ARGUMENTS"'"#), "{action}");
    let output = Command::new(ours(".ci/ask")).args([program, text]).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn words_are_taken_apart_and_none_is_run() {
    let (code, printed) = ask("printf", r#"<%s> a "b  c" 'd$(false)' e\ f `id` "" *.toml"#);
    assert_eq!((code, printed.as_str()), (Some(0), "<a><b  c><d$(false)><e f><`id`><><*.toml>"));
    assert_ne!(ask("true", "an 'open quote").0, Some(0));
}

#[test]
fn the_exit_code_is_the_programs_own() {
    for code in [0, 1, 2, 130] {
        assert_eq!(ask("bash", &format!("-c 'exit {code}'")).0, Some(code));
    }
    let text = "validate README.md --no-check-links --min-score 101";
    assert_eq!(ask(env!("CARGO_BIN_EXE_wayfile"), text).0, Some(2));
}
