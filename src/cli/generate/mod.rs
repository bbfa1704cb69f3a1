//! `wayfile generate URL|DIR`

mod crawl;
mod files;
mod pages;
mod report;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use wayfile_actors::SiteAccess;
use wayfile_actors::http::{Folder, SiteHeaders};
use wayfile_core::site::globs::Selection;
use wayfile_core::url::{Seed, SiteUrl};

use super::Failure;
use super::args::Generate;
use super::input::{self, Input, Local};
use crate::config::Config;
use crate::routes::generate::MAX_INSTRUCTIONS;
use crate::runtime;

/// What a shell says of a command that Ctrl-C ended: 128 and the signal's number.
const INTERRUPTED: u8 = 130;
/// A run takes at least this long.
const SHORTEST: Duration = Duration::from_secs(1);

struct CrawlArgs {
    seed: Seed,
    selection: Selection,
    access: SiteAccess,
}

/// Crawls the site and writes its files.
/// Errors: [`Failure`]: wrong use, a site that refuses or cannot be reached, or files that are not as they should be.
pub(crate) fn run(config: Config, command: &Generate) -> Result<(), Failure> {
    let asked = CrawlArgs::of(command)?;
    let folders = [&command.out, &command.pages].into_iter().flatten();
    for folder in folders.filter(|_| !command.check) {
        files::prepare(folder)?;
    }
    let folder = asked.access.folder.as_ref().map(|folder| folder.base().clone());
    let is_beside =
        folder.is_some() && command.pages.as_ref().is_some_and(|pages| files::are_same(pages, &command.url));
    let started = Instant::now();
    let (mut generated, interrupted) = runtime::run(crawl::run(config, asked, command))??;
    let reported = command.report.as_ref().map(|path| report::write(path, &generated)).transpose();
    let pages = if command.pages.is_some() {
        pages::markdown_files(&generated, &folder.unwrap_or_else(|| root(&generated.url)))
    } else {
        Vec::new()
    };
    if let Some(index) = generated.llms_txt.as_mut().filter(|_| command.link_markdown) {
        *index = Arc::new(pages::linked(index, &pages));
    }
    // In the site's folder lies what it says itself.
    let (own, pages): (Vec<_>, Vec<_>) = pages.into_iter().partition(|page| is_beside && page.is_the_sites());
    let is_refused = command.strict && !generated.is_complete;
    // What was cut short says nothing of the files that are there.
    let differ = command.check && !interrupted && files::differ(&generated, &pages, command)?;
    if !command.check && !is_refused {
        files::write(&generated, command)?;
        command.pages.as_ref().map_or(Ok(()), |folder| files::write_pages(folder, &pages))?;
        if !own.is_empty() {
            say!(
                "{} pages are Markdown of the site's own, which stays as it is; name another folder with --pages to have \
                 them written",
                own.len()
            );
        }
    }
    reported?;
    if let Some(note) = &generated.note {
        let more = if command.report.is_none() { " (--report FILE names every address and why)" } else { "" };
        say!("note: {note}{more}");
    }
    if command.stats {
        say!("{}", report::stats(&generated.stats, started.elapsed())?);
    }
    let failure = |message: &str, code| Err(Failure { message: message.to_owned(), code });
    if is_refused {
        failure(
            "pages were lost, so no file was written; --report FILE says which and why, and without --strict the files hold \
             the others",
            if interrupted { INTERRUPTED } else { 1 },
        )
    } else if interrupted {
        failure("stopped, with what there was by then", INTERRUPTED)
    } else if differ {
        failure("the files are not what the site makes of them now", 1)
    } else {
        Ok(())
    }
}

fn root(url: &SiteUrl) -> SiteUrl {
    url.origin().at("/").unwrap_or_else(|| url.clone())
}

impl CrawlArgs {
    fn of(command: &Generate) -> Result<Self, Failure> {
        let (seed, folder) = site(command)?;
        if command.instructions.as_ref().is_some_and(|text| text.chars().count() > MAX_INSTRUCTIONS) {
            let message = format!("the instructions are longer than {MAX_INSTRUCTIONS} characters");
            return Err(Failure::wrong_use(message));
        }
        if command.max_pages == 0 || command.max_full_pages == 0 {
            return Err(Failure::wrong_use(
                "a file of 0 pages says nothing; leave a file out with --file-type",
            ));
        }
        if command.deadline.is_some_and(|deadline| deadline < SHORTEST) {
            return Err(Failure::wrong_use("--deadline leaves no time; give it 1s at least"));
        }
        if command.report.as_deref() == Some(Path::new("-")) {
            return Err(Failure::wrong_use("--report - would be a file of that name; /dev/stdout is stdout"));
        }
        let selection = Selection::parse(&command.include, &command.exclude)
            .map_err(|error| Failure::wrong_use(error.to_string()))?;
        let headers = SiteHeaders::parse(&seed, &command.header)
            .map_err(|error| Failure::wrong_use(format!("--header: {error}")))?;
        Ok(Self { seed, selection, access: SiteAccess { headers, folder } })
    }
}

/// The address of the site, and the folder that stands for it.
fn site(command: &Generate) -> Result<(Seed, Option<Folder>), Failure> {
    let wrong = |message: String| Err(Failure::wrong_use(message));
    match (Input::parse(&command.url)?, &command.base) {
        (Input::Address(seed), None) => Ok((seed, None)),
        (Input::Address(_), Some(_)) => {
            wrong(format!("there is no folder {}, and only a folder has a --base", command.url))
        }
        (Input::Local(Local::Path(path)), Some(base)) if path.is_dir() => {
            let base = input::base(base)?;
            let folder =
                Folder::open(&path, &base).with_context(|| format!("{} cannot be read", path.display()))?;
            Ok((Seed { url: folder.base().clone(), scheme_given: true }, Some(folder)))
        }
        (Input::Local(Local::Path(path)), None) if path.is_dir() => {
            wrong(format!("{} is a folder; say with --base URL where it will be served", path.display()))
        }
        (Input::Local(_), _) => wrong(format!("{} is neither a site nor a folder", command.url)),
    }
}
