//! The tree of a page, built in one pass and kept in one vector in document order.
//!
//! A node's descendants are the nodes that follow it up to its `end`, so a walk is a loop and nothing here
//! recurses. End tags that authors leave out are implied, scopes keep a stray end tag from closing what
//! surrounds it, and caps bound depth and size.

mod build;
mod classes;

use std::borrow::Cow;

use memchr::memchr;

use super::fold::{Folded, folded, head_of};
use super::tokenizer::Attribute;
use super::vocabulary::{Name, Tag};
use crate::work::Work;

pub(super) use self::classes::{has_word, is_field, stands_apart};

/// Bytes that a text which is cut may have more than it was to have: most are taken whole.
const MAX_EXCESS: usize = 1 << 10;
/// So much markup of a text is read for each byte that is wanted of it: the rest of white space and references.
const MARKUP_PER_BYTE: usize = 8;

/// Bytes of the classes of one element that are read for each of others, which may be any number.
const MAX_SHARED_CLASSES: usize = 512;
/// Steps of reading one of them.
const STEPS_PER_CLASS_BYTE: usize = 8;

/// Elements open at once; what nests deeper becomes part of the deepest.
const MAX_DEPTH: usize = 512;

/// The place of a node in its tree.
pub(super) type NodeId = u32;

/// An element or a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) tag: Tag,
    /// Text without character references.
    pub(super) plain: bool,
    pub(super) parent: NodeId,
    /// One past the last descendant.
    pub(super) end: NodeId,
    first_attribute: u32,
    attribute_count: u16,
    /// The text as written, or the name of an element.
    text: &'a str,
}

/// A page in document order; node 0 is the document.
pub(super) struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    attributes: Vec<Attribute<'a>>,
    landmarks: Vec<NodeId>,
    /// How many nodes of each tag there are.
    totals: [NodeId; Tag::COUNT],
    /// What reading the page may take.
    work: &'a Work<'a>,
}

impl<'a> Tree<'a> {
    /// Builds the tree of any text; there are no errors in HTML.
    pub(super) fn parse(html: &'a str, work: &'a Work<'a>) -> Self {
        build::Builder::new(html, work).run()
    }

    /// The tree of a text that is trusted.
    #[cfg(test)]
    pub(super) fn of(html: &'a str) -> Self {
        Self::parse(html, Box::leak(Box::new(Work::unbounded())))
    }

    /// What reading the page may take.
    pub(super) fn work(&self) -> &'a Work<'a> {
        self.work
    }

    /// Counts steps; says whether to go on.
    #[inline]
    pub(super) fn spend(&self, steps: usize) -> bool {
        self.work.spend(steps)
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> NodeId {
        id(self.nodes.len())
    }

    /// A node; ids come from this tree.
    pub(super) fn node(&self, node: NodeId) -> &Node<'a> {
        &self.nodes[node as usize]
    }

    /// The tag of a node.
    pub(super) fn tag(&self, node: NodeId) -> Tag {
        self.node(node).tag
    }

