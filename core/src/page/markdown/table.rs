//! Tables of data as GitHub writes them; tables that only arrange a page are no tables.

use super::super::marks::Marks;
use super::super::survey::Survey;
use super::super::tree::{NodeId, Tree};
use super::super::vocabulary::{Name, Tag};
use super::output::Output;
use super::roles::is_icon;

/// Nodes at the start of a table among which its header stands.
const HEADER_NODES: usize = 40;
/// Columns of a table; cells beyond are left out.
const MAX_COLUMNS: usize = 64;
/// The longest header that is repeated in each column that it spans, in bytes of text.
const MAX_REPEATED: usize = 200;
/// Steps of a cell: one that only spans is cheap to write in HTML and as big as any other in a grid.
const STEPS: usize = 32;

/// The cells of a table by row and column.
pub(super) struct Grid {
    pub(super) caption: Option<NodeId>,
    /// A first row that is nothing but a heading.
    pub(super) lead: Option<NodeId>,
    /// A short header that spans columns stands in each of them, any other cell in the first.
    pub(super) rows: Vec<Vec<Option<NodeId>>>,
    header: bool,
    align: Vec<Option<&'static str>>,
}

impl Grid {
    /// Reads a table; `None` when it only arranges what is in it.
    pub(super) fn of(tree: &Tree<'_>, survey: &Survey, left_out: &[bool], table: NodeId) -> Option<Self> {
        if tree.raw_attribute(table, Name::Role).is_some_and(|r| matches!(r, "presentation" | "none")) {
            return None;
        }
        let has_head = is_headed(tree, table);
        let mut caption = None;
        let mut lead = None;
        let mut rows: Vec<Vec<Option<NodeId>>> = Vec::new();
        let mut header = false;
        let mut heads = false;
        let mut blocks = false;
        let mut align = Vec::new();
        // How many rows are still covered from above, by column.
        let mut below: Vec<usize> = Vec::new();
        let mut node = table + 1;
        while node < tree.node(table).end {
            if !tree.spend(1) {
                return None;
            }
            let end = tree.node(node).end;
            if left_out[node as usize] {
                node = end;
                continue;
            }
            match tree.tag(node) {
                Tag::Caption => caption = Some(node),
                Tag::Tr => {
                    let cells: Vec<NodeId> =
                        tree.children(node).filter(|&c| matches!(tree.tag(c), Tag::Td | Tag::Th)).collect();
                    if let [only] = cells[..]
                        && rows.is_empty()
                        && tree.descendants(only).any(|n| tree.tag(n).heading_level().is_some())
                    {
                        lead = lead.or(Some(only));
                        node = end;
                        continue;
                    }
                    if cells.iter().any(|&c| arranges(tree, survey, c, has_head)) {
                        return None;
                    }
                    blocks |= cells
                        .iter()
                        .any(|&c| tree.children(c).filter(|&n| is_text_block(tree.tag(n))).count() > 1);
                    let all_heads = !cells.is_empty() && cells.iter().all(|&c| tree.tag(c) == Tag::Th);
                    heads |= cells.iter().any(|&c| tree.tag(c) == Tag::Th);
                    if rows.is_empty() {
                        header = all_heads || tree.tag(tree.node(node).parent) == Tag::Thead;
                        align = cells.iter().map(|&c| alignment(tree, c)).collect();
                    }
                    rows.push(place(tree, survey, &cells, &mut below));
                }
                Tag::Tbody | Tag::Thead | Tag::Tfoot => {
                    node += 1;
                    continue;
                }
                _ => {}
            }
            node = end;
        }
        rows.retain(|row| !row.is_empty());
        let columns = rows.iter().map(Vec::len).max()?;
        // Several paragraphs in a cell and no header: boxes side by side.
        if !heads && (columns < 2 || blocks || is_box(tree, survey, &rows)) {
            return None;
        }
        Some(Self { caption, lead, rows, header, align })
    }

    /// Writes the table from the texts of its cells.
    pub(super) fn write(&self, cells: &[Vec<String>], out: &mut Output) {
        let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
        let (head, rows) = cells.split_at(usize::from(self.header).min(cells.len()));
        out.begin();
        write_row(head.first().map_or(&[], Vec::as_slice), columns, out.text());
        out.line();
        out.push("|");
        for column in 0..columns {
            out.push(self.align.get(column).copied().flatten().unwrap_or(" --- "));
            out.push("|");
        }
        for row in rows.iter().filter(|row| row.iter().any(|cell| !cell.is_empty())) {
            out.line();
            write_row(row, columns, out.text());
        }
    }
}

fn write_row(cells: &[String], columns: usize, out: &mut String) {
    out.push('|');
    for column in 0..columns {
        out.push(' ');
        out.push_str(cells.get(column).map_or("", String::as_str));
        out.push_str(" |");
    }
}

