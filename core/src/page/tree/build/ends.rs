//! End tags, also those that come out of order.

use super::super::super::vocabulary::Tag;
use super::super::{MAX_DEPTH, Node, NodeId};
use super::Builder;

/// Blocks that a misplaced formatting end tag may reopen behind it.
const MAX_REOPENED: usize = 8;

impl<'a> Builder<'a> {
    pub(super) fn end(&mut self, tag: Tag, name: &'a str) {
        self.note_edge(tag);
        match tag {
            Tag::Html | Tag::Body => return,
            Tag::Br => return self.start(Tag::Br, name, 0..0, false),
            // An end without a start is an empty paragraph: the text goes on in another block.
            Tag::P if !self.has(Tag::P) => {
                if self.open.len() < MAX_DEPTH {
                    self.start(Tag::P, name, 0..0, false);
                    self.close_open(Tag::P, Tag::is_scope);
                }
                return;
            }
            _ if tag.is_void() => return,
            _ => {}
        }
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        if tag == self.top_tag() && tag != Tag::Other {
            return self.pop();
        }
        if tag.heading_level().is_some() {
            if let Some(position) = self.find_open(|t| t.heading_level().is_some(), Tag::is_scope) {
                self.close_to(position);
            }
            return;
        }
        if !self.has(tag) {
            return;
        }
        if tag == Tag::Other {
            self.end_unknown(name);
        } else if tag.is_formatting() {
            self.end_formatting(tag);
        } else if matches!(
            tag,
            Tag::Table | Tag::Tr | Tag::Td | Tag::Th | Tag::Tbody | Tag::Thead | Tag::Tfoot
        ) {
            self.close_open(tag, |t| matches!(t, Tag::Table | Tag::Template));
        } else if tag == Tag::Li {
            self.close_open(tag, |t| t.is_scope() || matches!(t, Tag::Ul | Tag::Ol));
        } else if tag.is_block()
            || tag.is_scope()
            || matches!(tag, Tag::Head | Tag::Svg | Tag::Math | Tag::Button)
        {
            self.close_open(tag, Tag::is_scope);
        } else {
            self.close_open(tag, |t| t.is_block() || t.is_scope());
        }
    }

    fn end_unknown(&mut self, name: &str) {
        for position in (1..self.open.len()).rev() {
            let node = &self.nodes[self.open[position] as usize];
            self.work.spend(if node.text.len() == name.len() { name.len() } else { 1 });
            if node.tag == Tag::Other && node.text.eq_ignore_ascii_case(name) {
                return self.close_to(position);
            }
            // Custom elements wrap whole pages: only a table's parts hold them back.
            if node.tag.is_scope() {
                return;
            }
        }
    }

    /// Ends a formatting element; blocks opened inside it go on behind it, as the standard's adoption agency
    /// has them.
    fn end_formatting(&mut self, tag: Tag) {
        let Some(position) = self.find_open(|t| t == tag, Tag::is_scope) else { return };
        let inside: Vec<NodeId> = self.open[position + 1..]
            .iter()
            .copied()
            .filter(|&n| !self.nodes[n as usize].tag.is_formatting())
            .collect();
        if inside.iter().any(|&n| self.nodes[n as usize].tag.is_block()) && inside.len() > MAX_REOPENED {
            return;
        }
        self.close_to(position);
        for node in inside {
            let Node { tag, text, first_attribute, attribute_count, .. } = self.nodes[node as usize];
            if tag.is_block() {
                let first = first_attribute as usize;
                let attributes = self.tokens.attributes.get(first..first + usize::from(attribute_count));
                // Whatever reads the names of the one reads those of the other, too.
                self.work.spend(attributes.unwrap_or_default().iter().map(|a| a.value.len()).sum());
                let copy = self.append(tag, text, true, first..first + usize::from(attribute_count));
                self.push(copy);
            }
        }
    }
}
