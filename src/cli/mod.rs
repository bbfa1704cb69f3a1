//! The command line: results to stdout, everything else to stderr.
#![warn(clippy::print_stderr, reason = "it panics when nobody reads it any more; `say!` goes on")]

/// Says something on stderr, with a line end.
macro_rules! say {
    ($($said:tt)*) => { $crate::cli::output::say(format_args!($($said)*)) };
}

pub(crate) mod args;
mod config;
mod demo;
mod generate;
mod health;
mod input;
pub(crate) mod output;
mod page;
mod progress;
mod serve;
mod shell;
mod stored;
mod validate;

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use ipnet::IpNet;
use wayfile_actors::CrawlError;
use wayfile_actors::http::install_tls_provider;
use wayfile_actors::renderer;
use wayfile_core::url::SiteUrl;

use crate::config::Config;
use crate::{memory, openapi, telemetry};
use args::{Args, Command};

/// Wrong use, as opposed to a run that failed.
const WRONG_USE: u8 = 2;

/// Runs the command that the arguments name. 0: fine; 1: it failed; 2: wrong use.
pub fn run() -> ExitCode {
    let args = Args::parse();
    install_tls_provider();
    // These hang on no settings.
    match &args.command {
        Command::WatchBrowser { told } => return watch_browser(told),
        Command::Completions { shell } => return ended(shell::completions(*shell)),
        Command::Man { folder } => return ended(shell::man(folder.as_deref())),
        _ => {}
    }
    let serves = matches!(args.command, Command::Serve);
    if serves {
        memory::is_given_back();
    }
    let _last_lines = telemetry::start_logs(serves);
    let (file, allow) = (args.config, args.allow_network);
    let read = move || Config::load(file.as_deref(), &allow);
    let config = match read() {
        Ok(config) => config,
        Err(error) => {
            return ended(Err(Failure::wrong_use(format!("the settings cannot be used: {error:#}"))));
        }
    };
    if matches!(args.command, Command::Generate(_) | Command::Page(_) | Command::Validate(_)) {
        warn_of_opened(&config.crawl.allow_networks);
    }
    ended(match args.command {
        Command::Generate(command) => generate::run(config, &command),
        Command::Page(command) => page::run(config, &command),
        Command::Validate(command) => validate::run(config, &command),
        Command::Account(command) => stored::account(&config, command),
        Command::Key(command) => stored::key(&config, command),
        Command::Demo { keep } => demo::run(config, keep),
        Command::Serve => serve::run(config, read),
        Command::Config(command) => config::run(&config, &command),
        Command::Nodes => stored::nodes(&config),
        Command::Openapi => {
            let document = openapi::document(config.server.public_url.as_deref());
            output::print(|out| writeln!(out, "{document}"))
        }
        Command::Health => health::run(&config),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { folder } => shell::man(folder.as_deref()),
        Command::WatchBrowser { told } => return watch_browser(&told),
    })
}

/// Runs as the process between the service and its browser.
fn watch_browser(told: &str) -> ExitCode {
    match renderer::watch(told) {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Err(error) => {
            say!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn ended(done: Result<(), Failure>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say!("wayfile: {}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}

/// A site may name whatever it likes, so an operator who opened a network should know it.
fn warn_of_opened(networks: &[IpNet]) {
    if !networks.is_empty() {
        let networks: Vec<String> = networks.iter().map(ToString::to_string).collect();
        say!("warning: {} may be fetched too, although not public", networks.join(", "));
    }
}

#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) code: u8,
}

impl Failure {
    pub(crate) fn wrong_use(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: WRONG_USE }
    }

    pub(crate) fn of_crawl(error: CrawlError) -> Self {
        match &error {
            CrawlError::NotPublic(url) => Self::not_public(&error, url),
            _ => error.into(),
        }
    }

    /// An address that may not be fetched. Of a literal address and of this machine's own names it is clear that somebody's
    /// network would have to be opened for it; other names that are not public lead nowhere.
    pub(crate) fn not_public(error: &impl Display, url: &str) -> Self {
        let is_local = SiteUrl::parse(url).is_ok_and(|url| url.ip().is_some() || url.host() == "localhost");
        let advice =
            if is_local { "; if the network is yours, open it with --allow-network CIDR" } else { "" };
        Self { message: format!("{error}{advice}"), code: 1 }
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        let error = error.into();
        // Many an error quotes its cause.
        let message = error
            .chain()
            .map(ToString::to_string)
            .reduce(|told, cause| if told.contains(&cause) { told } else { format!("{told}: {cause}") });
        Self { message: message.unwrap_or_default(), code: 1 }
    }
}
