//! `wayfile generate URL`

mod report;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use wayfile_actors::settings::ByteSize;
use wayfile_actors::{Generated, Job, Wish};
use wayfile_core::site::url::Seed;

use super::args::Generate;
use super::input::Input;
use super::{Failure, output, progress, stats};
use crate::config::Config;
use crate::routes::generate::{GenerateResponse, MAX_INSTRUCTIONS};
use crate::runtime;

/// Memory for fetched pages at most. Nobody comes after this one crawl, which itself asks for little twice: such as a Markdown
/// twin that the site links to as well.
const CACHE: ByteSize = ByteSize(1 << 20);

/// Crawls the site and writes its files.
///
/// # Errors
/// [`Failure`]: wrong use, or a site that refuses or cannot be reached.
pub(crate) fn run(config: Config, command: &Generate) -> Result<(), Failure> {
    let seed = match Input::parse(&command.url)? {
        Input::Address(seed) => seed,
        Input::Local(_) => {
            return Err(Failure::wrong_use(format!("{} is no address of a site", command.url)));
        }
    };
    if command.instructions.as_ref().is_some_and(|text| text.chars().count() > MAX_INSTRUCTIONS) {
        return Err(Failure::wrong_use(format!(
            "the instructions are longer than {MAX_INSTRUCTIONS} characters"
        )));
    }
    if command.max_pages == 0 || command.max_full_pages == 0 {
        return Err(Failure::wrong_use("a file of 0 pages says nothing; leave a file out with --file-type"));
    }
    if let Some(folder) = &command.out {
        prepare(folder)?;
    }
    let started = Instant::now();
    let generated = runtime::run(crawl(config, seed, command))??;
    write(&generated, command)?;
    if let Some(path) = &command.report {
        report::write(path, &generated)?;
    }
    if let Some(note) = &generated.note {
        let more = if command.report.is_none() { " (--report FILE names every address and why)" } else { "" };
        eprintln!("note: {note}{more}");
    }
    if command.stats {
        eprintln!("{}", stats::line(&generated.stats, started.elapsed())?);
    }
    Ok(())
}

async fn crawl(mut config: Config, seed: Seed, command: &Generate) -> Result<Generated, Failure> {
    config.crawl.cache_bytes = config.crawl.cache_bytes.min(CACHE);
    let engine = config.start_engine()?;
    let wish = Wish {
        file_type: command.file_type,
        instructions: command.instructions.clone(),
        index_pages: command.max_pages,
        full_pages: command.max_full_pages,
    };
    let job = Job { reported: command.report.is_some(), ..Job::new(seed, wish) };
    let (shown, cancel) = (progress::show(&job.events), job.cancel.clone());
    let generated = tokio::select! {
        generated = engine.generate(job) => generated.map_err(Failure::of_crawl),
        _ = tokio::signal::ctrl_c() => Err(Failure { message: "stopped".to_owned(), code: 1 }),
    };
    cancel.cancel();
    shown.finish();
    generated
}

/// Finds out before the work whether its result can be kept.
fn prepare(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    tempfile::tempfile_in(folder)
        .with_context(|| format!("nothing can be written into {}", folder.display()))?;
    Ok(())
}

fn write(generated: &Generated, command: &Generate) -> Result<(), Failure> {
    let index = generated.llms_txt.iter().map(|text| text.as_str());
    let full = generated.llms_full_txt.iter().flat_map(|text| text.pieces());
    if let Some(folder) = &command.out {
        if generated.llms_txt.is_some() {
            put(&folder.join("llms.txt"), index)?;
        }
        if generated.llms_full_txt.is_some() {
            put(&folder.join("llms-full.txt"), full)?;
        }
        return Ok(());
    }
    output::print(|out| {
        if command.json {
            output::json(out, &GenerateResponse::new(generated, None))
        } else {
            index.chain(full).try_for_each(|piece| out.write_all(piece.as_bytes()))
        }
    })
}

fn put<'t>(path: &Path, pieces: impl Iterator<Item = &'t str>) -> anyhow::Result<()> {
    let written = || -> io::Result<usize> {
        let mut file = BufWriter::new(File::create(path)?);
        let mut bytes = 0;
        for piece in pieces {
            file.write_all(piece.as_bytes())?;
            bytes += piece.len();
        }
        file.into_inner()?;
        Ok(bytes)
    };
    let bytes = written().with_context(|| format!("{} cannot be written", path.display()))?;
    eprintln!("{}: {bytes} bytes", path.display());
    Ok(())
}
