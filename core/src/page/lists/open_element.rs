//! An element that the walk is inside of, and the labels met in it.

use std::sync::Arc;

use super::Anchor;
use super::text::is_item;
use crate::page::tree::NodeId;
use crate::page::vocabulary::Tag;

/// The rank of labels that are no headings, which have 1 to 6.
pub(super) const PLAIN: u8 = 7;
/// The rank of labels that stand on the line of their links.
pub(super) const INLINE: u8 = 8;

/// A label and the list that it stands for, once a link has asked for it.
pub(super) struct ListScope {
    pub(super) rank: u8,
    pub(super) label: Arc<str>,
    /// It stands in the main content.
    pub(super) in_content: bool,
    pub(super) list: Option<EnclosingList>,
    /// The element that follows a label outside of lists, if it is one link: the label goes on over a row of such.
    pub(super) row: Option<(Tag, bool)>,
}

/// The list around an element, if there is one.
#[derive(Clone, Copy)]
pub(super) struct EnclosingList(pub(super) Option<u32>);

/// An element that holds links and that the walk is inside of.
pub(super) struct OpenElement {
    pub(super) node: NodeId,
    pub(super) tag: Tag,
    pub(super) end: NodeId,
    /// The list around it,
    pub(super) list: Option<u32>,
    /// which is that of the labels around it, and no list of its own.
    pub(super) inherits: bool,
    /// The labels met among its children, those of higher rank first.
    pub(super) scopes: Vec<ListScope>,
    /// The link that may be the title of what follows it.
    pub(super) entry: Option<Anchor>,
    /// Links met in it so far.
    pub(super) links: u32,
    /// Text other than that of links was met in it.
    pub(super) has_text: bool,
}

impl OpenElement {
    pub(super) fn new(node: NodeId, tag: Tag, end: NodeId, list: Option<u32>) -> Self {
        Self {
            node,
            tag,
            end,
            list,
            inherits: true,
            scopes: Vec::new(),
            entry: None,
            links: 0,
            has_text: false,
        }
    }

    /// Forgets the labels that one of this rank ends.
    pub(super) fn end_scopes(&mut self, rank: u8) {
        let kept = self.scopes.iter().take_while(|scope| scope.rank < rank).count();
        self.scopes.truncate(kept);
    }

    /// A child is left that is a title by its only link, or is not.
    pub(super) fn take_entry(&mut self, entry: Option<Anchor>) {
        if !is_item(self.tag) || self.entry.is_none() {
            self.entry = entry;
        }
    }
}
