//! Pages that are not wanted themselves and may lead to those that are.

use std::collections::VecDeque;

use super::Frontier;
use super::page_table::PageState;
use crate::site::addresses::Id;
use crate::url::SiteUrl;

/// So many are read for their links.
const MAX_READ: usize = 50;
/// So many are remembered.
const MAX_KNOWN: usize = 1_000;

/// Unwanted pages in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct LinkOnlyPages {
    waiting: VecDeque<Id>,
    read: usize,
}

impl LinkOnlyPages {
    pub(super) fn add(&mut self, id: Id) {
        if self.waiting.len() < MAX_KNOWN {
            self.waiting.push_back(id);
        }
    }

    /// There are some that may be read.
    pub(super) fn is_waiting(&self) -> bool {
        self.read < MAX_READ && !self.waiting.is_empty()
    }

    fn next(&mut self) -> Option<Id> {
        let next = self.is_waiting().then(|| self.waiting.pop_front()).flatten();
        self.read += usize::from(next.is_some());
        next
    }
}

impl Frontier {
    /// An unwanted page to be read for its links, when no wanted one waits or is on its way.
    pub(super) fn next_link_only(&mut self) -> Option<SiteUrl> {
        let counts = self.table.counts();
        if counts.queued + counts.in_flight > 0 {
            return None;
        }
        let id = self.link_only.next()?;
        self.table.reconsider(id);
        self.table.change(id, PageState::InFlight);
        self.structure.addresses().url(id).cloned()
    }
}
