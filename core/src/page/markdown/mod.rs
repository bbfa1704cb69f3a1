//! The main content as Markdown (`CommonMark` with GitHub's tables), in one walk over the tree.

mod code;
mod escape;
mod inline;
mod output;
mod table;

use super::clean::{Content, Survey};
use super::fold::{fold, is_space};
use super::links::Resolver;
use super::marks::Marks;
use super::tree::{NodeId, Tree};
use super::vocabulary::{Name, Tag};
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

    fn at_start(&self) -> bool {
        self.out.at_start()
    }

    fn follows_word(&self) -> bool {
        !self.inline.space && !self.at_start() && self.out.last().is_some_and(char::is_alphanumeric)
    }

    fn is_plain(&self, node: NodeId) -> bool {
        self.tree.descendants(node).all(|n| self.tree.tag(n) == Tag::Text)
    }

    fn heading(&mut self, node: NodeId, level: u8) -> bool {
        if self.one_line > 0 || self.cell {
            self.block(Gap::Blank);
            self.then(node, Close::Block(Gap::Blank));
            return true;
        }
        let parent = self.tree.node(node).parent;
        if self.survey.marks(parent).any(Marks::ADMONITION) {
            self.title(node);
            return true;
        }
        self.block(Gap::Blank);
        let hashes = "#######".get(..usize::from(level)).unwrap_or("#");
        self.inline.marker = Some(hashes);
        self.one_line += 1;
        self.then(node, Close::Heading);
        true
    }

    /// A line in bold: the title of an admonition, a summary, a caption.
    fn title(&mut self, node: NodeId) {
        self.block(Gap::Blank);
        self.inline.open(Kind::Strong, None);
        self.one_line += 1;
        self.then(node, Close::Title);
    }

    fn line_break(&mut self) {
        if self.cell || self.one_line > 0 || self.at_start() {
            self.inline.space = true;
        } else {
            self.inline.line_break = true;
        }
    }

    fn quote(&mut self, node: NodeId) {
        self.block(Gap::Blank);
        if self.cell || self.one_line > 0 || self.nesting >= MAX_NESTING {
            return self.then(node, Close::Block(Gap::Blank));
        }
        self.out.open(Gap::Blank, "> ".into(), "> ".into());
        self.nesting += 1;
        self.then(node, Close::Block(Gap::Blank));
        self.then(node, Close::Item);
    }

    fn list(&mut self, node: NodeId, tag: Tag) {
        self.block(if self.lists.is_empty() { Gap::Blank } else { Gap::Line });
        let start = self.tree.raw_attribute(node, Name::Start).and_then(|s| s.trim().parse().ok());
        let number = (tag == Tag::Ol).then(|| start.unwrap_or(1));
        self.lists.push(List { number, item: false });
        self.then(node, Close::List);
    }

    fn item(&mut self, node: NodeId) {
        self.block(Gap::Line);
        if self.cell || self.one_line > 0 || self.nesting >= MAX_NESTING {
            return self.then(node, Close::Block(Gap::Line));
        }
        let value = self.tree.raw_attribute(node, Name::Value).and_then(|v| v.trim().parse().ok());
        let number = self.lists.last_mut().and_then(|list| {
            let number = value.or(list.number).filter(|_| list.number.is_some())?;
            list.number = Some(number.saturating_add(1));
            Some(number)
        });
        match number {
            Some(number) => {
                let marker = format!("{number}. ");
                let indent = " ".repeat(marker.len());
                self.out.open(Gap::Line, marker.into(), indent.into());
            }
            None => self.out.open(Gap::Line, "- ".into(), "  ".into()),
        }
        self.nesting += 1;
        self.then(node, Close::Item);
    }

    fn term(&mut self, node: NodeId) {
        let flat = self.cell || self.one_line > 0;
        let deep = self.nesting >= MAX_NESTING;
        if let Some(list) = self.lists.last_mut().filter(|_| !flat) {
            self.inline.interrupt(&mut self.out);
            if list.item {
                self.out.close();
            } else if !deep {
                list.item = true;
                self.nesting += 1;
            }
            if list.item {
                self.out.open(Gap::Line, "- ".into(), "  ".into());
            }
        }
        self.title(node);
    }

    fn definition(&mut self, node: NodeId) {
        self.block(Gap::Blank);
        self.then(node, Close::Block(Gap::Blank));
    }

    fn listing(&mut self, node: NodeId) {
        let text = code::text(self.tree, self.survey, node);
        if text.trim().is_empty() {
            return;
        }
        if self.cell || self.one_line > 0 {
            self.inline.space = true;
            self.code_text(&text);
            self.inline.space = true;
            return;
        }
        self.block(Gap::Blank);
        // Code inside a quote would have the quote's mark in every line.
        let quotes = self.out.step_out();
        if !quotes.is_empty() {
            self.out.gap(Gap::Blank);
        }
        let fence = code::fence(&text, 3);
        self.out.push(&fence);
        if let Some(language) = code::language(self.tree, node) {
            self.out.push(&language);
        }
        for line in text.split('\n') {
            if line.is_empty() {
                self.out.empty_line();
            } else {
                self.out.line();
                self.out.push(line);
            }
        }
        self.out.line();
        self.out.push(&fence);
        self.out.gap(Gap::Blank);
        self.out.step_in(quotes);
    }

    /// A code span; its white space is folded.
    fn code_text(&mut self, text: &str) {
        let mut folded = fold(text);
        if folded.is_empty() {
            return;
        }
        if self.cell && folded.contains('|') {
            folded = folded.replace('|', "\\|");
        }
        let fence = code::fence(&folded, 1);
        let pad = if folded.starts_with('`') || folded.ends_with('`') { " " } else { "" };
        self.inline.space |= text.starts_with(is_space);
        let line = self.inline.start_word(&mut self.out);
        for piece in [&fence, pad, &folded, pad, &fence] {
            line.push_str(piece);
        }
        self.inline.space |= text.ends_with(is_space);
    }

    fn code_span(&mut self, node: NodeId) -> bool {
        let mut text = String::new();
        for inner in self.tree.descendants(node) {
            match self.tree.tag(inner) {
                Tag::Text => text.push_str(&self.tree.text(inner)),
                Tag::A if !self.inline.in_link() && !self.left_out[inner as usize] => {
                    self.code += 1;
                    self.then(node, Close::Inline(Kind::Code));
                    return true;
                }
                Tag::Br => text.push(' '),
                Tag::Img | Tag::Pre | Tag::Table | Tag::Ul | Tag::P => return true,
                _ => {}
            }
        }
        self.code_text(&text);
        false
    }

    fn style(&mut self, node: NodeId, kind: Kind) {
        self.inline.open(kind, None);
        self.then(node, Close::Inline(kind));
    }

    fn link(&mut self, node: NodeId) {
        let Some(href) = self.tree.raw_attribute(node, Name::Href) else { return };
        // A heading that links to itself is only a permalink round its text.
        if self.inline.in_link() || (self.one_line > 0 && href.starts_with('#')) {
            return;
        }
        let Some(target) = self.resolver.destination(href) else { return };
        self.inline.open(Kind::Link, Some(target));
        self.then(node, Close::Inline(Kind::Link));
    }

    fn image(&mut self, node: NodeId) {
        let alt = self.tree.attribute(node, Name::Alt).or_else(|| self.tree.attribute(node, Name::Title));
        let alt = fold(alt.as_deref().unwrap_or_default());
        let source = [Name::Src, Name::DataSrc]
            .into_iter()
            .filter_map(|name| self.tree.raw_attribute(node, name))
            .find(|src| !src.trim_start().starts_with("data:") && !src.trim().is_empty());
        if alt.is_empty() {
            return;
        }
        let target = source.and_then(|src| self.resolver.destination(src));
        let mut text = String::with_capacity(alt.len());
        for c in alt.chars() {
            if matches!(c, '[' | ']' | '\\') || (c == '|' && self.cell) {
                text.push('\\');
            }
            text.push(c);
        }
        match target {
            Some(target) => self.inline.write(&mut self.out, &format!("![{text}]({target})")),
            None => self.inline.write(&mut self.out, &text),
        }
    }

    fn math(&mut self, node: NodeId) {
        let source = self.tree.descendants(node).find(|&n| {
            self.tree.tag(n) == Tag::Annotation
                && self.tree.raw_attribute(n, Name::Encoding).is_some_and(|e| e.contains("tex"))
        });
        let text = match source {
            Some(annotation) => self.tree.folded_text(annotation, usize::MAX),
            None => match self.tree.attribute(node, Name::AltText) {
                Some(text) => fold(&text),
                None => return self.inline.write(&mut self.out, &self.tree.folded_text(node, usize::MAX)),
            },
        };
        let display = self.tree.raw_attribute(node, Name::Display) == Some("block");
        let mark = if display { "$$" } else { "$" };
        self.inline.write(&mut self.out, &format!("{mark}{text}{mark}"));
    }

    fn text(&mut self, node: NodeId) {
        let text = self.tree.text(node);
        if self.code > 0 {
            return self.code_text(&text);
        }
        let spot = escape::Spot { cell: self.cell, ..escape::Spot::default() };
        self.inline.text(&mut self.out, &text, spot, self.literal > 0);
    }

    fn table(&mut self, node: NodeId) -> bool {
        if self.cell || self.one_line > 0 {
            self.inline.space = true;
            return true;
        }
        let grid = table::Grid::of(self.tree, self.survey, self.left_out, node);
        self.block(Gap::Blank);
        let Some(grid) = grid else {
            self.then(node, Close::Block(Gap::Blank));
            return true;
        };
        if let Some(lead) = grid.lead {
            // One heading: the frames that are open wait until it is done.
            let open = std::mem::take(&mut self.open);
            self.run(lead);
            self.open = open;
        }
        if let Some(caption) = grid.caption {
            let text = self.cell_text(caption);
            if !text.is_empty() {
                self.out.push(&format!("**{}**", text.replace("**", "")));
                self.out.gap(Gap::Blank);
            }
        }
        let cells: Vec<Vec<String>> = grid
            .rows
            .iter()
            .map(|row| row.iter().map(|&cell| cell.map_or_else(String::new, |c| self.cell_text(c))).collect())
            .collect();
        for (number, line) in grid.lines(&cells).iter().enumerate() {
            if number == 0 {
                self.out.push(line);
            } else {
                self.out.line();
                self.out.push(line);
            }
        }
        self.out.gap(Gap::Blank);
        false
    }

    /// The content of a cell on one line.
    fn cell_text(&mut self, cell: NodeId) -> String {
        let mut renderer = Renderer::new(self.tree, self.survey, self.left_out, self.resolver, true);
        for child in self.tree.children(cell) {
            if !self.left_out[child as usize] {
                renderer.run(child);
            }
        }
        renderer.out.finish()
    }
}
