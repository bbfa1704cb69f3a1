//! `wayfile completions SHELL` and `wayfile man [DIR]`: what packages install beside the binary.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Args;
use super::{Failure, output};

const NAME: &str = env!("CARGO_PKG_NAME");

pub(super) fn completions(shell: Shell) -> Result<(), Failure> {
    // The library expects of whatever it writes to that it never fails.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), NAME, &mut script);
    output::print(|out| out.write_all(&script))
}

pub(super) fn man(folder: Option<&Path>) -> Result<(), Failure> {
    let Some(folder) = folder else {
        return output::print(|out| clap_mangen::Man::new(Args::command()).render(out));
    };
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Args::command(), folder));
    Ok(written.with_context(|| format!("nothing can be written into {}", folder.display()))?)
}
