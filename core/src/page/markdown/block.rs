//! What stands on lines of its own: headings, lists, quotes, listings, tables.

use super::super::marks::Marks;
use super::super::survey::Survey;
use super::super::tree::{NodeId, Tree};
use super::super::vocabulary::{Name, Tag};
use super::inline::SpanKind;
use super::output::Gap;
use super::{Close, MAX_NESTING, MarkdownWriter, OpenList, code, table};

/// Nodes at the start of a list item among which the box of a task stands.
const TASK_NODES: usize = 6;

impl MarkdownWriter<'_, '_, '_> {
    pub(super) fn heading(&mut self, node: NodeId, level: u8) -> bool {
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
    pub(super) fn title(&mut self, node: NodeId) {
        self.block(Gap::Blank);
        self.inline.open(SpanKind::Strong, None);
        self.one_line += 1;
        self.then(node, Close::Title);
    }

    pub(super) fn list(&mut self, node: NodeId, tag: Tag) {
        let start = self.tree.raw_attribute(node, Name::Start).and_then(|s| s.trim().parse().ok());
        let number = (tag == Tag::Ol).then(|| start.unwrap_or(1));
        // Only a list that begins with 1 may go on from a line of text (CommonMark section 5.3).
        let may_follow = number.is_none_or(|number| number == 1);
        self.block(if self.lists.is_empty() || !may_follow { Gap::Blank } else { Gap::Line });
        self.lists.push(OpenList { number, item: false });
        self.then(node, Close::List);
    }

    pub(super) fn item(&mut self, node: NodeId) {
        self.block(Gap::Line);
        if self.cell || self.one_line > 0 || self.nesting >= MAX_NESTING {
            return self.then(node, Close::Block(Gap::Line));
        }
        // A list of sections only arranges them, and so does one with a rule across an item.
        let is_ruled = self.tree.children(node).any(|child| self.tree.tag(child) == Tag::Hr);
        if is_ruled || self.survey.holds_heading(self.tree, node) {
            return self.definition(node);
        }
        let value = self.tree.raw_attribute(node, Name::Value).and_then(|v| v.trim().parse().ok());
        let number = self.lists.last_mut().and_then(|list| {
            let number = value.or(list.number).filter(|_| list.number.is_some())?;
            list.number = Some(number.saturating_add(1));
            Some(number)
        });
        let task = self.task(node);
        match number {
            Some(number) => {
                let marker = format!("{number}. ");
                let indent = " ".repeat(marker.len());
                self.out.open(Gap::Line, format!("{marker}{task}").into(), indent.into());
            }
            None if task.is_empty() => self.out.open(Gap::Line, "- ".into(), "  ".into()),
            None => self.out.open(Gap::Line, format!("- {task}").into(), "  ".into()),
        }
        self.nesting += 1;
        self.then(node, Close::Item);
    }

    /// The box of an item of a list of tasks, ticked or not; empty for other items.
    fn task(&self, item: NodeId) -> &'static str {
        let start = self.tree.descendants(item).take(TASK_NODES);
        let mut boxes = start.take_while(|&n| self.tree.tag(n) != Tag::Li).filter(|&n| {
            self.tree.tag(n) == Tag::Input
                && self.tree.raw_attribute(n, Name::Type).is_some_and(|t| t.eq_ignore_ascii_case("checkbox"))
        });
        match boxes.next() {
            Some(n) if self.tree.raw_attribute(n, Name::Checked).is_some() => "[x] ",
            Some(_) => "[ ] ",
            None => "",
        }
    }

    /// A rule, unless it only separates the footnotes, which need none.
    pub(super) fn rule(&mut self, node: NodeId) {
        self.block(Gap::Blank);
        let parent = self.tree.node(node).parent;
        // In front of everything a rule separates nothing, and looks like front matter.
        if self.cell
            || self.one_line > 0
            || self.out.is_empty()
            || self.tree.shared_classes(parent).is_some_and(|classes| classes.contains("footnote"))
        {
            return;
        }
        self.out.push("---");
        self.out.gap(Gap::Blank);
    }

    /// A line in bold that no element of the page holds.
    pub(super) fn bold_line(&mut self, text: &str) {
        self.inline.open(SpanKind::Strong, None);
        self.words(text);
        self.inline.close(&mut self.out);
        self.block(Gap::Blank);
    }

    pub(super) fn term(&mut self, node: NodeId) {
        let flat = self.cell || self.one_line > 0;
        if is_section(self.tree, self.survey, node) {
            return self.definition(node);
        }
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

    pub(super) fn definition(&mut self, node: NodeId) {
        if let Some(list) = self.lists.last_mut().filter(|list| list.item)
            && is_section(self.tree, self.survey, node)
        {
            // A section is no part of the term before.
            list.item = false;
            self.inline.interrupt(&mut self.out);
            self.out.close();
            self.nesting -= 1;
        }
        self.block(Gap::Blank);
        self.then(node, Close::Block(Gap::Blank));
    }

    pub(super) fn listing(&mut self, node: NodeId) {
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
        self.out.begin_below();
        self.out.push(&fence);
        if let Some(language) = code::language(self.tree, node) {
            self.out.push(&language);
        }
        if !self.tree.spend(self.out.prefix_len() * text.matches('\n').count()) {
            return;
        }
        self.out.lines(&text);
        self.out.line();
        self.out.push(&fence);
        self.out.gap(Gap::Blank);
        self.out.step_in(quotes);
    }

    pub(super) fn table(&mut self, node: NodeId) -> bool {
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
        grid.write(&cells, &mut self.out);
        self.out.gap(Gap::Blank);
        false
    }

    /// The content of a cell on one line.
    fn cell_text(&mut self, cell: NodeId) -> String {
        let mut renderer =
            MarkdownWriter::new(self.tree, self.survey, self.left_out, self.parts, self.resolver, true);
        renderer.out.expect(self.survey.bytes(cell));
        renderer.run_from(cell + 1, cell);
        renderer.out.finish()
    }
}

/// Whether a term or its definition is a section, or a term a listing, which needs lines of its own.
fn is_section(tree: &Tree<'_>, survey: &Survey, node: NodeId) -> bool {
    let is_listing = || tree.tag(node) == Tag::Dt && tree.children(node).any(|n| tree.tag(n) == Tag::Pre);
    survey.holds_heading(tree, node) || is_listing()
}
