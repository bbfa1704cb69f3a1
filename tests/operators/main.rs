//! What operators are given beside the program: dashboards, rules, alerts with their runbook, the systemd unit, the action.

#![expect(clippy::unwrap_used, reason = "what is wrong here must stop it at once, with its place")]

#[path = "../support/process.rs"]
mod process;
#[path = "../support/tool.rs"]
mod tool;

mod action;
mod dashboards;
mod query;
mod rules;
mod unit;

use std::path::PathBuf;

/// A file or folder of the repository.
fn ours(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}
