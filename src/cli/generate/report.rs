//! `--report FILE`: what became of every address.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use wayfile_actors::{Generated, PageOutcome, Settled};
use wayfile_core::llms_txt::lint::lint;

use crate::cli::output;

const NOT_LISTED: &str = "read, but llms.txt has no room for it, or it says nothing of its own";

#[derive(Serialize)]
struct ReportFile<'a> {
    url: &'a str,
    note: Option<&'a str>,
    pages: Vec<Settled>,
}

pub(super) fn write(path: &Path, generated: &Generated) -> anyhow::Result<()> {
    let (url, note) = (generated.url.as_str(), generated.note.as_deref());
    let report = ReportFile { url, note, pages: pages(generated) };
    let written = || {
        let mut file = BufWriter::new(File::create(path)?);
        output::json(&mut file, &report)?;
        file.flush()
    };
    written().with_context(|| format!("{} cannot be written", path.display()))
}

/// Every address; of a page that counts and is not listed it is said why.
fn pages(generated: &Generated) -> Vec<Settled> {
    let mut pages = generated.report.to_vec();
    let Some(index) = &generated.llms_txt else { return pages };
    let file = lint(&index.as_str().into(), None);
    let listed: HashSet<_> = file.links(None).into_iter().map(|link| link.url.key()).collect();
    for page in pages.iter_mut().filter(|page| page.outcome == PageOutcome::Kept) {
        // The site's own front page gives the file its title.
        let is_home = page.url == generated.url;
        let link = page.link.as_ref().unwrap_or(&page.url);
        if !is_home && !listed.contains(&link.key()) {
            page.reason = Some(NOT_LISTED.into());
        }
    }
    pages
}
