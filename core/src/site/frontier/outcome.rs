//! What a caller sets before a crawl, and what it reports of each fetch.

use crate::site::globs::Selection;
use crate::site::rank::LeftOut;
use crate::url::SiteUrl;

/// Fetches for every page to keep: a site of failures and duplicates ends the crawl by itself.
const FETCHES_PER_PAGE: usize = 3;

/// What bounds a crawl.
#[derive(Debug, Clone)]
pub struct FrontierLimits {
    /// Pages to keep.
    pub max_pages: usize,
    /// Fetches on top, so that small crawls have room for what goes wrong.
    pub spare_fetches: usize,
    /// Addresses to remember; those beyond are counted as [`LeftOut::Overflow`].
    pub max_known: usize,
    /// Pages whose addresses differ in numbers only; further ones are a trap.
    pub pages_per_template: usize,
    /// Pages that count.
    pub selection: Selection,
}

impl Default for FrontierLimits {
    fn default() -> Self {
        Self {
            max_pages: 300,
            spare_fetches: 200,
            max_known: 200_000,
            pages_per_template: 500,
            selection: Selection::default(),
        }
    }
}

impl FrontierLimits {
    /// With as many pages to keep as an index of `listed` pages is chosen from: up to `surplus` more, no more than twice as
    /// many, and at least one, since the home page has no link in its index.
    #[must_use]
    pub fn listing(self, listed: usize, surplus: usize) -> Self {
        let more = surplus.min(listed).max(1);
        Self { max_pages: listed.saturating_add(more), ..self }
    }

    /// The most addresses that are handed out.
    pub fn max_fetches(&self) -> usize {
        self.max_pages.saturating_mul(FETCHES_PER_PAGE).saturating_add(self.spare_fetches)
    }
}

/// The name under which [`Outcome::Failed`] reports a page that the site does not have (404, 410).
pub const NOT_FOUND: &str = "not found";

/// How the fetch of an address ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A page that counts.
    Kept,
    /// It shows what this other page shows.
    Duplicate(SiteUrl),
    /// It could not be had; the reason is counted under this name.
    Failed(String),
    /// It is no page of the crawl.
    LeftOut(LeftOut),
}
