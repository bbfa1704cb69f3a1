//! What a crawl is asked for, and what it gives.

use serde::Serialize;
use tokio_util::sync::CancellationToken;
use wayfile_core::llms_txt::FileType;
use wayfile_core::site::url::{Seed, SiteUrl};

use crate::progress::Events;

/// One crawl to be done.
#[derive(Debug, Clone)]
pub struct Job {
    /// Where it starts.
    pub seed: Seed,
    /// What is made.
    pub file_type: FileType,
    /// The caller's guidance for the readers of the file.
    pub instructions: Option<String>,
    /// Links `llms.txt` may have.
    pub index_pages: usize,
    /// Pages `llms-full.txt` may have.
    pub full_pages: usize,
    /// Cancelled when nobody waits for the result any more.
    pub cancel: CancellationToken,
    /// Hears how the crawl goes.
    pub events: Events,
}

impl Job {
    /// Pages the crawl needs: what the larger of the files it makes can hold.
    #[must_use]
    pub fn pages(&self) -> usize {
        let index = if self.file_type.index() { self.index_pages } else { 0 };
        let full = if self.file_type.full() { self.full_pages } else { 0 };
        index.max(full).max(1)
    }
}

/// The answer to a [`Job`]; serialises as the API's response.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Generated {
    /// The site's address, after its redirects.
    pub url: SiteUrl,
    /// The site's host.
    pub domain: String,
    /// What was made.
    pub file_type: FileType,
    /// The index, unless only the full text was asked for.
    pub llms_txt: Option<String>,
    /// The full text, unless only the index was asked for.
    pub llms_full_txt: Option<String>,
    /// Whether a model wrote the summary and the descriptions.
    pub llm_enhanced: bool,
    /// What the caller should know about the run.
    pub note: Option<String>,
    /// How the crawl went.
    #[serde(skip)]
    pub stats: CrawlStats,
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
