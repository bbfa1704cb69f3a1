//! The main content as Markdown (`CommonMark` with GitHub's tables), in one walk over the tree.

mod block;
mod code;
pub(super) mod escape;
mod formula;
mod inline;
mod notes;
mod output;
mod parts;
mod quote;
mod roles;
mod span;
mod table;
mod tabs;

use super::main_content::Content;
use super::marks::Marks;
use super::resolve::Resolver;
use super::survey::Survey;
use super::tree::{NodeId, Tree, stands_apart};
use super::vocabulary::{Name, Tag};
use inline::{Inline, SpanKind};
use output::{Gap, Output};
use parts::Parts;
use roles::Part;
use span::Span;

/// What makes more of a node than its tag says.
const MARKED: Marks =
    Marks::MATH.with(Marks::LISTING).with(Marks::ADMONITION).with(Marks::CAPTION).with(Marks::LINE_NUMBERS);

/// Steps that a byte of Markdown takes.
const STEPS_PER_BYTE: usize = 4;
/// Bytes of what stands for the icon of an admonition.
const MAX_ICON: usize = 40;
/// Lists and quotes inside each other; what nests deeper stays at this depth.
const MAX_NESTING: u8 = 12;

/// Renders the main content.
pub(super) fn render<'a>(
    tree: &Tree<'a>,
    survey: &Survey,
    content: &Content,
    resolver: &mut Resolver<'a>,
) -> String {
    let parts = Parts::of(tree, survey, content);
    let mut renderer = MarkdownWriter::new(tree, survey, &content.left_out, &parts, resolver, false);
    renderer.out.expect(content.roots.iter().map(|&root| survey.bytes(root)).sum());
    for &root in &content.roots {
        renderer.run(root);
    }
    let mut text = renderer.out.finish();
    // A crawl keeps it to its end.
    text.shrink_to_fit();
    text
}

/// What to do when a node's last descendant is done.
#[derive(Debug, Clone, Copy)]
enum Close {
    Block(Gap),
    Inline(SpanKind),
    Item,
    List,
    Definitions,
    Heading,
    Title,
}

/// A list that is open.
struct OpenList {
    /// The next number of a numbered list.
    number: Option<u32>,
    /// Whether a prefix is open for the item at hand (terms of a definition list).
    item: bool,
}

struct MarkdownWriter<'r, 't, 'a> {
    tree: &'t Tree<'a>,
    survey: &'r Survey,
    left_out: &'r [bool],
    parts: &'r Parts,
    resolver: &'r mut Resolver<'a>,
    out: Output,
    inline: Inline,
    open: Vec<(NodeId, Close)>,
    lists: Vec<OpenList>,
    nesting: u8,
    /// Inside a heading or title: everything stays on one line.
    one_line: u16,
    /// Inside a code element that holds links: every text is a code span of its own.
    code: u16,
    /// The last text that made what holds it more than numbers of lines.
    word: NodeId,
    /// The last node that made what holds it no code span.
    no_code: NodeId,
    /// The last node that made what holds it no formula, and before which node an element begins that it makes none.
    no_formula: (NodeId, NodeId),
    /// The code span that was written last.
    span: Option<Span>,
    /// The picture that was written last: where it ends, and what it shows.
    image: Option<(usize, String)>,
    /// In a cell of a table.
    cell: bool,
}

impl<'r, 't, 'a> MarkdownWriter<'r, 't, 'a> {
    fn new(
        tree: &'t Tree<'a>,
        survey: &'r Survey,
        left_out: &'r [bool],
        parts: &'r Parts,
        resolver: &'r mut Resolver<'a>,
        cell: bool,
    ) -> Self {
        Self {
            tree,
            survey,
            left_out,
            parts,
            resolver,
            out: Output::new(),
            inline: Inline::default(),
            open: Vec::new(),
            lists: Vec::new(),
            nesting: 0,
            one_line: 0,
            code: 0,
            word: 0,
            no_code: 0,
            no_formula: (0, 0),
            span: None,
            image: None,
            cell,
        }
    }

    /// Renders a node and all it holds.
    fn run(&mut self, root: NodeId) {
        self.run_from(root, root);
    }

    /// Renders what `root` holds from the node `first` on.
    fn run_from(&mut self, first: NodeId, root: NodeId) {
        let mut node = first;
        let end = self.tree.node(root).end;
        let mut written = self.out.len();
        while node < end {
            // What is written costs more than what is looked at, and stays for longer.
            let length = self.out.len();
            if !self.tree.spend(1 + STEPS_PER_BYTE * length.saturating_sub(written)) {
                break;
            }
            written = length;
            self.close_until(node);
            if (self.left_out[node as usize] && !self.is_formula_script(node)) || !self.enter(node) {
                node = self.tree.node(node).end;
            } else {
                node += 1;
            }
        }
        self.close_until(NodeId::MAX);
        self.tree.spend(STEPS_PER_BYTE * self.out.len().saturating_sub(written));
        self.block(Gap::Blank);
    }

