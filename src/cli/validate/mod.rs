//! `wayfile validate URL|FILE|-...`

mod sarif;
mod text;

use std::io::{IsTerminal, Write};
use std::time::Duration;

use serde::Serialize;
use wayfile_actors::{Freshness, LinkChecks, SiteAccess, ValidateError, Validator};
use wayfile_core::llms_txt::lint::lint;
use wayfile_core::llms_txt::lint::report::{Report, Status};
use wayfile_core::llms_txt::lint::rule::{Finding, Occurrence};
use wayfile_core::llms_txt::lint::served::DeadLink;
use wayfile_core::llms_txt::lint::source::Source;
use wayfile_core::site::globs::Globs;
use wayfile_core::url::SiteUrl;

use super::args::{Format, Validate};
use super::input::{self, Input, Local};
use super::{Failure, output};
use crate::config::Config;
use crate::runtime;

/// With `--all-links` there is no deadline: the user can end the command.
const ALL_LINKS: Duration = Duration::from_hours(24);
/// The check whose places are all named, however many.
const DEAD: &str = "no-dead-links";
/// The check that fails where a file has relative links.
const ABSOLUTE: &str = "absolute-links";

#[derive(Serialize)]
struct Judged {
    #[serde(rename = "source")]
    name: String,
    #[serde(flatten)]
    report: Report,
}

/// Prints what the files are worth.
/// Errors: [`Failure`]: wrong use, or a file that is invalid, missing, unreachable, below a minimum or has dead links.
pub(crate) fn run(config: Config, command: &Validate) -> Result<(), Failure> {
    let (mut given, mut failures) = (Vec::new(), Vec::new());
    for text in &command.sources {
        match Input::parse(text) {
            Ok(input) => given.push((text.as_str(), input)),
            Err(failure) => failures.push(failure),
        }
    }
    let is_stdin = |input: &Input| *input == Input::Local(Local::Stdin);
    if given.iter().filter(|(_, input)| is_stdin(input)).count() > 1 {
        return Err(Failure::wrong_use("stdin can be read once"));
    }
    let base = command.base.as_deref().map(input::base).transpose()?;
    let is_site = |(_, input): &(_, Input)| matches!(input, Input::Address(_));
    if base.is_some() && failures.is_empty() && given.iter().all(is_site) {
        return Err(Failure::wrong_use(input::NO_BASE));
    }
    let ignored =
        Globs::parse(&command.ignore).map_err(|error| Failure::wrong_use(format!("--ignore: {error}")))?;
    let mut judged = Vec::with_capacity(given.len());
    runtime::run(async {
        // A text whose links are left alone needs neither a network nor certificates.
        let validator = if command.no_check_links && !given.iter().any(is_site) {
            None
        } else {
            let mut settings = config.validate.clone();
            if command.all_links {
                (settings.max_links, settings.deadline) = (usize::MAX, ALL_LINKS);
            }
            Some(config.start_engine(SiteAccess::default())?.validator(settings).ignoring(ignored))
        };
        let links = if command.no_check_links { LinkChecks::Leave } else { LinkChecks::Try };
        for (name, input) in given {
            let name = if is_stdin(&input) { "stdin" } else { name };
            match report(input, validator.as_ref(), base.as_ref(), links).await {
                Ok(report) => judged.push(Judged::new(name, report)),
                Err(failure) => failures.push(failure),
            }
        }
        Ok::<_, Failure>(())
    })??;
    if !judged.is_empty() {
        print(&judged, command)?;
    }
    if !command.no_check_links && base.is_none() && judged.iter().any(Judged::has_untried) {
        say!("note: relative links were not tried; --base URL says where the file will lie");
    }
    for judged in &judged {
        if let Some(wrong) = wrong(&judged.report, command) {
            let message =
                if command.sources.len() == 1 { wrong } else { format!("{}: {wrong}", judged.name) };
            failures.push(Failure { message, code: 1 });
        }
    }
    let Some(code) = failures.iter().map(|failure| failure.code).max() else { return Ok(()) };
    let messages: Vec<String> = failures.into_iter().map(|failure| failure.message).collect();
    Err(Failure { message: messages.join("\nwayfile: "), code })
}

