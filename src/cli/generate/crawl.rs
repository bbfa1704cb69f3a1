//! The run itself, and what Ctrl-C and SIGTERM do to it.

use std::path::Path;
use std::time::Duration;

use wayfile_actors::settings::ByteSize;
use wayfile_actors::{CrawlError, Generated, Job, OutputOptions};

use super::pages::LONGER_BY;
use super::{CrawlArgs, INTERRUPTED};
use crate::cli::args::Generate;
use crate::cli::serve::told_to_stop;
use crate::cli::{Failure, progress};
use crate::config::Config;

/// Memory for fetched pages at most. Only this one crawl uses it, and it asks for little twice; but pages in a browser ask for
/// the same scripts again and again.
const CACHE: ByteSize = ByteSize(1 << 20);

/// However many links grow longer, the index has room for so many characters.
const LEAST_CHARS: usize = 10_000;

/// Crawls; the first Ctrl-C or SIGTERM ends that with what there is, the second one at once. Returns whether there was one, too.
pub(super) async fn run(
    mut config: Config,
    asked: CrawlArgs,
    command: &Generate,
) -> Result<(Generated, bool), Failure> {
    config.browser.path = command.browser.clone().or(config.browser.path);
    if config.browser.path.is_none() {
        config.crawl.cache_bytes = config.crawl.cache_bytes.min(CACHE);
    }
    config.crawl.deadline = command.deadline.unwrap_or(config.crawl.deadline);
    if command.link_markdown {
        // Links to Markdown are longer, and the file is to be no larger for it.
        let longer = command.max_pages.saturating_mul(LONGER_BY);
        config.crawl.index_max_chars = config.crawl.index_max_chars.saturating_sub(longer).max(LEAST_CHARS);
    }
    let CrawlArgs { seed, selection, access } = asked;
    let home = access.folder.is_some().then(|| Path::new(&command.url).join("index.html"));
    if access.folder.is_some() {
        config.crawl.per_domain_delay = Duration::ZERO;
    }
    let engine = config.start_engine(access)?;
    let output = OutputOptions {
        file_type: command.file_type,
        instructions: command.instructions.clone(),
        index_pages: command.max_pages,
        full_pages: command.max_full_pages,
    };
    let job = Job { selection, reported: command.report.is_some(), ..Job::new(seed, output) };
    let (shown, cancel) = (progress::show(&job.events), job.cancel.clone());
    let mut crawl = std::pin::pin!(engine.generate(job));
    let ended = tokio::select! {
        generated = &mut crawl => Some((generated, false)),
        () = told_to_stop()? => {
            engine.close();
            tokio::select! {
                generated = &mut crawl => Some((generated, true)),
                () = told_to_stop()? => None,
            }
        }
    };
    cancel.cancel();
    shown.finish();
    let stopped = |message: &str| Failure { message: message.to_owned(), code: INTERRUPTED };
    match ended {
        None => Err(stopped("stopped")),
        Some((Err(CrawlError::Closing), true)) => Err(stopped("stopped before there was anything to write")),
        Some((Err(error), _)) => {
            let mut failure = Failure::of_crawl(error);
            if let Some(home) = home.filter(|home| !home.exists()) {
                failure.message = format!("{}; there is no {}", failure.message, home.display());
            }
            Err(failure)
        }
        Some((Ok(generated), interrupted)) => Ok((generated, interrupted)),
    }
}
