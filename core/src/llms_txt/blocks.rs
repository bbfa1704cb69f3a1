//! Markdown cut into its blocks, with line numbers: one linear pass that never fails.
//!
//! Follows `CommonMark` where real files do, and is more tolerant where they are not: a heading needs no space
//! after two hashes, `-[a](b)` is an item, and an item is an item at any indentation.

mod markers;

use memchr::memchr_iter;

use self::markers::{OpenFence, atx, html_end, is_html, is_rule, item_marker, setext};

/// One block of a Markdown text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block<'a> {
    /// What it is.
    pub kind: BlockKind,
    /// Its first line, counted from 1.
    pub line: usize,
    /// Where it starts in the text, in bytes.
    pub start: usize,
    /// All of it as written, without the last line end.
    pub source: &'a str,
    /// What it says: without the markers of its first line.
    pub text: &'a str,
}

/// The kinds of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// YAML between two lines of `---` at the very start.
    FrontMatter,
    /// A heading; 1 is the highest level, and there may be more than six.
    Heading {
        /// How many hashes it has, or 1 and 2 for a line underlined with `=` and `-`.
        level: usize,
    },
    /// A quotation.
    Quote,
    /// An item of a list; nested items are blocks of their own.
    Item {
        /// Columns before its marker.
        indent: usize,
    },
    /// Fenced code.
    Fence {
        /// The closing line is there.
        closed: bool,
    },
    /// Code marked by indentation.
    Code,
    /// A line across the page.
    Rule,
    /// A block that starts with an HTML tag or comment.
    Html,
    /// Rows that start with `|`.
    Table,
    /// Anything else.
    Paragraph,
}

/// Cuts a text into its blocks.
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut scan = Scan {
        text,
        blocks: Vec::new(),
        open: None,
        fence: None,
        html_end: None,
        absent: Vec::new(),
        in_list: false,
    };
    let mut start = 0;
    let mut number = 1;
    if let Some(end) = front_matter(text) {
        let source = text.get(..end).unwrap_or_default();
        scan.blocks.push(Block { kind: BlockKind::FrontMatter, line: 1, start: 0, source, text: source });
        number += line_breaks(source);
        start = end;
        // The rest of the closing line is blank.
    }
    let (from, rest) = (start, text.get(start..).unwrap_or_default());
    let ends = memchr_iter(b'\n', rest.as_bytes()).map(|at| from + at + 1);
    for end in ends.chain((!rest.ends_with('\n')).then_some(text.len())) {
        let line = text.get(start..end).unwrap_or_default();
        scan.line(&Line::read(line.trim_end_matches(['\n', '\r']), start, number));
        start = end;
        number += 1;
    }
    scan.close();
    scan.blocks
}

/// How many lines of a text have an end.
pub(super) fn line_breaks(text: &str) -> usize {
    memchr_iter(b'\n', text.as_bytes()).count()
}

/// A block that more lines may be added to; positions are bytes.
struct Open {
    kind: BlockKind,
    line: usize,
    start: usize,
    text_start: usize,
    text_end: Option<usize>,
    end: usize,
}

/// A line, and where it stands.
struct Line<'a> {
    number: usize,
    /// Its first byte.
    start: usize,
    /// White space before its body, in bytes.
    lead: usize,
    body: &'a str,
    /// Where its body ends.
    end: usize,
    /// Columns before its body.
    indent: usize,
}

impl<'a> Line<'a> {
    fn read(line: &'a str, start: usize, number: usize) -> Self {
        let unindented = line.trim_start();
        let (body, lead) = (unindented.trim_end(), line.len() - unindented.len());
        let end = if body.is_empty() { start } else { start + lead + body.len() };
        // Other white space indents what readers see, and makes no code (CommonMark 0.31, section 2.1).
        let columns = |byte| match byte {
            b'\t' => 4,
            b' ' => 1,
            _ => 0,
        };
        let indent = line.bytes().take(lead).map(columns).sum();
        Self { number, start, lead, body, end, indent }
    }

    fn is_shallow(&self) -> bool {
        self.indent < 4
    }

    /// A block that begins with it; the marker before its text takes so many bytes.
    fn opens(&self, kind: BlockKind, marker: usize) -> Open {
        let text_start = (self.start + self.lead + marker).min(self.end);
        Open { kind, line: self.number, start: self.start, text_start, text_end: None, end: self.end }
    }
}

struct Scan<'a> {
    text: &'a str,
    /// Those that have ended.
    blocks: Vec<Block<'a>>,
    open: Option<Open>,
    fence: Option<OpenFence>,
    /// What ends the HTML that is open, blank lines or not.
    html_end: Option<&'static str>,
    /// What the rest of the text does not have.
    absent: Vec<&'static str>,
    in_list: bool,
}

