//! The steps of the action: it installs a release, and runs what it is asked.

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

#[cfg(target_os = "linux")]
mod releases {
    use std::path::Path;
    use std::process::Output;

    use super::*;

    /// Runs `.ci/install` with the releases that lie below `place`.
    fn install(place: &Path, version: &str, folder: &Path) -> Output {
        let mut command = Command::new(ours(".ci/install"));
        command.env("WAYFILE_RELEASES", format!("file://{}", place.display()));
        command.args(["tide/wayfile", version]).arg(folder).output().unwrap()
    }

    #[test]
    fn a_release_is_installed_where_it_has_its_checksum() {
        let place = tempfile::TempDir::new().unwrap();
        let (release, folder) = (place.path().join("v1"), place.path().join("bin"));
        let archive = format!("wayfile-{}-unknown-linux-gnu.tar.gz", std::env::consts::ARCH);
        let packed = format!(
            "mkdir -p w v1; printf '#!/bin/sh\\necho wayfile 1' > w/wayfile; chmod +x w/wayfile; tar -czf v1/{archive} w; \
             cd v1; sha256sum {archive} > SHA256SUMS"
        );
        assert!(Command::new("sh").args(["-c", &packed]).current_dir(&place).status().unwrap().success());
        let installed = install(place.path(), "v1", &folder);
        assert_eq!((installed.status.code(), &installed.stdout[..]), (Some(0), &b"wayfile 1\n"[..]));
        assert!(folder.join("wayfile").exists());

        let missing = install(place.path(), "0a1b2c", &folder);
        let said = String::from_utf8(missing.stderr).unwrap();
        assert!(
            missing.status.code() == Some(1) && said.contains("tide/wayfile has no release 0a1b2c"),
            "{said}"
        );

        std::fs::write(release.join(archive), "something else").unwrap();
        let elsewhere = place.path().join("tampered");
        assert_eq!(install(place.path(), "v1", &elsewhere).status.code(), Some(1));
        assert!(!elsewhere.exists());
    }
}
