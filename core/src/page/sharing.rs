//! Names that many parts of a page share: where these hold much of its text together, the name is one of its layout.

use std::cell::OnceCell;

use super::marks::Marks;
use super::survey::Survey;
use super::tree::{NodeId, Tree};
use crate::maps::Map;

/// Names by which a part may go.
const NAMED: Marks =
    Marks::SUSPECT.with(Marks::LOOK).with(Marks::BESIDE).with(Marks::BYLINE).with(Marks::POSTER);

/// Bytes of text by the classes of parts that may go for them; counted when it is asked for first.
pub(super) struct Sharing<'r, 'a> {
    roots: &'r [NodeId],
    bytes: OnceCell<Map<&'a str, f32>>,
}

impl<'r, 'a> Sharing<'r, 'a> {
    pub(super) fn inside(roots: &'r [NodeId]) -> Self {
        Self { roots, bytes: OnceCell::new() }
    }

    /// Bytes of text in all parts that have the classes of `node`; its own where it has none.
    pub(super) fn bytes(&self, tree: &Tree<'a>, survey: &Survey, node: NodeId) -> f32 {
        let bytes = self.bytes.get_or_init(|| self.count(tree, survey));
        tree.shared_classes(node)
            .and_then(|classes| bytes.get(classes))
            .copied()
            .unwrap_or_else(|| survey.all(node))
    }

    fn count(&self, tree: &Tree<'a>, survey: &Survey) -> Map<&'a str, f32> {
        let mut bytes: Map<&str, f32> = Map::default();
        let mut ends: Map<&str, NodeId> = Map::default();
        for node in self.roots.iter().flat_map(|&root| tree.descendants(root)) {
            if survey.marks(node).any(NAMED)
                && let Some(classes) = tree.shared_classes(node)
            {
                let end = ends.entry(classes).or_default();
                if node >= *end {
                    *end = tree.node(node).end;
                    *bytes.entry(classes).or_default() += survey.all(node);
                }
            }
        }
        bytes
    }
}
