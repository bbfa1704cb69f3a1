//! The waiting addresses, best first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::site::addresses::Id;

/// A heap of scores. Of equal ones the one that stood higher on its page comes first: so the first sections of every
/// chapter are had before the last ones of any, whichever chapter was read first. An address whose score changes is
/// pushed again: the caller tells stale entries by their score.
#[derive(Debug, Default)]
pub(super) struct Queue(BinaryHeap<(i32, Reverse<u32>, Reverse<Id>)>);

impl Queue {
    /// `position` counts the links that stood before it.
    pub(super) fn push(&mut self, score: i32, position: u32, id: Id) {
        self.0.push((score, Reverse(position), Reverse(id)));
    }

    pub(super) fn pop(&mut self) -> Option<(i32, Id)> {
        self.0.pop().map(|(score, _, Reverse(id))| (score, id))
    }
}
