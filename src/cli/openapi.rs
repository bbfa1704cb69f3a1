//! `wayfile openapi`

use std::io::Write;

use super::{Failure, output};
use crate::config::Config;
use crate::openapi;

/// Prints the document.
///
/// # Errors
/// [`Failure`]: standard output takes nothing.
pub(super) fn run(config: &Config) -> Result<(), Failure> {
    let document = openapi::document(config.server.public_url.as_deref());
    output::print(|out| writeln!(out, "{document}"))
}