    #[inline]
    fn close_until(&mut self, node: NodeId) {
        while let Some((_, close)) = self.open.pop_if(|&mut (end, _)| end <= node) {
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
        if let Some(part) = self.parts.get(node)
            && let Some(visit) = self.enter_part(node, part)
        {
            return visit;
        }
        if tag == Tag::Text {
            self.text(node);
            return false;
        }
        let marks = self.survey.marks(node);
        if marks.any(MARKED)
            && let Some(visit) = self.enter_marked(node, tag, marks)
        {
            return visit;
        }
        if let Some(level) = tag.heading_level() {
            return self.heading(node, level);
        }
        match tag {
            Tag::Br => self.line_break(),
            Tag::Hr => self.rule(node),
            Tag::Img => self.image(node),
            Tag::Pre | Tag::Listing | Tag::Xmp => self.listing(node),
            Tag::Table => return self.table(node),
            Tag::Math => self.math(node),
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir => self.list(node, tag),
            Tag::Li => self.item(node),
            Tag::Dl => {
                let gap = if self.lists.is_empty() { Gap::Blank } else { Gap::Line };
                self.block(gap);
                self.lists.push(OpenList { number: None, item: false });
                self.then(node, Close::Definitions);
            }
            Tag::Dt => self.term(node),
            Tag::Dd => self.definition(node),
            Tag::Blockquote => self.quote(node),
            Tag::Summary | Tag::Caption if !self.survey.holds_heading(self.tree, node) => self.title(node),
            Tag::Script => self.formula_script(node),
            Tag::Style => return false,
            _ => return self.enter_inline(node, tag),
        }
        !matches!(tag, Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Math | Tag::Script)
    }

    fn enter_inline(&mut self, node: NodeId, tag: Tag) -> bool {
        if self.one_line > 0 && stands_apart(self.tree, node) {
            self.block(Gap::Blank);
            self.then(node, Close::Block(Gap::Blank));
        }
        match tag {
            Tag::A => self.link(node),
            Tag::Span if code::names_language(self.tree, node) => return false,
            Tag::B | Tag::Strong => self.style(node, SpanKind::Strong),
            Tag::Em | Tag::I | Tag::Var | Tag::Dfn => self.style(node, SpanKind::Emphasis),
            Tag::Del | Tag::S | Tag::Strike => self.style(node, SpanKind::Struck),
            Tag::Code | Tag::Tt | Tag::Kbd | Tag::Samp if self.code == 0 => return self.code_span(node),
            // Without its sign, ten to the second would read as a hundred and two.
            Tag::Sup if self.follows_word() && self.is_exponent(node) => {
                self.inline.write(&mut self.out, "^");
            }
            Tag::Q => {
                self.inline.write(&mut self.out, "\u{201c}");
                self.then(node, Close::Inline(SpanKind::Quote));
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
        if marks.any(Marks::MATH) && tag != Tag::Math && self.formula(node, tag) {
            return Some(false);
        }
        if marks.any(Marks::LINE_NUMBERS) && self.only_numbers(node) {
            return Some(false);
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
            self.admonition(node);
            return Some(true);
        }
        None
    }

    /// Whether an element shows numbers and nothing else.
    fn only_numbers(&mut self, node: NodeId) -> bool {
        // Elements of that name nest: a word in an inner one is a word in the outer ones, too.
        let is_known = self.tree.descendants(node).contains(&self.word);
        let word = if is_known { Some(self.word) } else { code::first_word(self.tree, node) };
        self.word = word.unwrap_or(self.word);
        word.is_none()
    }

    /// Starts a node that means more to another one than its tag says; `None` when the tag decides after all.
    fn enter_part(&mut self, node: NodeId, part: &Part) -> Option<bool> {
        match part {
            Part::Skip => Some(false),
            Part::Panel(name) => {
                self.block(Gap::Blank);
                self.bold_line(name);
                None
            }
            Part::Icon => {
                let named = self.tree.descendants(node).find_map(|n| self.tree.attribute(n, Name::Title));
                let text = self.tree.folded_text(node, MAX_ICON);
                self.block(Gap::Blank);
                self.bold_line(if text.is_empty() { named.as_deref().unwrap_or_default() } else { &text });
                Some(false)
            }
            Part::Reference(name) => {
                self.inline.write(&mut self.out, &format!("[^{name}]"));
                Some(false)
            }
            Part::Note(name) => {
                self.note(node, name);
                Some(true)
            }
            Part::AfterNumber => {
                let text = self.tree.text(node);
                let behind = text.trim_start_matches(['.', ':', ')', ']']);
                let first = self.out.at_start();
                self.words(if first { behind } else { &text });
                Some(false)
            }
        }
    }

    fn leave(&mut self, close: Close) {
        match close {
            Close::Block(gap) => self.block(gap),
            Close::Inline(SpanKind::Quote) => self.inline.write(&mut self.out, "\u{201d}"),
            Close::Inline(kind) => {
                if kind == SpanKind::Code {
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
                if self.out.ends_in_hashes() {
                    self.out.escape_last();
                }
                self.one_line -= 1;
                self.block(Gap::Blank);
            }
            Close::Title => {
                self.inline.close(&mut self.out);
                self.one_line -= 1;
                self.block(Gap::Blank);
            }
        }
    }
}
