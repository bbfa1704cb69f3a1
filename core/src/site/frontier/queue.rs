//! The waiting addresses, best first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::site::addresses::Id;

/// A heap of scores; among equal ones, first come, first served. An address whose score changes is pushed again:
/// the caller tells stale entries by their score.
#[derive(Debug, Default)]
pub(super) struct Queue(BinaryHeap<(i32, Reverse<Id>)>);

impl Queue {
    pub(super) fn push(&mut self, score: i32, id: Id) {
        self.0.push((score, Reverse(id)));
    }

    pub(super) fn pop(&mut self) -> Option<(i32, Id)> {
        self.0.pop().map(|(score, Reverse(id))| (score, id))
    }
}
