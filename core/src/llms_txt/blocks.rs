//! Markdown cut into its blocks, with line numbers: one linear pass that never fails.
//!
//! Follows `CommonMark` where real files do, and is more tolerant where they are not: a heading needs no space
//! after two hashes, `-[a](b)` is an item, and an item is an item at any indentation.

use memchr::memchr_iter;

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
    let mut scan = Scan { text, blocks: Vec::new(), open: None, fence: None, in_list: false };
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
        scan.line(line.trim_end_matches(['\n', '\r']), start, number);
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

/// The fence that is open.
struct OpenFence {
    byte: u8,
    length: usize,
    indent: usize,
}

struct Scan<'a> {
    text: &'a str,
    /// Those that have ended.
    blocks: Vec<Block<'a>>,
    open: Option<Open>,
    fence: Option<OpenFence>,
    in_list: bool,
}

impl Scan<'_> {
    fn line(&mut self, line: &str, start: usize, number: usize) {
        let unindented = line.trim_start();
        let (body, lead) = (unindented.trim_end(), line.len() - unindented.len());
        let end = if body.is_empty() { start } else { start + lead + body.len() };
        // Other white space indents what readers see, and makes no code (CommonMark 0.31, section 2.1).
        let columns = |byte| match byte {
            b'\t' => 4,
            b' ' => 1,
            _ => 0,
        };
        let indent: usize = line.bytes().take(lead).map(columns).sum();
        if let Some(marker) = &self.fence {
            let closes = indent <= marker.indent + 3 && closes_fence(body, marker);
            if let Some(open) = &mut self.open {
                open.end = end.max(open.end);
                open.kind = BlockKind::Fence { closed: closes };
            }
            if closes {
                self.fence = None;
                self.close();
            }
            return;
        }
        if body.is_empty() {
            self.close();
            return;
        }
        let new = |kind, skipped: usize, text_end| {
            let text_start = (start + lead + skipped).min(end);
            Open { kind, line: number, start, text_start, text_end, end }
        };
        let open_kind = self.open.as_ref().map(|open| open.kind);
        let shallow = indent < 4;
        if let Some((byte, length)) = fence_marker(body).filter(|_| shallow || self.in_list) {
            self.begin(new(BlockKind::Fence { closed: false }, 0, None), indent);
            self.fence = Some(OpenFence { byte, length, indent });
            return;
        }
        if shallow {
            let first = self.blocks.is_empty() && self.open.is_none();
            if let Some((level, text_start, text_end)) = atx(body, first) {
                let text_end = start + lead + text_end;
                self.begin(new(BlockKind::Heading { level }, text_start, Some(text_end)), indent);
                self.close();
                return;
            }
            if open_kind == Some(BlockKind::Paragraph)
                && let Some(level) = setext(body)
                && let Some(open) = &mut self.open
            {
                open.kind = BlockKind::Heading { level };
                open.text_end = Some(open.end);
                open.end = end;
                self.close();
                return;
            }
            if is_rule(body) {
                self.begin(new(BlockKind::Rule, 0, None), indent);
                self.close();
                return;
            }
        }
        if body.starts_with('>') {
            if open_kind == Some(BlockKind::Quote) {
                self.extend(end);
            } else {
                self.begin(new(BlockKind::Quote, 1, None), indent);
            }
        } else if let Some(skipped) = item_marker(body, open_kind == Some(BlockKind::Paragraph)) {
            self.begin(new(BlockKind::Item { indent }, skipped, None), indent);
            self.in_list = true;
        } else {
            let kind = match open_kind {
                Some(
                    kind @ (BlockKind::Paragraph
                    | BlockKind::Item { .. }
                    | BlockKind::Quote
                    | BlockKind::Html),
                ) => kind,
                _ if !shallow && !self.in_list => BlockKind::Code,
                _ if is_html(body) => BlockKind::Html,
                _ if body.starts_with('|') => BlockKind::Table,
                _ => BlockKind::Paragraph,
            };
            if open_kind == Some(kind) {
                self.extend(end);
            } else {
                self.begin(new(kind, 0, None), indent);
            }
        }
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

/// The character and length of a line that opens fenced code.
fn fence_marker(body: &str) -> Option<(u8, usize)> {
    let byte = *body.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
    let length = body.bytes().take_while(|&b| b == byte).count();
    let info_is_sane = byte == b'~' || !body.bytes().skip(length).any(|b| b == b'`');
    (length >= 3 && info_is_sane).then_some((byte, length))
}

fn closes_fence(body: &str, marker: &OpenFence) -> bool {
    body.len() >= marker.length && body.bytes().all(|b| b == marker.byte)
}

/// Level and bounds of the text of a heading marked with hashes.
fn atx(body: &str, first: bool) -> Option<(usize, usize, usize)> {
    let level = body.bytes().take_while(|&b| b == b'#').count();
    if level == 0 {
        return None;
    }
    let rest = body.get(level..)?;
    let spaced = rest.is_empty() || rest.starts_with([' ', '\t']);
    let named = rest.starts_with(char::is_alphanumeric) && first;
    if !(spaced || level > 1 || named) {
        return None;
    }
    let open = rest.trim_end_matches('#');
    let text = if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { rest };
    Some((level, level, level + text.len()))
}

fn setext(body: &str) -> Option<usize> {
    if body.bytes().all(|b| b == b'=') { Some(1) } else { body.bytes().all(|b| b == b'-').then_some(2) }
}

fn is_rule(body: &str) -> bool {
    let Some(mark @ (b'-' | b'*' | b'_')) = body.bytes().next() else { return false };
    body.bytes().all(|b| b == mark || b == b' ' || b == b'\t')
        && body.bytes().filter(|&b| b == mark).count() >= 3
}

/// How long the marker of an item is.
fn item_marker(body: &str, in_paragraph: bool) -> Option<usize> {
    if let Some(rest) = body.strip_prefix(['-', '*', '+']) {
        let spaced = rest.is_empty() || rest.starts_with([' ', '\t']);
        return (spaced || rest.starts_with('[')).then_some(1);
    }
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let rest = body.get(digits..)?.strip_prefix(['.', ')'])?;
    let starts_list = !in_paragraph || body.get(..digits) == Some("1");
    ((1..10).contains(&digits) && rest.starts_with([' ', '\t']) && starts_list).then_some(digits + 1)
}

fn is_html(body: &str) -> bool {
    body.strip_prefix('<').is_some_and(|rest| {
        let name = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let opens = rest.starts_with(['/', '!', '?']) || rest.starts_with(|c: char| c.is_ascii_alphabetic());
        // `<https://...>` and `<name@host>` are links, not tags.
        opens && !matches!(rest.as_bytes().get(name), Some(b':' | b'@' | b'.' | b'+'))
    })
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
