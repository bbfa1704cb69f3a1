//! The tree of a page, built in one pass and kept in one vector in document order.
//!
//! A node's descendants are the nodes that follow it up to its `end`, so a walk is a loop and nothing here
//! recurses. End tags that authors leave out are implied, scopes keep a stray end tag from closing what
//! surrounds it, and caps bound depth and size.

use std::borrow::Cow;

use super::fold::Folded;
use super::tokenizer::{Attribute, Token, Tokenizer};
use super::vocabulary::{Name, Tag};

/// Elements open at once; what nests deeper becomes part of the deepest.
const MAX_DEPTH: usize = 512;
/// Nodes of a page; what follows is dropped.
const MAX_NODES: usize = 1_000_000;
/// Blocks that a misplaced formatting end tag may reopen behind it.
const MAX_REOPENED: usize = 8;

/// The place of a node in its tree.
pub(super) type NodeId = u32;

/// An element or a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) tag: Tag,
    /// Text whose character references are none.
    pub(super) raw: bool,
    pub(super) parent: NodeId,
    /// One past the last descendant.
    pub(super) end: NodeId,
    first_attribute: u32,
    attribute_count: u16,
    /// The text as written, or the name of an element.
    text: &'a str,
}

/// A page in document order; node 0 is the document.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    attributes: Vec<Attribute<'a>>,
}

impl<'a> Tree<'a> {
    /// Builds the tree of any text; there are no errors in HTML.
    pub(super) fn parse(html: &'a str) -> Self {
        Builder::new(html).run(html)
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

    /// The nodes directly inside.
    pub(super) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(node).end;
        let first = Some(node + 1).filter(|&n| n < end);
        std::iter::successors(first, move |&n| Some(self.node(n).end).filter(|&next| next < end))
    }

    /// All nodes inside, in document order.
    pub(super) fn descendants(&self, node: NodeId) -> std::ops::Range<NodeId> {
        node + 1..self.node(node).end
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
    pub(super) fn text(&self, node: NodeId) -> Cow<'a, str> {
        let node = self.node(node);
        if node.raw { Cow::Borrowed(node.text) } else { decode(node.text) }
    }

    /// The text of a text node as written.
    pub(super) fn raw_text(&self, node: NodeId) -> &'a str {
        self.node(node).text
    }

    /// All text inside, white space folded, without scripts and styles; at most about `limit` bytes.
    pub(super) fn folded_text(&self, node: NodeId, limit: usize) -> String {
        let mut folded = Folded::default();
        let mut at = node;
        while at < self.node(node).end && folded.text.len() < limit {
            match self.tag(at) {
                Tag::Text => folded.push(&self.text(at)),
                Tag::Script | Tag::Style | Tag::Template | Tag::Svg => {
                    at = self.node(at).end;
                    continue;
                }
                tag if tag == Tag::Br || tag.is_block() => folded.space = true,
                _ => {}
            }
            at += 1;
        }
        folded.text
    }
}

/// Decodes the character references of a text.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    if text.contains('&') { htmlize::unescape(text) } else { Cow::Borrowed(text) }
}

/// Decodes the character references of an attribute, where `&copy=1` is none.
pub(super) fn decode_attribute(text: &str) -> Cow<'_, str> {
    if text.contains('&') { htmlize::unescape_attribute(text) } else { Cow::Borrowed(text) }
}

fn id(number: usize) -> NodeId {
    NodeId::try_from(number).unwrap_or(NodeId::MAX)
}

struct Builder<'a> {
    nodes: Vec<Node<'a>>,
    attributes: Vec<Attribute<'a>>,
    /// Open elements, the document first.
    open: Vec<NodeId>,
    /// How many elements of each tag are open: most searches of the stack end here.
    counts: [u16; Tag::COUNT],
    /// Start tags beyond [`MAX_DEPTH`] whose end tags are still to come.
    too_deep: usize,
    seen: [bool; 3],
}

impl<'a> Builder<'a> {
    fn new(html: &str) -> Self {
        let mut nodes = Vec::with_capacity((html.len() / 24).min(MAX_NODES));
        nodes.push(Node {
            tag: Tag::Document,
            raw: false,
            parent: 0,
            end: 0,
            first_attribute: 0,
            attribute_count: 0,
            text: "",
        });
        Self {
            nodes,
            attributes: Vec::with_capacity(html.len() / 48),
            open: vec![0],
            counts: [0; Tag::COUNT],
            too_deep: 0,
            seen: [false; 3],
        }
    }

