//! What some nodes are to each other: tabs and their panels, references and their footnotes. Found in one walk
//! before anything is written, since a panel has to know its tab and a reference its footnote.

use super::super::main_content::Content;
use super::super::survey::Survey;
use super::super::tree::{NodeId, Tree};
use super::super::vocabulary::Tag;
use super::roles::{Part, is_icon};
use super::{notes, tabs};
use crate::maps::Map;

/// The parts of a page by node.
#[derive(Debug, Default)]
pub(super) struct Parts(Map<NodeId, Part>);

impl Parts {
    /// Looks at what may be one, in the order of the page.
    pub(super) fn of(tree: &Tree<'_>, survey: &Survey, content: &Content) -> Self {
        let mut parts = Map::default();
        let mut tabs = tabs::Finder::new(survey);
        let mut references = Vec::new();
        for &root in &content.roots {
            let is_shown = |node| {
                let mut around = std::iter::once(node).chain(tree.ancestors(node).take_while(|&a| a >= root));
                !around.any(|n| content.left_out[n as usize] || !tree.spend(1))
            };
            for &node in survey.related_in(tree, root) {
                if !tree.spend(1) {
                    break;
                }
                // Tabs are buttons or links: what names a panel may be left out as a part of the page's surface.
                tabs.look(tree, node, &mut parts);
                match tree.tag(node) {
                    Tag::Td if is_icon(tree, node) => {
                        parts.insert(node, Part::Icon);
                    }
                    Tag::A => references.extend(notes::candidate(tree, node).filter(|_| is_shown(node))),
                    _ => {}
                }
            }
        }
        if !references.is_empty() {
            notes::pair(tree, content, references, &mut parts);
        }
        Self(parts)
    }

    /// What a node is, if it is more than its tag says.
    pub(super) fn get(&self, node: NodeId) -> Option<&Part> {
        if self.0.is_empty() { None } else { self.0.get(&node) }
    }
}