impl Scan<'_> {
    fn line(&mut self, line: &Line<'_>) {
        if self.goes_on_verbatim(line) {
            return;
        }
        if line.body.is_empty() {
            self.close();
        } else if !(self.opens_fence(line) || line.is_shallow() && self.is_one_line(line)) {
            self.flow(line);
        }
    }

    /// Whether a line belongs to what is read verbatim: a fence, a comment, preformatted HTML.
    fn goes_on_verbatim(&mut self, line: &Line<'_>) -> bool {
        let closes = match (&self.fence, self.html_end) {
            (Some(fence), _) => line.indent <= fence.indent + 3 && fence.is_closed_by(line.body),
            (None, Some(mark)) => line.body.contains(mark),
            (None, None) => return false,
        };
        if let Some(open) = &mut self.open {
            open.end = line.end.max(open.end);
            if self.fence.is_some() {
                open.kind = BlockKind::Fence { closed: closes };
            }
        }
        if closes {
            (self.fence, self.html_end) = (None, None);
            self.close();
        }
        true
    }

    fn opens_fence(&mut self, line: &Line<'_>) -> bool {
        let fence = OpenFence::read(line.body, line.indent).filter(|_| line.is_shallow() || self.in_list);
        if fence.is_some() {
            self.begin(line.opens(BlockKind::Fence { closed: false }, 0), line.indent);
            self.fence = fence;
        }
        self.fence.is_some()
    }

    /// Headings and rules.
    fn is_one_line(&mut self, line: &Line<'_>) -> bool {
        let first = self.blocks.is_empty() && self.open.is_none();
        if let Some((level, text_start, text_end)) = atx(line.body, first) {
            let heading = line.opens(BlockKind::Heading { level }, text_start);
            let text_end = Some(line.start + line.lead + text_end);
            self.begin(Open { text_end, ..heading }, line.indent);
        } else if let Some(open) = self.open.as_mut().filter(|open| open.kind == BlockKind::Paragraph)
            && let Some(level) = setext(line.body)
        {
            open.kind = BlockKind::Heading { level };
            open.text_end = Some(open.end);
            open.end = line.end;
        } else if is_rule(line.body) {
            self.begin(line.opens(BlockKind::Rule, 0), line.indent);
        } else {
            return false;
        }
        self.close();
        true
    }

    /// What goes on over several lines.
    fn flow(&mut self, line: &Line<'_>) {
        let open_kind = self.open.as_ref().map(|open| open.kind);
        if line.body.starts_with('>') {
            if open_kind == Some(BlockKind::Quote) {
                self.extend(line.end);
            } else {
                self.begin(line.opens(BlockKind::Quote, 1), line.indent);
            }
        } else if let Some(marker) = item_marker(line.body, open_kind == Some(BlockKind::Paragraph)) {
            self.begin(line.opens(BlockKind::Item { indent: line.indent }, marker), line.indent);
            self.in_list = true;
        } else if let Some(mark) = self.closed_html(line) {
            self.begin(line.opens(BlockKind::Html, 0), line.indent);
            self.html_end = Some(mark);
        } else {
            let kind = match open_kind {
                Some(
                    kind @ (BlockKind::Paragraph
                    | BlockKind::Item { .. }
                    | BlockKind::Quote
                    | BlockKind::Html),
                ) => kind,
                _ if !line.is_shallow() && !self.in_list => BlockKind::Code,
                _ if is_html(line.body) => BlockKind::Html,
                _ if line.body.starts_with('|') => BlockKind::Table,
                _ => BlockKind::Paragraph,
            };
            if open_kind == Some(kind) {
                self.extend(line.end);
            } else {
                self.begin(line.opens(kind, 0), line.indent);
            }
        }
    }

    /// What ends the HTML that a line opens, if that stands on a line below (`CommonMark` 0.31, section 4.6, kinds 1 and 2). What
    /// is never closed hides nothing: its author sees what readers make of it, and mends it.
    fn closed_html(&mut self, line: &Line<'_>) -> Option<&'static str> {
        let mark = html_end(line.body)?;
        if !line.is_shallow() || line.body.contains(mark) || self.absent.contains(&mark) {
            return None;
        }
        let is_closed = self.text.get(line.end..).is_some_and(|rest| rest.contains(mark));
        if !is_closed {
            self.absent.push(mark);
        }
        is_closed.then_some(mark)
    }

    fn begin(&mut self, open: Open, indent: usize) {
        self.close();
        if indent < 2 {
            self.in_list = false;
        }
        self.open = Some(open);
    }

    fn extend(&mut self, end: usize) {
        if let Some(open) = &mut self.open {
            open.end = end;
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let source = self.text.get(open.start..open.end).unwrap_or_default();
        let text =
            self.text.get(open.text_start..open.text_end.unwrap_or(open.end)).unwrap_or_default().trim();
        self.blocks.push(Block { kind: open.kind, line: open.line, start: open.start, source, text });
    }
}

/// Where the front matter ends: after the three hyphens of its closing line.
fn front_matter(text: &str) -> Option<usize> {
    let (first, rest) = text.split_once('\n')?;
    if first.trim_end() != "---" || rest.lines().next()?.trim().is_empty() {
        return None;
    }
    let mut at = first.len() + 1;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some(at + 3);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Vec<String> {
        blocks(text).iter().map(|b| format!("{} {:?} {}", b.line, b.kind, b.text)).collect()
    }

    #[test]
    fn headings_of_every_kind() {
        assert_eq!(
            shown("#Title\n##Two ##\r\n####### seven\nA\nb\n---\nC\n==\n# C#\n#tag\n"),
            [
                "1 Heading { level: 1 } Title",
                "2 Heading { level: 2 } Two ##",
                "3 Heading { level: 7 } seven",
                "4 Heading { level: 2 } A\nb",
                "7 Heading { level: 1 } C",
                "9 Heading { level: 1 } C#",
                "10 Paragraph #tag",
            ]
            .map(|s| s.replace("Two ##", "Two"))
        );
    }

    #[test]
    fn lists_and_what_they_hold() {
        assert_eq!(
            shown("- a\n  more\n    * b\n\n      ```\n      # no\n      ```\n2) two\n-[x](y)\n\nend"),
            [
                "1 Item { indent: 0 } a\n  more",
                "3 Item { indent: 4 } b",
                "5 Fence { closed: true } ```\n      # no\n      ```",
                "8 Item { indent: 0 } two",
                "9 Item { indent: 0 } [x](y)",
                "11 Paragraph end",
            ]
        );
    }

    #[test]
    fn fences_hide_what_looks_like_structure() {
        assert_eq!(
            shown("````md\n# no\n```\n    ````\n- no\n````\n~~~\nopen"),
            [
                "1 Fence { closed: true } ````md\n# no\n```\n    ````\n- no\n````",
                "7 Fence { closed: false } ~~~\nopen",
            ]
        );
    }

    #[test]
    fn the_other_kinds() {
        assert_eq!(
            shown("---\na: b\n---\n> q\n> r\n\n    code\n\n***\n<div>\nx\n\n| a |\n| - |\n\n<https://x.y>\n"),
            [
                "1 FrontMatter ---\na: b\n---",
                "4 Quote q\n> r",
                "7 Code code",
                "9 Rule ***",
                "10 Html <div>\nx",
                "13 Table | a |\n| - |",
                "16 Paragraph <https://x.y>",
            ]
        );
    }

    #[test]
    fn comments_and_preformatted_html_go_on_over_blank_lines_until_they_are_closed() {
        assert_eq!(
            shown(
                "a\n<!--\n# no\n\n- no\n-->\n# b\n<pre class=x>\n\n# no\n</pre>\n<!-- c -->\n\n<!-- d\n\n- e\n"
            ),
            [
                "1 Paragraph a",
                "2 Html <!--\n# no\n\n- no\n-->",
                "7 Heading { level: 1 } b",
                "8 Html <pre class=x>\n\n# no\n</pre>",
                "12 Html <!-- c -->",
                "14 Html <!-- d",
                "16 Item { indent: 0 } e",
            ]
        );
    }

    #[test]
    fn wide_spaces_that_open_a_paragraph_make_no_code() {
        assert_eq!(shown("\u{3000}\u{3000}窑炉\n\n\t code"), ["1 Paragraph 窑炉", "3 Code code"]);
    }

    proptest! {
        #[test]
        fn every_text_is_covered_in_order(text in "([-#>*`~=|< \t\r\n1.a\\[\\]()]|\\PC){0,80}") {
            let mut end = 0;
            for block in blocks(&text) {
                prop_assert!(text.get(end..block.start).is_some_and(|gap| gap.trim().is_empty()));
                prop_assert_eq!(text.get(block.start..block.start + block.source.len()), Some(block.source));
                prop_assert_eq!(block.line, 1 + text.bytes().take(block.start).filter(|&b| b == b'\n').count());
                end = block.start + block.source.len();
            }
            prop_assert!(text.get(end..).is_some_and(|rest| rest.trim().is_empty()));
        }
    }
}