    fn run(mut self, html: &'a str) -> Tree<'a> {
        let mut tokens = Tokenizer::new(html);
        while let Some(token) = tokens.next_token() {
            if self.nodes.len() >= MAX_NODES {
                break;
            }
            match token {
                Token::Text(text) => self.text(text, false),
                Token::Raw(text) => self.text(text, true),
                Token::Start { tag, name, self_closing } => {
                    self.start(tag, name, &tokens.attributes, self_closing);
                }
                Token::End { tag, name } => self.end(tag, name),
            }
            tokens.foreign = self.is_foreign();
        }
        self.close_to(0);
        let end = id(self.nodes.len());
        self.nodes[0].end = end;
        Tree { nodes: self.nodes, attributes: self.attributes }
    }

    fn top(&self) -> NodeId {
        self.open.last().copied().unwrap_or(0)
    }

    fn top_tag(&self) -> Tag {
        self.nodes[self.top() as usize].tag
    }

    fn tag_at(&self, position: usize) -> Tag {
        self.nodes[self.open[position] as usize].tag
    }

    fn has(&self, tag: Tag) -> bool {
        self.counts[tag as usize] > 0
    }

    fn is_foreign(&self) -> bool {
        self.has(Tag::Svg) || self.has(Tag::Math)
    }

    fn append(&mut self, tag: Tag, text: &'a str, raw: bool, attributes: &[Attribute<'a>]) -> NodeId {
        let node = id(self.nodes.len());
        let first_attribute = id(self.attributes.len());
        self.attributes.extend_from_slice(attributes);
        self.nodes.push(Node {
            tag,
            raw,
            parent: self.top(),
            end: node + 1,
            first_attribute,
            attribute_count: u16::try_from(attributes.len()).unwrap_or(0),
            text,
        });
        node
    }

    fn push(&mut self, node: NodeId) {
        let tag = self.nodes[node as usize].tag;
        self.counts[tag as usize] += 1;
        self.open.push(node);
    }

    fn pop(&mut self) {
        if self.open.len() > 1
            && let Some(node) = self.open.pop()
        {
            let end = id(self.nodes.len());
            let node = &mut self.nodes[node as usize];
            node.end = end;
            self.counts[node.tag as usize] -= 1;
        }
    }

    /// Closes everything above the first `keep` open elements (the document always stays).
    fn close_to(&mut self, keep: usize) {
        while self.open.len() > keep.max(1) {
            self.pop();
        }
    }

    /// The innermost open element that `wanted` accepts, unless a `barrier` comes first.
    fn find_open(&self, wanted: impl Fn(Tag) -> bool, barrier: impl Fn(Tag) -> bool) -> Option<usize> {
        for position in (1..self.open.len()).rev() {
            let tag = self.tag_at(position);
            if wanted(tag) {
                return Some(position);
            }
            if barrier(tag) {
                return None;
            }
        }
        None
    }

    fn close_open(&mut self, tag: Tag, barrier: impl Fn(Tag) -> bool) {
        if self.has(tag)
            && let Some(position) = self.find_open(|t| t == tag, barrier)
        {
            self.close_to(position);
        }
    }

    fn text(&mut self, text: &'a str, raw: bool) {
        if text.is_empty() {
            return;
        }
        if self.top_tag() == Tag::Head || self.top_tag() == Tag::Html {
            if text.bytes().all(|b| b.is_ascii_whitespace()) {
                return;
            }
            self.close_open(Tag::Head, |_| false);
        }
        if raw && self.top_tag() == Tag::Style {
            return;
        }
        self.append(Tag::Text, text, raw, &[]);
    }

