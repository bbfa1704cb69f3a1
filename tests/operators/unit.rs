//! The systemd unit: systemd understands it, and it gives the service little room.

use std::process::Command;

use crate::ours;
use crate::tool::complaints;

/// Where the unit expects the program.
const INSTALLED: &str = "/usr/local/bin/wayfile";
/// Tenths of systemd's measure of exposure, 100 for a unit without any protection.
const EXPOSURE: &str = "15";

/// The unit as a file of its own that names this build.
fn unit() -> (tempfile::TempDir, std::path::PathBuf) {
    let text = std::fs::read_to_string(ours("config/wayfile.service")).unwrap();
    assert!(text.contains(INSTALLED));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wayfile.service");
    std::fs::write(&path, text.replace(INSTALLED, env!("CARGO_BIN_EXE_wayfile"))).unwrap();
    (folder, path)
}

#[test]
fn systemd_understands_it() {
    let (_folder, path) = unit();
    let verify = complaints(
        Command::new("systemd-analyze").args(["verify", "--man=no", "--recursive-errors=no"]).arg(path),
        "",
    );
    assert_eq!(verify, None);
}

#[test]
fn unit_is_hardened() {
    let (_folder, path) = unit();
    let mut judge = Command::new("systemd-analyze");
    judge.args(["security", "--offline=true", "--no-pager", "--threshold", EXPOSURE]).arg(path);
    assert_eq!(complaints(&mut judge, ""), None);
}
