//! `wayfile page`: one page as clean Markdown.

use std::path::PathBuf;

use serde_json::json;
use wayfile_core::page::{self, Page, PageError, Source};
use wayfile_core::site::url::SiteUrl;

/// One page as clean Markdown.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The file to read
    file: PathBuf,
    /// The address that the page's links are relative to
    #[arg(long, value_name = "URL", default_value = "https://site.example/")]
    base: String,
    /// Print what the page says about itself, its Markdown and its links as JSON
    #[arg(long)]
    json: bool,
}

/// Reads the file and prints it.
///
/// # Errors
/// A sentence that says what is wrong, and the exit code.
pub(crate) fn run(arguments: &Arguments) -> Result<String, (String, u8)> {
    let url = SiteUrl::parse(&arguments.base).map_err(|e| (format!("--base: {e}"), 2))?;
    let body =
        std::fs::read(&arguments.file).map_err(|e| (format!("{}: {e}", arguments.file.display()), 1))?;
    let name = arguments.file.to_string_lossy();
    let content_type = (name.ends_with(".md") || name.ends_with(".markdown")).then_some("text/markdown");
    let source = Source { url: &url, content_type, x_robots_tag: None, body: &body };
    render(&source, arguments.json).map_err(|e| (e.to_string(), 1))
}

/// A page as Markdown or JSON, ending in a line end.
///
/// # Errors
/// When the body is no page.
pub(crate) fn render(source: &Source<'_>, as_json: bool) -> Result<String, PageError> {
    let page = page::read(source)?;
    Ok(if as_json { format!("{:#}\n", to_json(source.url, &page)) } else { format!("{}\n", page.markdown) })
}

fn to_json(url: &SiteUrl, page: &Page) -> serde_json::Value {
    let links: Vec<_> =
        page.links.iter().map(|link| json!({ "url": link.url.as_str(), "text": link.text })).collect();
    json!({
        "url": url.as_str(),
        "title": page.title,
        "description": page.description,
        "canonical": page.canonical.as_ref().map(SiteUrl::as_str),
        "language": page.language,
        "markdown": page.markdown,
        "links": links,
    })
}