    fn start(&mut self, tag: Tag, name: &'a str, attributes: &[Attribute<'a>], self_closing: bool) {
        if self.is_duplicate(tag) {
            return;
        }
        let foreign = self.is_foreign();
        if foreign && breaks_out(tag) && !self.has(Tag::ForeignObject) {
            self.close_open(Tag::Svg, |_| false);
            self.close_open(Tag::Math, |_| false);
        }
        if self.has(Tag::Head) && !belongs_in_head(tag) {
            self.close_open(Tag::Head, |t| t == Tag::Template);
        }
        if !foreign {
            self.imply_ends(tag);
            self.imply_starts(tag);
        }
        let node = self.append(tag, name, false, attributes);
        let childless = tag.is_void() || (self_closing && (foreign || matches!(tag, Tag::Svg | Tag::Math)));
        // A form between the rows of a table holds nothing (HTML standard, "in table").
        let empty = tag == Tag::Form
            && matches!(self.top_tag(), Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr);
        if childless || empty {
            return;
        }
        if self.open.len() >= MAX_DEPTH {
            self.too_deep += 1;
        } else {
            self.push(node);
        }
    }

    /// A second html, head or body, a form in a form, and table parts outside a table are not there.
    fn is_duplicate(&mut self, tag: Tag) -> bool {
        match tag {
            Tag::Html => std::mem::replace(&mut self.seen[0], true),
            Tag::Head => std::mem::replace(&mut self.seen[1], true) || self.seen[2],
            Tag::Body => std::mem::replace(&mut self.seen[2], true),
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
    fn imply_ends(&mut self, tag: Tag) {
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
    fn imply_starts(&mut self, tag: Tag) {
        if matches!(tag, Tag::Td | Tag::Th) && self.top_tag() != Tag::Tr && self.open.len() < MAX_DEPTH {
            let row = self.append(Tag::Tr, "tr", false, &[]);
            self.push(row);
        }
    }

    fn end(&mut self, tag: Tag, name: &'a str) {
        match tag {
            Tag::Html | Tag::Body => return,
            Tag::Br => return self.start(Tag::Br, name, &[], false),
            Tag::P if !self.has(Tag::P) => return,
            _ if tag.is_void() => return,
            _ => {}
        }
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
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
                let copy = self.append(tag, text, false, &[]);
                self.nodes[copy as usize].first_attribute = first_attribute;
                self.nodes[copy as usize].attribute_count = attribute_count;
                self.push(copy);
            }
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

fn belongs_in_head(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Head
            | Tag::Html
            | Tag::Base
            | Tag::Link
            | Tag::Meta
            | Tag::Noframes
            | Tag::Noscript
            | Tag::Script
            | Tag::Style
            | Tag::Template
            | Tag::Title
    )
}

/// Elements that end svg or math content (HTML standard, section 13.2.6.5).
fn breaks_out(tag: Tag) -> bool {
    (tag.is_block() && !matches!(tag, Tag::Fieldset | Tag::Legend | Tag::Search))
        || matches!(tag, Tag::B | Tag::Br | Tag::Code | Tag::Em | Tag::I | Tag::Img | Tag::Span | Tag::Strong)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    /// The tree as nested tags, to compare with.
    fn outline(html: &str) -> String {
        let tree = Tree::parse(html);
        let mut out = String::new();
        let mut open: Vec<NodeId> = Vec::new();
        for node in tree.descendants(0) {
            while let Some(&last) = open.last().filter(|&&n| tree.node(n).end <= node) {
                write!(out, "</{}>", tree.tag(last).name()).unwrap();
                open.pop();
            }
            if tree.tag(node) == Tag::Text {
                out.push_str(&tree.text(node));
            } else {
                write!(out, "<{}>", tree.tag(node).name()).unwrap();
                open.push(node);
            }
        }
        while let Some(last) = open.pop() {
            write!(out, "</{}>", tree.tag(last).name()).unwrap();
        }
        out
    }

    #[test]
    fn end_tags_are_implied() {
        assert_eq!(outline("<p>a<p>b<div>c</div>"), "<p>a</p><p>b</p><div>c</div>");
        assert_eq!(
            outline("<ul><li>a<ul><li>b</ul><li>c</ul>d"),
            "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>d"
        );
        assert_eq!(outline("<dl><dt>a<dd>b<dt>c</dl>"), "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>");
        assert_eq!(
            outline("<table><tr><td>a<td>b<tr><th>c</table>d"),
            "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>d"
        );
        assert_eq!(
            outline("<table><td>a<table><td>b</table>c<td>d</table>"),
            "<table><tr><td>a<table><tr><td>b</td></tr></table>c</td><td>d</td></tr></table>"
        );
    }

    #[test]
    fn stray_end_tags_close_nothing_around_them() {
        assert_eq!(
            outline("<div><table><tr><td>a</div>b</td></tr></table></div>"),
            "<div><table><tr><td>ab</td></tr></table></div>"
        );
        assert_eq!(outline("<p>a</span>b</p>"), "<p>ab</p>");
        assert_eq!(outline("<DIV>a</Div>b"), "<div>a</div>b");
    }

    #[test]
    fn blocks_go_on_behind_a_misplaced_formatting_end() {
        assert_eq!(outline("<b><p>a</b>b</p>c"), "<b><p>a</p></b><p>b</p>c");
        assert_eq!(outline("<p><b><i>a</b>b</p>"), "<p><b><i>a</i></b>b</p>");
    }

    #[test]
    fn void_and_foreign_elements() {
        assert_eq!(outline("<br/>a<img>b<svg><path/><title>t</title></svg>c").matches("</svg>c").count(), 1);
        assert_eq!(outline("<svg><g><p>a").replace("<>", "").replace("</>", ""), "<svg></svg><p>a</p>");
    }

    #[test]
    fn hostile_nesting_stays_flat_and_small() {
        for html in
            ["<ul><li>".repeat(20_000), "<div>".repeat(100_000), "<b><p>".repeat(20_000), "<a".repeat(9_999)]
        {
            let tree = Tree::parse(&html);
            assert!(tree.descendants(0).step_by(97).all(|n| tree.ancestors(n).count() <= MAX_DEPTH));
        }
        let attributes = format!("<a {}>x", "class=y ".repeat(40_000));
        assert_eq!(Tree::parse(&attributes).attributes(1).len(), 256);
    }

    #[test]
    fn text_folds_and_decodes() {
        let tree = Tree::parse("<p> a &amp; <b>b</b>\n<script>x</script><br>c&nbsp;d</p>");
        assert_eq!(tree.folded_text(0, 99), "a & b c d");
        assert_eq!(
            Tree::parse("<a href='?a=1&copy=2&amp;b'>").attribute(1, Name::Href).unwrap(),
            "?a=1&copy=2&b"
        );
    }
}
