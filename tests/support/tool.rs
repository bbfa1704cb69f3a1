//! Programs of others that judge what we write; where one is missing, its tests say so in one line.

use std::io::Write;
use std::process::{Command, Stdio};

/// Set where everything that tests need must be there.
const REQUIRE: &str = "WAYFILE_TESTS_REQUIRE";

/// Runs it with `input`; its complaints if it has any, none also where it is missing.
pub(crate) fn complaints(command: &mut Command, input: &str) -> Option<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = piped.spawn() else {
        missing(&program);
        return None;
    };
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    (!output.status.success()).then_some(said)
}

/// Says that what a test needs is missing; fails where nothing may be.
pub(crate) fn missing(what: &str) {
    assert!(std::env::var_os(REQUIRE).is_none(), "{what} is not installed");
    eprintln!("skipped: {what} is not installed");
}
