//! Standard output: where results go.

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};

use anyhow::Context;
use serde::Serialize;

use super::Failure;

/// Standard output, written in pieces of some size whatever comes.
type Out = BufWriter<StdoutLock<'static>>;

/// Writes a result. A reader that has had enough, as in `wayfile openapi | head`, is no failure.
/// Errors: [`Failure`]: standard output takes nothing, such as a full disk.
pub(crate) fn print(write: impl FnOnce(&mut Out) -> io::Result<()>) -> Result<(), Failure> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written.context("the result cannot be written to stdout")?),
    }
}

/// Says something on stderr. That nobody reads it any more ends no work.
pub(crate) fn say(said: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{said}");
}

/// Writes JSON for people, with a line end.
pub(crate) fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}
