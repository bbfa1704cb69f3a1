//! `wayfile page URL|FILE`

use std::io::Write;

use serde::Serialize;
use wayfile_actors::SiteAccess;
use wayfile_core::page::{self, PageSource};
use wayfile_core::url::SiteUrl;
use wayfile_core::work::Work;

use super::args::PageArgs as Command;
use super::input::{self, Input};
use super::{Failure, output};
use crate::config::Config;
use crate::runtime;

/// Stands for the root of a site that is not known while its page is read, and in nothing that is printed.
const NOWHERE: &str = "https://wayfile-page.invalid/";

#[derive(Serialize)]
struct Printed<'a> {
    /// None of a file without `--base`.
    url: Option<&'a SiteUrl>,
    title: Option<&'a str>,
    description: &'a Option<String>,
    canonical: Option<String>,
    language: &'a Option<String>,
    markdown: &'a str,
    links: Vec<PrintedLink<'a>>,
}

#[derive(Serialize)]
struct PrintedLink<'a> {
    url: String,
    text: &'a str,
}

pub(crate) fn run(mut config: Config, command: &Command) -> Result<(), Failure> {
    let input = Input::parse(&command.source)?;
    config.browser.path = command.browser.clone().or(config.browser.path);
    let has_browser = config.browser.path.is_some();
    let (url, page) = match input {
        Input::Local(local) => {
            let base = input::base(command.base.as_deref().unwrap_or(NOWHERE))?;
            let body = local.read()?;
            let content_type = local.is_markdown().then_some("text/markdown");
            let source = PageSource { url: &base, content_type, x_robots_tag: None, body: &body };
            let page = page::read(&source, &Work::bounded(config.crawl.page_work))?;
            (base, page)
        }
        Input::Address(_) if command.base.is_some() => return Err(Failure::wrong_use(input::NO_BASE)),
        Input::Address(seed) => runtime::run(async {
            let engine = config.start_engine(SiteAccess::default())?;
            engine.page(seed).await.map_err(Failure::of_crawl)
        })??,
    };
    if page.shell && !has_browser {
        say!("note: scripts fill the page; --browser PATH opens an address in a browser");
    } else if page.markdown.trim().is_empty() {
        say!("note: the page has no text");
    }
    let is_known = url.as_str() != NOWHERE;
    let markdown = page.markdown.trim_end().replace(NOWHERE, "/");
    if !is_known && markdown.len() < page.markdown.trim_end().len() {
        say!("note: relative links lead to the site's root; --base URL says where the page lies");
    }
    if command.json {
        let shown = |url: &SiteUrl| url.as_str().replace(NOWHERE, "/");
        let links = page.links.iter().map(|l| PrintedLink { url: shown(&l.url), text: &l.text }).collect();
        let printed = Printed {
            url: Some(&url).filter(|_| is_known),
            title: page.name(),
            description: &page.description,
            canonical: page.canonical.as_ref().map(shown),
            language: &page.language,
            markdown: &markdown,
            links,
        };
        output::print(|out| output::json(out, &printed))
    } else {
        output::print(|out| writeln!(out, "{markdown}"))
    }
}
