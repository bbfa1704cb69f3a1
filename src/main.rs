//! Wayfile makes websites readable for language models: it writes `llms.txt` and `llms-full.txt`.

use std::process::ExitCode;

fn main() -> ExitCode {
    wayfile::run()
}
