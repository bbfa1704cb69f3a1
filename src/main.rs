//! Wayfile makes websites readable for language models.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
