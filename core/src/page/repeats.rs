//! Texts that a page shows twice: pages that hold a wide and a narrow layout, slides that go round, captions of galleries.

use std::hash::BuildHasher;

use super::tree::{NodeId, Tree};
use super::vocabulary::Tag;
use crate::maps::{Hashing, Map};

/// What was met of the texts of a page.
pub(super) struct Repeats {
    /// By node: the sum of the hashes of all words before it. What lies between two nodes is the difference.
    sums: Vec<u64>,
    /// By the sum of a text: where what holds it first ends.
    ends: Map<u64, NodeId>,
}

impl Repeats {
    /// Reads the text of `roots`.
    pub(super) fn of(tree: &Tree<'_>, roots: &[NodeId]) -> Self {
        let first = roots.iter().min().copied().unwrap_or(0);
        let end = roots.iter().map(|&root| tree.node(root).end).max().unwrap_or(0);
        let hasher = Hashing::default();
        let mut sums = Vec::with_capacity(tree.len() as usize + 1);
        let mut sum = 0_u64;
        for node in 0..tree.len() {
            sums.push(sum);
            match tree.tag(node) {
                // What a script holds is no text.
                Tag::Text
                    if (first..end).contains(&node) && !tree.tag(tree.node(node).parent).is_unseen() =>
                {
                    tree.spend(tree.raw_text(node).len());
                    for word in tree.raw_text(node).split_ascii_whitespace() {
                        sum = sum.wrapping_add(hasher.hash_one(word));
                    }
                }
                // Nothing is the same as what holds one of these.
                Tag::Pre | Tag::Table => sum = sum.wrapping_add(hasher.hash_one(node)),
                _ => {}
            }
        }
        sums.push(sum);
        Self { sums, ends: Map::default() }
    }

    /// Whether something before a node, which is asked for in the order of the page, has the same text.
    pub(super) fn is_repeated(&mut self, tree: &Tree<'_>, node: NodeId) -> bool {
        let end = tree.node(node).end;
        let text = self.sums[end as usize].wrapping_sub(self.sums[node as usize]);
        // What holds nothing but the node was met before it.
        node >= *self.ends.entry(text).or_insert(end)
    }
}