async fn report(
    input: Input,
    validator: Option<&Validator>,
    base: Option<&SiteUrl>,
    links: LinkChecks,
) -> Result<Report, Failure> {
    let report = match (input, validator) {
        (Input::Address(seed), Some(validator)) => {
            validator.site(seed, links, Freshness::Lately).await.map(|(report, _)| report)
        }
        (Input::Local(local), Some(validator)) => validator.text(local.read()?, base.cloned(), links).await,
        (Input::Local(local), None) => {
            Ok(Report::of_content(lint(&Source::decode(&local.read()?), base), None))
        }
        (Input::Address(_), None) => Err(ValidateError::Internal),
    };
    report.map_err(|error| failed(&error))
}

impl Judged {
    fn new(name: &str, report: Report) -> Self {
        let name = report.target_url.as_ref().map_or(name, SiteUrl::as_str).to_owned();
        Self { name, report }
    }

    /// Whether it is a text with relative links: without its address they lead nowhere.
    fn has_untried(&self) -> bool {
        let is_relative = |check: &Finding| check.rule.id == ABSOLUTE && !check.pass;
        self.report.target_url.is_none() && self.report.checks.iter().any(is_relative)
    }

    /// Every place in which a check fails; one without a line fails as a whole.
    fn places(&self, check: &Finding) -> Vec<(Option<usize>, String)> {
        let dead = self.report.link_stats.as_ref().filter(|_| check.rule.id == DEAD);
        if let Some(stats) = dead {
            let place = |link: &DeadLink| (Some(link.line), format!("{} {}", link.reason.as_str(), link.url));
            return stats.dead_links.iter().map(place).collect();
        }
        if check.occurrences.is_empty() {
            let detail = check.detail.as_deref().unwrap_or(check.rule.label);
            return vec![(check.line, detail.to_owned())];
        }
        let place = |place: &Occurrence| (Some(place.line), place.detail.clone());
        check.occurrences.iter().map(place).collect()
    }
}

fn failed(error: &ValidateError) -> Failure {
    match error {
        ValidateError::NotPublic(url) => Failure::not_public(error, url.as_str()),
        error => Failure { message: error.to_string(), code: 1 },
    }
}

fn print(judged: &[Judged], command: &Validate) -> Result<(), Failure> {
    output::print(|out| match (command.format, judged) {
        (Format::Text, _) => {
            let coloured = out.get_ref().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            for (number, judged) in judged.iter().enumerate() {
                let apart = if number == 0 { "" } else { "\n" };
                write!(out, "{apart}{}", text::render(judged, coloured))?;
            }
            Ok(())
        }
        (Format::Json, [one]) if command.sources.len() == 1 => output::json(out, &one.report),
        (Format::Json, several) => output::json(out, &several),
        (Format::Sarif, _) => output::json(out, &sarif::log(judged)),
    })
}

/// Why what was found is not good enough, if so.
fn wrong(report: &Report, command: &Validate) -> Option<String> {
    let below = |name: &str, score: u32, min: u32| {
        (score < min).then(|| format!("the {name} is {score}, below the {min} that was asked for"))
    };
    let wrong = match report.status {
        Status::Unreachable => Some("the file cannot be reached".to_owned()),
        Status::Missing => Some("there is no llms.txt".to_owned()),
        Status::Invalid => Some("the file is no valid llms.txt".to_owned()),
        Status::Valid | Status::Warnings => None,
    };
    let dead = report.link_stats.as_ref().map_or(0, |stats| stats.dead);
    let dead = (command.fail_on_dead && dead > 0).then(|| match dead {
        1 => "a link is dead".to_owned(),
        dead => format!("{dead} links are dead"),
    });
    wrong
        .or_else(|| below("score", report.score, command.min_score))
        .or_else(|| below("readiness", report.readiness_score, command.min_readiness))
        .or(dead)
}
