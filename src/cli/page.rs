//! `wayfile page URL|FILE`

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use wayfile_core::page::{self, Source};
use wayfile_core::site::url::{Seed, SiteUrl};
use wayfile_core::work::Work;

use super::args::Page as Command;
use super::{Failure, output};
use crate::config::Config;
use crate::runtime;

/// A file's links are relative to this when nobody says otherwise.
const NOWHERE: &str = "https://site.example/";

/// One page, as `--json` prints it.
#[derive(Serialize)]
struct Printed<'a> {
    url: &'a SiteUrl,
    title: &'a Option<String>,
    description: &'a Option<String>,
    canonical: &'a Option<SiteUrl>,
    language: &'a Option<String>,
    markdown: &'a str,
    links: Vec<PrintedLink<'a>>,
}

#[derive(Serialize)]
struct PrintedLink<'a> {
    url: &'a SiteUrl,
    text: &'a str,
}

/// Reads the page and prints its Markdown.
///
/// # Errors
/// [`Failure`]: the page cannot be had, or it is no page.
pub(crate) fn run(config: Config, command: &Command) -> Result<(), Failure> {
    let file = Path::new(&command.source);
    let (url, page) = if file.is_file() {
        let base = command.base.as_deref().unwrap_or(NOWHERE);
        let base = SiteUrl::parse(base)
            .map_err(|error| Failure::wrong_use(format!("--base {base:?} is no address: {error}")))?;
        let body = std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
        let content_type = file.extension().is_some_and(|e| e == "md").then_some("text/markdown");
        let source = Source { url: &base, content_type, x_robots_tag: None, body: &body };
        let page = page::read(&source, &Work::bounded(config.crawl.page_work))?;
        (base, page)
    } else {
        let seed = Seed::parse(&command.source).map_err(|error| {
            Failure::wrong_use(format!("{:?} is neither a file nor an address: {error}", command.source))
        })?;
        runtime::run(async {
            let engine = config.start_engine()?;
            engine.page(seed, CancellationToken::new()).await.map_err(Failure::of_crawl)
        })??
    };
    if command.json {
        let links = page.links.iter().map(|l| PrintedLink { url: &l.url, text: &l.text }).collect();
        let printed = Printed {
            url: &url,
            title: &page.title,
            description: &page.description,
            canonical: &page.canonical,
            language: &page.language,
            markdown: &page.markdown,
            links,
        };
        output::print(|out| output::json(out, &printed))
    } else {
        output::print(|out| writeln!(out, "{}", page.markdown.trim_end()))
    }
}