/// Whether there is but one cell that holds anything, and that is a block which is put at its place.
fn is_box(tree: &Tree<'_>, survey: &Survey, rows: &[Vec<Option<NodeId>>]) -> bool {
    let [row] = rows else { return false };
    let holds_block = |cell| tree.children(cell).any(|n| is_text_block(tree.tag(n)));
    let has_any = |cell| {
        survey.bytes(cell) > 0 || tree.descendants(cell).take(HEADER_NODES).any(|n| tree.tag(n) == Tag::Img)
    };
    let mut shown = row.iter().flatten().filter(|&&cell| has_any(cell));
    shown.next().is_some_and(|&cell| holds_block(cell)) && shown.next().is_none()
}

/// Puts the cells of a row into their columns, past those that reach down from above.
fn place(tree: &Tree<'_>, survey: &Survey, cells: &[NodeId], below: &mut Vec<usize>) -> Vec<Option<NodeId>> {
    let mut row = Vec::new();
    let mut cells = cells.iter();
    while row.len() < MAX_COLUMNS && tree.spend(STEPS) {
        if let Some(left) = below.get_mut(row.len()).filter(|left| **left > 0) {
            *left -= 1;
            row.push(None);
            continue;
        }
        let Some(&cell) = cells.next() else { break };
        let span = |name| tree.raw_attribute(cell, name).and_then(|v| v.trim().parse::<usize>().ok());
        // Zero is all that are left (HTML, 4.9.11).
        let rows = span(Name::Rowspan).map_or(1, |rows| if rows == 0 { MAX_COLUMNS } else { rows });
        let rows = rows.min(MAX_COLUMNS);
        let repeats = tree.tag(cell) == Tag::Th && survey.bytes(cell) <= MAX_REPEATED;
        for column in 0..span(Name::Colspan).unwrap_or(1).clamp(1, MAX_COLUMNS) {
            if row.len() >= below.len() {
                below.resize(row.len() + 1, 0);
            }
            below[row.len()] = rows - 1;
            row.push((column == 0 || repeats).then_some(cell));
            tree.spend(STEPS);
        }
    }
    row
}

/// Whether a table has a header of its own.
fn is_headed(tree: &Tree<'_>, table: NodeId) -> bool {
    tree.descendants(table)
        .take(HEADER_NODES)
        .filter(|&n| matches!(tree.tag(n), Tag::Th | Tag::Thead))
        .any(|n| tree.ancestors(n).find(|&a| tree.tag(a) == Tag::Table) == Some(table))
}

/// Whether a cell holds what no line of a table can. A table in a cell of a table with a header can: it is read
/// cell by cell.
fn arranges(tree: &Tree<'_>, survey: &Survey, cell: NodeId, has_head: bool) -> bool {
    let head = tree.tag(cell) == Tag::Th;
    survey.marks(cell).any(Marks::LINE_NUMBERS)
        || is_icon(tree, cell)
        || (!head
            && tree.descendants(cell).any(|n| match tree.tag(n) {
                // Tables nest, and each looks at all it holds.
                _ if !tree.spend(1) => true,
                Tag::Table => !has_head,
                Tag::H1 | Tag::H2 | Tag::H3 | Tag::Article | Tag::Section | Tag::Form => true,
                Tag::Pre => holds_lines(tree, n),
                _ => false,
            }))
}

/// Whether a listing has more than one line.
fn holds_lines(tree: &Tree<'_>, listing: NodeId) -> bool {
    let inside = tree.descendants(listing);
    let mut texts =
        inside.filter(|&n| tree.tag(n) == Tag::Text).map(|n| tree.raw_text(n)).filter(|t| !t.is_empty());
    let first = texts.next().is_some_and(|text| text.trim_start_matches('\n').trim_end().contains('\n'));
    first || {
        let rest: String = texts.collect();
        rest.trim_end().contains('\n')
    }
}

fn is_text_block(tag: Tag) -> bool {
    matches!(tag, Tag::P | Tag::Ul | Tag::Ol | Tag::Dl | Tag::Div)
}

fn alignment(tree: &Tree<'_>, cell: NodeId) -> Option<&'static str> {
    let align = tree.raw_attribute(cell, Name::Align).map(str::to_ascii_lowercase);
    let style = tree.raw_attribute(cell, Name::Style).unwrap_or_default();
    let named =
        align.as_deref().or_else(|| style.split_once("text-align:").map(|(_, value)| value.trim_start()))?;
    match named {
        value if value.starts_with("center") => Some(" :-: "),
        value if value.starts_with("right") => Some(" --: "),
        value if value.starts_with("left") => Some(" :-- "),
        _ => None,
    }
}
