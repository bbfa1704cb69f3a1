//! The arguments of every command.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};
use clap_complete::Shell;
use humantime_serde::re::humantime::parse_duration;
use ipnet::IpNet;
use wayfile_actors::renderer::WATCH;
use wayfile_core::llms_txt::FileType;
use wayfile_core::plan::Plan;

use crate::auth::Email;

/// Makes websites readable for language models.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Args {
    /// Settings that go over the compiled-in defaults (config/default.toml lists them all)
    #[arg(long, global = true, value_name = "FILE", env = "WAYFILE_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// A private network that may be fetched, such as 10.0.0.0/8; repeatable
    #[arg(long, global = true, value_name = "CIDR", value_parser = network)]
    pub(crate) allow_network: Vec<IpNet>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// A network, with an error that names the part that is wrong.
fn network(text: &str) -> Result<IpNet, String> {
    let Some((address, length)) = text.split_once('/') else {
        return Err("the prefix length is missing; write it after a slash, as in 10.0.0.0/8".to_owned());
    };
    let address: IpAddr = address.parse().map_err(|_| format!("{address:?} is no IP address"))?;
    let longest = if address.is_ipv4() { 32 } else { 128 };
    length
        .parse()
        .ok()
        .and_then(|length| IpNet::new(address, length).ok())
        .ok_or_else(|| format!("the prefix length {length:?} is no number from 0 to {longest}"))
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write llms.txt and llms-full.txt of a site
    Generate(Generate),
    /// Turn one page into clean Markdown
    Page(PageArgs),
    /// Check an llms.txt: its form, and whether agents get it and can use it
    Validate(Validate),
    /// Make, change or list accounts; safe while a server runs
    #[command(subcommand)]
    Account(AccountCommand),
    /// Make, revoke or list the keys of an account; safe while a server runs
    #[command(subcommand)]
    Key(KeyCommand),
    /// See the whole job done on a sample site; needs no network
    Demo {
        /// Leave site and service running and print address, account and key
        #[arg(long)]
        keep: bool,
    },
    /// Serve the API; SIGTERM ends it in order
    Serve,
    /// Check or print the settings
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print the API's contract, as /openapi.json serves it
    Openapi,
    /// Ask the service that these settings belong to whether it can work
    Health,
    /// List the nodes that serve the store, and what they hold
    Nodes,
    /// Start a browser and take it along at the end; for the service itself
    #[command(name = WATCH, hide = true)]
    WatchBrowser {
        /// What is to be watched, and how
        told: String,
    },
    /// Print what completes these commands in a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the manual, or write a page for each command into a folder
    Man {
        /// The folder
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum ConfigCommand {
    /// Say whether the settings can be used, and what about them is odd
    Check,
    /// Print the settings that hold; secrets are masked
    Show,
    /// Have the service on this machine read its settings again, and print which hold now and which need a restart
    Reload,
}

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that somebody gives or leaves out")]
pub(crate) struct Generate {
    /// Domain or address of the site, or the folder that it is built into
    #[arg(value_name = "URL|DIR")]
    pub(crate) url: String,
    /// Where the folder will be served: links lead there, and nothing is fetched
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<String>,
    /// Which files: llms, llms-full or both
    #[arg(long, value_name = "TYPE", default_value_t)]
    pub(crate) file_type: FileType,
    /// Guidance for the readers of the file, at most 4,000 characters
    #[arg(long, value_name = "TEXT")]
    pub(crate) instructions: Option<String>,
    /// Links in llms.txt
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) max_pages: usize,
    /// Pages in llms-full.txt
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max_full_pages: usize,
    /// List only pages whose path fits, such as /docs/**; * stops at a slash, ** does not; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Leave out pages whose path fits, whatever includes them; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// A header for the site alone, such as 'Authorization: Bearer TOKEN'; repeatable
    #[arg(long, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,
    /// A browser for pages that only scripts fill, such as /usr/bin/chromium [default: browser.path]
    #[arg(long, value_name = "PATH", value_parser = program)]
    pub(crate) browser: Option<PathBuf>,
    /// End after this time with what there is, such as 10m [default: crawl.deadline]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) deadline: Option<Duration>,
    /// Write the files into this folder instead of to stdout
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Also write every page of the files as Markdown into this folder, at its path plus .md; Markdown of the site's own that
    /// lies there stays
    #[arg(long, value_name = "DIR")]
    pub(crate) pages: Option<PathBuf>,
    /// Have llms.txt link to the Markdown of the pages, for a site that serves it beside them
    #[arg(long, requires = "pages")]
    pub(crate) link_markdown: bool,
    /// Write no file; print how those in the folder differ, and exit with 1 if they do
    #[arg(long, requires = "out")]
    pub(crate) check: bool,
    /// Write no file and exit with 1 if pages were lost by errors or for want of time
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print the API's answer instead of the files
    #[arg(long, conflicts_with = "out")]
    pub(crate) json: bool,
    /// Write what became of every address, and why, into this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// End with a line of figures on stderr
    #[arg(long)]
    pub(crate) stats: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct PageArgs {
    /// Address of the page, a file, or - for stdin
    #[arg(value_name = "URL|FILE|-")]
    pub(crate) source: String,
    /// Address that a file's links are relative to; without it they are printed as from the root of its site
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<String>,
    /// A browser for a page that only scripts fill, such as /usr/bin/chromium [default: browser.path]
    #[arg(long, value_name = "PATH", value_parser = program)]
    pub(crate) browser: Option<PathBuf>,
    /// Print address, title, description, Markdown and links as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// Make an account; its address counts as verified
    Create(AccountWithPlan),
    /// Give an account another plan; it holds from the next request on
    Plan(AccountWithPlan),
    /// List all accounts
    List,
}

#[derive(Debug, clap::Args)]
pub(crate) struct AccountWithPlan {
    /// Address of the account
    #[arg(long)]
    pub(crate) email: Email,
    /// Its plan: free, starter, pro or business
    #[arg(long)]
    pub(crate) plan: Plan,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a key and print it; it is shown this once
    Create(NamedKey),
    /// Revoke a key; the next request with it is refused
    Revoke(NamedKey),
    /// List the keys of an account, each with the `key.id` that the log tells it by
    List {
        /// Address of the account; without it the keys of all accounts are listed, each behind its account
        #[arg(long)]
        email: Option<Email>,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct NamedKey {
    /// Address of the account
    #[arg(long)]
    pub(crate) email: Email,
    /// What the key is called; no two working keys of an account share a name
    #[arg(long)]
    pub(crate) name: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Validate {
    /// Domains or addresses of sites, files, pipes, or - for stdin
    #[arg(value_name = "URL|FILE|-", required = true)]
    pub(crate) sources: Vec<String>,
    /// Leave the links of the files alone
    #[arg(long)]
    pub(crate) no_check_links: bool,
    /// Try every link, however long that takes; without it a sample (validate's `max_links`, 50)
    #[arg(long, conflicts_with = "no_check_links")]
    pub(crate) all_links: bool,
    /// Where a text from a file or stdin will lie, such as <https://host/llms.txt>: its relative links are tried from there
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<String>,
    /// Leave links alone whose address fits; from a slash on it is the path: /api/**; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) ignore: Vec<String>,
    /// How to print the findings
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Exit with 1 below this score, 0 to 100
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) min_score: u32,
    /// Exit with 1 below this readiness, 0 to 100
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) min_readiness: u32,
    /// Exit with 1 if a link is dead
    #[arg(long, conflicts_with = "no_check_links")]
    pub(crate) fail_on_dead: bool,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// The API's answer.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

/// The path of a program. It is not looked for as a shell would.
fn program(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_file() { Ok(path) } else { Err("no program lies there; write its whole path".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_is_none_is_told_why() {
        assert_eq!(network("10.0.0.0/8").unwrap().to_string(), "10.0.0.0/8");
        assert_eq!(network("fd00::/8").unwrap().to_string(), "fd00::/8");
        for (text, why) in [
            ("127.0.0.0/99", "the prefix length \"99\" is no number from 0 to 32"),
            ("::1/129", "the prefix length \"129\" is no number from 0 to 128"),
            ("localhost/8", "\"localhost\" is no IP address"),
            ("127.0.0.1", "the prefix length is missing; write it after a slash, as in 10.0.0.0/8"),
        ] {
            assert_eq!(network(text).unwrap_err(), why);
        }
    }

    #[test]
    fn a_program_is_named_by_its_whole_path() {
        assert_eq!(program("/bin/sh").unwrap(), PathBuf::from("/bin/sh"));
        assert!(program("sh").is_err() && program("/bin").is_err());
    }
}
