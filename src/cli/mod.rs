//! The command line.

mod page;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

/// Makes websites readable for language models.
#[derive(Debug, Parser)]
#[command(name = "wayfile", version, about)]
enum Command {
    Page(page::Arguments),
}

/// Runs the command that the arguments name.
pub(crate) fn run() -> ExitCode {
    let result = match Command::parse() {
        Command::Page(arguments) => page::run(&arguments),
    };
    match result {
        // A reader that goes away early is no failure of ours.
        Ok(text) => match std::io::stdout().write_all(text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err((message, code)) => {
            eprintln!("wayfile: {message}");
            ExitCode::from(code)
        }
    }
}
