//! The tree of a page from its tokens, with the end tags that its author left out.

mod ends;
mod implied;

use std::ops::Range;

use memchr::memmem;

use super::super::tokenizer::{Token, Tokenizer};
use super::super::vocabulary::{Name, Tag};
use super::{MAX_DEPTH, Node, NodeId, Tree, id};
use crate::work::Work;

/// Nodes of a page; what follows is dropped.
const MAX_NODES: usize = 1_000_000;
/// Bytes that are counted together.
const STRETCH: usize = 4 << 10;
/// The classes of fonts that draw an icon in the place of its name begin so,
const ICON_FONTS: [&str; 2] = ["material-icons", "material-symbols"];
/// and all with this.
const ICON_FONT: &[u8] = b"material-";
/// The longest name of an icon, in bytes.
const MAX_ICON_NAME: usize = 40;
/// Elements open at once, and landmarks, for which there is room from the start.
const OPEN: usize = 32;

/// Appends nodes and knows which are open.
pub(super) struct Builder<'a> {
    tokens: Tokenizer<'a>,
    nodes: Vec<Node<'a>>,
    landmarks: Vec<NodeId>,
    /// Open elements, the document first.
    open: Vec<NodeId>,
    /// How many elements of each tag are open: most searches of the stack end here.
    counts: [u16; Tag::COUNT],
    /// How many nodes of each tag there are.
    totals: [NodeId; Tag::COUNT],
    /// Start tags beyond [`MAX_DEPTH`] whose end tags are still to come.
    too_deep: usize,
    /// Nothing but white space stands behind the last edge of a block.
    at_edge: bool,
    seen: [bool; 3],
    /// A font of icons may be named.
    has_icons: bool,
    work: &'a Work<'a>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(html: &'a str, work: &'a Work<'a>) -> Self {
        let mut nodes = Vec::with_capacity((html.len() / 24).min(MAX_NODES));
        nodes.push(Node {
            tag: Tag::Document,
            plain: true,
            parent: 0,
            end: 0,
            first_attribute: 0,
            attribute_count: 0,
            text: "",
        });
        let mut open = Vec::with_capacity(OPEN);
        open.push(0);
        Self {
            tokens: Tokenizer::new(html),
            nodes,
            landmarks: Vec::with_capacity(OPEN),
            open,
            counts: [0; Tag::COUNT],
            totals: [0; Tag::COUNT],
            too_deep: 0,
            at_edge: true,
            seen: [false; 3],
            has_icons: memmem::find(html.as_bytes(), ICON_FONT).is_some(),
            work,
        }
    }

    pub(super) fn run(mut self) -> Tree<'a> {
        let mut paid = 0;
        while let Some(token) = self.tokens.next_token() {
            if self.nodes.len() >= MAX_NODES {
                break;
            }
            if self.tokens.at() >= paid {
                let next = self.tokens.at() + STRETCH;
                if !self.work.spend(next - std::mem::replace(&mut paid, next)) {
                    break;
                }
            }
            match token {
                Token::Text(text) => self.text(text, self.tokens.plain),
                Token::Raw(text) => self.text(text, true),
                Token::Start { tag, name, first, self_closing } => {
                    self.start(tag, name, first..self.tokens.attributes.len(), self_closing);
                }
                Token::End { tag, name } => self.end(tag, name),
            }
            self.tokens.foreign = self.is_foreign();
        }
        self.close_to(0);
        let end = id(self.nodes.len());
        self.nodes[0].end = end;
        Tree {
            nodes: self.nodes,
            attributes: self.tokens.attributes,
            landmarks: self.landmarks,
            totals: self.totals,
            work: self.work,
        }
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

    fn append(&mut self, tag: Tag, text: &'a str, plain: bool, attributes: Range<usize>) -> NodeId {
        let node = id(self.nodes.len());
        self.totals[tag as usize] += 1;
        if tag.is_landmark() {
            self.landmarks.push(node);
        }
        self.nodes.push(Node {
            tag,
            plain,
            parent: self.top(),
            end: node + 1,
            first_attribute: id(attributes.start),
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
        let mut position = self.open.len();
        let found = loop {
            position -= 1;
            let tag = self.tag_at(position);
            if position == 0 || wanted(tag) || barrier(tag) {
                break position > 0 && wanted(tag);
            }
        };
        self.work.spend(self.open.len() - position);
        found.then_some(position)
    }

    fn close_open(&mut self, tag: Tag, barrier: impl Fn(Tag) -> bool) {
        if self.has(tag)
            && let Some(position) = self.find_open(|t| t == tag, barrier)
        {
            self.close_to(position);
        }
    }

    fn text(&mut self, text: &'a str, plain: bool) {
        if text.is_empty() {
            return;
        }
        let in_head = matches!(self.top_tag(), Tag::Head | Tag::Html);
        // White space between blocks shows nothing (CSS Text 3, section 4.1.1).
        if (in_head || self.at_edge && !self.has(Tag::Pre) && !self.has(Tag::Listing))
            && text.bytes().all(|byte| byte.is_ascii_whitespace())
        {
            return;
        }
        if in_head {
            self.close_open(Tag::Head, |_| false);
        }
        self.at_edge = false;
        if self.top_tag() == Tag::Style || self.names_icon(text) {
            return;
        }
        self.append(Tag::Text, text, plain, 0..0);
    }

    /// Whether a text is the name of an icon, in the place of which its font draws that.
    fn names_icon(&self, text: &str) -> bool {
        let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if !self.has_icons || text.len() > MAX_ICON_NAME || !text.trim_ascii().bytes().all(is_name) {
            return false;
        }
        let Node { first_attribute, attribute_count, .. } = self.nodes[self.top() as usize];
        let own = self.tokens.attributes.iter().skip(first_attribute as usize).take(attribute_count.into());
        let mut classes = own.filter(|attribute| attribute.name == Name::Class);
        classes.any(|classes| {
            let mut classes = classes.value.split_ascii_whitespace();
            classes.any(|class| ICON_FONTS.iter().any(|font| class.starts_with(font)))
        })
    }

    /// Notes where a tag stands; what shows nothing itself does not count.
    fn note_edge(&mut self, tag: Tag) {
        if !tag.belongs_in_head() {
            self.at_edge = tag.is_block();
        }
    }

    fn start(&mut self, tag: Tag, name: &'a str, attributes: Range<usize>, self_closing: bool) {
        if self.is_duplicate(tag) {
            return;
        }
        self.note_edge(tag);
        let foreign = self.is_foreign();
        if foreign && breaks_out(tag) && !self.has(Tag::ForeignObject) {
            self.close_open(Tag::Svg, |_| false);
            self.close_open(Tag::Math, |_| false);
        }
        if self.has(Tag::Head) && !tag.belongs_in_head() {
            self.close_open(Tag::Head, |t| t == Tag::Template);
        }
        if !foreign {
            self.imply_ends(tag);
            self.imply_starts(tag);
        }
        let node = self.append(tag, name, true, attributes);
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
}

/// Elements that end svg or math content (HTML standard, section 13.2.6.5).
fn breaks_out(tag: Tag) -> bool {
    (tag.is_block() && !matches!(tag, Tag::Fieldset | Tag::Legend | Tag::Search))
        || matches!(tag, Tag::B | Tag::Br | Tag::Code | Tag::Em | Tag::I | Tag::Img | Tag::Span | Tag::Strong)
}
