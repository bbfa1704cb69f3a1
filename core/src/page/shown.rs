//! What of a page is shown and is no margin of it.

use super::marks::Marks;
use super::survey::Survey;
use super::tree::{NodeId, Tree};
use super::vocabulary::Tag;

/// Bytes that make a text above the content one that sums it up.
pub(super) const MIN_LEAD: f32 = 60.0;
/// Nodes without text that may stand between a heading and the content.
pub(super) const MAX_EMPTY: usize = 20;
/// Bytes of a title that are compared.
pub(super) const MAX_TITLE: usize = 300;
/// Share of the text of a menu that its links have, at least.
pub(super) const MENU_LINKS: f32 = 0.9;

/// Those of the `wanted` elements, in order, that are shown inside `scope` and that no other of them encloses.
pub(super) fn outermost(tree: &Tree<'_>, survey: &Survey, scope: NodeId, wanted: &[NodeId]) -> Vec<NodeId> {
    let first = wanted.partition_point(|&n| n <= scope);
    let end = tree.node(scope).end;
    let mut wanted = wanted[first..].iter().copied().take_while(|&n| n < end);
    let mut found = Vec::new();
    let mut next = wanted.next();
    let mut node = scope + 1;
    while let Some(candidate) = next {
        let marks = survey.marks(node);
        let beside = marks.any(Marks::HIDDEN.with(Marks::NAVIGATION).with(Marks::MARGIN));
        if beside || tree.tag(node).is_unseen() {
            node = tree.node(node).end;
        } else if node == candidate {
            found.push(node);
            node = tree.node(node).end;
        } else {
            node += 1;
        }
        if candidate < node {
            next = wanted.find(|&n| n >= node);
        }
    }
    found
}

/// Whether something beside the content is text, and nothing that its name says to be chrome.
pub(super) fn is_lead(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    tree.tag(node) != Tag::Text && is_text(survey, node) && survey.told(node) >= MIN_LEAD
}

/// Whether nothing marks a part as beside the content.
pub(super) fn is_text(survey: &Survey, node: NodeId) -> bool {
    let beside =
        Marks::HIDDEN.with(Marks::NAVIGATION).with(Marks::MARGIN).with(Marks::CHROME).with(Marks::SUSPECT);
    let beside = beside.with(Marks::BESIDE).with(Marks::BYLINE).with(Marks::COMMENTS).with(Marks::LOOK);
    !survey.marks(node).any(beside)
}
