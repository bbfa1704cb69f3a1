//! The waiting addresses, best first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::site::addresses::Id;

/// What decides between addresses, and nothing of it is when an address was met: two crawls of one site, whose answers
/// come in other orders, choose alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    score: i32,
    /// Of equal scores the one that stands higher on its page comes first: so the first sections of every chapter are had
    /// before the last ones of any, whichever chapter was read first.
    position: Reverse<u32>,
    pub(super) tie: u64,
}

impl Place {
    /// `position` counts the links that stand before it, `tie` is its [`tie`].
    pub(super) fn new(score: i32, position: u32, tie: u64) -> Self {
        Self { score, position: Reverse(position), tie }
    }
}

/// Settles between addresses that nothing else tells apart: as good as chance, and the same in every crawl.
pub(super) fn tie(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// A heap of places. An address whose place changes is pushed again: the caller tells stale entries by their place.
#[derive(Debug, Default)]
pub(super) struct Queue(BinaryHeap<(Place, Id)>);

impl Queue {
    pub(super) fn push(&mut self, place: Place, id: Id) {
        self.0.push((place, id));
    }

    /// Entries, stale ones included.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Drops the entries that `waits` says are stale.
    pub(super) fn retain(&mut self, waits: impl Fn(Place, Id) -> bool) {
        self.0.retain(|&(place, id)| waits(place, id));
    }

    pub(super) fn pop(&mut self) -> Option<(Place, Id)> {
        self.0.pop()
    }
}
