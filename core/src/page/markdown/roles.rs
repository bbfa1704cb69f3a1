//! What a node is beyond its tag, and the class or role that says so.

use super::super::tree::{NodeId, Tree};
use super::super::vocabulary::{Name, Tag};

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
