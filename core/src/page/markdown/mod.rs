//! The main content as Markdown (`CommonMark` with GitHub's tables), in one walk over the tree.

mod block;
mod code;
mod escape;
mod inline;
mod output;
mod span;
mod table;

use super::clean::Content;
use super::links::Resolver;
use super::marks::Marks;
use super::survey::Survey;
use super::tree::{NodeId, Tree};
use super::vocabulary::Tag;
use inline::{Inline, Kind};
use output::{Gap, Output};

/// Lists and quotes inside each other; what nests deeper stays at this depth.
const MAX_NESTING: u8 = 12;

/// Renders the main content.
pub(super) fn render<'a>(
    tree: &Tree<'a>,
    survey: &Survey,
    content: &Content,
    resolver: &mut Resolver<'a>,
) -> String {
    let mut renderer = Renderer::new(tree, survey, &content.left_out, resolver, false);
    renderer.out.expect(content.roots.iter().map(|&root| survey.bytes(root)).sum());
    for &root in &content.roots {
        renderer.run(root);
    }
    renderer.out.finish()
}

/// The text of a heading without its permalinks.
pub(super) fn heading_text(tree: &Tree<'_>, heading: NodeId) -> String {
    let text = tree.folded_text(heading, 300);
    text.trim_end_matches(['\u{b6}', '#', '\u{a7}', '\u{200b}', ' ']).to_owned()
}

/// What to do when a node's last descendant is done.
#[derive(Debug, Clone, Copy)]
enum Close {
    Block(Gap),
    Inline(Kind),
    Item,
    List,
    Definitions,
    Heading,
    Title,
    Literal,
}

/// A list that is open.
struct List {
    /// The next number of a numbered list.
    number: Option<u32>,
    /// Whether a prefix is open for the item at hand (terms of a definition list).
    item: bool,
}

struct Renderer<'r, 't, 'a> {
    tree: &'t Tree<'a>,
    survey: &'r Survey,
    left_out: &'r [bool],
    resolver: &'r mut Resolver<'a>,
    out: Output,
    inline: Inline,
    open: Vec<(NodeId, Close)>,
    lists: Vec<List>,
    nesting: u8,
    /// Inside a heading or title: everything stays on one line.
    one_line: u16,
    /// Inside a formula or the like: nothing is escaped.
    literal: u16,
    /// Inside a code element that holds links: every text is a code span of its own.
    code: u16,
    /// In a cell of a table.
    cell: bool,
}

impl<'r, 't, 'a> Renderer<'r, 't, 'a> {
    fn new(
        tree: &'t Tree<'a>,
        survey: &'r Survey,
        left_out: &'r [bool],
        resolver: &'r mut Resolver<'a>,
        cell: bool,
    ) -> Self {
        Self {
            tree,
            survey,
            left_out,
            resolver,
            out: Output::new(),
            inline: Inline::default(),
            open: Vec::new(),
            lists: Vec::new(),
            nesting: 0,
            one_line: 0,
            literal: 0,
            code: 0,
            cell,
        }
    }

    /// Renders a node and all it holds.
    fn run(&mut self, root: NodeId) {
        let mut node = root;
        let end = self.tree.node(root).end;
        while node < end {
            self.close_until(node);
            if self.left_out[node as usize] || !self.enter(node) {
                node = self.tree.node(node).end;
            } else {
                node += 1;
            }
        }
        self.close_until(NodeId::MAX);
        self.block(Gap::Blank);
    }

    fn close_until(&mut self, node: NodeId) {
        while let Some(&(end, close)) = self.open.last() {
            if end > node {
                return;
            }
            self.open.pop();
            self.leave(close);
        }
    }

    fn then(&mut self, node: NodeId, close: Close) {
        self.open.push((self.tree.node(node).end, close));
    }

    /// Ends the block at hand.
    fn block(&mut self, gap: Gap) {
        if self.one_line > 0 || self.cell {
            self.inline.space = true;
        } else {
            self.inline.interrupt(&mut self.out);
            self.out.gap(gap);
        }
    }