    /// All elements of a tag that is a landmark, in document order.
    pub(super) fn all(&self, tag: Tag) -> impl Iterator<Item = NodeId> + '_ {
        debug_assert!(tag.is_landmark());
        self.landmarks.iter().copied().filter(move |&n| self.tag(n) == tag)
    }

    /// How many nodes of a tag there are.
    pub(super) fn total(&self, tag: Tag) -> NodeId {
        self.totals[tag as usize]
    }

    /// Whether any element has an attribute of this sort.
    pub(super) fn has_attribute(&self, is_one: impl FnMut(&Attribute<'a>) -> bool) -> bool {
        self.attributes.iter().any(is_one)
    }

    /// All landmarks, in document order.
    pub(super) fn landmarks(&self) -> &[NodeId] {
        &self.landmarks
    }

    /// The nodes directly inside.
    pub(super) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(node).end;
        let first = Some(node + 1).filter(|&n| n < end);
        std::iter::successors(first, move |&n| Some(self.node(n).end).filter(|&next| next < end))
    }

    /// The node directly before it inside its parent.
    pub(super) fn previous(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.node(node).parent;
        let mut last = node.checked_sub(1).filter(|&last| last > parent)?;
        while self.node(last).parent > parent {
            last = self.node(last).parent;
        }
        Some(last)
    }

    /// All nodes inside, in document order.
    pub(super) fn descendants(&self, node: NodeId) -> std::ops::Range<NodeId> {
        node + 1..self.node(node).end
    }

    /// The classes of an element that many others may ask, as far as they are read for that.
    pub(super) fn shared_classes(&self, node: NodeId) -> Option<&'a str> {
        let classes = head_of(self.raw_attribute(node, Name::Class)?, MAX_SHARED_CLASSES);
        self.spend(STEPS_PER_CLASS_BYTE * classes.len()).then_some(classes)
    }

    /// From the parent up to the document.
    pub(super) fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |&n| (n > 0).then(|| self.node(n).parent)).skip(1)
    }

    /// The attributes that are kept, as written.
    pub(super) fn attributes(&self, node: NodeId) -> &[Attribute<'a>] {
        let node = self.node(node);
        let first = node.first_attribute as usize;
        self.attributes.get(first..first + usize::from(node.attribute_count)).unwrap_or_default()
    }

    /// An attribute as written.
    pub(super) fn raw_attribute(&self, node: NodeId, name: Name) -> Option<&'a str> {
        self.attributes(node).iter().find(|a| a.name == name).map(|a| a.value)
    }

    /// An attribute with its character references decoded.
    pub(super) fn attribute(&self, node: NodeId, name: Name) -> Option<Cow<'a, str>> {
        self.raw_attribute(node, name).map(decode_attribute)
    }

    /// The text of a text node with its character references decoded.
    #[inline]
    pub(super) fn text(&self, node: NodeId) -> Cow<'a, str> {
        let node = self.node(node);
        if node.plain { Cow::Borrowed(node.text) } else { htmlize::unescape(node.text) }
    }

    /// The text of a text node as written.
    pub(super) fn raw_text(&self, node: NodeId) -> &'a str {
        self.node(node).text
    }

    /// All text inside, white space folded, without scripts and styles: at most about `limit` bytes, and never more than
    /// [`MAX_EXCESS`] beyond.
    pub(super) fn folded_text(&self, node: NodeId, limit: usize) -> String {
        self.folded_text_without(node, limit, |_| false)
    }

    /// The same without the nodes that are left out.
    pub(super) fn folded_text_without(
        &self,
        node: NodeId,
        limit: usize,
        is_left_out: impl Fn(NodeId) -> bool,
    ) -> String {
        let mut folded = Folded::default();
        let mut at = node;
        let mut apart_end = node;
        while at < self.node(node).end && folded.text.len() < limit && self.spend(1) {
            if is_left_out(at) {
                at = self.node(at).end;
                continue;
            }
            match self.tag(at) {
                Tag::Text => folded.push(&self.text_up_to(at, limit)),
                tag if tag.is_wordless() => {
                    at = self.node(at).end;
                    continue;
                }
                tag if tag == Tag::Br || tag.is_block() => folded.space = true,
                _ if stands_apart(self, at) => {
                    folded.space = true;
                    apart_end = self.node(at).end;
                }
                _ => {}
            }
            at += 1;
            folded.space |= at == apart_end;
        }
        folded.text.truncate(folded.text.floor_char_boundary(limit.saturating_add(MAX_EXCESS)));
        folded.text
    }

    /// The same of an element that often holds one text and nothing else.
    pub(super) fn label(&self, node: NodeId, limit: usize) -> Cow<'a, str> {
        match self.only_text(node) {
            Some(text) if text.len() <= limit && self.spend(text.len()) => folded(text),
            _ => Cow::Owned(self.folded_text(node, limit)),
        }
    }

    /// What an element says that holds one text without character references and nothing else.
    pub(super) fn only_text(&self, node: NodeId) -> Option<&'a str> {
        let only = self.nodes.get(node as usize + 1)?;
        let is_only = self.node(node).end == node + 2 && only.tag == Tag::Text && only.plain;
        (is_only && !self.tag(node).is_wordless()).then_some(only.text)
    }

    /// The text of a text node, of which about `most` bytes are wanted.
    pub(super) fn text_up_to(&self, node: NodeId, most: usize) -> Cow<'a, str> {
        let Node { text, plain, .. } = *self.node(node);
        let most = most.saturating_add(MAX_EXCESS).saturating_mul(MARKUP_PER_BYTE);
        let text = head_of(text, most);
        self.spend(text.len());
        if plain { Cow::Borrowed(text) } else { htmlize::unescape(text) }
    }
}

/// Decodes the character references of an attribute, where `&copy=1` is none.
pub(super) fn decode_attribute(text: &str) -> Cow<'_, str> {
    if memchr(b'&', text.as_bytes()).is_some() {
        htmlize::unescape_attribute(text)
    } else {
        Cow::Borrowed(text)
    }
}

fn id(number: usize) -> NodeId {
    NodeId::try_from(number).unwrap_or(NodeId::MAX)
}

#[cfg(test)]
mod tests;
