//! Settings that no browser can be started with are told at once, with what to do.

use std::process::Command;

use crate::command::Place;
use crate::{has_browser, run};

fn said(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_browser_that_is_not_there_or_a_user_that_is_none_ends_the_start() {
    let place = Place::with("[browser]\npath = \"/nowhere/chromium\"\n");
    for command in
        [&["serve"][..], &["generate", "127.0.0.1:1"], &["page", "127.0.0.1:1"], &["config", "check"]]
    {
        let (ok, said) = said(&mut place.command(command));
        assert!(!ok && said.contains("browser.path: /nowhere/chromium"), "{command:?}: {said}");
    }
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    for (user, why) in [("no-such-user", "there is no user"), ("root", "is root")] {
        let place = Place::with(&format!("[browser]\npath = \"/bin/sh\"\nuser = \"{user}\"\n"));
        let (ok, said) = said(&mut place.command(&["generate", "127.0.0.1:1"]));
        assert!(!ok && said.contains("browser.user") && said.contains(why), "{said}");
    }
}

#[test]
fn a_kernel_that_refuses_the_sandbox_is_told_of() {
    if !has_browser() || !nix::unistd::geteuid().is_root() {
        return;
    }
    run(async {
        let place = Place::with("[browser]\npath = \"/usr/bin/chromium\"\n");
        let wayfile = place.command(&["generate", "127.0.0.1:1"]);
        let words: Vec<String> = std::iter::once(wayfile.get_program())
            .chain(wayfile.get_args())
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        // A user without rights, on a machine that allows no further namespaces.
        let mut refused = Command::new("setpriv");
        refused.args([
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "unshare",
            "--user",
            "--map-current-user",
        ]);
        refused.args([
            "--keep-caps",
            "sh",
            "-c",
            "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"",
            "sh",
        ]);
        let (ok, said) = said(refused.args(words).current_dir("/"));
        assert!(!ok && said.contains("the browser's sandbox cannot be made"), "{said}");
    });
}
