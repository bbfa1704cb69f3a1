//! Wayfile makes websites readable for language models: it writes `llms.txt` and `llms-full.txt`.

mod cli;
mod config;
mod demo;
mod runtime;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
