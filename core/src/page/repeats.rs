//! Texts that a page shows twice: pages that hold a wide and a narrow layout, slides that go round, captions of galleries.

use std::hash::BuildHasher;

use super::tree::{NodeId, Tree};
use super::vocabulary::Tag;
use crate::maps::{Hashing, Map};

/// What was met of the texts of a page.
pub(super) struct Repeats {
    /// By node: the sum of the hashes of all words before it. What lies between two nodes is the difference.
    sums: Vec<u64>,
    /// By the sum of a text: where what holds it first ends, and what that stands under.
    ends: Map<u64, (NodeId, u64)>,
    /// Every heading and the one above it, in the order of the page.
    headings: Vec<(NodeId, Option<NodeId>)>,
    /// Where the last block ends that stands there twice with reason.
    kept: NodeId,
    /// The page shows code: what it says of one thing may be true of the next.
    shows_code: bool,
}

impl Repeats {
    /// Reads the text of `roots`.
    pub(super) fn of(tree: &Tree<'_>, roots: &[NodeId]) -> Self {
        let first = roots.iter().min().copied().unwrap_or(0);
        let end = roots.iter().map(|&root| tree.node(root).end).max().unwrap_or(0);
        let hasher = Hashing::default();
        let mut sums = Vec::with_capacity(tree.len() as usize + 1);
        let mut sum = 0_u64;
        let (mut headings, mut last) = (Vec::new(), [None; 7]);
        let mut shows_code = false;
        for node in 0..tree.len() {
            sums.push(sum);
            if let Some(level) = tree.tag(node).heading_level() {
                let level = usize::from(level);
                headings.push((node, last[..level].iter().copied().flatten().max()));
                last[level] = Some(node);
                last[level + 1..].fill(None);
            }
            shows_code |= tree.tag(node) == Tag::Code && (first..end).contains(&node);
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
        Self { sums, ends: Map::default(), headings, kept: 0, shows_code }
    }

    /// Whether something before a node, which is asked for in the order of the page, has the same text and is no section of
    /// another part.
    pub(super) fn is_repeated(&mut self, tree: &Tree<'_>, node: NodeId) -> bool {
        let (end, above) = (tree.node(node).end, self.above(tree, node));
        let text = self.words(node, end);
        let (first_end, first_above) = *self.ends.entry(text).or_insert((end, above));
        // What holds nothing but the node was met before it.
        if node < first_end || node < self.kept {
            return false;
        }
        let belongs = self.shows_code && above != first_above && above != 0 && first_above != 0;
        if belongs {
            self.kept = end;
        }
        !belongs
    }

    /// The words of the heading that a node stands under: the one right before it, or above that which it begins with.
    fn above(&self, tree: &Tree<'_>, node: NodeId) -> u64 {
        let next = self.headings.partition_point(|&(heading, _)| heading < node);
        let begins =
            |&&(heading, _): &&(NodeId, _)| heading < tree.node(node).end && self.words(node, heading) == 0;
        let above = match self.headings.get(next).filter(begins) {
            Some(&(_, above)) => above,
            None => self.headings[..next]
                .last()
                .map(|&(heading, _)| heading)
                .filter(|&heading| self.words(tree.node(heading).end, node) == 0),
        };
        above.map_or(0, |heading| self.words(heading, tree.node(heading).end))
    }

    /// The sum of the hashes of the words between two nodes.
    fn words(&self, from: NodeId, to: NodeId) -> u64 {
        self.sums[to as usize].wrapping_sub(self.sums[from as usize])
    }
}
