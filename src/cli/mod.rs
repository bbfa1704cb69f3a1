//! The command line.

use std::process::ExitCode;

/// Runs the command that the arguments name.
pub(crate) fn run() -> ExitCode {
    ExitCode::FAILURE
}
