//! The systemd unit: systemd understands it, and it gives the service little room.

use std::process::Command;

use crate::ours;
use crate::tool::complaints;

/// Where the unit expects the program.
const INSTALLED: &str = "/usr/local/bin/wayfile";
/// Tenths of systemd's measure of exposure, 100 for a unit without any protection.
const EXPOSURE: &str = "15";

/// Such tenths with what a browser's sandbox is made of.
const EXPOSURE_WITH_A_BROWSER: &str = "20";

/// The unit as a file of its own that names this build, and its drop-in for a browser beside it.
fn unit(with_browser: bool) -> (tempfile::TempDir, std::path::PathBuf) {
    let text = std::fs::read_to_string(ours("config/wayfile.service")).unwrap();
    assert!(text.contains(INSTALLED));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wayfile.service");
    std::fs::write(&path, text.replace(INSTALLED, env!("CARGO_BIN_EXE_wayfile"))).unwrap();
    if with_browser {
        let place = folder.path().join("wayfile.service.d");
        std::fs::create_dir(&place).unwrap();
        std::fs::copy(ours("config/wayfile-browser.conf"), place.join("wayfile-browser.conf")).unwrap();
    }
    (folder, path)
}

#[test]
fn systemd_understands_it() {
    for with_browser in [false, true] {
        let (_folder, path) = unit(with_browser);
        let mut verify = Command::new("systemd-analyze");
        verify.args(["verify", "--man=no", "--recursive-errors=no"]).arg(path);
        assert_eq!(complaints(&mut verify, ""), None);
    }
}

#[test]
fn unit_is_hardened() {
    for (with_browser, exposure) in [(false, EXPOSURE), (true, EXPOSURE_WITH_A_BROWSER)] {
        let (_folder, path) = unit(with_browser);
        let mut judge = Command::new("systemd-analyze");
        judge.args(["security", "--offline=true", "--no-pager", "--threshold", exposure]).arg(path);
        assert_eq!(complaints(&mut judge, ""), None);
    }
}
