//! What a start tag ends and begins that its author left out.

use super::super::super::vocabulary::Tag;
use super::super::MAX_DEPTH;
use super::Builder;

impl Builder<'_> {
    /// A second html, head or body, a form in a form, and table parts outside a table are not there.
    pub(super) fn is_duplicate(&mut self, tag: Tag) -> bool {
        match tag {
            Tag::Html => std::mem::replace(&mut self.seen[0], true),
            Tag::Head => std::mem::replace(&mut self.seen[1], true) || self.seen[2],
            // Where the page began without it, it began in front of what is open.
            Tag::Body => {
                let within = !matches!(self.top_tag(), Tag::Document | Tag::Html | Tag::Head);
                std::mem::replace(&mut self.seen[2], true) || within
            }
            Tag::Form => self.has(Tag::Form),
            Tag::Tr
            | Tag::Td
            | Tag::Th
            | Tag::Tbody
            | Tag::Thead
            | Tag::Tfoot
            | Tag::Caption
            | Tag::Colgroup => !self.has(Tag::Table) && !self.has(Tag::Template),
            _ => false,
        }
    }

    /// Closes what the start tag of `tag` ends (HTML standard, section 13.1.2.4 and "in body").
    pub(super) fn imply_ends(&mut self, tag: Tag) {
        if tag.ends_paragraph() {
            self.close_open(Tag::P, |t| t.is_scope() || t == Tag::Button);
        }
        if tag.heading_level().is_some() && self.top_tag().heading_level().is_some() {
            self.pop();
        }
        match tag {
            Tag::Li => self.close_open(Tag::Li, |t| t.is_block() && !is_transparent(t)),
            Tag::Dt | Tag::Dd if self.has(Tag::Dt) || self.has(Tag::Dd) => {
                let open = self.find_open(
                    |t| matches!(t, Tag::Dt | Tag::Dd),
                    |t| t.is_scope() || (t.is_block() && !is_transparent(t)),
                );
                if let Some(position) = open {
                    self.close_to(position);
                }
            }
            Tag::Option => self.close_open(Tag::Option, |t| t != Tag::Option),
            Tag::Optgroup => {
                self.close_open(Tag::Option, |t| t != Tag::Option);
                self.close_open(Tag::Optgroup, |t| t != Tag::Optgroup);
            }
            Tag::Button => self.close_open(Tag::Button, Tag::is_scope),
            Tag::A => self.close_open(Tag::A, |t| !t.is_formatting()),
            Tag::Rt | Tag::Rp => {
                self.close_open(Tag::Rt, |t| t == Tag::Ruby || t.is_scope());
                self.close_open(Tag::Rp, |t| t == Tag::Ruby || t.is_scope());
            }
            Tag::Td | Tag::Th => self.close_inside(|t| matches!(t, Tag::Tr | Tag::Table | Tag::Template)),
            Tag::Tr => self.close_inside(is_row_parent),
            Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Caption | Tag::Colgroup => {
                self.close_inside(|t| matches!(t, Tag::Table | Tag::Template));
            }
            _ => {}
        }
    }

    /// Closes everything inside the innermost open element that `container` accepts.
    fn close_inside(&mut self, container: impl Fn(Tag) -> bool) {
        if let Some(position) = self.find_open(container, |_| false) {
            self.close_to(position + 1);
        }
    }

    /// A cell outside a row gets one.
    pub(super) fn imply_starts(&mut self, tag: Tag) {
        if matches!(tag, Tag::Td | Tag::Th) && self.top_tag() != Tag::Tr && self.open.len() < MAX_DEPTH {
            let row = self.append(Tag::Tr, "tr", true, 0..0);
            self.push(row);
        }
    }
}

/// Blocks that a list item reaches through when it ends its predecessor.
fn is_transparent(tag: Tag) -> bool {
    matches!(tag, Tag::Address | Tag::Div | Tag::P)
}

fn is_row_parent(tag: Tag) -> bool {
    matches!(tag, Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Template)
}
