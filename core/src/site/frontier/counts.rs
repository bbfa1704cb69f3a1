//! What a crawl has met, in numbers.

use std::collections::BTreeMap;

use crate::site::rank::LeftOut;

/// The state of every address that a crawl has met.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Addresses known, left-out ones included.
    pub discovered: usize,
    /// Waiting for their fetch.
    pub queued: usize,
    /// Handed out and not settled.
    pub in_flight: usize,
    /// Pages that count.
    pub kept: usize,
    /// Addresses that showed what another page shows, redirects included.
    pub duplicates: usize,
    /// Lost pages by reason, as the caller names them.
    pub failed: BTreeMap<String, usize>,
    /// What is no page of the crawl, by reason.
    pub left_out: BTreeMap<LeftOut, usize>,
}

impl Counts {
    /// Lost pages over all reasons.
    pub fn failures(&self) -> usize {
        self.failed.values().sum()
    }
}
