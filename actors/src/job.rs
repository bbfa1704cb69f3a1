//! What a crawl is asked for, and what it gives.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use tokio_util::sync::CancellationToken;
use wayfile_core::llms_txt::FileType;
use wayfile_core::llms_txt::compose::FullText;
use wayfile_core::site::globs::Selection;
use wayfile_core::site::outline::CrawledPage;
use wayfile_core::url::{Seed, SiteUrl};

use crate::progress::{Events, Settled};

/// Which files one caller wants, and how long they may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputOptions {
    /// What is made.
    pub file_type: FileType,
    /// The caller's guidance for the readers of the file.
    pub instructions: Option<String>,
    /// Links `llms.txt` may have.
    pub index_pages: usize,
    /// Pages `llms-full.txt` may have.
    pub full_pages: usize,
}

impl OutputOptions {
    /// Pages the crawl needs: what the larger of the files it makes can hold.
    pub fn pages(&self) -> usize {
        let (index, full) = self.wanted();
        index.max(full).max(1)
    }

    /// Links and pages of the files that are made.
    pub(crate) fn wanted(&self) -> (usize, usize) {
        let index = if self.file_type.index() { self.index_pages } else { 0 };
        let full = if self.file_type.full() { self.full_pages } else { 0 };
        (index, full)
    }
}

/// Whether a page that was fetched lately will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Freshness {
    /// A page that was fetched lately is used.
    #[default]
    Lately,
    /// Every page is asked for again, with its validators where it has some (RFC 9111 section 5.2.1.4).
    Now,
}

/// Whatever is free again when it is dropped.
pub type HeldSlot = Arc<dyn Any + Send + Sync>;

/// One caller's request for a crawl.
#[derive(Debug, Clone)]
pub struct Job {
    /// Where it starts.
    pub seed: Seed,
    /// What is to come of it.
    pub output: OutputOptions,
    /// Pages that are wanted.
    pub selection: Selection,
    /// Whether the page cache may answer.
    pub freshness: Freshness,
    /// Since when the caller waits: the deadline and `queue_wait` count from here.
    pub since: Instant,
    /// Cancelled when the caller waits no more.
    pub cancel: CancellationToken,
    /// Hears how the crawl goes.
    pub events: Events,
    /// Whether the answer is to say what became of every address.
    pub reported: bool,
    /// What a crawl that begins with this request holds to its end, whoever leaves: the key's right to crawl.
    pub slot: Option<HeldSlot>,
}

impl Job {
    /// A request made now, without listeners.
    pub fn new(seed: Seed, output: OutputOptions) -> Self {
        Self {
            seed,
            output,
            selection: Selection::default(),
            freshness: Freshness::default(),
            since: Instant::now(),
            cancel: CancellationToken::new(),
            events: Events::default(),
            reported: false,
            slot: None,
        }
    }
}

/// The answer to a [`Job`].
#[derive(Debug, Clone)]
pub struct Generated {
    /// The site's address, after its redirects.
    pub url: SiteUrl,
    /// The site's host.
    pub domain: String,
    /// What was made.
    pub file_type: FileType,
    /// The index, unless only the full text was asked for. Shared by all who asked for the same.
    pub llms_txt: Option<Arc<String>>,
    /// The full text, unless only the index was asked for. Shared like the index.
    pub llms_full_txt: Option<Arc<FullText>>,
    /// Whether a model wrote the summary and the descriptions.
    pub llm_enhanced: bool,
    /// What the caller should know about the run.
    pub note: Option<String>,
    /// No page was lost, neither by an error nor for want of time.
    pub is_complete: bool,
    /// How the crawl went.
    pub stats: CrawlStats,
    /// What became of every address, in the order in which they were settled; empty unless the caller asked for it.
    pub report: Arc<Vec<Settled>>,
    /// The pages that the files are made of.
    pub pages: Arc<Vec<CrawledPage>>,
}

/// How a crawl went, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CrawlStats {
    /// Pages that count.
    pub pages: usize,
    /// Pages that answered 200, duplicates and what was left out included.
    pub ok200: usize,
    /// Pages that were lost.
    pub failed: usize,
    /// Decoded bytes of pages.
    pub bytes: usize,
}
