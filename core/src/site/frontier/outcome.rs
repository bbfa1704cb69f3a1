//! What a caller sets before a crawl, and what it reports of each fetch.

use crate::site::rank::LeftOut;
use crate::site::traps::TrapLimits;
use crate::site::url::SiteUrl;

/// What bounds a crawl.
#[derive(Debug, Clone)]
pub struct FrontierLimits {
    /// Pages to keep.
    pub max_pages: usize,
    /// Addresses to remember; those beyond are counted as [`LeftOut::Overflow`].
    pub max_known: usize,
    /// When a part of the site is a trap.
    pub traps: TrapLimits,
}

impl Default for FrontierLimits {
    fn default() -> Self {
        Self { max_pages: 300, max_known: 200_000, traps: TrapLimits::default() }
    }
}

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
