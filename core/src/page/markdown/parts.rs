//! What some nodes are to each other: tabs and their panels, references and their footnotes. Found in one walk
//! before anything is written, since a panel has to know its tab and a reference its footnote.

use super::super::clean::Content;
use super::super::survey::Survey;
use super::super::tree::{NodeId, Tree};
use super::super::vocabulary::{Name, Tag};
use super::{notes, tabs};
use crate::maps::Map;

/// What a node is beyond its tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Said elsewhere: a tab, a link back from a footnote.
    Skip,
    /// The cell in front of an admonition that names its kind.
    Icon,
    /// A panel of tabs and the name of its tab.
    Panel(String),
    /// A reference to the footnote of this name.
    Reference(String),
    /// The footnote of this name.
    Note(String),
    /// Text behind the number of a footnote, which a full stop or a bracket may start.
    AfterNumber,
}

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

/// Whether a cell is what `AsciiDoc` puts in front of an admonition: its kind, as a word or as an icon.
pub(super) fn is_icon(tree: &Tree<'_>, cell: NodeId) -> bool {
    has_class(tree, cell, &["icon"])
        && tree.ancestors(cell).find(|&n| tree.tag(n) == Tag::Table).is_some_and(|table| {
            let holder = tree.node(table).parent;
            tree.shared_classes(holder).is_some_and(|classes| classes.contains("admonition"))
        })
}

/// Whether one of the classes of a node is one of `names`.
pub(super) fn has_class(tree: &Tree<'_>, node: NodeId, names: &[&str]) -> bool {
    tree.raw_attribute(node, Name::Class)
        .is_some_and(|classes| classes.split_ascii_whitespace().any(|class| names.contains(&class)))
}

/// Whether a node has a role.
pub(super) fn has_role(tree: &Tree<'_>, node: NodeId, role: &str) -> bool {
    tree.raw_attribute(node, Name::Role).is_some_and(|r| r.eq_ignore_ascii_case(role))
}
