//! `wayfile validate URL|FILE|-`

mod sarif;
mod text;

use std::io::{IsTerminal, Read, Write};
use std::path::Path;

use anyhow::Context;
use wayfile_actors::{Freshness, Links, ValidateError};
use wayfile_core::llms_txt::lint::lint;
use wayfile_core::llms_txt::lint::report::{Report, Status};
use wayfile_core::llms_txt::lint::source::Source;
use wayfile_core::site::url::Seed;

use super::args::{Format, Validate};
use super::{Failure, output};
use crate::config::Config;
use crate::runtime;

/// The name of stdin, and what it is called where a name is shown.
const STDIN: &str = "-";

/// Prints what the file is worth.
///
/// # Errors
/// [`Failure`]: wrong use, or a file that is invalid, missing, unreachable or below a minimum.
pub(crate) fn run(config: Config, command: &Validate) -> Result<(), Failure> {
    let links = if command.no_check_links { Links::Leave } else { Links::Try };
    let report = match handed_over(&command.source)? {
        Some(bytes) if links == Links::Leave => Report::of_content(lint(&Source::decode(&bytes), None), None),
        Some(bytes) => runtime::run(async {
            let settings = config.validate.clone();
            config.start_engine()?.validator(settings).text(bytes, links).await.map_err(failed)
        })??,
        None => {
            let seed = Seed::parse(&command.source).map_err(|error| {
                Failure::wrong_use(format!("{:?} is neither a file nor an address: {error}", command.source))
            })?;
            runtime::run(async {
                let settings = config.validate.clone();
                config
                    .start_engine()?
                    .validator(settings)
                    .site(seed, links, Freshness::Lately)
                    .await
                    .map_err(failed)
            })??
        }
    };
    print(&report, command)?;
    verdict(&report, command)
}

/// The bytes of a file or of stdin; `None` for what can only be an address.
fn handed_over(source: &str) -> Result<Option<Vec<u8>>, Failure> {
    if source == STDIN {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).context("stdin cannot be read")?;
        return Ok(Some(bytes));
    }
    let path = Path::new(source);
    if path.is_file() {
        return Ok(Some(std::fs::read(path).with_context(|| format!("{source} cannot be read"))?));
    }
    // `llms.txt` would pass for a domain.
    let names_a_file =
        !source.contains("://") && !source.contains('/') && path.extension().is_some_and(|e| e == "txt");
    if names_a_file || source.starts_with(['.', '/']) {
        return Err(Failure::wrong_use(format!("there is no file {source}")));
    }
    Ok(None)
}

fn failed(error: ValidateError) -> Failure {
    match error {
        ValidateError::NotPublic(_) => {
            let message = format!("{error}; if the network is yours, open it with --allow-network CIDR");
            Failure { message, code: 1 }
        }
        error => error.into(),
    }
}

fn print(report: &Report, command: &Validate) -> Result<(), Failure> {
    output::print(|out| match command.format {
        Format::Text => {
            let coloured = out.get_ref().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            out.write_all(text::render(report, &shown(report, command), coloured).as_bytes())
        }
        Format::Json => output::json(out, report),
        Format::Sarif => output::json(out, &sarif::log(report, &shown(report, command))),
    })
}

/// What the findings are about.
fn shown(report: &Report, command: &Validate) -> String {
    match &report.target_url {
        Some(url) => url.as_str().to_owned(),
        None if command.source == STDIN => "stdin".to_owned(),
        None => command.source.clone(),
    }
}

fn verdict(report: &Report, command: &Validate) -> Result<(), Failure> {
    let below = |name: &str, score: u32, min: u32| {
        (score < min).then(|| format!("the {name} is {score}, below the {min} that was asked for"))
    };
    let wrong = match report.status {
        Status::Unreachable => Some("the file cannot be reached".to_owned()),
        Status::Missing => Some("there is no llms.txt".to_owned()),
        Status::Invalid => Some("the file is no valid llms.txt".to_owned()),
        Status::Valid | Status::Warnings => None,
    };
    let wrong = wrong
        .or_else(|| below("score", report.score, command.min_score))
        .or_else(|| below("readiness", report.readiness_score, command.min_readiness));
    wrong.map_or(Ok(()), |message| Err(Failure { message, code: 1 }))
}
