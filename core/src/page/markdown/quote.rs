//! Quotes, and what is written as one: notes and warnings under their titles; footnotes.

use super::super::marks::Marks;
use super::super::tree::NodeId;
use super::super::vocabulary::{Name, Tag};
use super::output::Gap;
use super::roles::Part;
use super::{Close, MAX_NESTING, MarkdownWriter, roles};
use crate::phrases::{list, strip_prefix_ignore_case};

/// Kinds of admonitions as classes name them, alone or behind a hyphen, and the titles that stand for them.
const KINDS: &[(&str, &str)] = list! {
    ("note", "Note") ("tip", "Tip") ("hint", "Hint") ("info", "Info") ("important", "Important")
    ("warning", "Warning") ("caution", "Caution") ("danger", "Danger") ("error", "Error")
    ("attention", "Attention") ("example", "Example") ("seealso", "See also")
};
/// Nodes at the start of an admonition among which its title stands.
const TITLE_NODES: usize = 40;
/// Bytes at the start of an admonition that may name its kind.
const TITLE_BYTES: usize = 40;

impl MarkdownWriter<'_, '_, '_> {
    pub(super) fn quote(&mut self, node: NodeId) {
        self.block(Gap::Blank);
        self.prefixed(node, "> ", "> ");
    }

    /// A quote with a title: its own, else the name of its kind.
    pub(super) fn admonition(&mut self, node: NodeId) {
        self.quote(node);
        if self.cell || self.survey.bytes(node) == 0 {
            return;
        }
        if !self.is_titled(node)
            && let Some((_, title)) = self.kind_of(node)
        {
            self.bold_line(title);
        }
    }

    /// A footnote, as GitHub writes it.
    pub(super) fn note(&mut self, node: NodeId, name: &str) {
        self.block(Gap::Blank);
        self.prefixed(node, &format!("[^{name}]: "), "    ");
    }

    /// Everything inside `node` behind a prefix, or as it is where there are no lines to prefix.
    fn prefixed(&mut self, node: NodeId, first: &str, rest: &'static str) {
        if self.cell || self.one_line > 0 || self.nesting >= MAX_NESTING {
            return self.then(node, Close::Block(Gap::Blank));
        }
        self.out.open(Gap::Blank, first.to_owned().into(), rest.into());
        self.nesting += 1;
        self.then(node, Close::Block(Gap::Blank));
        self.then(node, Close::Item);
    }

    /// Whether an admonition shows a title, or begins with the name of its kind.
    fn is_titled(&self, node: NodeId) -> bool {
        let is_title = |n| {
            let tag = self.tree.tag(n);
            tag == Tag::Summary
                || tag.heading_level().is_some()
                || self.survey.marks(n).any(Marks::CAPTION) && !self.left_out[n as usize]
                || self.parts.get(n) == Some(&Part::Icon)
                || (tag != Tag::Text && roles::has_class(self.tree, n, &["title"]))
        };
        let begins = |(name, _): &(&str, &str)| {
            let is_gone = |n: NodeId| self.left_out[n as usize];
            let start = self.tree.folded_text_without(node, TITLE_BYTES, is_gone);
            strip_prefix_ignore_case(&start, name).is_some()
        };
        self.tree.descendants(node).take(TITLE_NODES).any(is_title) || self.kind_of(node).is_some_and(begins)
    }

    /// The kind that the classes of an admonition name, with its title: `alert-warning` rather than `hint`.
    fn kind_of(&self, node: NodeId) -> Option<&'static (&'static str, &'static str)> {
        let classes = self.tree.raw_attribute(node, Name::Class)?;
        let kind = |class: &str| KINDS.iter().find(|(name, _)| class.eq_ignore_ascii_case(name));
        let mut ends = classes.split_ascii_whitespace().filter_map(|class| class.rsplit_once('-'));
        ends.find_map(|(_, end)| kind(end)).or_else(|| classes.split_ascii_whitespace().find_map(kind))
    }
}
