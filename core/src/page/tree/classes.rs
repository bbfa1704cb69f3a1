//! What the attributes of an element say it is.

use super::{NodeId, Tree};
use crate::page::fold::head_of;
use crate::page::vocabulary::{Name, Tag};

/// Bytes of the classes of an element that are read.
const MAX_CLASSES: usize = 256;

/// Whether one of the words in the classes of an element is one of these.
pub(in crate::page) fn has_word(tree: &Tree<'_>, node: NodeId, words: &[&str]) -> bool {
    let classes = tree.raw_attribute(node, Name::Class).map(|classes| head_of(classes, MAX_CLASSES));
    classes.is_some_and(|classes| {
        let mut found = classes.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
        found.any(|word| words.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes())))
    })
}

/// Whether what stands around a part of a heading is no part of its word: a badge that says of what sort its matter is
/// (`Abstract`, `Beta`), or what its style draws between two names, blank or not.
pub(in crate::page) fn stands_apart(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.tag(tree.node(node).parent).heading_level().is_some()
        && tree.tag(node) != Tag::A
        && has_word(tree, node, &["badge", "chip", "label", "pill", "tag", "sep", "separator"])
}

/// Whether something can be written into an element.
pub(in crate::page) fn is_field(tree: &Tree<'_>, node: NodeId) -> bool {
    let kind = || tree.raw_attribute(node, Name::Type).unwrap_or("text");
    match tree.tag(node) {
        Tag::Textarea => true,
        Tag::Input => matches!(kind(), "text" | "email" | "password" | "tel" | "search" | "number" | "url"),
        _ => false,
    }
}
