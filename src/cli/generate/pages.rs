//! `--pages DIR`: the pages of the files as Markdown, each at its own path.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use wayfile_actors::Generated;
use wayfile_core::llms_txt::lint::lint;
use wayfile_core::llms_txt::relink;
use wayfile_core::site::outline::CrawledPage;
use wayfile_core::url::{SiteUrl, UrlKey};

const INDEX: &str = "index.md";
/// What the Markdown of any other page ends in.
const ENDING: &str = ".md";
/// Endings that Markdown has already.
const ENDINGS: [&str; 2] = [ENDING, ".mdx"];
/// Characters that a link grows by at most when it leads to the Markdown.
pub(super) const LONGER_BY: usize = INDEX.len();

pub(super) struct MarkdownFile {
    /// Below the folder.
    pub(super) path: PathBuf,
    pub(super) text: String,
    /// The page, and where its Markdown is served.
    page: SiteUrl,
    served: SiteUrl,
}

impl MarkdownFile {
    /// The site has the Markdown of the page itself, at the same path.
    pub(super) fn is_the_sites(&self) -> bool {
        self.page == self.served
    }

    /// The same under a name that none of the folders has.
    fn beside(mut self, folders: &HashSet<PathBuf>) -> Option<Self> {
        while folders.contains(&self.path) {
            self.path.as_mut_os_string().push(ENDING);
            self.served = self.served.origin().at(&format!("{}{ENDING}", self.served.path()))?;
        }
        Some(self)
    }
}

/// The pages that the files of a run list or hold. `base` is the address of the folder that they are written into.
pub(super) fn markdown_files(generated: &Generated, base: &SiteUrl) -> Vec<MarkdownFile> {
    let index = generated.llms_txt.as_ref().map(|text| lint(&text.as_str().into(), None).links(None));
    let listed: HashSet<UrlKey> = index.into_iter().flatten().map(|link| link.url.key()).collect();
    let full = generated.llms_full_txt.as_ref().map(ToString::to_string).unwrap_or_default();
    let held = sources(&full);
    let is_in_files =
        |page: &&CrawledPage| listed.contains(&page.link.key()) || held.contains(page.link.as_str());
    let mut paths = HashSet::new();
    let files = generated.pages.iter().filter(is_in_files).filter_map(|page| file(page, base));
    let files: Vec<_> = files.filter(|file| paths.insert(file.path.clone())).collect();
    let folders: HashSet<PathBuf> =
        files.iter().flat_map(|file| file.path.ancestors().skip(1).map(Path::to_owned)).collect();
    files.into_iter().filter_map(|file| file.beside(&folders)).collect()
}

/// The addresses in the lines that say where pages are from. Such a line stands below the heading of its page, and begins in the
/// language of the file.
fn sources(full: &str) -> HashSet<&str> {
    let lines: Vec<&str> = full.lines().collect();
    lines.windows(3).filter_map(source).filter(|last| last.starts_with("http")).collect()
}

fn source<'f>(lines: &[&'f str]) -> Option<&'f str> {
    match lines {
        [heading, "", line] if heading.starts_with("## ") => Some(line.rsplit_once(' ')?.1),
        _ => None,
    }
}

/// The index with links to the Markdown of its pages, but for those that lead to Markdown of the site's own.
pub(super) fn linked(index: &str, files: &[MarkdownFile]) -> String {
    let served: HashMap<UrlKey, &SiteUrl> =
        files.iter().map(|file| (file.page.key(), &file.served)).collect();
    relink(index, |url| {
        let page = SiteUrl::parse(url).ok()?;
        served.get(&page.key()).map(ToString::to_string)
    })
}

fn file(page: &CrawledPage, base: &SiteUrl) -> Option<MarkdownFile> {
    let url = &page.url;
    // A host of files knows no queries.
    if url.as_url().query().is_some() || !url.path().starts_with(base.path()) {
        return None;
    }
    let above = base.file_names()?.len();
    let mut names = url.file_names()?;
    let mut served = url.path().to_owned();
    let is_markdown = ENDINGS.iter().any(|ending| served.ends_with(ending));
    if served.ends_with('/') {
        names.push(INDEX.to_owned());
        served.push_str(INDEX);
    } else if !is_markdown {
        names.last_mut()?.push_str(ENDING);
        served.push_str(ENDING);
    }
    let served = url.origin().at(&served)?;
    Some(MarkdownFile {
        path: names.iter().skip(above).collect(),
        text: text(page),
        page: page.link.clone(),
        served,
    })
}

/// The page's Markdown below its title.
fn text(page: &CrawledPage) -> String {
    let markdown = page.page.markdown.trim();
    let title = page.page.name().filter(|_| !markdown.starts_with("# "));
    let mut text = String::with_capacity(markdown.len() + 80);
    if let Some(title) = title {
        let _ = write!(text, "# {}\n\n", title.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    text.push_str(markdown);
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_from_where_the_line_below_its_heading_says() {
        let full = "# T\n\n## A\n\nSource: https://k.example/a\n\n    see https://k.example/c\n\n## B\n\n\
                    来源： https://k.example/b\n";
        assert_eq!(sources(full), HashSet::from(["https://k.example/a", "https://k.example/b"]));
    }
}