    /// Starts a node; says whether its children are to be visited.
    fn enter(&mut self, node: NodeId) -> bool {
        let tag = self.tree.tag(node);
        if tag == Tag::Text {
            self.text(node);
            return false;
        }
        let marks = self.survey.marks(node);
        if marks.any(Marks::MATH.with(Marks::LISTING).with(Marks::ADMONITION).with(Marks::CAPTION))
            && let Some(visit) = self.enter_marked(node, tag, marks)
        {
            return visit;
        }
        if let Some(level) = tag.heading_level() {
            return self.heading(node, level);
        }
        match tag {
            Tag::Br => self.line_break(),
            Tag::Hr => {
                self.block(Gap::Blank);
                // In front of everything a rule separates nothing, and looks like front matter.
                if !self.cell && self.one_line == 0 && !self.out.is_empty() {
                    self.out.push("---");
                    self.out.gap(Gap::Blank);
                }
            }
            Tag::Img => self.image(node),
            Tag::Pre | Tag::Listing | Tag::Xmp => self.listing(node),
            Tag::Table => return self.table(node),
            Tag::Math => self.math(node),
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir => self.list(node, tag),
            Tag::Li => self.item(node),
            Tag::Dl => {
                let gap = if self.lists.is_empty() { Gap::Blank } else { Gap::Line };
                self.block(gap);
                self.lists.push(List { number: None, item: false });
                self.then(node, Close::Definitions);
            }
            Tag::Dt => self.term(node),
            Tag::Dd => self.definition(node),
            Tag::Blockquote => self.quote(node),
            Tag::Summary | Tag::Caption => self.title(node),
            Tag::Script | Tag::Style => return false,
            _ => return self.enter_inline(node, tag),
        }
        !matches!(tag, Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Math)
    }

    fn enter_inline(&mut self, node: NodeId, tag: Tag) -> bool {
        match tag {
            Tag::A => self.link(node),
            Tag::B | Tag::Strong => self.style(node, Kind::Strong),
            Tag::Em | Tag::I | Tag::Var | Tag::Dfn => self.style(node, Kind::Emphasis),
            Tag::Del | Tag::S | Tag::Strike => self.style(node, Kind::Struck),
            Tag::Code | Tag::Tt | Tag::Kbd | Tag::Samp if self.code == 0 => return self.code_span(node),
            // Without its sign, ten to the second would read as a hundred and two.
            Tag::Sup if self.follows_word() && self.is_plain(node) => self.inline.write(&mut self.out, "^"),
            Tag::Q => {
                self.inline.write(&mut self.out, "\u{201c}");
                self.then(node, Close::Inline(Kind::Quote));
            }
            _ if tag.is_block() => {
                self.block(Gap::Blank);
                self.then(node, Close::Block(Gap::Blank));
            }
            _ => {}
        }
        true
    }

    /// Starts a node whose name tells more than its tag; `None` when the tag decides after all.
    fn enter_marked(&mut self, node: NodeId, tag: Tag, marks: Marks) -> Option<bool> {
        if marks.any(Marks::MATH) && tag.heading_level().is_none() && tag != Tag::Math {
            self.literal += 1;
            if tag.is_block() {
                self.block(Gap::Blank);
            }
            self.then(node, Close::Literal);
            return Some(true);
        }
        if marks.any(Marks::LISTING) && tag == Tag::Div {
            self.listing(node);
            return Some(false);
        }
        if marks.any(Marks::CAPTION) && tag.is_block() {
            self.title(node);
            return Some(true);
        }
        if marks.any(Marks::ADMONITION)
            && matches!(tag, Tag::Div | Tag::Aside | Tag::Section | Tag::Details)
            && self.one_line == 0
        {
            self.quote(node);
            return Some(true);
        }
        None
    }

    fn leave(&mut self, close: Close) {
        match close {
            Close::Block(gap) => self.block(gap),
            Close::Inline(Kind::Quote) => self.inline.write(&mut self.out, "\u{201d}"),
            Close::Inline(kind) => {
                if kind == Kind::Code {
                    self.code -= 1;
                } else {
                    self.inline.close(&mut self.out);
                }
            }
            Close::Item => {
                self.block(Gap::Line);
                self.out.close();
                self.nesting -= 1;
            }
            Close::List => {
                self.lists.pop();
                self.block(if self.lists.is_empty() { Gap::Blank } else { Gap::AfterList });
            }
            Close::Definitions => {
                self.block(Gap::Blank);
                if self.lists.pop().is_some_and(|list| list.item) {
                    self.out.close();
                    self.nesting -= 1;
                }
            }
            Close::Heading => {
                self.one_line -= 1;
                self.block(Gap::Blank);
            }
            Close::Title => {
                self.inline.close(&mut self.out);
                self.one_line -= 1;
                self.block(Gap::Blank);
            }
            Close::Literal => {
                self.literal -= 1;
            }
        }
    }
}
