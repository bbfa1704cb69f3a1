//! What callers may set of the two files.

use crate::llms_txt::describe::ModelTexts;
use crate::site::outline::CrawledPage;
use crate::url::SiteUrl;
use crate::work::Work;

/// Limits and additions of the index.
#[derive(Debug, Clone, Copy)]
pub struct IndexOptions<'a> {
    /// At most so many links.
    pub max_pages: usize,
    /// At most so many characters of text.
    pub max_chars: usize,
    /// At most so many characters of description for one link.
    pub max_notes_chars: usize,
    /// Where `llms-full.txt` lies, when both files are made.
    pub full: Option<&'a SiteUrl>,
    /// What the caller wants agents to be told.
    pub instructions: Option<&'a str>,
    /// What a model wrote of the site and its pages, when one was asked.
    pub written: Option<&'a ModelTexts>,
    /// Pages that count besides those given: nothing but their number was kept.
    pub untold: usize,
    /// What the work is counted with; once it has ended, what is made of the pages is of no use. Without it nothing ends it.
    pub work: Option<&'a Work<'a>>,
}

impl Default for IndexOptions<'_> {
    fn default() -> Self {
        Self {
            max_pages: 300,
            max_chars: 50_000,
            max_notes_chars: 320,
            full: None,
            instructions: None,
            written: None,
            untold: 0,
            work: None,
        }
    }
}

/// Limits of the full text.
#[derive(Debug, Clone, Copy)]
pub struct FullOptions<'a> {
    /// At most so many pages.
    pub max_pages: usize,
    /// At most so many bytes.
    pub max_bytes: usize,
    /// What a model wrote of the site, when one was asked.
    pub written: Option<&'a ModelTexts>,
    /// Pages that count besides those given: nothing but their number was kept.
    pub untold: usize,
    /// What the work is counted with; once it has ended, what is made of the pages is of no use. Without it nothing ends it.
    pub work: Option<&'a Work<'a>>,
}

/// Counts a page as read once; says whether to go on.
pub(super) fn spend(work: Option<&Work<'_>>, page: &CrawledPage) -> bool {
    work.is_none_or(|work| work.spend(1 + page.page.markdown.len()))
}

impl Default for FullOptions<'_> {
    fn default() -> Self {
        Self { max_pages: 100, max_bytes: 20 << 20, written: None, untold: 0, work: None }
    }
}
